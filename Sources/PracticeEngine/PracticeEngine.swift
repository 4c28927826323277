// The practice engine: it plays one part of a track with countdown and loops, exact to the frame.
// This file holds its state and the commands; PracticeEngine+Rendering.swift makes the sound.

/// Plays a part. Time is counted in rendered frames; nothing in it waits or asks the clock.
///
/// Threads: not safe to share. Commands, data and rendering come from one thread, or from one
/// at a time; a command applies from the next rendered frame on.
///
/// Real time: `render` and every command neither allocate, lock, throw nor count references. Only
/// `init` and `reserve` allocate.
public struct PracticeEngine: ~Copyable {
  var chunks = ChunkStore()
  let ticks = TickBank()
  var events = EventRing()
  var transport = Transport()
  var reader = LoopingReader()
  var tail = FadeOutVoice()
  var declicker = Declicker()
  var tickVoice = TickVoice()
  var gain = Gain()
  /// The frames until the audio has its full level again after a start in its middle.
  var fadeInLeft = 0
  /// The audio's last frame before volume, which a sudden stop must lead to zero.
  var lastLeft: Float = 0
  var lastRight: Float = 0
  /// The frames rendered since the engine was made.
  public internal(set) var clock: Int64 = 0
  /// The frames heard since playback last began at a new place; loops count on.
  public internal(set) var runFrames: Int64 = 0
  /// What plays at another speed or pitch than the track's own; see PracticeEngine+Stretching.
  var stretcher = Stretcher()
  var isStretched = false
  /// After so many frames at one go, an hour and a half, the stretcher begins anew with a short fade:
  /// its counters have 32 bits in WebAssembly, and it counts up to four times as many.
  var stretchLimit = 1 << 28
  /// Reads for the stretcher, ahead of `reader`, by so many turns more.
  var ahead = LoopingReader()
  var aheadTurns = 0
  /// The stretcher's source frames that were heard since its reset.
  var sourceHeard = 0
  /// The frame that must be there before what waits goes on, besides the one at the position.
  public internal(set) var awaitedFrame = 0
  // Unsafe for rendering's sake, see ChunkStore. Room for both channels of a fade, or of what the
  // stretcher wants at once; owned here.
  let scratch: UnsafeMutablePointer<Float>

  static let scratchFrames = max(EngineTimeline.fadeFrames, Stretcher.inputCapacity)

  /// Makes an engine: synthesizes the tick sounds, which takes a few milliseconds.
  public init() {
    scratch = .allocate(capacity: 2 * Self.scratchFrames)
    scratch.initialize(repeating: 0, count: 2 * Self.scratchFrames)
  }

  deinit { scratch.deallocate() }

  // MARK: What can be seen

  /// Tells what the engine is doing.
  public var state: EngineState { transport.state }
  /// The track's frame that is heard next.
  public var frame: Int { reader.position }
  /// The frames left of the countdown that is running, else 0.
  public var countdownFramesLeft: Int { transport.countdownFramesLeft }
  /// The frames left of the rest between two repeats that is going on, else 0.
  public var restFramesLeft: Int { transport.restFramesLeft }
  /// Whether the audio goes round without a gap when it next comes to the end.
  public var turnsWithoutGap: Bool { reader.repeats }
  /// The speed that holds now, in percent: the chosen one, or the trainer's.
  public var percent: Int { transport.percent }
  /// The length of the countdown that is running, else 0.
  public var runningCountdownFrames: Int { transport.runningCountdownFrames }
  /// Counts the repeats since playback was started from the beginning.
  public var repeatCount: Int { transport.repeatCount }
  /// Where playback turns back to or begins: marker A, or the part's start.
  public var boundsStart: Int { transport.boundsStart }
  /// Where playback turns back or ends: marker B, or the part's end; exclusive.
  public var boundsEnd: Int { transport.boundsEnd }
  /// Whether anything can be heard now; volume aside.
  public var isSounding: Bool {
    state == .playing || state == .countdown || state == .resting
      || tail.isSounding || declicker.isSounding
      || tickVoice.isSounding
  }

  /// Takes the oldest event that was not fetched yet.
  public mutating func nextEvent() -> EngineEvent? { events.next() }

  // MARK: Data

  /// The most chunks that an engine holds.
  public static let chunkCapacity = ChunkStore.capacity

  /// Makes room for a chunk of the track. Returns false when there is none; then discard one.
  public mutating func reserve(chunk: Int) -> Bool { chunks.reserve(chunk) }

  /// Returns where a reserved chunk's samples are to be written: channel 0 is left, 1 is right.
  ///
  /// There is room for `EngineTimeline.chunkFrames`; the pointer is valid until the chunk is discarded.
  public func destination(chunk: Int, channel: Int) -> UnsafeMutablePointer<Float>? {
    chunks.destination(of: chunk, channel: channel)
  }

  /// Says that the first `frames` of a reserved chunk have been written.
  public mutating func markFilled(chunk: Int, frames: Int) {
    chunks.markFilled(chunk, frames: frames)
  }

  /// Forgets a chunk's audio.
  public mutating func discard(chunk: Int) { chunks.discard(chunk) }

  /// Forgets all audio, for instance of another track.
  public mutating func discardAllChunks() { chunks.discardAll() }

  // MARK: Commands

  /// Chooses what to play, in frames of the track. What sounds fades out; loops are off.
  public mutating func load(partStart: Int, partEnd: Int) {
    stopSound()
    transport.load(partStart: partStart, partEnd: partEnd)
    configureReader()
    reader.position = transport.partStart
  }

