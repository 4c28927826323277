// Where moves lie: in counts of their part, and from taps.

extension Grid {
  /// Returns how many counts `frame` is after the first count 1 of `part`: 0 on it, 2.5 on the & of count 3,
  /// negative in the pick-up. Nil where there are no counts.
  public func count(of frame: Int, in part: Range<Int>) -> Double? {
    guard let place = place(of: frame), let origin = origin(of: part) else { return nil }
    let stretch = stretches[place.stretch]
    let fraction =
      Double(frame - self.frame(of: place.index, in: stretch))
      / Double(gap(after: place.index, in: stretch))
    return Double(place.index - origin) + fraction
  }

  /// Returns the frame that is `count` counts after the first count 1 of `part`, to the nearest
  /// frame of the track; nil outside its counts. It is the inverse of `count(of:in:)`.
  public func frame(ofCount count: Double, in part: Range<Int>) -> Int? {
    guard let origin = origin(of: part), count.magnitude <= Double(Grid.longestTrackFrames) else {
      return nil
    }
    let whole = count.rounded(.down)
    let index = origin + Int(whole)
    guard index < beats.count, index >= (hasLead ? -1 : 0) else { return nil }
    let stretch = stretches[self.stretch(holding: max(index, 0))]
    // The count before the first beat may begin before the track.
    let frame = max(0, self.frame(index, count - whole, in: stretch))
    return frame <= lengthFrames ? frame : nil
  }

  /// Returns the eight and the count of `count` counts after the first count 1 of `part`, in the eights of
  /// the part; nil outside the track's counts.
  public func position(ofCount count: Double, in part: Range<Int>) -> CountPosition? {
    guard let origin = origin(of: part), count.magnitude <= Double(Grid.longestTrackFrames) else {
      return nil
    }
    let whole = count.rounded(.down)
    let index = origin + Int(whole)
    guard index < beats.count, index >= (hasLead ? -1 : 0) else { return nil }
    let (eight, number) = eightAndCount(ofIndex: index)
    return CountPosition(
      eight: eight - eightAndCount(ofIndex: origin).eight + 1, count: number,
      fraction: count - whole)
  }

  /// Returns how many counts `position`, in the eights of `part`, is after its first count 1; nil if that
  /// eight has no such count.
  public func count(of position: CountPosition, in part: Range<Int>) -> Double? {
    guard let origin = origin(of: part), position.fraction >= 0, position.fraction < 1,
      position.eight.magnitude <= Grid.longestTrackFrames.magnitude
    else { return nil }
    let eight = position.eight + eightAndCount(ofIndex: origin).eight - 1
    if let index = index(eight: eight, count: position.count) {
      return Double(index - origin) + position.fraction
    }
    guard hasLead, eightAndCount(ofIndex: -1) == (eight, position.count) else { return nil }
    return Double(-1 - origin) + position.fraction
  }

  /// Returns the counts that were meant by taps at rising frames, one for each, as `count(of:in:)` has
  /// them, whole and rising; nil where there are no counts.
  ///
  /// All taps are late by about the same time (a person's habit, and the delay of screen and loudspeaker
  /// that the page does not know). It is found first: the delay of −120 to 320 ms after which the taps
  /// lie nearest to counts, one of 0 to 250 ms being likelier. Each tap then means the nearest count, and
  /// two never the same. A delay of more than half a beat, beyond that, can't be told from a tap on another count.
  ///
  /// - Complexity: O(n) with n taps.
  public func counts(ofTaps taps: [Int], in part: Range<Int>) -> [Int]? {
    guard let origin = origin(of: part) else { return nil }
    // Where a delay can be taken off without an overflow.
    let taps = taps.map { min(max($0, -48_000), lengthFrames + 48_000) }
    let delay = delay(ofTaps: taps)
    var counts: [Int] = []
    for tap in taps {
      guard let beat = nearestIndex(to: tap - delay) else { return nil }
      counts.append(max(beat - origin, counts.last.map { $0 + 1 } ?? beat - origin))
    }
    return counts
  }

  /// Returns the index of the beat nearest to a frame, the earlier of two; nil without beats.
  private func nearestIndex(to frame: Int) -> Int? {
    guard let beat = nearestBeat(to: frame) else { return nil }
    let index = firstIndex(from: beat.frame)
    return index == 0 && hasLead && frame - stretches[0].preceding < beat.frame - frame ? -1 : index
  }

  /// Whether counts lie before the track's first beat.
  private var hasLead: Bool {
    stretches.first.map { $0.frames.lowerBound == 0 && beats[0].frame > 0 } ?? false
  }

  /// Returns the delay, in frames, that explains the taps best.
  private func delay(ofTaps taps: [Int]) -> Int {
    // In fives of milliseconds. A sum of squares in units of the scatter of a person's taps.
    let candidates = stride(from: -5_760, through: 15_360, by: 240)
    var best = (delay: 0, penalty: Double.infinity)
    for delay in candidates {
      let outside = Double(max(0, -delay, delay - 12_000)) / Grid.tapScatter
      var penalty = outside * outside
      for tap in taps {
        guard let index = nearestIndex(to: tap - delay) else { continue }
        let beat = index < 0 ? stretches[0].preceding : beats[index].frame
        let distance = Double(tap - delay - beat) / Grid.tapScatter
        // A tap far from any count, such as one on an &, tells nothing.
        penalty += min(distance * distance, 9)
      }
      if penalty < best.penalty { best = (delay, penalty) }
    }
    return best.delay
  }

  /// The usual scatter of taps in frames: 40 ms.
  private static let tapScatter = 1_920.0
}
