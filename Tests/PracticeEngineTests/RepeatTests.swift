// Repeats: their number and the rests between them, checked frame by frame.

import PracticeEngine
import Testing

@Suite struct RepeatTests {
  private func rig(limit: Int = 0, rest: Int = 0) -> Rig {
    let rig = Rig(part: 0..<24_000)
    rig.engine.setLoop(.section, from: 1_000, to: 4_000)
    rig.engine.setRepeatLimit(limit)
    rig.engine.setRest(frames: rest)
    return rig
  }

  @Test(arguments: [1, 128, 4_096])
  func `a limit of three plays three times without a gap and then stops`(blockSize: Int) {
    let rig = rig(limit: 3)
    rig.engine.play()
    let output = rig.render(12_000, blockSize: blockSize)
    for turn in 0..<3 {
      #expect(output.equals(.noise, from: 1_000, in: turn * 3_000..<(turn + 1) * 3_000))
    }
    // The last value fades out.
    #expect(output.isSilent(9_240..<12_000))
    #expect(rig.engine.state == .ended)
    #expect(rig.events().map(\.kind) == [.started, .looped, .looped, .ended])
  }

  @Test func `play after the limit was reached starts all repeats again`() {
    let rig = rig(limit: 2)
    rig.engine.play()
    rig.render(8_000)
    #expect(rig.engine.state == .ended)
    rig.engine.play()
    let output = rig.render(8_000)
    #expect(output.equals(.noise, from: 1_000, in: 0..<3_000))
    #expect(output.equals(.noise, from: 1_000, in: 3_000..<6_000))
    #expect(rig.engine.state == .ended)
  }

  @Test(arguments: [1, 128, 4_096])
  func `a rest has the set length and each repeat is complete`(blockSize: Int) {
    let rig = rig(rest: 5_000)
    rig.engine.play()
    let output = rig.render(20_000, blockSize: blockSize)
    #expect(output.equals(.noise, from: 1_000, in: 0..<3_000))
    #expect(output.isSilent(3_240..<8_000))
    #expect(output.equals(.noise, from: 1_000, in: 8_000..<11_000))
    #expect(output.isSilent(11_240..<16_000))
    #expect(output.equals(.noise, from: 1_000, in: 16_000..<19_000))
    #expect(rig.events(.started).map(\.clock) == [0, 8_000, 16_000])
  }

  @Test func `a rest comes before the countdown of the repeat`() {
    let rig = rig(rest: 5_000)
    rig.engine.setCountdown(frames: 48_000, sound: .wood, repeats: .every)
    rig.engine.play()
    rig.render(110_000)
    let events = rig.events()
    #expect(events.map(\.kind) == [.tick, .started, .looped, .tick, .started, .looped])
    #expect(events.map(\.clock) == [0, 48_000, 51_000, 56_000, 104_000, 107_000])
  }

  @Test func `the limit also applies with rests`() {
    let rig = rig(limit: 2, rest: 1_000)
    rig.engine.play()
    rig.render(10_000)
    #expect(rig.engine.state == .ended)
    #expect(rig.engine.repeatCount == 1)
  }

  @Test func `a pause during a rest ends the rest and play starts at A`() {
    let rig = rig(rest: 5_000)
    rig.engine.play()
    rig.render(4_000)
    #expect(rig.engine.state == .resting)
    #expect(rig.engine.restFramesLeft == 4_000)
    rig.engine.pause()
    #expect(rig.render(9_000).isSilent(0..<9_000))
    rig.engine.play()
    #expect(rig.render(3_000).equals(.noise, from: 1_000, in: 0..<3_000))
  }

  @Test func `a limit set during playback applies to the current repeat`() {
    let rig = rig()
    rig.engine.play()
    rig.render(10_000)
    rig.engine.setRepeatLimit(2)
    rig.render(3_000)
    #expect(rig.engine.state == .ended)
  }
}
