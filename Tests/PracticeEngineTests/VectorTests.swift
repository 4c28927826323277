// Plays the scenarios of Tests/Engine/scenarios.json. The result must not depend on the block size.
// If SEGMANCE_VECTORS names a folder, the result is written there. Tests/Engine/vectors.test.mjs
// compares it with the result of the WebAssembly build.

import FoundationEssentials
import PracticeEngine
import Testing

/// One scenario: commands with their frames of the engine's clock.
private struct Scenario: Decodable, Sendable {
  struct Step: Decodable, Sendable {
    var at: Int
    var command: String
    var start, end, chunk, frames, a, b, frame: Int?
    var limit, rest, percent, semitones, from, to, step, every: Int?
    var mode, sound, repeats: String?
    var value, duck: Float?
    var beats: [[Int32]]?
    var recordings, calls: [[Int32]]?
    var levels: [[Float]]?
    var countIn, click, naturalVoice: Bool?
  }

  struct Unknown: Error {
    var command: String
  }

  var name: String
  var frames: Int
  var steps: [Step]

  static let blockSizes = [128, 441, 1_024, 1]

  static func all() throws -> [Scenario] {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../Engine/scenarios.json")
    return try JSONDecoder().decode([Scenario].self, from: Data(contentsOf: file))
  }

  /// Plays the scenario. A block ends at each command, so the command applies on its exact frame.
  func play(blockSize: Int) throws -> (output: Output, events: [EngineEvent]) {
    let rig = Rig(part: 0..<1, provided: false)
    var output = Output()
    var events: [EngineEvent] = []
    for index in steps.indices {
      try apply(steps[index], to: rig)
      let next = index + 1 < steps.count ? steps[index + 1].at : frames
      var left = next - steps[index].at
      while left > 0 {
        // Renders in pieces, so that the event ring does not overflow.
        let stretch = rig.render(min(left, 8_192), blockSize: blockSize)
        left -= stretch.count
        output.left += stretch.left
        output.right += stretch.right
        events += rig.events()
      }
    }
    return (output, events)
  }

  private func apply(_ step: Step, to rig: Rig) throws {
    switch step.command {
    case "load": rig.engine.load(partStart: step.start ?? 0, partEnd: step.end ?? 0)
    case "provide": rig.provide(step.chunk ?? 0, frames: step.frames)
    case "discard": rig.engine.discard(chunk: step.chunk ?? 0)
    case "play": rig.engine.play()
    case "pause": rig.engine.pause()
    case "seek": rig.engine.seek(to: step.frame ?? 0)
    case "volume": rig.engine.setVolume(step.value ?? 1)
    case "tickVolume": rig.engine.setTickVolume(step.value ?? 1)
    case "click": rig.engine.setClick(volume: step.value ?? 1)
    case "musicVolume": rig.engine.setMusicVolume(step.value ?? 1)
    case "countIn":
      rig.engine.setCountIn(CountIn.allCases.first { "\($0)" == step.mode } ?? .seconds)
    case "beats":
      rig.setBeats(
        (step.beats ?? []).map {
          EngineBeat(frame: $0[0], count: $0[1], place: $0[2], metre: $0[3])
        })
    case "levels":
      rig.setLevels((step.levels ?? []).map { (Int($0[0]), $0[1]) })
    case "voice": setVoice(step.recordings ?? [], of: rig)
    case "names": setNames(step.recordings ?? [], of: rig)
    case "calls":
      rig.setCalls((step.calls ?? []).map { (Int($0[0]), Int($0[1]), Int($0[2])) })
    case "caller": rig.engine.setCaller(volume: step.value ?? 0, duck: step.duck ?? 1)
    case "speaking":
      rig.engine.setSpeaking(countIn: step.countIn ?? false, click: step.click ?? false)
    case "preview": rig.engine.preview(tick: Self.sound(step.sound))
    case "loop":
      let mode: LoopMode =
        step.mode == "section" ? .section : step.mode == "whole" ? .whole : .off
      rig.engine.setLoop(mode, from: step.a ?? 0, to: step.b ?? 0)
    case "countdown":
      rig.engine.setCountdown(
        frames: step.frames ?? 0, sound: Self.sound(step.sound),
        repeats: step.repeats == "first" ? .first : .every)
    case "repeats":
      rig.engine.setRepeatLimit(step.limit ?? 0)
      rig.engine.setRest(frames: step.rest ?? 0)
    case "speed":
      rig.engine.setSpeed(percent: step.percent ?? 100)
      rig.engine.setTransposition(
        semitones: step.semitones ?? 0, isNaturalVoice: step.naturalVoice ?? false)
    case "trainer":
      rig.engine.setTrainer(
        SpeedTrainer(
          from: step.from ?? 100, to: step.to ?? 100, step: step.step ?? 0, every: step.every ?? 0))
    default: throw Unknown(command: step.command)
    }
  }

