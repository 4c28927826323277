// The practice engine: it plays one part of a track with countdown and loops, exact to the frame.
// This file holds its state and the commands; PracticeEngine+Rendering.swift renders the sound.

/// Plays a part. Time is counted in rendered frames; the engine neither waits nor reads a clock.
///
/// Threads: not safe to share. Commands, data and rendering come from one thread, or from one at a
/// time; a command applies from the next rendered frame on.
///
/// Real time: `render` and every command neither allocate, lock, throw nor count references. Only
/// `init`, `reserve` and `reserveNames` allocate.
public struct PracticeEngine: ~Copyable {
  var chunks = ChunkStore()
  let ticks = TickBank()
  var events = EventRing()
  var transport = Transport()
  var reader = LoopingReader()
  var tail = FadeOutVoice()
  var declicker = Declicker()
  var ringing = RingingVoice()
  var tickVoice = SampleVoice()
  private(set) var tickVolume: Float = 1
  var beats = BeatTable()
  var clickVoice = SampleVoice()
  var clickVolume: Float = 0
  /// The spoken numbers.
  var voice = VoiceBank(recordings: voiceRecordingCapacity, samples: voiceSampleCapacity)
  var speaker = NumberSpeaker()
  /// Whether the numbers of a count-in, and those of the clicks, are said.
  var countInSpeaks = false
  var clickSpeaks = false
  /// The names of moves, and when they are said.
  var names = VoiceBank(recordings: 0, samples: 0)
  var calls = CallTable()
  var caller = Caller()
  var callVolume: Float = 0
  /// The volume of the part's audio while a name is said, and on the way there and back.
  var duckLevel: Float = 1
  var duck = Gain()
  var isDucked = false
  /// The volume of the part's audio alone.
  var musicGain = Gain()
  /// The levels of what is loaded, and the one that is heard.
  var levels = LevelTable()
  var levelGain = Gain()
  var gain = Gain()
  /// The frames until the end of a fade-in, after a start in the middle of the audio.
  var fadeInLeft = 0
  /// The audio's last frame before the volume of everything, which the declicker needs after a sudden stop.
  var lastLeft: Float = 0
  var lastRight: Float = 0
  /// The frames rendered since the engine was created.
  public internal(set) var clock: Int64 = 0
  /// The frames played since playback last began at a new position; loops continue the count.
  public internal(set) var runFrames: Int64 = 0
  /// Used for playback at another speed or pitch; see PracticeEngine+Stretching.
  var stretcher = Stretcher()
  var isStretched = false
  /// After this many frames without a break, an hour and a half, the stretcher restarts with a
  /// short fade: its counters have 32 bits in WebAssembly, and count up to four times as many
  /// frames.
  var stretchLimit = 1 << 28
  /// Reads for the stretcher, ahead of `reader`, possibly by several turns.
  var ahead = LoopingReader()
  var aheadTurns = 0
  /// The source frames of the stretcher that were played since its reset.
  var sourceHeard = 0
  /// The frame that must be loaded before waiting playback continues, besides the one at the
  /// position.
  public internal(set) var awaitedFrame = 0
  // Unsafe for rendering, see ChunkStore. Room for both channels of a fade, or for the largest
  // request of the stretcher; owned here.
  let scratch: UnsafeMutablePointer<Float>

  static let scratchFrames = max(EngineTimeline.fadeFrames, Stretcher.inputCapacity)

  /// Creates an engine: synthesizes the tick sounds, which takes a few milliseconds.
  public init() {
    scratch = .allocate(capacity: 2 * Self.scratchFrames)
    scratch.initialize(repeating: 0, count: 2 * Self.scratchFrames)
  }

  deinit { scratch.deallocate() }

  // MARK: What can be seen

  /// The current state.
  public var state: EngineState { transport.state }
  /// The next frame of the track that is played.
  public var frame: Int { reader.position }
  /// The frames left of the current countdown, else 0.
  public var countdownFramesLeft: Int { transport.countdownFramesLeft }
  /// The frames left of the current rest between two repeats, else 0.
  public var restFramesLeft: Int { transport.restFramesLeft }
  /// Whether the audio repeats without a gap at the next end.
  public var turnsWithoutGap: Bool { reader.repeats }
  /// The current speed in percent: the chosen one, or the trainer's.
  public var percent: Int { transport.percent }
  /// The length of the current countdown, else 0.
  public var runningCountdownFrames: Int { transport.runningCountdownFrames }
  /// The number that was counted last in the current count-in, else 0.
  public var countInNumber: Int { transport.numberCounted }
  /// The number of repeats since playback was started from the beginning.
  public var repeatCount: Int { transport.repeatCount }
  /// Where playback begins or repeats from: marker A, or the part's start.
  public var boundsStart: Int { transport.boundsStart }
  /// Where playback repeats or ends: marker B, or the part's end; exclusive.
  public var boundsEnd: Int { transport.boundsEnd }
  /// Whether there is sound now, regardless of the volume.
  public var isSounding: Bool {
    state == .playing || state == .countdown || state == .resting
      || tail.isSounding || ringing.isSounding || declicker.isSounding
      || tickVoice.isSounding || clickVoice.isSounding || speaker.isSounding
      || caller.isSounding
  }

