// Loops at other speeds: the times of the sound, rests, countdowns and ends in every turn.

import Testing

@testable import PracticeEngine

@Suite struct StretchedLoopTests {
  /// The output frame of a source frame, rounded half up.
  private func output(of source: Int, at percent: Int) -> Int {
    (source * 100 + percent / 2) / percent
  }

  @Test(arguments: [25, 50, 75, 150, 200])
  func `each click in a loop sounds once on its exact frame in a hundred turns`(
    percent: Int
  ) {
    let (a, length) = (477_001, 9_613)
    let clicks = [1_200, 4_801, 8_000]
    let rig = Rig(part: 470_000..<500_000, signal: .clicks(Set(clicks.map { a + $0 })))
    rig.engine.setLoop(.section, from: a, to: a + length)
    rig.engine.setSpeed(percent: percent)
    rig.engine.play()
    var heard: [Int] = []
    var loudestBefore: Float = 0
    var rendered = 0
    // The 20 ms before each block, to measure the sound before a click.
    var past: [Float] = []
    while rendered < output(of: 100 * length, at: percent) {
      let stretch = past + rig.render(48_000).left
      for index in past.count..<stretch.count where abs(stretch[index]) > 0.4 {
        heard.append(rendered + index - past.count)
        loudestBefore = stretch[max(0, index - 960)..<max(0, index - 48)]
          .reduce(loudestBefore) { max($0, abs($1)) }
      }
      rendered += 48_000
      past = Array(stretch.suffix(960))
    }
    let turns = rendered * percent / 100 / length
    #expect(turns >= 100)
    let ideal = (0...turns).flatMap { turn in
      clicks.map { output(of: turn * length + $0, at: percent) }
    }
    #expect(heard == ideal.filter { $0 < rendered })
    // −38 dB of the click. Some clicks are closer together than the longest transform window.
    #expect(loudestBefore < 0.8 * 0.0126)
  }

  @Test func `a trainer leaves the original speed with the turn, at every block size`() {
    func played(blockSize: Int) -> Output {
      let rig = Rig(part: 0..<96_000)
      rig.engine.setLoop(.section, from: 1_000, to: 11_003)
      rig.engine.setTrainer(SpeedTrainer(from: 100, to: 75, step: 25, every: 1))
      rig.engine.play()
      return rig.render(30_000, blockSize: blockSize)
    }
    let first = played(blockSize: 128)
    for blockSize in [441, 1_024] {
      let isSame = played(blockSize: blockSize) == first
      #expect(isSame)
    }
  }

  @Test func `at the limit of the frame counter the stretcher restarts without a click`() {
    let rig = Rig(part: 0..<96_000, signal: .sine)
    rig.engine.stretchLimit = 30_000
    rig.engine.setLoop(.section, from: 0, to: 48_000)
    rig.engine.setSpeed(percent: 80)
    rig.engine.play()
    let turns = 5
    let output = rig.render(turns * 60_000 + 1)
    // Each restart loses less than one source frame.
    let clocks = rig.events().dropFirst().map(\.clock)
    #expect(clocks.count == turns)
    for (turn, clock) in clocks.enumerated() {
      #expect((0...2 * (turn + 1)).contains(Int(clock) - 60_000 * (turn + 1)))
    }
    #expect(rig.engine.stretcher.outputFrames <= 30_000)
    #expect(output.largestStep(in: 0..<output.count) < Signal.sineStep * 1.5 + 0.02)
  }

  /// A rig that loops three times over 4,800 frames with a click in them.
  private func rig(percent: Int, rest: Int, countdown: Int = 0) -> Rig {
    let rig = Rig(part: 0..<96_000, signal: .clicks([24_000 + 1_800]))
    rig.engine.setLoop(.section, from: 24_000, to: 28_800)
    rig.engine.setRepeatLimit(3)
    rig.engine.setRest(frames: rest)
    rig.engine.setCountdown(frames: countdown, sound: .snap, repeats: .every)
    rig.engine.setSpeed(percent: percent)
    rig.engine.play()
    return rig
  }

