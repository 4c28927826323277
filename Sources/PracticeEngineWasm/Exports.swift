// The practice engine as flat functions for WebAssembly: names, numbers and addresses, nothing else.
// `engine_create` gives the handle that every other function takes. Frames are 32-bit: twelve
// hours at 48 kHz are 2,073,600,000. What counts on in loops is a Double, exact up to 2^53.

import PracticeEngine

// Unsafe: a handle is an address that the page got from `engine_create` and gives back unchanged;
// one engine lives as long as the module's instance, on the one thread that has it.
public typealias Handle = UnsafeMutableRawPointer

extension Handle {
  fileprivate var engine: UnsafeMutablePointer<PracticeEngine> {
    assumingMemoryBound(to: PracticeEngine.self)
  }
}

@_expose(wasm) @c(engine_create)
public func engineCreate() -> Handle {
  let engine = UnsafeMutablePointer<PracticeEngine>.allocate(capacity: 1)
  engine.initialize(to: PracticeEngine())
  return Handle(engine)
}

/// Returns the address of the block of output: `frames` of the left channel, then of the right.
@_expose(wasm) @c(engine_make_output)
public func engineMakeOutput(_ frames: Int32) -> UnsafeMutablePointer<Float> {
  let output = UnsafeMutablePointer<Float>.allocate(capacity: 2 * Int(frames))
  output.initialize(repeating: 0, count: 2 * Int(frames))
  return output
}

@_expose(wasm) @c(engine_render)
public func engineRender(_ handle: Handle, _ frames: Int32, _ output: UnsafeMutablePointer<Float>) {
  handle.engine.pointee.render(frames: Int(frames), left: output, right: output + Int(frames))
}

// MARK: Data

@_expose(wasm) @c(engine_chunk_capacity)
public func engineChunkCapacity() -> Int32 { Int32(PracticeEngine.chunkCapacity) }

/// Returns 1 when there is room for the chunk, else 0.
@_expose(wasm) @c(engine_reserve)
public func engineReserve(_ handle: Handle, _ chunk: Int32) -> Int32 {
  handle.engine.pointee.reserve(chunk: Int(chunk)) ? 1 : 0
}

/// Returns the address of a reserved chunk's channel, else 0.
@_expose(wasm) @c(engine_destination)
public func engineDestination(_ handle: Handle, _ chunk: Int32, _ channel: Int32)
  -> UnsafeMutablePointer<Float>?
{
  handle.engine.pointee.destination(chunk: Int(chunk), channel: Int(channel))
}

@_expose(wasm) @c(engine_mark_filled)
public func engineMarkFilled(_ handle: Handle, _ chunk: Int32, _ frames: Int32) {
  handle.engine.pointee.markFilled(chunk: Int(chunk), frames: Int(frames))
}

@_expose(wasm) @c(engine_discard)
public func engineDiscard(_ handle: Handle, _ chunk: Int32) {
  handle.engine.pointee.discard(chunk: Int(chunk))
}

@_expose(wasm) @c(engine_discard_all)
public func engineDiscardAll(_ handle: Handle) { handle.engine.pointee.discardAllChunks() }

@_expose(wasm) @c(engine_beat_capacity)
public func engineBeatCapacity() -> Int32 { Int32(PracticeEngine.beatCapacity) }

/// Returns the address of the table of beats. A beat is four numbers of 32 bits: its frame, its count in
/// the eight, its place in the bar, and the beats of its bar.
@_expose(wasm) @c(engine_beats)
public func engineBeats(_ handle: Handle) -> UnsafeMutableRawPointer {
  UnsafeMutableRawPointer(handle.engine.pointee.beatDestination)
}

/// Takes the first `count` beats of the table.
@_expose(wasm) @c(engine_set_beats)
public func engineSetBeats(_ handle: Handle, _ count: Int32) {
  handle.engine.pointee.setBeats(count: Int(count))
}

@_expose(wasm) @c(engine_voice_recording_capacity)
public func engineVoiceRecordingCapacity() -> Int32 { Int32(PracticeEngine.voiceRecordingCapacity) }

