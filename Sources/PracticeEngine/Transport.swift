// What is going on and what comes next: the state machine of practice, counted in frames. It makes
// no sound and reads no samples, so that every rule in it can be tested with numbers alone.

/// Names what an engine is doing; the raw values are those of the wire.
public enum EngineState: Int32, Sendable {
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
  /// The part was heard to its end.
  case ended
}

/// Names what repeats; the raw values are those of the wire.
public enum LoopMode: Int32, Sendable {
  case off
  /// The whole part.
  case whole
  /// From marker A to marker B.
  case section
}

/// Names when a countdown runs; the raw values are those of the wire.
public enum CountdownRepeats: Int32, Sendable {
  /// Before the start and again before each repeat.
  case every
  /// Only when playback is asked for; the repeats follow each other without a gap.
  case first
}

/// The rules of play, pause, loop and countdown.
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

  /// Whether a frame is where practice begins, at which audio starts without a fade.
  func isBorder(_ frame: Int) -> Bool { frame == boundsStart || frame == partStart }

  /// Whether the audio goes round without a gap.
  var loopsWithoutGap: Bool {
    loopMode != .off && (countdownFrames == 0 || countdownRepeats == .first)
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
    guard state == .waiting || state == .countdown || state == .playing else { return }
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
    guard loopMode != .off else {
      state = .ended
      return false
    }
    repeatCount += 1
    start(afresh: false)
    return true
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
    let second = Timeline.framesPerSecond
    guard state == .countdown, countdownFramesLeft % second == 0 else { return 0 }
    return countdownFramesLeft / second
  }

  /// Counts the frames to the next tick or to the start.
  var framesToNextTick: Int {
    let rest = countdownFramesLeft % Timeline.framesPerSecond
    return rest == 0 ? Timeline.framesPerSecond : rest
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
    countdownFramesLeft = 0
    runningCountdownFrames = 0
    countsDownAfterWaiting = false
  }
}
