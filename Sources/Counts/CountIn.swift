// The numbers that are counted before the music starts.

/// How long a count-in is.
public enum CountInLength: Sendable, Equatable {
  /// So many counts, 0…64, with the numbers of the eight: four before count 1 are "5, 6, 7, 8".
  case counts(Int)
  /// As many counts as an eight has, with their numbers.
  case eight
  /// As many counts as a bar has, with their places in the bar: "1, 2, 3, 4".
  case bar
}

/// One number of a count-in.
public struct CountInBeat: Sendable, Equatable {
  /// The output frames from here to the first frame of the music, at 48 kHz.
  public var framesBefore: Int
  /// The number that is said.
  public var number: Int
  /// Whether a bar begins with it.
  public var isDownbeat: Bool

  /// Makes a number of a count-in.
  public init(framesBefore: Int, number: Int, isDownbeat: Bool) {
    self.framesBefore = framesBefore
    self.number = number
    self.isDownbeat = isDownbeat
  }
}

extension Grid {
  /// Returns the numbers that lead to `start`, the farthest first, so that the music's first frame falls
  /// on its own count, or as far behind the last number as it lies behind that count.
  ///
  /// The tempo is that of the four beats from `start` on, at `speed` (1 is the original; clamped to
  /// 0.1…10). Numbers go on before the track as if it did. Empty where there are no counts.
  public func countIn(to start: Int, speed: Double, length: CountInLength) -> [CountInBeat] {
    guard let place = place(of: start), !speed.isNaN else { return [] }
    let stretch = stretches[place.stretch]
    let next = place.index + 1
    // The count that the music starts on or behind, as if bars went on evenly before it.
    let first = beats[max(place.index, stretch.beats.lowerBound)]
    let perEight = Metre.countsPerEight(first.metre)
    let behind = place.index < stretch.beats.lowerBound ? 1 : 0
    let elapsed = start - frame(of: place.index, in: stretch)
    let number: Int
    switch length {
    case .counts(let counts): number = min(max(counts, 0), 64)
    case .eight: number = perEight
    case .bar: number = first.metre
    }
    guard number > 0 else { return [] }
    let last = min(next + 3, stretch.beats.upperBound - 1)
    let measured = max(place.index, stretch.beats.lowerBound)
    let period =
      last > measured
      ? Double(beats[last].frame - beats[measured].frame) / Double(last - measured)
      : Double(gap(after: measured, in: stretch))
    /// The steps with the numbers of an eight, or with the places of a bar.
    func steps(from value: Int, in turn: Int) -> CountInSteps {
      CountInSteps(
        count: number, number: value - behind, numbersInTurn: turn, elapsedFrames: Double(elapsed),
        periodFrames: period, speed: min(max(speed, 0.1), 10))
    }
    let counts = steps(from: first.count, in: perEight)
    let places = steps(from: first.place, in: first.metre)
    return (0..<number).reversed().map { step in
      CountInBeat(
        framesBefore: counts.framesBefore(step),
        number: length == .bar ? places.number(step) : counts.number(step),
        isDownbeat: places.number(step) == 1)
    }
  }
}
