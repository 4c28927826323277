// Loops, checked frame by frame.

import PracticeEngine
import Testing

@Suite struct LoopTests {
  @Test(arguments: [1, 128, 441, 1_024])
  func `a loop from B to A loses no frame in a hundred repeats`(blockSize: Int) {
    let (a, b) = (479_301, 480_764)
    let rig = Rig(part: 470_000..<500_000)
    rig.engine.setLoop(.section, from: a, to: b)
    rig.engine.play()
    let length = b - a
    let output = rig.render(length * 101, blockSize: blockSize)
    for turn in 0...100 {
      #expect(output.equals(.noise, from: a, in: turn * length..<(turn + 1) * length))
    }
    let looped = rig.events(.looped).suffix(20)
    #expect(looped.map(\.value) == Array(81...100))
    #expect(looped.map(\.clock) == (81...100).map { Int64($0 * length) })
  }

  @Test func `the whole part repeats without a gap`() {
    let rig = Rig(part: 1_000..<4_000)
    rig.engine.setLoop(.whole)
    rig.engine.play()
    let output = rig.render(7_000)
    #expect(output.equals(.noise, from: 1_000, in: 0..<3_000))
    #expect(output.equals(.noise, from: 1_000, in: 3_000..<6_000))
    #expect(rig.engine.repeatCount == 2)
  }

  @Test func `markers in the wrong order are swapped`() {
    let rig = Rig()
    rig.engine.setLoop(.section, from: 9_000, to: 5_000)
    rig.engine.play()
    let output = rig.render(8_000)
    #expect(output.equals(.noise, from: 5_000, in: 0..<4_000))
    #expect(output.equals(.noise, from: 5_000, in: 4_000..<8_000))
  }

  @Test func `seeking stays between A and B`() {
    let rig = Rig()
    rig.engine.setLoop(.section, from: 5_000, to: 9_000)
    rig.engine.seek(to: 100)
    #expect(rig.engine.frame == 5_000)
    rig.engine.seek(to: 90_000)
    #expect(rig.engine.frame == 8_999)
    rig.engine.seek(to: 7_000)
    #expect(rig.engine.frame == 7_000)
  }

  @Test func `setting B during playback jumps to A at once, without a click`() {
    let rig = Rig(signal: .sine)
    rig.engine.play()
    var whole = rig.render(9_017)
    rig.engine.setLoop(.section, from: 5_000, to: 9_000)
    let output = rig.render(2_000)
    #expect(output.equals(.sine, from: 5_240, in: 240..<2_000))
    #expect(rig.engine.repeatCount == 1)
    whole.left += output.left
    #expect(whole.largestStep(in: 8_000..<11_000) < Signal.sineStep + 0.006)
  }

  @Test func `after clearing the section the part plays to its end`() {
    let rig = Rig(part: 0..<12_000)
    rig.engine.setLoop(.section, from: 5_000, to: 9_000)
    rig.engine.play()
    rig.render(5_000)
    rig.engine.setLoop(.off)
    let output = rig.render(6_300)
    #expect(output.equals(.noise, from: 6_000, in: 0..<6_000))
    #expect(rig.engine.state == .ended)
  }

  @Test func `a section of zero length is ignored`() {
    let rig = Rig(part: 0..<3_000)
    rig.engine.setLoop(.section, from: 500, to: 500)
    rig.engine.play()
    rig.render(4_000)
    #expect(rig.engine.state == .ended)
  }

  @Test func `markers outside the part are clamped to its borders`() {
    let rig = Rig(part: 1_000..<4_000)
    rig.engine.setLoop(.section, from: -50, to: 99_000)
    #expect(rig.engine.boundsStart == 1_000)
    #expect(rig.engine.boundsEnd == 4_000)
  }

  @Test func `a section of one frame loops`() {
    let rig = Rig()
    rig.engine.setLoop(.section, from: 700, to: 701)
    rig.engine.play()
    let output = rig.render(500)
    #expect(output.left.allSatisfy { $0 == Signal.noise.sample(700, channel: 0) })
    #expect(rig.engine.repeatCount == 499)
  }

  @Test func `play after a pause at the end of the loop continues at A`() {
    let rig = Rig()
    rig.engine.setLoop(.section, from: 5_000, to: 9_000)
    rig.engine.play()
    rig.render(4_000)
    rig.engine.pause()
    rig.render(500)
    rig.engine.play()
    #expect(rig.render(1_000).equals(.noise, from: 5_000, in: 0..<1_000))
  }

  @Test func `play from outside the section starts at A`() {
    let rig = Rig()
    rig.engine.seek(to: 50_000)
    rig.engine.setLoop(.section, from: 5_000, to: 9_000)
    rig.engine.play()
    #expect(rig.render(1_000).equals(.noise, from: 5_000, in: 0..<1_000))
  }
}