  @Test(arguments: [50, 150])
  func `a limit plays that many turns without a gap and then silence`(percent: Int) {
    let rig = rig(percent: percent, rest: 0)
    let turn = 4_800 * 100 / percent
    let output = rig.render(3 * turn + 5_000)
    let events = rig.events()
    #expect(events.map(\.kind) == [.started, .looped, .looped, .ended])
    #expect(events.map(\.clock) == [0, 1, 2, 3].map { Int64($0 * turn) })
    let click = 1_800 * 100 / percent
    let loud = output.left.indices.filter { abs(output.left[$0]) > 0.4 }
    #expect(loud == [0, 1, 2].map { $0 * turn + click })
    #expect(output.isSilent(3 * turn + 240..<output.count))
    #expect(rig.engine.state == .ended)
    #expect(rig.engine.repeatCount == 2)
  }

  @Test(arguments: [50, 150])
  func `rests have the set length at any speed`(percent: Int) {
    let rig = rig(percent: percent, rest: 5_003)
    let turn = 4_800 * 100 / percent
    let starts = [0, 1, 2].map { $0 * (turn + 5_003) }
    let output = rig.render(starts[2] + turn + 5_000)
    let events = rig.events()
    #expect(events.map(\.kind) == [.started, .looped, .started, .looped, .started, .ended])
    #expect(events.map(\.clock) == starts.flatMap { [Int64($0), Int64($0 + turn)] })
    let loud = output.left.indices.filter { abs(output.left[$0]) > 0.4 }
    #expect(loud == starts.map { $0 + 1_800 * 100 / percent })
    for start in starts.dropFirst() { #expect(output.isSilent(start - 5_003 + 240..<start)) }
  }

  @Test(arguments: [50, 150])
  func `the countdown runs after the rest and before the turn at any speed`(percent: Int) {
    let rig = rig(percent: percent, rest: 1_001, countdown: 48_000)
    let turn = 4_800 * 100 / percent
    let starts = [0, 1, 2].map { 48_000 + $0 * (turn + 49_001) }
    let output = rig.render(starts[2] + turn + 1_000)
    let events = rig.events()
    #expect(
      events.map(\.kind) == [
        .tick, .started, .looped, .tick, .started, .looped, .tick, .started, .ended,
      ])
    #expect(
      events.map(\.clock)
        == starts.flatMap { [Int64($0 - 48_000), Int64($0), Int64($0 + turn)] })
    // The tick has decayed before the click.
    let clicks = starts.map { $0 + 1_800 * 100 / percent }
    for click in clicks { #expect(abs(output.left[click] - 0.8) < 0.05) }
  }

  @Test(arguments: [(171, -12), (200, -12), (200, 0), (130, -5), (50, -12), (75, 12)])
  func `each turn after a rest starts at the first source frame without a click`(
    percent: Int, semitones: Int
  ) {
    let rig = Rig(signal: .sine)
    rig.engine.setLoop(.section, from: 24_000, to: 26_400)
    rig.engine.setRest(frames: 1_000)
    rig.engine.setSpeed(percent: percent)
    rig.engine.setTransposition(semitones: semitones)
    rig.engine.play()
    let output = rig.render(24_000)
    let starts = rig.events().filter { $0.kind == .started }.map { Int($0.clock) }
    #expect(starts.count >= 3)
    // The sine's own step, at most an octave up, plus a difference of 0.1 over 5 ms.
    let allowed = Signal.sineStep * (semitones > 0 ? 2 : 1) + 0.001
    for start in starts {
      #expect(abs(output.left[start]) < 1e-5, "frame \(start)")
      #expect(output.largestStep(in: start..<start + 480) < allowed, "from frame \(start)")
    }
  }

  @Test(arguments: [(25, 0), (50, 0), (100, 12), (200, -12)], [2_400, 24_000])
  func `a turn before a rest keeps its level to its end`(
    speed: (percent: Int, semitones: Int), length: Int
  ) {
    let rig = Rig(signal: .sine)
    rig.engine.setLoop(.section, from: 24_000, to: 24_000 + length)
    rig.engine.setRest(frames: 1_000)
    rig.engine.setSpeed(percent: speed.percent)
    rig.engine.setTransposition(semitones: speed.semitones)
    rig.engine.play()
    let turn = length * 100 / speed.percent
    let output = rig.render(turn)
    // Read at four times its speed, a tone is up to 0.4 dB too loud for some 20 ms while another window takes over.
    let allowed: Float = speed.percent == 200 ? 0.025 : 0.02
    for end in stride(from: turn / 2 + 600, through: turn, by: 600) {
      let loudest = output.left[end - 600..<end].reduce(0) { max($0, abs($1)) }
      #expect(abs(loudest - 0.5) < allowed, "\(loudest) before frame \(end)")
    }
  }
}
