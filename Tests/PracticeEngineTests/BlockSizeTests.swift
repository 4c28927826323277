// Every command of the engine at every block size. A browser can request any block size.

import Glibc
import PracticeEngine
import Testing

@Suite struct BlockSizeTests {
  @Test func `every command sounds the same at every block size`() {
    expectSameOutput(Replay(Replay.plainScript()), at: Array(1...4_096), events: 18)
  }

  // Stretching is much slower, so this test uses a subset of the sizes: primes, which meet the
  // stretcher's steps of 128 frames at every offset, and sizes around powers of two, which
  // browsers use. The two arguments run in parallel.
  @Test(arguments: [0, 1])
  func `every command sounds the same at every block size at other speeds`(part: Int) {
    let primes = (2...4_096).filter { size in !(2..<size).contains { size % $0 == 0 } }
    let edges = (0...12).flatMap { [(1 << $0) - 1, 1 << $0, (1 << $0) + 1] }
    let sizes = Set(primes + edges).filter { $0 > 0 && $0 <= 4_096 }.sorted()
    let half = sizes.indices.filter { $0 % 2 == part }.map { sizes[$0] }
    expectSameOutput(Replay(Replay.stretchedScript()), at: half, events: 9)
  }

  /// The stretcher's steps then begin within blocks, as after a count-in of any length.
  @Test(arguments: [64, 128, 441])
  func `an end at another speed sounds the same where playback starts within a block`(
    blockSize: Int
  ) {
    func played(_ blockSize: Int) -> Output {
      let rig = Rig(part: 0..<20_000)
      rig.engine.setSpeed(percent: 125)
      rig.render(50)
      rig.engine.setCountdown(frames: 50, sound: .clave, repeats: .every)
      rig.engine.play()
      return rig.render(17_000, blockSize: blockSize)
    }
    let isSame = played(blockSize) == played(1)
    #expect(isSame)
  }

  private func expectSameOutput(_ replay: Replay, at blockSizes: [Int], events count: Int) {
    let reference = replay.play(blockSize: 128)
    replay.keepAsReference()
    #expect(reference.count >= count)
    for blockSize in blockSizes {
      let events = replay.play(blockSize: blockSize)
      #expect(events == reference, "blocks of \(blockSize)")
      #expect(replay.isAsReference, "blocks of \(blockSize)")
    }
  }
}

/// Plays the same commands repeatedly on one engine, because creating an engine takes longer.
private final class Replay {
  private var engine = PracticeEngine()
  private let script: Script
  private var frames: Int { script.frames }
  private let noise: [[Float]]
  private let output: UnsafeMutableBufferPointer<Float>
  private let reference: UnsafeMutableBufferPointer<Float>

  /// The frames of the track that are played, around the border of two chunks.
  private static let heard = 474_000..<486_000

  /// Commands with their frames.
  struct Script {
    fileprivate var steps: [(at: Int, command: (Replay) -> Void)] = []
    fileprivate var frames = 0

    /// Adds a command that is followed by `frames` frames without a command.
    mutating func add(_ frames: Int, _ command: @escaping (Replay) -> Void) {
      steps.append((self.frames, command))
      self.frames += frames
    }
  }

  init(_ script: Script) {
    noise = [0, 1].map { channel in
      Self.heard.map { Signal.noise.sample($0, channel: channel) }
    }
    self.script = script
    output = .allocate(capacity: 2 * script.frames)
    reference = .allocate(capacity: 2 * script.frames)
    reference.initialize(repeating: 0)
  }

  deinit {
    output.deallocate()
    reference.deallocate()
  }

  /// Every command, with periods of playing, rest and countdown longer than the longest block.
  static func plainScript() -> Script {
    var script = Script()
    script.add(0) { $0.engine.setVolume(1) }
    script.add(300) { $0.engine.load(partStart: 474_100, partEnd: 485_000) }
    script.add(100) { $0.engine.play() }
    script.add(777) { $0.provide(0, upTo: 475_003) }
    script.add(500) { $0.provide(0, upTo: 480_000) }
    script.add(400) { $0.engine.seek(to: 479_200) }
    script.add(1_400) { $0.provide(1, upTo: 480_055) }
    script.add(600) { $0.provide(1, upTo: 486_000) }
    script.add(90) { $0.engine.setVolume(0.3) }
    script.add(333) { $0.engine.setVolume(0.8) }
    script.add(4_500) { $0.engine.setLoop(.section, from: 480_900, to: 479_501) }
    script.add(600) { $0.engine.setLoop(.section, from: 479_400, to: 479_900) }
    script.add(250) { $0.engine.pause() }
    script.add(200) { $0.engine.preview(tick: .wood) }
    script.add(250) { $0.engine.preview(tick: .bongo) }
    script.add(800) { $0.engine.play() }
    script.add(350) { $0.engine.discard(chunk: 0) }
    script.add(350) { $0.provide(0, upTo: 480_000) }
    script.add(700) { $0.engine.setLoop(.off) }
    script.add(200) { $0.engine.seek(to: 999_999) }
    script.add(0) { $0.engine.load(partStart: 479_700, partEnd: 480_450) }
    script.add(0) { $0.engine.setLoop(.whole) }
    script.add(0) { $0.engine.setRepeatLimit(2) }
    script.add(0) { $0.engine.setRest(frames: 4_400) }
    script.add(900) { $0.engine.play() }
    script.add(57_000) { $0.engine.setCountdown(frames: 48_300, sound: .hiHat, repeats: .every) }
    addEnd(&script)
    return script
  }