@_expose(wasm) @c(engine_voice_sample_capacity)
public func engineVoiceSampleCapacity() -> Int32 { Int32(PracticeEngine.voiceSampleCapacity) }

/// Returns the address of the voice's recordings. Each is three numbers of 32 bits: its first sample, its
/// length and its attack, in samples.
@_expose(wasm) @c(engine_voice_recordings)
public func engineVoiceRecordings(_ handle: Handle) -> UnsafeMutableRawPointer {
  UnsafeMutableRawPointer(handle.engine.pointee.recordingDestination)
}

/// Returns the address of the voice's samples, of 16 bits at 24,000 Hz.
@_expose(wasm) @c(engine_voice_samples)
public func engineVoiceSamples(_ handle: Handle) -> UnsafeMutableRawPointer {
  UnsafeMutableRawPointer(handle.engine.pointee.voiceSampleDestination)
}

/// Takes the first recordings and samples that were written.
@_expose(wasm) @c(engine_set_voice)
public func engineSetVoice(_ handle: Handle, _ recordings: Int32, _ samples: Int32) {
  handle.engine.pointee.setVoice(recordings: Int(recordings), samples: Int(samples))
}

@_expose(wasm) @c(engine_name_capacity)
public func engineNameCapacity() -> Int32 { Int32(PracticeEngine.nameCapacity) }

@_expose(wasm) @c(engine_name_sample_capacity)
public func engineNameSampleCapacity() -> Int32 { Int32(PracticeEngine.nameSampleCapacity) }

/// Makes room for so many samples of names; those of before are gone.
@_expose(wasm) @c(engine_reserve_names)
public func engineReserveNames(_ handle: Handle, _ samples: Int32) {
  handle.engine.pointee.reserveNames(samples: Int(samples))
}

/// Returns the address of the names' recordings, laid out as the voice's.
@_expose(wasm) @c(engine_names)
public func engineNames(_ handle: Handle) -> UnsafeMutableRawPointer {
  UnsafeMutableRawPointer(handle.engine.pointee.nameDestination)
}

/// Returns the address of the names' samples, of 16 bits at 24,000 Hz.
@_expose(wasm) @c(engine_name_samples)
public func engineNameSamples(_ handle: Handle) -> UnsafeMutableRawPointer {
  UnsafeMutableRawPointer(handle.engine.pointee.nameSampleDestination)
}

/// Takes the first names and samples that were written.
@_expose(wasm) @c(engine_set_names)
public func engineSetNames(_ handle: Handle, _ recordings: Int32, _ samples: Int32) {
  handle.engine.pointee.setNames(recordings: Int(recordings), samples: Int(samples))
}

@_expose(wasm) @c(engine_call_capacity)
public func engineCallCapacity() -> Int32 { Int32(PracticeEngine.callCapacity) }

/// Returns the address of the table of calls. A call is three numbers of 32 bits: the frame of its move, the
/// frame on which its name is said, and the number of the name.
@_expose(wasm) @c(engine_calls)
public func engineCalls(_ handle: Handle) -> UnsafeMutableRawPointer {
  UnsafeMutableRawPointer(handle.engine.pointee.callDestination)
}

/// Takes the first `count` calls of the table.
@_expose(wasm) @c(engine_set_calls)
public func engineSetCalls(_ handle: Handle, _ count: Int32) {
  handle.engine.pointee.setCalls(count: Int(count))
}

@_expose(wasm) @c(engine_level_capacity)
public func engineLevelCapacity() -> Int32 { Int32(PracticeEngine.levelCapacity) }

/// Returns the address of the table of levels. A level is two numbers of 32 bits: the frame from which it
/// holds, and its gain as a Float.
@_expose(wasm) @c(engine_levels)
public func engineLevels(_ handle: Handle) -> UnsafeMutableRawPointer {
  UnsafeMutableRawPointer(handle.engine.pointee.levelDestination)
}

/// Takes the first `count` levels of the table.
@_expose(wasm) @c(engine_set_levels)
public func engineSetLevels(_ handle: Handle, _ count: Int32) {
  handle.engine.pointee.setLevels(count: Int(count))
}

// MARK: Commands

