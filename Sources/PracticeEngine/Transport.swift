// The state machine of practice, counted in frames. It renders no sound and reads no samples, so
// that every rule can be tested with numbers alone.

import Counts

/// The state of an engine; the raw values are those of the wire.
public enum EngineState: Int32, CaseIterable, Sendable {
  /// No part is loaded.
  case empty
  /// A part is loaded and was not started yet.
  case ready
  /// Playback was started, but the next audio is not loaded yet. Silence.
  case waiting
  /// Ticking before the start.
  case countdown
  case playing
  case paused
  /// The part was played to its end, or as often as requested.
  case ended
  /// Silent between two repeats.
  case resting
}

/// What repeats; the raw values are those of the wire.
public enum LoopMode: Int32, CaseIterable, Sendable {
  case off
  /// The whole part.
  case whole
  /// From marker A to marker B.
  case section
}

/// When a countdown runs; the raw values are those of the wire.
public enum CountdownRepeats: Int32, CaseIterable, Sendable {
  /// Before the start and again before each repeat.
  case every
  /// Only at the start; the repeats follow each other without a gap.
  case first
}

/// Raises or lowers the speed from repeat to repeat. All speeds are in percent.
public struct SpeedTrainer: Equatable, Sendable {
  public var from: Int
  public var to: Int
  /// The difference between two consecutive speeds; its sign does not matter.
  public var step: Int
  /// How many times each speed is played; 0 switches the trainer off.
  public var every: Int

  public init(from: Int = 100, to: Int = 100, step: Int = 0, every: Int = 0) {
    self.from = from
    self.to = to
    self.step = step
    self.every = every
  }

  var isOn: Bool { every > 0 }

  /// The speed after a number of repeats.
  func percent(afterRepeats repeats: Int) -> Int {
    // Far beyond any range of speeds; prevents overflow.
    let distance = min(repeats / max(1, every), 10_000) * min(abs(step), 10_000)
    return from <= to ? min(to, from + distance) : max(to, from - distance)
  }
}

/// The rules of play, pause, loop, countdown, rest and speed.
struct Transport {
  private(set) var state = EngineState.empty
  private(set) var partStart = 0
  private(set) var partEnd = 0
  private(set) var loopMode = LoopMode.off
  /// The start and end of playback: the section's or the part's borders.
  private(set) var boundsStart = 0
  private(set) var boundsEnd = 0
  /// The number of repeats since playback was started from the beginning.
  private(set) var repeatCount = 0

  var countdownFrames = 0
  var countdownSound = TickSound.clave
  var countdownRepeats = CountdownRepeats.every
  /// Whether the countdown is in counts where there are beats.
  var countIn = CountIn.seconds
  /// Whether counts are counted before a repeat, as beats lie around the start of the bounds.
  var countsRepeatsIn = false
  private(set) var countdownFramesLeft = 0
  /// The current countdown.
  private(set) var running: Countdown?
  /// Whether the wait for data ends in a countdown, rather than in playback.
  private var countsDownAfterWaiting = false
  /// How much of the next countdown is left when it begins; nil if it is whole.
  private var joinedFramesLeft: Int?

  /// The silence between two repeats.
  var restFrames = 0
  private(set) var restFramesLeft = 0
  /// How often the loop is played before playback ends; 0 means without end.
  var repeatLimit = 0
  /// The chosen speed in percent.
  var chosenPercent = 100
  var trainer = SpeedTrainer()
  /// The transposition.
  var semitones = 0
  /// Whether transposed sound keeps its formants.
  var isNaturalVoice = false

  /// Whether a frame is a border of practice, at which audio starts without a fade.
  func isBorder(_ frame: Int) -> Bool { frame == boundsStart || frame == partStart }

  /// How many more times the audio repeats without a gap.
  var turnsLeft: Int {
    guard loopMode != .off, restFrames == 0, !countsBeforeRepeats else { return 0 }
    return repeatLimit == 0 ? LoopingReader.endless : max(0, repeatLimit - 1 - repeatCount)
  }

  /// The current speed in percent.
  var percent: Int {
    trainer.isOn && loopMode != .off
      ? trainer.percent(afterRepeats: repeatCount) : chosenPercent
  }

  mutating func load(partStart: Int, partEnd: Int) {
    self.partStart = max(0, partStart)
    self.partEnd = max(self.partStart, partEnd)
    loopMode = .off
    boundsStart = self.partStart
    boundsEnd = self.partEnd
    repeatCount = 0
    cancelCountdown()
    state = self.partStart < self.partEnd ? .ready : .empty
  }

  mutating func unload() {
    load(partStart: 0, partEnd: 0)
  }

  /// Sets what repeats. Markers in the wrong order are swapped, and are kept inside the part; a
  /// section without length is ignored.
  mutating func setLoop(_ mode: LoopMode, from markerA: Int, to markerB: Int) {
    let a = min(max(min(markerA, markerB), partStart), partEnd)
    let b = min(max(max(markerA, markerB), partStart), partEnd)
    let isSection = mode == .section && a < b
    let newMode = mode == .section && !isSection ? .off : mode
    if newMode != loopMode { repeatCount = 0 }
    loopMode = newMode
    boundsStart = isSection ? a : partStart
    boundsEnd = isSection ? b : partEnd
  }

