// Helpers of the engine's tests: known signals, and an engine that is fed with chunks and whose
// output is collected.

import PracticeEngine

/// A synthetic track whose samples are a function of the frame.
enum Signal {
  /// 16-bit noise that is never zero, so a lost, repeated or silent frame is detected.
  case noise
  /// 440 Hz at half of full scale. A click is a larger step than the sine's own.
  case sine
  /// Single frames at 0.8, over noise at −100 dBFS so that nothing is digital silence.
  case clicks(Set<Int>)

  /// The largest step from one frame of the sine to the next.
  static let sineStep: Float = 0.5 * 2 * 3.14159265 * 440 / 48_000

  func sample(_ frame: Int, channel: Int) -> Float {
    switch self {
    case .noise:
      var x = UInt32(truncatingIfNeeded: frame) &* 2_654_435_761
      x = x &+ UInt32(channel) &* 2_654_435_769
      x ^= x >> 15
      x = x &* 2_246_822_519
      x ^= x >> 13
      let value = Int16(truncatingIfNeeded: x & 0xffff)
      return Float(value == 0 ? 1 : value) / 32_768
    case .sine:
      // A whole number of periods fits into 1,200 frames.
      let turns = Double((frame * 11) % 1_200) / 1_200
      return Float(0.5 * sine(turns: turns))
    case .clicks(let frames):
      let noise = Self.noise.sample(frame, channel: channel) * 1e-5
      return frames.contains(frame) ? 0.8 + noise : noise
    }
  }

  private func sine(turns: Double) -> Double {
    let x = (turns > 0.5 ? turns - 1 : turns) * 2 * 3.14159265358979
    var term = x
    var sum = x
    for n in stride(from: 2.0, through: 24, by: 2) {
      term *= -x * x / (n * (n + 1))
      sum += term
    }
    return sum
  }
}

/// Rendered samples.
struct Output: Equatable {
  var left: [Float] = []
  var right: [Float] = []

  var count: Int { left.count }

  func isSilent(_ frames: Range<Int>) -> Bool {
    left[frames].allSatisfy { $0 == 0 } && right[frames].allSatisfy { $0 == 0 }
  }

  /// Whether `frames` are bit-identical to the signal from `frame` of the track onwards.
  func equals(_ signal: Signal, from frame: Int, in frames: Range<Int>) -> Bool {
    frames.allSatisfy { index in
      let source = frame + index - frames.lowerBound
      return left[index] == signal.sample(source, channel: 0)
        && right[index] == signal.sample(source, channel: 1)
    }
  }

  /// The largest step from one frame to the next.
  func largestStep(in frames: Range<Int>) -> Float {
    frames.dropFirst().reduce(0) { max($0, abs(left[$1] - left[$1 - 1])) }
  }
}

/// Returns beats on `frames`, with counts and bars from `firstCount` on.
func beats(at frames: [Int], firstCount: Int = 1, metre: Int = 4, perEight: Int = 8) -> [EngineBeat]
{
  frames.enumerated().map { index, frame in
    EngineBeat(
      frame: Int32(frame), count: Int32((index + firstCount - 1) % perEight + 1),
      place: Int32((index + firstCount - 1) % metre + 1), metre: Int32(metre))
  }
}

/// A voice of noise: eight recordings of different lengths, in each a sample that no other frame has, at its
/// attack.
struct TestVoice {
  var recordings: [EngineRecording] = []
  var samples: [Int16] = []

  /// The value of the attack of number 0.
  static let mark = 20_000

  /// Makes a voice; all its attacks come after `attack` samples, or each has its own place.
  init(attack everyAttack: Int? = nil) {
    for number in 1...8 {
      let frames = 4_080 + 240 * number
      let attack = everyAttack ?? 907 + 100 * number
      recordings.append(
        EngineRecording(
          start: Int32(samples.count), frames: Int32(frames), attack: Int32(attack)))
      samples += (0..<frames).map { frame in
        // Odd, so that no sample is silent, and none sums up to an attack's.
        let noise = (frame &* 7_919 &+ number &* 104_729) % 4_999 &* 2 - 4_999
        return Int16(frame == attack ? Self.mark + number : noise)
      }
    }
  }

  /// The output frames before the attack of a number.
  func lead(_ number: Int) -> Int { 2 * Int(recordings[number - 1].attack) }

  /// The value of a sample of a number's recording, at full level.
  func value(_ number: Int, at frame: Int) -> Float {
    Float(samples[Int(recordings[number - 1].start) + frame]) / 32_768
  }
}