  /// Removes and returns the oldest event.
  public mutating func nextEvent() -> EngineEvent? { events.next() }

  // MARK: Data

  /// The maximum number of chunks in an engine.
  public static let chunkCapacity = ChunkStore.capacity

  /// Reserves a slot for a chunk of the track. Returns false if all are taken; discard one then.
  public mutating func reserve(chunk: Int) -> Bool { chunks.reserve(chunk) }

  /// Returns the buffer for a reserved chunk's samples: channel 0 is left, 1 is right.
  ///
  /// There is room for `EngineTimeline.chunkFrames`; the pointer is valid until the chunk is
  /// discarded.
  public func destination(chunk: Int, channel: Int) -> UnsafeMutablePointer<Float>? {
    chunks.destination(of: chunk, channel: channel)
  }

  /// Marks the first `frames` of a reserved chunk as written.
  public mutating func markFilled(chunk: Int, frames: Int) {
    chunks.markFilled(chunk, frames: frames)
  }

  /// Discards a chunk's audio.
  public mutating func discard(chunk: Int) { chunks.discard(chunk) }

  /// Discards all audio, for instance of another track.
  public mutating func discardAllChunks() { chunks.discardAll() }

  // MARK: Commands

  /// Selects what to play, in frames of the track. Current sound fades out; loops are off.
  ///
  /// The tables of beats, calls and levels are emptied.
  public mutating func load(partStart: Int, partEnd: Int) {
    stopSound()
    transport.load(partStart: partStart, partEnd: partEnd)
    emptyTables()
    configureReader()
    reader.position = transport.partStart
  }

  /// Unloads the part.
  public mutating func unload() {
    stopSound()
    transport.unload()
    emptyTables()
    configureReader()
    reader.position = 0
  }

  /// Starts with the countdown: from the beginning after the end, else from the current position.
  public mutating func play() {
    switch state {
    case .empty, .waiting, .countdown, .playing, .resting: return
    case .ended: reader.position = transport.boundsStart
    case .ready, .paused: break
    }
    let startsAfresh = state != .paused
    tickVoice.fadeOut()
    speaker.fadeOut()
    stopCalling()
    keepInBounds()
    caller.begin(at: reader.position, of: calls)
    transport.start(afresh: startsAfresh)
    configureReader()
    runFrames = 0
    announceMissingData()
  }

  /// Stops at the current position. A countdown is cancelled; `play` starts it again.
  public mutating func pause() {
    stopSound()
    transport.pause()
  }

  /// Moves to a frame of the track, kept inside the part or the active section.
  ///
  /// Without a loop, moving to the end or past it ends playback.
  public mutating func seek(to frame: Int) {
    guard state != .empty else { return }
    let start = transport.boundsStart
    let end = transport.boundsEnd
    if frame >= end && transport.loopMode == .off {
      stopSound()
      reader.position = end
      let wasEnded = state == .ended
      transport.end()
      if !wasEnded { record(.ended, 0) }
      return
    }
    move(to: min(max(frame, start), end - 1))
    transport.reopen()
  }

  /// Sets what repeats; the markers are frames of the track, in either order.
  public mutating func setLoop(_ mode: LoopMode, from markerA: Int = 0, to markerB: Int = 0) {
    guard state != .empty else { return }
    let outer = reader
    transport.setLoop(mode, from: markerA, to: markerB)
    configureReader()
    guard state != .ended else { return }
    if reader.position < transport.boundsStart {
      move(to: transport.boundsStart, leaving: outer)
    } else if transport.loopMode == .section && reader.position >= transport.boundsEnd {
      guard state == .playing else { return move(to: transport.boundsStart) }
      // Marker B was set during playback and is reached for the first time.
      fadeOut(outer)
      reachEnd(fadingIn: true)
    }
  }

  /// Sets the countdown, from the next one on. The length is in frames; 0 means no countdown.
  public mutating func setCountdown(frames: Int, sound: TickSound, repeats: CountdownRepeats) {
    transport.countdownFrames = max(0, frames)
    transport.countdownSound = sound
    transport.countdownRepeats = repeats
    configureReader()
  }

  /// Sets the silence between two repeats, in frames; 0 means no rest. A current rest is not
  /// changed.
  public mutating func setRest(frames: Int) {
    transport.restFrames = max(0, frames)
    configureReader()
  }

  /// Sets how often a loop is played before playback ends; 0 means without end.
  public mutating func setRepeatLimit(_ times: Int) {
    transport.repeatLimit = max(0, times)
    configureReader()
  }

  /// Sets the speed in percent, from 25 to 200; the pitch stays.
  public mutating func setSpeed(percent: Int) {
    transport.chosenPercent = min(max(percent, 25), 200)
    configureStretcher()
  }

