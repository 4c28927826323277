// What is going on and what comes next: the state machine of practice, counted in frames. It makes
// no sound and reads no samples, so that every rule in it can be tested with numbers alone.

/// Names what an engine is doing; the raw values are those of the wire.
public enum EngineState: Int32, CaseIterable, Sendable {
  /// No part is loaded.
  case empty
  /// A part is loaded and was not started yet.
  case ready
  /// Playback is wanted, but the audio that comes next is not there yet. Silence.
  case waiting
  /// Ticking towards the start.
  case countdown
  case playing
  case paused
  /// The part was heard to its end, or as often as was wanted.
  case ended
  /// Silent between two repeats.
  case resting
}

/// Names what repeats; the raw values are those of the wire.
public enum LoopMode: Int32, CaseIterable, Sendable {
  case off
  /// The whole part.
  case whole
  /// From marker A to marker B.
  case section
}

/// Names when a countdown runs; the raw values are those of the wire.
public enum CountdownRepeats: Int32, CaseIterable, Sendable {
  /// Before the start and again before each repeat.
  case every
  /// Only when playback is asked for; the repeats follow each other without a gap.
  case first
}

/// Raises or lowers the speed from repeat to repeat. All speeds are in percent.
public struct SpeedTrainer: Equatable, Sendable {
  public var from: Int
  public var to: Int
  /// By how much a speed differs from the one before; its sign does not matter.
  public var step: Int
  /// How many times each speed is heard; 0 switches the trainer off.
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
    // Far beyond any range of speeds, so that nothing overflows.
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
  /// Where playback turns back to and where it ends: the section's or the part's borders.
  private(set) var boundsStart = 0
  private(set) var boundsEnd = 0
  /// Counts the repeats since playback was started from the beginning.
  private(set) var repeatCount = 0

  var countdownFrames = 0
  var countdownSound = TickSound.clave
  var countdownRepeats = CountdownRepeats.every
  private(set) var countdownFramesLeft = 0
  /// The length of the countdown that is running.
  private(set) var runningCountdownFrames = 0
  /// Whether the wait for data ends in a countdown, rather than in the middle of playing.
  private var countsDownAfterWaiting = false

  /// The silence between two repeats.
  var restFrames = 0
  private(set) var restFramesLeft = 0
  /// How often the loop is heard before playback ends; 0 is without end.
  var repeatLimit = 0
  /// The chosen speed in percent.
  var chosenPercent = 100
  var trainer = SpeedTrainer()
  /// The transposition.
  var semitones = 0

  /// Whether a frame is where practice begins, at which audio starts without a fade.
  func isBorder(_ frame: Int) -> Bool { frame == boundsStart || frame == partStart }

  /// How often the audio still goes round without a gap.
  var turnsLeft: Int {
    let isGapless = restFrames == 0 && (countdownFrames == 0 || countdownRepeats == .first)
    guard loopMode != .off, isGapless else { return 0 }
    return repeatLimit == 0 ? LoopingReader.endless : max(0, repeatLimit - 1 - repeatCount)
  }

  /// The speed in percent that holds now.
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

  /// Sets what repeats. Markers swap when they come in the wrong order and are kept inside the
  /// part; a section without length is no section.
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

  /// Starts from a standstill: playback is wanted, and waits for data or the countdown next.
  mutating func start(afresh: Bool) {
    if afresh { repeatCount = 0 }
    countsDownAfterWaiting = true
    state = .waiting
  }

  /// The data that was missing is there.
  mutating func dataArrived() {
    guard state == .waiting else { return }
    if countsDownAfterWaiting && countdownFrames > 0 {
      state = .countdown
      runningCountdownFrames = countdownFrames
      countdownFramesLeft = countdownFrames
    } else {
      state = .playing
    }
    countsDownAfterWaiting = false
  }

  /// The data that comes next is missing in the middle of playing.
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

  /// The position was moved by hand: what had ended can go on from there.
  mutating func reopen() {
    if state == .ended { state = .paused }
  }

  /// The audio went round once.
  mutating func countTurns(_ turns: Int) { repeatCount += turns }

  /// The audio came to the end of its bounds and does not go round by itself.
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

  /// Lets the rest run on; when it is over, the repeat begins.
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

  /// The whole seconds left when a tick is due at this very frame, else 0.
  ///
  /// Ticks lie on whole seconds before the start, so a countdown of N seconds has N of them.
  var dueTick: Int {
    let second = EngineTimeline.framesPerSecond
    guard state == .countdown, countdownFramesLeft % second == 0 else { return 0 }
    return countdownFramesLeft / second
  }

  /// Counts the frames to the next tick or to the start.
  var framesToNextTick: Int {
    let rest = countdownFramesLeft % EngineTimeline.framesPerSecond
    return rest == 0 ? EngineTimeline.framesPerSecond : rest
  }

  /// Lets the countdown run on. Returns whether it is over, and playing begins.
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
    runningCountdownFrames = 0
    countsDownAfterWaiting = false
  }
}