  /// Starts playback, which next waits for data or the countdown.
  mutating func start(afresh: Bool) {
    if afresh { repeatCount = 0 }
    countsDownAfterWaiting = true
    state = .waiting
  }

  /// The missing data has arrived. `steps` count to the position, where beats lie around it;
  /// `leadFrames` come before the first, and names of `introductionFrames` before those. Else the countdown
  /// is in seconds.
  mutating func dataArrived(
    steps: CountInSteps? = nil, leadFrames: Int = 0, introductionFrames: Int = 0
  ) {
    guard state == .waiting else { return }
    let countdown =
      steps.map {
        Countdown.counts($0, leadFrames: leadFrames, introductionFrames: introductionFrames)
      } ?? .seconds(frames: countdownFrames)
    if countsDownAfterWaiting && (countdown.frames > 0 || joinedFramesLeft != nil) {
      state = .countdown
      running = countdown
      countdownFramesLeft = joinedFramesLeft ?? countdown.frames
    } else {
      state = .playing
    }
    countsDownAfterWaiting = false
    joinedFramesLeft = nil
  }

  /// Starts playback in the middle: with these frames of the countdown left, or none.
  mutating func join(countdownFramesLeft: Int) {
    cancelCountdown()
    if countdownFramesLeft > 0 {
      countsDownAfterWaiting = true
      joinedFramesLeft = countdownFramesLeft
    }
    state = .waiting
  }

  /// The next data is missing during playback.
  mutating func starve() {
    countsDownAfterWaiting = false
    state = .waiting
  }

  mutating func pause() {
    switch state {
    case .waiting, .countdown, .playing, .resting: break
    case .empty, .ready, .paused, .ended: return
    }
    cancelCountdown()
    state = .paused
  }

  /// The position was moved by the user, so that ended playback can continue.
  mutating func reopen() {
    if state == .ended { state = .paused }
  }

  /// The audio repeated without a gap.
  mutating func countTurns(_ turns: Int) { repeatCount += turns }

  /// The audio reached the end of its bounds and does not repeat by itself.
  ///
  /// Returns whether a repeat follows.
  mutating func reachEnd() -> Bool {
    guard loopMode != .off, repeatLimit == 0 || repeatCount + 1 < repeatLimit else {
      state = .ended
      return false
    }
    repeatCount += 1
    if restFrames > 0 {
      state = .resting
      restFramesLeft = restFrames
    } else {
      beginRepeat()
    }
    return true
  }

  /// Advances the rest; at its end the repeat begins.
  mutating func advanceRest(by frames: Int) {
    restFramesLeft -= frames
    if restFramesLeft <= 0 { beginRepeat() }
  }

  private mutating func beginRepeat() {
    cancelCountdown()
    countsDownAfterWaiting = countdownRepeats == .every
    state = .waiting
  }

  /// Ends playback without a repeat.
  mutating func end() {
    cancelCountdown()
    state = .ended
  }

  /// The length of the current countdown, else 0.
  var runningCountdownFrames: Int { running?.frames ?? 0 }

  /// The number of the tick that is due at this exact frame, else 0: the whole seconds left, or a count.
  var dueTick: Int { running?.number(ofTickAt: countdownFramesLeft) ?? 0 }

  /// The number of frames to the next tick or to the start.
  var framesToNextTick: Int {
    running?.framesToNextTick(from: countdownFramesLeft) ?? countdownFramesLeft
  }

  /// Whether a count-in runs.
  var isCountIn: Bool { if case .counts = running { true } else { false } }

  /// The frames left of the names before the first number of a count-in.
  var introductionFramesLeft: Int {
    running?.introductionFramesLeft(from: countdownFramesLeft) ?? 0
  }

  /// The next number of a count-in and the frames to its count, if there is one.
  var nextCount: (number: Int, frames: Int)? { running?.nextCount(from: countdownFramesLeft) }

  /// Whether a countdown comes before each repeat.
  var countsBeforeRepeats: Bool {
    countdownRepeats == .every && (countdownFrames > 0 || countsRepeatsIn)
  }

  /// The number that was counted last in a count-in, else 0.
  var numberCounted: Int { running?.numberCounted(at: countdownFramesLeft) ?? 0 }

  /// The position has changed: a count-in begins again, so that it leads to the new one.
  mutating func restartCountIn() {
    guard state == .countdown, isCountIn else { return }
    cancelCountdown()
    countsDownAfterWaiting = true
    state = .waiting
  }

  /// Advances the countdown. Returns whether it is over and playback begins.
  mutating func advanceCountdown(by frames: Int) -> Bool {
    countdownFramesLeft -= frames
    guard countdownFramesLeft <= 0 else { return false }
    cancelCountdown()
    state = .playing
    return true
  }

  private mutating func cancelCountdown() {
    restFramesLeft = 0
    countdownFramesLeft = 0
    running = nil
    countsDownAfterWaiting = false
    joinedFramesLeft = nil
  }
}
