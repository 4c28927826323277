// The recordings of a voice, which the page hands over: the numbers 1 to 8.

/// Where a recording lies among a voice's samples, in frames at `VoiceBank.framesPerSecond`. Its layout is
/// that of the wire: three numbers of 32 bits.
public struct EngineRecording: Equatable, Sendable {
  public var start: Int32
  public var frames: Int32
  /// The frame of the recording that is heard as its moment.
  public var attack: Int32

  /// Makes a recording.
  public init(start: Int32, frames: Int32, attack: Int32) {
    self.start = start
    self.frames = frames
    self.attack = attack
  }
}

/// Holds recordings of speech at half the engine's rate, and reads them at the engine's.
///
/// Real time: only `init` allocates; reading takes a dozen products for every other sample.
struct VoiceBank: ~Copyable, SampleSource {
  /// The sample rate of the recordings.
  static let framesPerSecond = EngineTimeline.framesPerSecond / 2

  /// A recording to play, in output frames.
  struct Sound {
    var range: SampleRange
    /// The frames before its attack.
    var lead: Int
  }

  let recordingCapacity: Int
  let sampleCapacity: Int
  // Unsafe so that rendering reads it without reference counting. This bank alone owns both and frees them
  // in `deinit`; every index below is checked against the number taken, which is at most the capacity.
  let recordings: UnsafeMutablePointer<EngineRecording>
  let samples: UnsafeMutablePointer<Int16>
  private var recordingCount = 0
  private var sampleCount = 0

  /// Makes an empty bank with room for so much.
  init(recordings: Int, samples: Int) {
    recordingCapacity = recordings
    sampleCapacity = samples
    self.recordings = .allocate(capacity: recordings)
    self.recordings.initialize(
      repeating: EngineRecording(start: 0, frames: 0, attack: 0), count: recordings)
    self.samples = .allocate(capacity: samples)
    self.samples.initialize(repeating: 0, count: samples)
  }

  deinit {
    recordings.deallocate()
    samples.deallocate()
  }

  /// Takes the first recordings and samples that were written, as many as there is room for.
  mutating func take(recordings: Int, samples: Int) {
    recordingCount = min(max(recordings, 0), recordingCapacity)
    sampleCount = min(max(samples, 0), sampleCapacity)
  }

  /// Returns a recording by its number, from 1; nil if it is missing, or does not lie within the samples
  /// with its attack inside.
  func sound(_ number: Int) -> Sound? {
    guard number > 0, number <= recordingCount else { return nil }
    let recording = recordings[number - 1]
    let (start, frames) = (Int(recording.start), Int(recording.frames))
    let attack = Int(recording.attack)
    guard start >= 0, frames > 0, start <= sampleCount, frames <= sampleCount - start,
      attack >= 0, attack < frames
    else { return nil }
    return Sound(range: SampleRange(start: 2 * start, frames: 2 * frames), lead: 2 * attack)
  }

  /// Returns a sample at the engine's rate: one of the bank, or between two of them.
  func sample(at index: Int) -> Float {
    guard index >= 0, index < 2 * sampleCount else { return 0 }
    let before = index / 2
    guard index % 2 == 1 else { return stored(before) }
    // A half-band filter: a sinc of twelve samples in a Kaiser window (β = 6).
    return 0.62481205 * (stored(before) + stored(before + 1))
      - 0.17845514 * (stored(before - 1) + stored(before + 2))
      + 0.07761063 * (stored(before - 2) + stored(before + 3))
      - 0.03292259 * (stored(before - 3) + stored(before + 4))
      + 0.01157652 * (stored(before - 4) + stored(before + 5))
      - 0.00262147 * (stored(before - 5) + stored(before + 6))
  }

  private func stored(_ index: Int) -> Float {
    index >= 0 && index < sampleCount ? Float(samples[index]) / 32_768 : 0
  }
}