@_expose(wasm) @c(engine_load)
public func engineLoad(_ handle: Handle, _ partStart: Int32, _ partEnd: Int32) {
  handle.engine.pointee.load(partStart: Int(partStart), partEnd: Int(partEnd))
}

@_expose(wasm) @c(engine_unload)
public func engineUnload(_ handle: Handle) { handle.engine.pointee.unload() }

@_expose(wasm) @c(engine_play)
public func enginePlay(_ handle: Handle) { handle.engine.pointee.play() }

@_expose(wasm) @c(engine_pause)
public func enginePause(_ handle: Handle) { handle.engine.pointee.pause() }

@_expose(wasm) @c(engine_seek)
public func engineSeek(_ handle: Handle, _ frame: Int32) {
  handle.engine.pointee.seek(to: Int(frame))
}

/// Plays along with an engine that has played a frame, or had so many frames of its countdown left, some
/// frames of the clock ago.
@_expose(wasm) @c(engine_join)
public func engineJoin(
  _ handle: Handle, _ frame: Int32, _ countdownFramesLeft: Int32, _ lateFrames: Int32
) {
  handle.engine.pointee.join(
    at: Int(frame), countdownFramesLeft: Int(countdownFramesLeft), lateFrames: Int(lateFrames))
}

@_expose(wasm) @c(engine_set_loop)
public func engineSetLoop(_ handle: Handle, _ mode: Int32, _ markerA: Int32, _ markerB: Int32) {
  handle.engine.pointee.setLoop(
    LoopMode(rawValue: mode) ?? .off, from: Int(markerA), to: Int(markerB))
}

@_expose(wasm) @c(engine_set_countdown)
public func engineSetCountdown(
  _ handle: Handle, _ frames: Int32, _ sound: Int32, _ repeats: Int32
) {
  handle.engine.pointee.setCountdown(
    frames: Int(frames), sound: TickSound(rawValue: sound) ?? .clave,
    repeats: CountdownRepeats(rawValue: repeats) ?? .every)
}

@_expose(wasm) @c(engine_set_count_in)
public func engineSetCountIn(_ handle: Handle, _ countIn: Int32) {
  handle.engine.pointee.setCountIn(CountIn(rawValue: countIn) ?? .seconds)
}

/// Sets how often a loop is heard, 0 for without end, and the silence between two repeats.
@_expose(wasm) @c(engine_set_repeats)
public func engineSetRepeats(_ handle: Handle, _ limit: Int32, _ restFrames: Int32) {
  handle.engine.pointee.setRepeatLimit(Int(limit))
  handle.engine.pointee.setRest(frames: Int(restFrames))
}

/// Sets the chosen speed in percent, the transposition in semitones, and whether that keeps the formants:
/// 1 for a natural voice, otherwise 0.
@_expose(wasm) @c(engine_set_speed)
public func engineSetSpeed(
  _ handle: Handle, _ percent: Int32, _ semitones: Int32, _ naturalVoice: Int32
) {
  handle.engine.pointee.setSpeed(percent: Int(percent))
  handle.engine.pointee.setTransposition(
    semitones: Int(semitones), isNaturalVoice: naturalVoice != 0)
}

/// Sets the speed trainer, in percent; `every` 0 switches it off.
@_expose(wasm) @c(engine_set_trainer)
public func engineSetTrainer(
  _ handle: Handle, _ from: Int32, _ to: Int32, _ step: Int32, _ every: Int32
) {
  handle.engine.pointee.setTrainer(
    SpeedTrainer(from: Int(from), to: Int(to), step: Int(step), every: Int(every)))
}

@_expose(wasm) @c(engine_set_volume)
public func engineSetVolume(_ handle: Handle, _ volume: Float) {
  handle.engine.pointee.setVolume(volume)
}

@_expose(wasm) @c(engine_set_tick_volume)
public func engineSetTickVolume(_ handle: Handle, _ volume: Float) {
  handle.engine.pointee.setTickVolume(volume)
}

/// Sets whether the numbers of a count-in, and those of the clicks, are said (1) or not (0).
@_expose(wasm) @c(engine_set_speaking)
public func engineSetSpeaking(_ handle: Handle, _ countIn: Int32, _ click: Int32) {
  handle.engine.pointee.setSpeaking(countIn: countIn != 0, click: click != 0)
}

