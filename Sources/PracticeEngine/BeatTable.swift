// The beats of the loaded part, which clicks and count-ins follow.

import Counts

/// One beat. Its layout is that of the wire: four numbers of 32 bits.
public struct EngineBeat: Equatable, Sendable {
  /// The frame of the track.
  public var frame: Int32
  /// The count in the eight, from 1.
  public var count: Int32
  /// The place in the bar, from 1, which is the one.
  public var place: Int32
  /// The beats of its bar.
  public var metre: Int32

  /// Makes a beat.
  public init(frame: Int32, count: Int32, place: Int32, metre: Int32) {
    self.frame = frame
    self.count = count
    self.place = place
    self.metre = metre
  }
}

/// A beat that is due: how it clicks, and its count.
struct DueBeat {
  var sound: ClickSound
  var count: Int
}

/// A fixed table of beats, and how far they were clicked.
///
/// Real time: only `init` allocates. A beat is clicked once each time that playback reaches it.
struct BeatTable: ~Copyable {
  /// Two hours at 136 beats a minute.
  static let capacity = 16_384

  // Unsafe so that rendering reads beats without reference counting. This table alone owns it and frees
  // it in `deinit`; every index below is less than `count`, which is at most the capacity.
  let beats: UnsafeMutablePointer<EngineBeat>
  private(set) var count = 0
  /// The first beat that was not clicked since playback began at its position.
  private var next = 0
  /// All beats up to this frame were clicked, or lie before the position at which playback began.
  private var clickedFrame = -1
  /// A click of the turn before that falls between its last frame and the first of this turn.
  private var pending: DueBeat?

  init() {
    beats = .allocate(capacity: Self.capacity)
    beats.initialize(
      repeating: EngineBeat(frame: 0, count: 1, place: 1, metre: 4), count: Self.capacity)
  }

  deinit { beats.deallocate() }

  /// Takes the first `count` beats that were written. Those from the first on that does not lie after the
  /// one before it, or that has no count, are dropped. Beats before `position` are not clicked any more.
  mutating func take(count: Int, position: Int) {
    self.count = 0
    var last: Int32 = -1
    while self.count < min(count, Self.capacity) {
      let beat = beats[self.count]
      guard beat.frame > last, beat.count > 0, beat.place > 0, Metre.all.contains(Int(beat.metre))
      else { break }
      last = beat.frame
      self.count += 1
    }
    next = firstIndex(from: max(clickedFrame + 1, position))
  }

  /// Playback begins at `frame`.
  mutating func begin(at frame: Int) {
    next = firstIndex(from: frame)
    clickedFrame = frame - 1
    pending = nil
  }

  /// Playback goes on from `end` to `start` without a gap.
  mutating func turn(from end: Int, to start: Int) {
    let left = takeDue(at: end - 1)
    begin(at: start)
    pending = left
  }

  /// Returns the beat that is clicked when the frame at `position` is heard, and counts it as clicked. Of
  /// several, the count is that of the last, and a one stays accented.
  mutating func takeDue(at position: Int) -> DueBeat? {
    var due = pending
    pending = nil
    while next < count && beats[next].frame <= position {
      let isOne = beats[next].place == 1 || due?.sound == .one
      due = DueBeat(sound: isOne ? .one : .count, count: Int(beats[next].count))
      next += 1
    }
    clickedFrame = max(clickedFrame, position)
    return due
  }

  /// Whether a beat is clicked when the frame at `position` is heard.
  func isDue(at position: Int) -> Bool {
    pending != nil || (next < count && beats[next].frame <= position)
  }

  /// Returns the frames from `position` to the next beat after it; the largest number if there is none.
  func framesToNext(after position: Int) -> Int {
    beat(after: position).map { Int($0.frame) - position } ?? .max
  }

  /// Returns the first beat after `position` that was not clicked yet.
  func beat(after position: Int) -> EngineBeat? {
    var index = next
    while index < count && beats[index].frame <= position { index += 1 }
    return index < count ? beats[index] : nil
  }

  /// Returns the first beat at or after a frame, clicked or not.
  func beat(from frame: Int) -> EngineBeat? {
    let index = firstIndex(from: frame)
    return index < count ? beats[index] : nil
  }

  /// Returns the numbers that lead to `start`, at a speed in percent; nil where no beats lie around it.
  func steps(of countIn: CountIn, to start: Int, percent: Int) -> CountInSteps? {
    let beats = self.beats
    guard countIn != .seconds,
      let place = BeatPlace(of: start, count: count, frame: { Int(beats[$0].frame) })
    else { return nil }
    let beat = beats[place.index]
    let metre = Int(beat.metre)
    let perEight = Metre.countsPerEight(metre)
    let steps: Int
    switch countIn {
    case .seconds, .four, .fourFromOne: steps = 4
    case .eight: steps = perEight
    case .bar: steps = metre
    }
    let speed = Double(percent) / 100
    if countIn == .fourFromOne {
      return CountInSteps(
        fromOneTo: steps, elapsedFrames: place.elapsedFrames, periodFrames: place.periodFrames,
        speed: speed)
    }
    return CountInSteps(
      count: steps,
      number: Int(countIn == .bar ? beat.place : beat.count) - (place.isBefore ? 1 : 0),
      numbersInTurn: countIn == .bar ? metre : perEight, elapsedFrames: place.elapsedFrames,
      periodFrames: place.periodFrames, speed: speed)
  }

  private func firstIndex(from frame: Int) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if beats[middle].frame < frame { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
