// Speed and pitch in the engine: durations, repeats and clicks.

import PracticeEngine
import TestSupport
import Testing

@Suite struct SpeedTests {
  private func clocks(_ events: [EngineEvent], _ kind: EngineEvent.Kind) -> [Int] {
    events.filter { $0.kind == kind }.map { Int($0.clock) }
  }

  @Test(arguments: [25, 50, 73, 99, 101, 150, 200])
  func `the duration of a part is its length divided by the speed`(percent: Int) {
    let rig = Rig(part: 1_000..<25_001, signal: .sine)
    rig.engine.setSpeed(percent: percent)
    rig.engine.play()
    rig.render(24_001 * 100 / percent + 2_000)
    let events = rig.events()
    #expect(clocks(events, .started) == [0])
    let ended = clocks(events, .ended)
    #expect(ended.count == 1)
    #expect(abs(Double(ended.first ?? 0) - 24_001 * 100 / Double(percent)) <= 1)
    #expect(rig.engine.frame == 25_001)
  }

  @Test(arguments: [(25, 128), (73, 1), (90, 441), (137, 4_096), (200, 128)])
  func `a hundred repeats stay within a frame of their due times`(percent: Int, blockSize: Int) {
    let length = 1_463
    let rig = Rig(part: 470_000..<500_000)
    rig.engine.setLoop(.section, from: 479_301, to: 479_301 + length)
    rig.engine.setSpeed(percent: percent)
    rig.engine.play()
    var looped: [Int] = []
    while looped.count < 100 {
      rig.render(8_192, blockSize: blockSize)
      looped += clocks(rig.events(), .looped)
    }
    for (index, clock) in looped.prefix(100).enumerated() {
      let ideal = Double((index + 1) * length * 100) / Double(percent)
      #expect(abs(Double(clock) - ideal) <= 1, "repeat \(index + 1)")
    }
  }

  @Test func `after a return to 100 percent the output is bit-identical to the track`() {
    let rig = Rig(part: 0..<480_000)
    rig.engine.play()
    rig.render(5_000)
    rig.engine.setSpeed(percent: 80)
    rig.render(50_000)
    rig.engine.setSpeed(percent: 100)
    rig.render(20_000)
    let frame = rig.engine.frame
    #expect(rig.render(10_000).equals(.noise, from: frame, in: 0..<10_000))
    #expect(rig.engine.frame == frame + 10_000)
  }

  @Test func `the position advances at the set speed`() {
    let rig = Rig(part: 0..<480_000)
    rig.engine.setSpeed(percent: 50)
    rig.engine.play()
    rig.render(96_000)
    #expect(abs(rig.engine.frame - 48_000) <= 1)
    #expect(abs(rig.engine.runFrames - 48_000) <= 1)
  }

  @Test func `transposition changes the pitch and keeps the duration`() {
    let rig = Rig(part: 0..<96_000, signal: .sine)
    rig.engine.setTransposition(semitones: 12)
    rig.engine.play()
    let output = rig.render(97_000)
    #expect(abs((clocks(rig.events(), .ended).first ?? 0) - 96_000) <= 1)
    let rises = (48_000..<72_000).count { output.left[$0 - 1] < 0 && output.left[$0] >= 0 }
    #expect(abs(rises - 440) <= 2)
  }

  @Test func `the trainer changes the speed from repeat to repeat, without a gap`() {
    let rig = Rig(part: 0..<24_000)
    rig.engine.setLoop(.whole)
    rig.engine.setTrainer(SpeedTrainer(from: 50, to: 150, step: 50, every: 2))
    #expect(rig.engine.percent == 50)
    rig.engine.play()
    var percents: [Int] = []
    var looped: [Int] = []
    for _ in 0..<40 {
      rig.render(4_800)
      looped += clocks(rig.events(), .looped)
      percents.append(rig.engine.percent)
    }
    #expect(Set(percents) == [50, 100, 150])
    // A new speed takes effect at most 6,000 frames after it is set.
    let ideals = [48_000, 96_000, 120_000, 144_000, 160_000, 176_000]
    for (clock, ideal) in zip(looped, ideals) {
      #expect(clock >= ideal - 1 && clock <= ideal + 6_000, "\(looped)")
    }
  }

  @Test func `pauses, seeks, loops and speeds at any moment never click`() {
    var random = SeededGenerator(seed: 5)
    let rig = Rig(part: 0..<480_000, signal: .sine)
    rig.engine.play()
    var whole: [Float] = []
    for _ in 0..<400 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: rig.engine.seek(to: Int.random(in: 0..<480_000, using: &random))
      case 1: rig.engine.pause()
      case 2, 3: rig.engine.play()
      case 4: rig.engine.setTransposition(semitones: Int.random(in: -12...0, using: &random))
      case 5:
        rig.engine.setLoop(
          .section, from: Int.random(in: 0..<240_000, using: &random) / 1_200 * 1_200,
          to: Int.random(in: 240_000..<480_000, using: &random) / 1_200 * 1_200)
      default: rig.engine.setSpeed(percent: Int.random(in: 25...200, using: &random))
      }
      whole += rig.render(Int.random(in: 1...6_000, using: &random)).left
    }
    var output = Output()
    output.left = whole
    // The sine's own step, plus the step of a fade of 240 frames in which two sounds overlap.
    #expect(output.largestStep(in: 0..<whole.count) < Signal.sineStep * 1.5 + 0.02)
    #expect(whole.allSatisfy { abs($0) < 1.6 })
  }

  @Test func `a changed loop goes on without a gap`() {
    let rig = Rig(part: 0..<480_000, signal: .sine)
    rig.engine.setSpeed(percent: 50)
    rig.engine.setLoop(.section, from: 48_000, to: 72_000)
    rig.engine.seek(to: 48_000)
    rig.engine.play()
    rig.render(38_000)
    var output = rig.render(2_400)
    // What was read ahead turned back to A already.
    rig.engine.setLoop(.section, from: 48_000, to: 240_000)
    let after = rig.render(4_800)
    output.left += after.left
    #expect(output.largestStep(in: 0..<7_200) < Signal.sineStep * 1.5 + 0.005)
    // Over one period: the difference of its extremes, so that a last value led to zero does not count.
    for start in stride(from: 0, to: 7_200 - 110, by: 10) {
      let period = output.left[start..<(start + 110)]
      #expect((period.max() ?? 0) - (period.min() ?? 0) > 0.6)
    }
  }

  @Test func `playback waits for late audio and continues where it stopped`() {
    let rig = Rig(part: 0..<960_000, provided: false)
    rig.engine.setSpeed(percent: 50)
    rig.provide(0)
    rig.engine.seek(to: 450_000)
    rig.engine.play()
    rig.render(48_000)
    #expect(rig.engine.state == .waiting)
    let starved = rig.events(.starved)
    #expect(starved.map(\.value) == [480_000])
    let place = rig.engine.frame
    #expect(place > 450_000 && place < 480_000)
    rig.provide(1)
    rig.render(4_800)
    #expect(rig.engine.state == .playing)
    #expect(abs(rig.engine.frame - place - 2_400) <= 1)
  }
}