  /// Gives the engine these recordings, of the left channel's noise.
  private func setVoice(_ recordings: [[Int32]], of rig: Rig) {
    for (index, recording) in recordings.enumerated() {
      rig.engine.recordingDestination[index] = EngineRecording(
        start: recording[0], frames: recording[1], attack: recording[2])
    }
    let samples = Int(recordings.map { $0[0] + $0[1] }.max() ?? 0)
    for index in 0..<samples {
      rig.engine.voiceSampleDestination[index] = Int16(
        Signal.noise.sample(index, channel: 0) * 32_768)
    }
    rig.engine.setVoice(recordings: recordings.count, samples: samples)
  }

  /// Gives the engine these names, of the right channel's noise.
  private func setNames(_ recordings: [[Int32]], of rig: Rig) {
    let samples = Int(recordings.map { $0[0] + $0[1] }.max() ?? 0)
    rig.engine.reserveNames(samples: samples)
    for (index, recording) in recordings.enumerated() {
      rig.engine.nameDestination[index] = EngineRecording(
        start: recording[0], frames: recording[1], attack: recording[2])
    }
    for index in 0..<samples {
      rig.engine.nameSampleDestination[index] = Int16(
        Signal.noise.sample(index, channel: 1) * 32_768)
    }
    rig.engine.setNames(recordings: recordings.count, samples: samples)
  }

  private static func sound(_ name: String?) -> TickSound {
    TickSound.allCases.first { "\($0)" == name } ?? .clave
  }
}

@Suite struct VectorTests {
  @Test func `a scenario sounds the same at every block size`() throws {
    for scenario in try Scenario.all() {
      let first = try scenario.play(blockSize: Scenario.blockSizes[0])
      try write(scenario, Scenario.blockSizes[0], first.output, first.events)
      #expect(first.output.count == scenario.frames)
      #expect(!first.events.isEmpty || scenario.name.contains("sounds"))
      for blockSize in Scenario.blockSizes.dropFirst() {
        let result = try scenario.play(blockSize: blockSize)
        #expect(result.output == first.output, "\(scenario.name), blocks of \(blockSize)")
        #expect(result.events == first.events, "\(scenario.name), blocks of \(blockSize)")
        try write(scenario, blockSize, result.output, result.events)
      }
    }
  }

  /// Writes the samples of both channels as 32-bit floats, and the events as lines of text.
  private func write(
    _ scenario: Scenario, _ blockSize: Int, _ output: Output, _ events: [EngineEvent]
  ) throws {
    guard let folder = ProcessInfo.processInfo.environment["SEGMANCE_VECTORS"] else { return }
    let base = URL(filePath: folder).appending(path: "\(scenario.name) \(blockSize)")
    var samples = output.left.withUnsafeBytes { Data($0) }
    output.right.withUnsafeBytes { samples.append(contentsOf: $0) }
    try samples.write(to: base.appendingPathExtension("f32"))
    let lines = events.map { "\($0.kind.rawValue) \($0.value) \($0.clock)\n" }
    try Data(lines.joined().utf8).write(to: base.appendingPathExtension("events"))
  }
}