  /// Plays nothing any more.
  public mutating func unload() {
    stopSound()
    transport.unload()
    configureReader()
    reader.position = 0
  }

  /// Starts with the countdown: from the beginning after the end, else from where it stands.
  public mutating func play() {
    switch state {
    case .empty, .waiting, .countdown, .playing, .resting: return
    case .ended: reader.position = transport.boundsStart
    case .ready, .paused: break
    }
    let startsAfresh = state != .paused
    tickVoice.fadeOut()
    keepInBounds()
    transport.start(afresh: startsAfresh)
    configureReader()
    runFrames = 0
    announceMissingData()
  }

  /// Stops where it stands. A countdown is cancelled; play starts it anew.
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
      // Marker B was set while listening: this is the first time that it is reached.
      fadeOut(outer)
      reachEnd(fadingIn: true)
    }
  }

  /// Sets the countdown from the next one on. The length is in frames; 0 is none.
  public mutating func setCountdown(frames: Int, sound: TickSound, repeats: CountdownRepeats) {
    transport.countdownFrames = max(0, frames)
    transport.countdownSound = sound
    transport.countdownRepeats = repeats
    configureReader()
  }

  /// Sets the silence between two repeats, in frames; 0 is none. One that is going on is not changed.
  public mutating func setRest(frames: Int) {
    transport.restFrames = max(0, frames)
    configureReader()
  }

  /// Sets how often a loop is heard before playback ends; 0 is without end.
  public mutating func setRepeatLimit(_ times: Int) {
    transport.repeatLimit = max(0, times)
    configureReader()
  }

  /// Sets the speed in percent, from 25 to 200; the pitch stays.
  public mutating func setSpeed(percent: Int) {
    transport.chosenPercent = min(max(percent, 25), 200)
    configureStretcher()
  }

  /// Sets the pitch, from 12 semitones below to 12 above; the speed stays.
  public mutating func setTransposition(semitones: Int) {
    transport.semitones = min(max(semitones, -12), 12)
    configureStretcher()
  }

  /// Sets the speeds that the repeats of a loop go through; they take the place of the chosen one.
  public mutating func setTrainer(_ trainer: SpeedTrainer) {
    transport.trainer = trainer
    transport.trainer.from = min(max(trainer.from, 25), 200)
    transport.trainer.to = min(max(trainer.to, 25), 200)
    configureStretcher()
  }

  /// Sets the volume of everything: 0 is silence, 1 leaves the samples as they are.
  public mutating func setVolume(_ volume: Float) {
    let valid = volume >= 0 ? min(volume, 1) : 0
    if isSounding { gain.move(to: valid) } else { gain.jump(to: valid) }
  }

  /// Lets a tick be heard once, unless a countdown or a part is heard.
  public mutating func preview(tick sound: TickSound) {
    switch state {
    case .countdown, .playing: return
    case .empty, .ready, .waiting, .paused, .ended, .resting: beginTick(sound)
    }
  }
}

extension PracticeEngine {
  /// The level that the audio has now: below 1 only while it fades in.
  var level: Float {
    Float(EngineTimeline.fadeFrames - fadeInLeft) / Float(EngineTimeline.fadeFrames)
  }

  /// Gives the reader the bounds that the transport has.
  mutating func configureReader() {
    let old = reader
    reader.start = transport.boundsStart
    reader.end = transport.boundsEnd
    reader.turnsLeft = transport.turnsLeft
    followBounds(from: old)
    configureStretcher()
  }

  mutating func record(_ kind: EngineEvent.Kind, _ value: Int) {
    events.append(EngineEvent(kind: kind, value: value, clock: clock))
  }

  /// The audio went round so many times.
  mutating func countTurns(_ turns: Int) {
    transport.countTurns(turns)
    record(.looped, transport.repeatCount)
    configureStretcher()
  }

  /// Says so when the audio at the position is not there.
  mutating func announceMissingData() {
    awaitedFrame = reader.position
    if state == .waiting && !chunks.holds(frame: reader.position) {
      record(.starved, reader.position)
    }
  }

  /// Puts a position that is no place to start from to the beginning.
  private mutating func keepInBounds() {
    let frame = reader.position
    if frame < transport.boundsStart || frame >= transport.boundsEnd {
      reader.position = transport.boundsStart
    }
  }

  /// Moves the position; what was heard there fades out while the new place fades in.
  private mutating func move(to frame: Int, leaving outer: LoopingReader? = nil) {
    if state == .playing {
      fadeOut(outer ?? reader)
      fadeInLeft = EngineTimeline.fadeFrames
    }
    reader.position = frame
    restartStretcher()
    runFrames = 0
    announceMissingData()
  }

  /// Lets go of whatever is heard, without a click.
  private mutating func stopSound() {
    if state == .playing { fadeOut(reader) }
    tickVoice.fadeOut()
    fadeInLeft = 0
  }

  /// Hands the audio over to the fading tail.
  private mutating func fadeOut(_ reader: LoopingReader) {
    let (left, right) = (lastLeft, lastRight)
    lastLeft = 0
    lastRight = 0
    guard level > 0 else { return }
    tail.silence(into: &declicker)
    if isStretched {
      declicker.capture(left: left, right: right)
    } else {
      tail.begin(reader: reader, level: level)
    }
  }

  mutating func beginTick(_ sound: TickSound) {
    if tickVoice.isSounding { declicker.capture(left: tickVoice.last, right: tickVoice.last) }
    tickVoice.begin(sound)
  }
}
