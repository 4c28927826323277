// The countdown: its ticks, the start of the audio, and cancelling.

import PracticeEngine
import Testing

@Suite struct CountdownTests {
  private let second = 48_000

  @Test(arguments: [1, 128, 441, 1_024])
  func `a countdown of three seconds plays three ticks and then the first frame`(blockSize: Int) {
    let rig = Rig(part: 1_000..<90_000)
    rig.engine.setCountdown(frames: 3 * second, sound: .clave, repeats: .every)
    rig.engine.play()
    let output = rig.render(3 * second + 5_000, blockSize: blockSize)
    let events = rig.events()
    #expect(events.map(\.kind) == [.tick, .tick, .tick, .started])
    #expect(events.map(\.value) == [3, 2, 1, 1_000])
    #expect(events.map(\.clock) == [0, 48_000, 96_000, 144_000])
    #expect(output.equals(.noise, from: 1_000, in: 144_000..<149_000))
    for tick in 0..<3 {
      let start = tick * second
      #expect(!output.isSilent(start..<start + 1_000))
      #expect(output.isSilent(start + 36_000..<start + second))
    }
  }

  @Test func `all ticks sound the same and nothing is mixed with them`() {
    let rig = Rig()
    rig.engine.setCountdown(frames: 2 * second, sound: .bongo, repeats: .every)
    rig.engine.play()
    let output = rig.render(2 * second)
    #expect(output.left[..<second] == output.left[second...])
    #expect(output.left == output.right)
  }

  @Test func `a countdown of odd length ticks on the whole seconds before the start`() {
    let rig = Rig()
    rig.engine.setCountdown(frames: 2 * second + 1_000, sound: .wood, repeats: .every)
    rig.engine.play()
    rig.render(3 * second)
    #expect(rig.events().map(\.clock) == [1_000, 49_000, 97_000])
  }

  @Test func `pausing cancels the countdown and play starts it again`() {
    let rig = Rig()
    rig.engine.setCountdown(frames: 3 * second, sound: .clave, repeats: .every)
    rig.engine.play()
    rig.render(2 * second)
    rig.engine.pause()
    #expect(rig.engine.countdownFramesLeft == 0)
    let silence = rig.render(4 * second)
    #expect(silence.isSilent(240..<4 * second))
    rig.engine.play()
    #expect(rig.events(.started).isEmpty)
    rig.render(3 * second)
    #expect(rig.events(.started).map(\.clock) == [Int64(9 * second)])
    rig.render(1)
    #expect(rig.engine.state == .playing)
    #expect(rig.engine.frame == 1)
  }

  @Test(arguments: [49, 50])
  func `fifty presses within a second leave one countdown or none`(presses: Int) {
    let rig = Rig(signal: .sine)
    rig.engine.setCountdown(frames: 3 * second, sound: .clave, repeats: .every)
    for press in 0..<presses {
      if press % 2 == 0 { rig.engine.play() } else { rig.engine.pause() }
      rig.render(960)
    }
    _ = rig.events()
    let rest = rig.render(5 * second)
    let events = rig.events()
    if presses % 2 == 0 {
      #expect(events.isEmpty)
      #expect(rest.isSilent(240..<rest.count))
    } else {
      #expect(events.map(\.kind) == [.tick, .tick, .started, .ended])
      #expect(events.first?.clock == Int64(48 * 960 + second))
    }
  }

  @Test func `presses on the same frame leave one countdown`() {
    let rig = Rig()
    rig.engine.setCountdown(frames: second, sound: .clave, repeats: .every)
    for _ in 0..<25 {
      rig.engine.play()
      rig.engine.pause()
    }
    rig.engine.play()
    rig.engine.play()
    let output = rig.render(second + 100)
    #expect(rig.events().map(\.kind) == [.tick, .started])
    #expect(output.equals(.noise, from: 0, in: second..<second + 100))
  }

  @Test func `play during a countdown changes nothing`() {
    let rig = Rig()
    rig.engine.setCountdown(frames: second, sound: .clave, repeats: .every)
    rig.engine.seek(to: 7_000)
    rig.engine.play()
    rig.render(1_000)
    rig.engine.play()
    rig.render(1_000)
    #expect(rig.engine.countdownFramesLeft == second - 2_000)
    #expect(rig.engine.frame == 7_000)
  }

  @Test func `the countdown runs before each repeat and the repeat starts exactly at A`() {
    let rig = Rig()
    rig.engine.setLoop(.section, from: 5_000, to: 9_000)
    rig.engine.setCountdown(frames: second, sound: .snap, repeats: .every)
    rig.engine.play()
    let period = second + 4_000
    let output = rig.render(3 * period)
    for turn in 0..<3 {
      let start = turn * period + second
      #expect(output.equals(.noise, from: 5_000, in: start..<start + 4_000))
      #expect(output.isSilent(turn * period + 36_000..<start))
    }
    let clocks = rig.events(.looped).map(\.clock)
    #expect(clocks == [52_000, 104_000, 156_000])
  }

  @Test func `the countdown can run before the first repeat only`() {
    let rig = Rig(part: 0..<4_000)
    rig.engine.setLoop(.whole)
    rig.engine.setCountdown(frames: second, sound: .snap, repeats: .first)
    rig.engine.play()
    let output = rig.render(second + 12_000)
    for turn in 0..<3 {
      let start = second + turn * 4_000
      #expect(output.equals(.noise, from: 0, in: start..<start + 4_000))
    }
  }

  @Test func `play after the end starts the countdown again`() {
    let rig = Rig(part: 0..<4_000)
    rig.engine.setCountdown(frames: second, sound: .snap, repeats: .every)
    rig.engine.play()
    rig.render(second + 5_000)
    rig.engine.play()
    rig.render(10)
    #expect(rig.engine.state == .countdown)
    #expect(rig.engine.countdownFramesLeft == second - 10)
    #expect(rig.engine.runningCountdownFrames == second)
  }

  @Test func `a new length applies from the next countdown`() {
    let rig = Rig()
    rig.engine.setCountdown(frames: second, sound: .snap, repeats: .every)
    rig.engine.play()
    rig.render(100)
    rig.engine.setCountdown(frames: 5 * second, sound: .snap, repeats: .every)
    #expect(rig.engine.countdownFramesLeft == second - 100)
  }

  @Test func `seeking during the countdown moves the start and keeps the countdown`() {
    let rig = Rig()
    rig.engine.setCountdown(frames: second, sound: .snap, repeats: .every)
    rig.engine.play()
    rig.render(1_000)
    rig.engine.seek(to: 40_000)
    let output = rig.render(second)
    #expect(output.equals(.noise, from: 40_240, in: second - 760..<second))
  }

  @Test func `cutting off a tick does not click`() {
    let rig = Rig()
    rig.engine.setCountdown(frames: second, sound: .kick, repeats: .every)
    rig.engine.play()
    var whole = rig.render(2_000)
    let own = whole.largestStep(in: 1_000..<2_000)
    rig.engine.pause()
    whole.left += rig.render(500).left
    #expect(whole.largestStep(in: 1_900..<2_500) < own + 0.005)
  }
}
