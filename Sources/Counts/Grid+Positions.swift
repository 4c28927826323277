// Arithmetic between frames, counts and eights.

/// A position in counts: in eight `eight`, `fraction` of a beat after count `count`.
public struct CountPosition: Sendable, Equatable {
  /// The number of the eight, as in `Beat`.
  public var eight: Int
  /// The count, from 1.
  public var count: Int
  /// How far it is to the next beat, from 0 up to, but without, 1.
  public var fraction: Double

  /// Makes a position.
  public init(eight: Int, count: Int, fraction: Double = 0) {
    self.eight = eight
    self.count = count
    self.fraction = fraction
  }
}

/// A length in whole eights and the counts that remain, as in "4 × 8 + 2".
public struct CountLength: Sendable, Equatable {
  /// The whole eights.
  public var eights: Int
  /// The counts that remain.
  public var counts: Int
  /// The counts of an eight: the 8 in "4 × 8".
  public var countsPerEight: Int

  /// Makes a length.
  public init(eights: Int, counts: Int, countsPerEight: Int) {
    self.eights = eights
    self.counts = counts
    self.countsPerEight = countsPerEight
  }
}

extension Grid {
  // MARK: Beats

  /// Returns the beats whose frames lie in `range`.
  public func beats(in range: Range<Int>) -> ArraySlice<Beat> {
    beats[firstIndex(from: range.lowerBound)..<firstIndex(from: range.upperBound)]
  }

  /// Returns the beat nearest to `frame`, the earlier of two; nil without beats.
  public func nearestBeat(to frame: Int) -> Beat? {
    nearest(to: frame, firstIndex(from: frame).advanced(by: -1), firstIndex(from: frame))
  }

  /// Returns the beat nearest to `frame` at which an eight begins, the earlier of two; nil if there is
  /// none.
  public func nearestEight(to frame: Int) -> Beat? {
    let next = firstIndex(from: frame)
    return nearest(
      to: frame, beats[..<next].lastIndex { $0.count == 1 } ?? -1,
      beats[next...].firstIndex { $0.count == 1 } ?? beats.count)
  }

  /// Returns the frames from the beat at or before `frame` to the next one; nil where there are no
  /// counts.
  public func period(at frame: Int) -> Int? {
    guard let place = place(of: frame) else { return nil }
    return gap(after: place.index, in: stretches[place.stretch])
  }

  // MARK: Frame and count

  /// Returns the position of `frame`; nil where there are no counts.
  public func position(of frame: Int) -> CountPosition? {
    guard let place = place(of: frame) else { return nil }
    let stretch = stretches[place.stretch]
    let fraction =
      Double(frame - self.frame(of: place.index, in: stretch))
      / Double(gap(after: place.index, in: stretch))
    let (eight, count) = eightAndCount(ofIndex: place.index)
    return CountPosition(eight: eight, count: count, fraction: fraction)
  }

  /// Returns the eight and the count of a beat, or of the one before the track's first, whose index is -1.
  func eightAndCount(ofIndex index: Int) -> (eight: Int, count: Int) {
    let beat = beats[max(index, 0)]
    if index >= 0 { return (beat.eight, beat.count) }
    return beat.count > 1
      ? (beat.eight, beat.count - 1) : (beat.eight - 1, Metre.countsPerEight(beat.metre))
  }

  /// Returns the frame of `position`; nil if its eight has no such count, its fraction is not within
  /// 0 ..< 1, or it lies outside the track. It is the inverse of `position(of:)`.
  public func frame(of position: CountPosition) -> Int? {
    guard position.fraction >= 0, position.fraction < 1, let first = stretches.first else {
      return nil
    }
    if let index = index(eight: position.eight, count: position.count) {
      return inTrack(
        frame(index, position.fraction, in: stretches[self.stretch(holding: index)]))
    }
    // What lies between the start of the track and its first beat.
    guard first.frames.lowerBound == 0, let lead = self.position(of: 0),
      lead.eight == position.eight, lead.count == position.count
    else { return nil }
    return inTrack(frame(first.beats.lowerBound - 1, position.fraction, in: first))
  }

  private func inTrack(_ frame: Int) -> Int? {
    (0...lengthFrames).contains(frame) ? frame : nil
  }

  /// Returns `frame` moved by `counts`, with its place between two beats. Regions without counts are
  /// skipped; the result lies in one if its last beat is cut short. Nil where there are no counts, or if
  /// there are not so many.
  public func frame(_ frame: Int, movedByCounts counts: Int) -> Int? {
    guard let place = place(of: frame), (-beats.count...beats.count).contains(counts) else {
      return nil
    }
    let index = place.index + counts
    guard index >= -1, index < beats.count else { return nil }
    let old = stretches[place.stretch]
    let fraction =
      Double(frame - self.frame(of: place.index, in: old))
      / Double(gap(after: place.index, in: old))
    let stretch = stretches[self.stretch(holding: max(index, 0))]
    guard index >= 0 || stretch.frames.lowerBound == 0 else { return nil }
    return inTrack(self.frame(index, fraction, in: stretch))
  }