@_expose(wasm) @c(engine_set_click)
public func engineSetClick(_ handle: Handle, _ volume: Float) {
  handle.engine.pointee.setClick(volume: volume)
}

/// Sets the volume of the caller, and that of the part's audio while a name is said.
@_expose(wasm) @c(engine_set_caller)
public func engineSetCaller(_ handle: Handle, _ volume: Float, _ duck: Float) {
  handle.engine.pointee.setCaller(volume: volume, duck: duck)
}

/// Sets the volume of the part's audio alone.
@_expose(wasm) @c(engine_set_music_volume)
public func engineSetMusicVolume(_ handle: Handle, _ volume: Float) {
  handle.engine.pointee.setMusicVolume(volume)
}

@_expose(wasm) @c(engine_preview_tick)
public func enginePreviewTick(_ handle: Handle, _ sound: Int32) {
  handle.engine.pointee.preview(tick: TickSound(rawValue: sound) ?? .clave)
}

// MARK: What can be seen

@_expose(wasm) @c(engine_state)
public func engineState(_ handle: Handle) -> Int32 { handle.engine.pointee.state.rawValue }

@_expose(wasm) @c(engine_frame)
public func engineFrame(_ handle: Handle) -> Int32 { Int32(handle.engine.pointee.frame) }

/// Returns the frame that is waited for, besides the one that is heard next.
@_expose(wasm) @c(engine_awaited_frame)
public func engineAwaitedFrame(_ handle: Handle) -> Int32 {
  Int32(handle.engine.pointee.awaitedFrame)
}

@_expose(wasm) @c(engine_run_frames)
public func engineRunFrames(_ handle: Handle) -> Double { Double(handle.engine.pointee.runFrames) }

@_expose(wasm) @c(engine_countdown_frames_left)
public func engineCountdownFramesLeft(_ handle: Handle) -> Int32 {
  Int32(handle.engine.pointee.countdownFramesLeft)
}

@_expose(wasm) @c(engine_running_countdown_frames)
public func engineRunningCountdownFrames(_ handle: Handle) -> Int32 {
  Int32(handle.engine.pointee.runningCountdownFrames)
}

/// Returns the number that was counted last in a count-in, else 0.
@_expose(wasm) @c(engine_count_in_number)
public func engineCountInNumber(_ handle: Handle) -> Int32 {
  Int32(handle.engine.pointee.countInNumber)
}

@_expose(wasm) @c(engine_repeat_count)
public func engineRepeatCount(_ handle: Handle) -> Int32 {
  Int32(handle.engine.pointee.repeatCount)
}

@_expose(wasm) @c(engine_rest_frames_left)
public func engineRestFramesLeft(_ handle: Handle) -> Int32 {
  Int32(handle.engine.pointee.restFramesLeft)
}

/// Returns the speed that holds now, in percent.
@_expose(wasm) @c(engine_percent)
public func enginePercent(_ handle: Handle) -> Int32 { Int32(handle.engine.pointee.percent) }

/// Returns 1 when the audio goes round without a gap at the next end, else 0.
@_expose(wasm) @c(engine_turns_without_gap)
public func engineTurnsWithoutGap(_ handle: Handle) -> Int32 {
  handle.engine.pointee.turnsWithoutGap ? 1 : 0
}

@_expose(wasm) @c(engine_is_sounding)
public func engineIsSounding(_ handle: Handle) -> Int32 { handle.engine.pointee.isSounding ? 1 : 0 }

@_expose(wasm) @c(engine_clock)
public func engineClock(_ handle: Handle) -> Double { Double(handle.engine.pointee.clock) }

/// Takes the oldest event out and writes it as three Doubles: kind, value, clock.
///
/// Returns 0 when there was none.
@_expose(wasm) @c(engine_next_event)
public func engineNextEvent(_ handle: Handle, _ event: UnsafeMutablePointer<Double>) -> Int32 {
  guard let next = handle.engine.pointee.nextEvent() else { return 0 }
  event[0] = Double(next.kind.rawValue)
  event[1] = Double(next.value)
  event[2] = Double(next.clock)
  return 1
}
