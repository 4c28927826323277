// Where the numbers of a count-in lie before the music: arithmetic without memory of its own, so that
// the practice engine can do it while it renders.

/// Where a start lies among beats.
public struct BeatPlace: Sendable, Equatable {
  /// The index of the beat at or before the start; where that belongs to another stretch, the beat after it.
  public var index: Int
  /// Whether the start lies before the beat at `index`, by a beat or less: it follows the count before.
  public var isBefore: Bool
  /// The frames from the count that the start follows, or has, to the start.
  public var elapsedFrames: Double
  /// The frames of one beat there: the mean of up to four, from that beat on.
  public var periodFrames: Double

  /// The beats that tell the tempo of a place.
  private static let measuredBeats = 4

  /// Finds the place of `start` among `count` beats with rising frames, told by `frame`. Nil if no beats
  /// lie around it.
  ///
  /// Real time: no allocation. Complexity: O(log n).
  public init?(of start: Int, count: Int, frame: (_ index: Int) -> Int) {
    /// Whether no region without counts lies between a beat and the next.
    func isJoined(_ index: Int) -> Bool {
      index >= 0 && index + 1 < count
        && Double(frame(index + 1) - frame(index)) <= Tempo.longestPeriod
    }
    /// The mean distance of joined beats from `first` on, or up to it.
    func period(at first: Int, step: Int) -> Double {
      var last = first
      while abs(last - first) < Self.measuredBeats && isJoined(step > 0 ? last : last - 1) {
        last += step
      }
      return Double(frame(max(first, last)) - frame(min(first, last)))
        / Double(max(1, abs(last - first)))
    }
    var next = 0
    var high = count
    while next < high {
      let middle = (next + high) / 2
      if frame(middle) <= start { next = middle + 1 } else { high = middle }
    }
    index = next - 1
    isBefore = false
    if isJoined(index) {
      periodFrames = period(at: index, step: 1)
    } else if isJoined(index - 1) {
      periodFrames = period(at: index, step: -1)
    } else {
      periodFrames = 0
    }
    elapsedFrames = index < 0 ? 0 : Double(start - frame(index))
    if !isJoined(index) && elapsedFrames >= periodFrames {
      guard isJoined(next) else { return nil }
      index = next
      isBefore = true
      periodFrames = period(at: next, step: 1)
      elapsedFrames = periodFrames - Double(frame(next) - start)
    }
    if elapsedFrames < 0 || periodFrames < Tempo.shortestPeriod { return nil }
  }
}

/// The numbers of a count-in and their moments before the music.
public struct CountInSteps: Sendable, Equatable {
  /// How many numbers there are; step 0 is the last, nearest to the music.
  public let count: Int
  private let lastNumber: Int
  private let numbersInTurn: Int
  private let lastFrames: Double
  private let periodFrames: Double

  /// Leads to a start that lies `elapsedFrames` of the track behind the beat with `number`, at `speed` (1
  /// is the original). Numbers go round from 1 to `numbersInTurn`.
  ///
  /// A start on its beat has that number itself: the count-in ends with the number before.
  public init(
    count: Int, number: Int, numbersInTurn: Int, elapsedFrames: Double, periodFrames: Double,
    speed: Double
  ) {
    let isOnBeat = elapsedFrames / speed < 0.5
    self.init(
      count: count, lastNumber: isOnBeat ? number - 1 : number, numbersInTurn: numbersInTurn,
      elapsedFrames: elapsedFrames, periodFrames: periodFrames, speed: speed)
  }

  /// The same with the numbers from 1 to `count`, wherever the start lies in its bar.
  public init(fromOneTo count: Int, elapsedFrames: Double, periodFrames: Double, speed: Double) {
    self.init(
      count: count, lastNumber: count, numbersInTurn: count, elapsedFrames: elapsedFrames,
      periodFrames: periodFrames, speed: speed)
  }

  private init(
    count: Int, lastNumber: Int, numbersInTurn: Int, elapsedFrames: Double, periodFrames: Double,
    speed: Double
  ) {
    let isOnBeat = elapsedFrames / speed < 0.5
    self.count = count
    self.lastNumber = lastNumber
    self.numbersInTurn = numbersInTurn
    self.periodFrames = periodFrames / speed
    lastFrames = (isOnBeat ? elapsedFrames + periodFrames : elapsedFrames) / speed
  }

  /// Returns the output frames from a step to the first frame of the music.
  public func framesBefore(_ step: Int) -> Int {
    Int(rounded(lastFrames + Double(step) * periodFrames))
  }

  /// Returns the number of a step.
  public func number(_ step: Int) -> Int { remainder(lastNumber - 1 - step, numbersInTurn) + 1 }
}