  /// Sets the pitch, from 12 semitones below to 12 above, and whether voices stay natural, which
  /// keeps their formants in place; the speed stays.
  public mutating func setTransposition(semitones: Int, isNaturalVoice: Bool = false) {
    transport.semitones = min(max(semitones, -12), 12)
    transport.isNaturalVoice = isNaturalVoice
    configureStretcher()
  }

  /// Sets the speeds of the repeats of a loop; they replace the chosen speed.
  public mutating func setTrainer(_ trainer: SpeedTrainer) {
    transport.trainer = trainer
    transport.trainer.from = min(max(trainer.from, 25), 200)
    transport.trainer.to = min(max(trainer.to, 25), 200)
    configureStretcher()
  }

  /// Sets the volume of everything: 0 is silence, 1 leaves the samples unchanged.
  public mutating func setVolume(_ volume: Float) {
    let valid = volume >= 0 ? min(volume, 1) : 0
    if isSounding { gain.move(to: valid) } else { gain.jump(to: valid) }
  }

  /// Sets the volume of the ticks, from the next one on: 0 is silence, 1 their own level, which leaves
  /// room for 1.25, the loudest.
  public mutating func setTickVolume(_ volume: Float) {
    tickVolume = volume >= 0 ? min(volume, 1.25) : 0
  }

  /// Plays a tick once, unless a countdown or a part is playing.
  public mutating func preview(tick sound: TickSound) {
    switch state {
    case .countdown, .playing: return
    case .empty, .ready, .waiting, .paused, .ended, .resting: beginTick(sound)
    }
  }
}

extension PracticeEngine {
  /// The current level of the audio: below 1 only during a fade-in.
  var level: Float {
    Float(EngineTimeline.fadeFrames - fadeInLeft) / Float(EngineTimeline.fadeFrames)
  }

  /// Applies the transport's bounds to the reader.
  mutating func configureReader() {
    let old = reader
    transport.countsRepeatsIn = countInSteps(to: transport.boundsStart) != nil
    reader.start = transport.boundsStart
    reader.end = transport.boundsEnd
    reader.turnsLeft = transport.turnsLeft
    followBounds(from: old)
    if old.start != reader.start || old.end != reader.end || old.repeats != reader.repeats {
      followCalls()
    }
    configureStretcher()
  }

  mutating func record(_ kind: EngineEvent.Kind, _ value: Int) {
    events.append(EngineEvent(kind: kind, value: value, clock: clock))
  }

  /// Counts gapless repeats of the audio.
  mutating func countTurns(_ turns: Int) {
    transport.countTurns(turns)
    record(.looped, transport.repeatCount)
    configureStretcher()
  }

  /// Reports that the audio at the position is missing, if it is.
  mutating func announceMissingData() {
    awaitedFrame = reader.position
    if state == .waiting && !chunks.holds(frame: reader.position) {
      record(.starved, reader.position)
    }
  }

  /// Moves a position that is out of bounds to the beginning.
  private mutating func keepInBounds() {
    let frame = reader.position
    if frame < transport.boundsStart || frame >= transport.boundsEnd {
      reader.position = transport.boundsStart
    }
  }

  /// Moves the position; the old audio fades out while the new audio fades in.
  private mutating func move(to frame: Int, leaving outer: LoopingReader? = nil) {
    if state == .playing {
      fadeOut(outer ?? reader)
      fadeInLeft = EngineTimeline.fadeFrames
    }
    reader.position = frame
    beginLevel()
    speaker.fadeOut()
    stopCalling()
    beats.begin(at: frame)
    caller.begin(at: frame, of: calls)
    restartStretcher()
    runFrames = 0
    transport.restartCountIn()
    announceMissingData()
  }

  /// Stops all sound without a click.
  private mutating func stopSound() {
    if state == .playing { fadeOut(reader) }
    tickVoice.fadeOut()
    clickVoice.fadeOut()
    speaker.fadeOut()
    stopCalling()
    fadeInLeft = 0
  }

  /// Continues the audio as a fading tail.
  private mutating func fadeOut(_ reader: LoopingReader) {
    let (left, right) = (lastLeft, lastRight)
    lastLeft = 0
    lastRight = 0
    guard level > 0 else { return }
    tail.silence(into: &declicker)
    if isStretched {
      declicker.capture(left: left, right: right)
    } else {
      tail.begin(
        reader: reader, level: level * musicGain.value * levelGain.value * duck.value,
        lastLeft: left, lastRight: right)
    }
  }

  private mutating func emptyTables() {
    beats.take(count: 0, position: 0)
    setCalls(count: 0)
    levels.take(count: 0)
    levelGain.jump(to: 1)
  }

  mutating func beginTick(_ sound: TickSound) {
    tickVoice.silence(into: &declicker)
    tickVoice.begin(TickBank.place(of: sound), volume: tickVolume)
  }
}