  /// A whole loop at half speed with a limit, rests and short countdowns, without a command for
  /// longer than the longest block; then endless loops, transposition and a speed trainer.
  static func stretchedScript() -> Script {
    var script = Script()
    script.add(0) { $0.provide(0, upTo: 480_000) }
    script.add(0) { $0.provide(1, upTo: 486_000) }
    script.add(0) { $0.engine.load(partStart: 479_700, partEnd: 480_450) }
    script.add(0) { $0.engine.setLoop(.whole) }
    script.add(0) { $0.engine.setRepeatLimit(2) }
    script.add(0) { $0.engine.setSpeed(percent: 50) }
    script.add(0) { $0.engine.setRest(frames: 330) }
    script.add(0) { $0.engine.setCountdown(frames: 210, sound: .kick, repeats: .every) }
    script.add(4_500) { $0.engine.play() }
    script.add(0) { $0.engine.setRest(frames: 0) }
    script.add(0) { $0.engine.setCountdown(frames: 210, sound: .kick, repeats: .first) }
    script.add(0) { $0.engine.setRepeatLimit(0) }
    script.add(900) { $0.engine.play() }
    script.add(400) { $0.engine.setTransposition(semitones: -3) }
    script.add(700) { $0.engine.setLoop(.section, from: 480_400, to: 479_900) }
    script.add(600) { $0.engine.setTransposition(semitones: -3, isNaturalVoice: true) }
    script.add(0) { $0.engine.setTransposition(semitones: 0) }
    script.add(900) {
      $0.engine.setTrainer(SpeedTrainer(from: 150, to: 80, step: 35, every: 1))
    }
    script.add(0) { $0.engine.setTrainer(SpeedTrainer()) }
    script.add(200) { $0.engine.setSpeed(percent: 100) }
    script.add(300) { $0.engine.seek(to: 480_011) }
    addEnd(&script)
    return script
  }

  /// Resets the engine to its initial settings and unloads the part.
  private static func addEnd(_ script: inout Script) {
    script.add(300) { $0.engine.discardAllChunks() }
    script.add(0) { $0.engine.setCountdown(frames: 0, sound: .clave, repeats: .every) }
    script.add(0) { $0.engine.setRest(frames: 0) }
    script.add(0) { $0.engine.setRepeatLimit(0) }
    script.add(4_500) { $0.engine.unload() }
  }

  private func provide(_ chunk: Int, upTo end: Int) {
    guard engine.reserve(chunk: chunk) else { return }
    let first = max(chunk * EngineTimeline.chunkFrames, Self.heard.lowerBound)
    let count = min(end, (chunk + 1) * EngineTimeline.chunkFrames) - first
    for channel in 0...1 {
      guard let samples = engine.destination(chunk: chunk, channel: channel) else { return }
      noise[channel].withUnsafeBufferPointer { noise in
        guard let noise = noise.baseAddress else { return }
        (samples + first - chunk * EngineTimeline.chunkFrames)
          .update(from: noise + first - Self.heard.lowerBound, count: count)
      }
    }
    engine.markFilled(chunk: chunk, frames: end - chunk * EngineTimeline.chunkFrames)
  }

  /// Plays the script. A block ends at the frame of each command. Returns the events, with clocks
  /// in frames since the start of the script.
  func play(blockSize: Int) -> [EngineEvent] {
    // NaN marks frames that rendering did not write.
    output.update(repeating: .nan)
    guard let left = output.baseAddress else { return [] }
    let start = engine.clock
    var events: [EngineEvent] = []
    var done = 0
    for (index, step) in script.steps.enumerated() {
      step.command(self)
      let end = index + 1 < script.steps.count ? script.steps[index + 1].at : frames
      while done < end {
        let count = min(blockSize, end - done)
        engine.render(frames: count, left: left + done, right: left + frames + done)
        done += count
      }
      while var event = engine.nextEvent() {
        event.clock -= start
        events.append(event)
      }
    }
    return events
  }

  func keepAsReference() {
    _ = reference.update(fromContentsOf: output)
  }

  /// Whether the output is bit-identical to the reference.
  var isAsReference: Bool {
    guard let output = output.baseAddress, let reference = reference.baseAddress else {
      return false
    }
    return memcmp(output, reference, 2 * frames * MemoryLayout<Float>.stride) == 0
  }
}