/// An engine with helpers that feed it and collect its output.
final class Rig {
  var engine = PracticeEngine()
  let signal: Signal
  let trackFrames: Int

  /// Makes an engine with a loaded part; with `provided`, all its chunks are filled.
  init(
    part: Range<Int> = 0..<96_000, trackFrames: Int = 960_000, signal: Signal = .noise,
    provided: Bool = true
  ) {
    self.signal = signal
    self.trackFrames = trackFrames
    engine.load(partStart: part.lowerBound, partEnd: part.upperBound)
    guard provided else { return }
    let last = (part.upperBound - 1) / EngineTimeline.chunkFrames
    for chunk in (part.lowerBound / EngineTimeline.chunkFrames)...last { provide(chunk) }
  }

  /// Fills a chunk, or only its first frames.
  @discardableResult
  func provide(_ chunk: Int, frames: Int? = nil) -> Bool {
    guard engine.reserve(chunk: chunk),
      let left = engine.destination(chunk: chunk, channel: 0),
      let right = engine.destination(chunk: chunk, channel: 1)
    else { return false }
    let start = chunk * EngineTimeline.chunkFrames
    let count = min(frames ?? EngineTimeline.chunkFrames, trackFrames - start)
    for frame in 0..<count {
      left[frame] = signal.sample(start + frame, channel: 0)
      right[frame] = signal.sample(start + frame, channel: 1)
    }
    engine.markFilled(chunk: chunk, frames: count)
    return true
  }

  /// Gives the engine a table of beats.
  func setBeats(_ beats: [EngineBeat]) {
    let table = engine.beatDestination
    for (index, beat) in beats.prefix(PracticeEngine.beatCapacity).enumerated() {
      table[index] = beat
    }
    engine.setBeats(count: beats.count)
  }

  /// Gives the engine a table of levels.
  func setLevels(_ levels: [(frame: Int, gain: Float)]) {
    for (index, level) in levels.enumerated() {
      engine.levelDestination[index] = EngineLevel(frame: Int32(level.frame), gain: level.gain)
    }
    engine.setLevels(count: levels.count)
  }

  /// Gives the engine a voice.
  func setVoice(_ voice: TestVoice) {
    for (index, sample) in voice.samples.enumerated() {
      engine.voiceSampleDestination[index] = sample
    }
    for (index, recording) in voice.recordings.enumerated() {
      engine.recordingDestination[index] = recording
    }
    engine.setVoice(recordings: voice.recordings.count, samples: voice.samples.count)
  }

  /// Gives the engine a voice's recordings as names.
  func setNames(_ voice: TestVoice) {
    engine.reserveNames(samples: voice.samples.count)
    for (index, sample) in voice.samples.enumerated() {
      engine.nameSampleDestination[index] = sample
    }
    for (index, recording) in voice.recordings.enumerated() {
      engine.nameDestination[index] = recording
    }
    engine.setNames(recordings: voice.recordings.count, samples: voice.samples.count)
  }

  /// Gives the engine calls: the frame of a move, the frame of its call, and the name.
  func setCalls(_ calls: [(frame: Int, called: Int, name: Int)]) {
    for (index, call) in calls.prefix(PracticeEngine.callCapacity).enumerated() {
      engine.callDestination[index] = EngineCall(
        frame: Int32(call.frame), calledFrame: Int32(call.called), recording: Int32(call.name))
    }
    engine.setCalls(count: calls.count)
  }

  /// Renders and returns the next frames.
  @discardableResult
  func render(_ frames: Int, blockSize: Int = 128) -> Output {
    var output = Output()
    output.left.reserveCapacity(frames)
    output.right.reserveCapacity(frames)
    // NaN marks frames that rendering did not write.
    var left = [Float](repeating: .nan, count: blockSize)
    var right = left
    while output.count < frames {
      let count = min(blockSize, frames - output.count)
      left.withUnsafeMutableBufferPointer { left in
        right.withUnsafeMutableBufferPointer { right in
          guard let left = left.baseAddress, let right = right.baseAddress else { return }
          engine.render(frames: count, left: left, right: right)
        }
      }
      output.left += left[..<count]
      output.right += right[..<count]
    }
    return output
  }

  /// Returns the events since the last call.
  func events() -> [EngineEvent] {
    var taken: [EngineEvent] = []
    while let event = engine.nextEvent() { taken.append(event) }
    return taken
  }

  /// Returns the events of one kind since the last call, and drops the others.
  func events(_ kind: EngineEvent.Kind) -> [EngineEvent] { events().filter { $0.kind == kind } }
}
