// The counts of a part that is practised: its own eights, steps from eight to eight, and what its
// markers snap to.

extension Grid {
  /// Returns the position of `frame` with the eights of `part`, the frames that are practised: the first
  /// count 1 in it begins eight 1, and what sounds before is the pick-up, in eight 0. A count 1 less than
  /// half a count before the part belongs to it. In a part without a count 1 everything is eight 1. Nil
  /// where there are no counts.
  public func position(of frame: Int, in part: Range<Int>) -> CountPosition? {
    guard var position = position(of: frame) else { return nil }
    position.eight -= firstEight(of: part) - 1
    return position
  }

  /// Returns where a step by an eight from `frame` leads, without leaving `part`; nil where there are no
  /// counts.
  ///
  /// Forward: the next count 1. One that is less than half a count away counts as reached. Back: the
  /// count 1 of this eight; less than a count or half a second after it, the one before.
  public func frame(_ frame: Int, steppedForward isForward: Bool, in part: Range<Int>) -> Int? {
    guard let place = place(of: frame) else { return nil }
    let part = part.clamped(to: 0..<lengthFrames)
    if isForward {
      let next = beats[(nearest(to: frame, place) + 1)...].first { $0.count == 1 }
      return min(max(next?.frame ?? part.upperBound, part.lowerBound), part.upperBound)
    }
    let near = max(gap(after: place.index, in: stretches[place.stretch]), Grid.backAgainFrames)
    var begun = beats[..<(place.index + 1)].last { $0.count == 1 }
    if let own = begun, frame - own.frame < near {
      begun = beats[..<firstIndex(from: own.frame)].last { $0.count == 1 }
    }
    return min(max(begun?.frame ?? part.lowerBound, part.lowerBound), part.upperBound)
  }

  /// Returns the frame nearest to `frame` of the counts in `part` and of its borders, the earlier of two;
  /// nil where there are no counts.
  public func nearestStop(to frame: Int, in part: Range<Int>) -> Int? {
    let part = part.clamped(to: 0..<lengthFrames)
    let frame = min(max(frame, part.lowerBound), part.upperBound)
    guard place(of: min(frame, lengthFrames - 1)) != nil, let beat = nearestBeat(to: frame) else {
      return nil
    }
    let counted = min(max(beat.frame, part.lowerBound), part.upperBound)
    return [part.lowerBound, counted, part.upperBound].min { abs($0 - frame) < abs($1 - frame) }
  }

  /// Returns the next count in `part` after `frame`, or before it; its border if there is none, and nil
  /// at the border.
  public func nextStop(from frame: Int, forward isForward: Bool, in part: Range<Int>) -> Int? {
    let part = part.clamped(to: 0..<lengthFrames)
    let frame = min(max(frame, part.lowerBound), part.upperBound)
    guard frame != (isForward ? part.upperBound : part.lowerBound) else { return nil }
    let index = isForward ? firstIndex(from: frame + 1) : firstIndex(from: frame) - 1
    guard beats.indices.contains(index) else {
      return isForward ? part.upperBound : part.lowerBound
    }
    return min(max(beats[index].frame, part.lowerBound), part.upperBound)
  }

  /// A step back so soon after a count 1 goes on to the one before, so that presses can follow each other.
  private static let backAgainFrames = 24_000

  /// The number, in the track, of the eight that a part counts as its first.
  private func firstEight(of part: Range<Int>) -> Int {
    origin(of: part).map { eightAndCount(ofIndex: $0).eight }
      ?? position(of: part.lowerBound)?.eight ?? 1
  }

  /// Returns the index of the first beat of `part` that has count 1; of its first beat if none has, and nil
  /// without beats in it. A count 1 less than half a count before the part belongs to it, also the one
  /// before the track's first beat, whose index is -1.
  func origin(of part: Range<Int>) -> Int? {
    let first = place(of: part.lowerBound).map { nearest(to: part.lowerBound, $0) }
    if first == -1, eightAndCount(ofIndex: -1).count == 1 { return -1 }
    let start = max(first ?? firstIndex(from: part.lowerBound), 0)
    let inside = beats[start..<max(start, firstIndex(from: part.upperBound))]
    return inside.firstIndex { $0.count == 1 } ?? inside.indices.first
  }

  /// Returns the index of the beat of its stretch that is nearest to a frame; perhaps of one before the
  /// stretch's first.
  private func nearest(to frame: Int, _ place: (stretch: Int, index: Int)) -> Int {
    let stretch = stretches[place.stretch]
    let elapsed = frame - self.frame(of: place.index, in: stretch)
    let isBehind = 2 * elapsed < gap(after: place.index, in: stretch)
    return isBehind ? place.index : min(place.index + 1, stretch.beats.upperBound - 1)
  }
}