  /// Returns `frame` moved by `eights`: the same count and fraction in another eight. In an eight that
  /// has less counts it is the last. Nil where there are no counts, or if there is no such eight, or it
  /// begins with a later count.
  public func frame(_ frame: Int, movedByEights eights: Int) -> Int? {
    guard let position = position(of: frame), let last = beats.last,
      (-last.eight...last.eight).contains(eights)
    else { return nil }
    let eight = position.eight + eights
    let range = firstIndex(ofEight: eight)..<firstIndex(ofEight: eight + 1)
    guard let ending = beats[range].last else { return nil }
    return self.frame(
      of: CountPosition(
        eight: eight, count: min(position.count, ending.count), fraction: position.fraction))
  }

  // MARK: Lengths

  /// Returns the counts in `range`, with the fractions at both ends. Regions without counts add none.
  public func counts(in range: Range<Int>) -> Double {
    coordinate(of: range.upperBound) - coordinate(of: range.lowerBound)
  }

  /// Returns the length of `range` in eights, rounded to whole counts, with the counts of the eight at
  /// its start; nil if it holds less than half a count.
  public func length(of range: Range<Int>) -> CountLength? {
    let counts = Int(rounded(counts(in: range)))
    guard counts > 0, let beat = nearestBeat(to: range.lowerBound) else { return nil }
    let (eights, rest) = counts.quotientAndRemainder(dividingBy: Metre.countsPerEight(beat.metre))
    return CountLength(
      eights: eights, counts: rest, countsPerEight: Metre.countsPerEight(beat.metre))
  }

  // MARK: Finding

  /// Returns the index of the first beat at or after `frame`; the number of beats if there is none.
  public func firstIndex(from frame: Int) -> Int { firstIndex { $0.frame >= frame } }

  private func firstIndex(ofEight eight: Int) -> Int { firstIndex { $0.eight >= eight } }

  /// Returns the index of the first beat from which on `isReached` holds.
  private func firstIndex(where isReached: (Beat) -> Bool) -> Int {
    var low = 0
    var high = beats.count
    while low < high {
      let middle = (low + high) / 2
      if isReached(beats[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Returns the index of a beat; nil if its eight has no such count.
  func index(eight: Int, count: Int) -> Int? {
    guard let last = beats.last, eight <= last.eight else { return nil }
    let range = firstIndex(ofEight: eight)..<firstIndex(ofEight: eight + 1)
    return range.first { beats[$0].count == count }
  }

  private func nearest(to frame: Int, _ before: Int, _ after: Int) -> Beat? {
    if before < 0 { return after < beats.count ? beats[after] : nil }
    guard after < beats.count else { return beats[before] }
    // As floating-point numbers, which any frame fits into.
    let isBefore =
      Double(frame) - Double(beats[before].frame) <= Double(beats[after].frame) - Double(frame)
    return beats[isBefore ? before : after]
  }

  /// Returns the stretch that holds `frame`, and the index of the beat at or before it, which is one
  /// before the stretch's first between the start of the track and that beat.
  func place(of frame: Int) -> (stretch: Int, index: Int)? {
    var low = 0
    var high = stretches.count
    while low < high {
      let middle = (low + high) / 2
      if stretches[middle].frames.lowerBound <= frame { low = middle + 1 } else { high = middle }
    }
    guard low > 0, stretches[low - 1].frames.contains(frame) else { return nil }
    let next = firstIndex(from: frame)
    return (low - 1, next < beats.count && beats[next].frame == frame ? next : next - 1)
  }

  /// Returns the index of the stretch that holds a beat.
  func stretch(holding index: Int) -> Int {
    var low = 0
    var high = stretches.count
    while low < high {
      let middle = (low + high) / 2
      if stretches[middle].beats.lowerBound <= index { low = middle + 1 } else { high = middle }
    }
    return low - 1
  }

  /// The frame of a beat of `stretch`, or of the one before its first.
  func frame(of index: Int, in stretch: Stretch) -> Int {
    index < stretch.beats.lowerBound ? stretch.preceding : beats[index].frame
  }

  /// The frames from a beat of `stretch`, or from the one before its first, to the next.
  func gap(after index: Int, in stretch: Stretch) -> Int {
    let next = index + 1 < stretch.beats.upperBound ? beats[index + 1].frame : stretch.following
    return next - frame(of: index, in: stretch)
  }

  /// Returns the frame a fraction of a beat after one of `stretch`.
  func frame(_ index: Int, _ fraction: Double, in stretch: Stretch) -> Int {
    let frames = rounded(fraction * Double(gap(after: index, in: stretch)))
    return frame(of: index, in: stretch) + Int(frames)
  }

  /// The beats before `frame`, with the fraction of the one that it lies in.
  private func coordinate(of frame: Int) -> Double {
    guard let place = place(of: frame) else { return Double(firstIndex(from: frame)) }
    let stretch = stretches[place.stretch]
    return Double(place.index)
      + Double(frame - self.frame(of: place.index, in: stretch))
      / Double(gap(after: place.index, in: stretch))
  }
}
