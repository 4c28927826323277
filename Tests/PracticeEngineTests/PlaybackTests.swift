// Play, pause, seek and the end, checked frame by frame.

import PracticeEngine
import Testing

@Suite struct PlaybackTests {
  @Test(arguments: [1, 128, 441, 1_024])
  func `a part plays bit-identically from its first to its last frame`(blockSize: Int) {
    let rig = Rig(part: 470_000..<500_000)
    rig.engine.play()
    let output = rig.render(31_000, blockSize: blockSize)
    #expect(output.equals(.noise, from: 470_000, in: 0..<30_000))
    #expect(output.isSilent(30_240..<31_000))
    #expect(rig.engine.state == .ended)
    let events = rig.events()
    #expect(events.map(\.kind) == [.started, .ended])
    #expect(events.map(\.clock) == [0, 30_000])
  }

  @Test func `the output is silent before play`() {
    let rig = Rig()
    let output = rig.render(1_000)
    #expect(output.isSilent(0..<1_000))
    #expect(rig.engine.state == .ready)
  }

  @Test func `play after the end starts at the beginning`() {
    let rig = Rig(part: 100..<5_100)
    rig.engine.play()
    rig.render(6_000)
    rig.engine.play()
    let output = rig.render(5_000)
    #expect(output.equals(.noise, from: 100, in: 0..<5_000))
  }

  @Test func `pausing keeps the exact frame and fades out`() {
    let rig = Rig(signal: .sine)
    rig.engine.play()
    let before = rig.render(10_007)
    rig.engine.pause()
    let after = rig.render(1_000)
    #expect(rig.engine.frame == 10_007)
    #expect(rig.engine.state == .paused)
    #expect(after.isSilent(240..<1_000))
    let whole = Output(left: before.left + after.left, right: before.right + after.right)
    #expect(whole.largestStep(in: 9_000..<11_000) < Signal.sineStep + 0.004)
  }

  @Test func `play after a pause continues at the next frame with a fade-in`() {
    let rig = Rig()
    rig.engine.play()
    rig.render(10_007)
    rig.engine.pause()
    rig.render(1_000)
    rig.engine.play()
    let output = rig.render(1_000)
    #expect(output.equals(.noise, from: 10_007 + 240, in: 240..<1_000))
    #expect(abs(output.left[0]) <= 1.0 / 240)
  }

  @Test func `a seek takes effect on the next frame, without a click`() {
    let rig = Rig(signal: .sine)
    rig.engine.play()
    let before = rig.render(5_003)
    rig.engine.seek(to: 60_321)
    let after = rig.render(2_000)
    #expect(after.equals(.sine, from: 60_321 + 240, in: 240..<2_000))
    #expect(rig.engine.frame == 62_321)
    let whole = Output(left: before.left + after.left, right: before.right + after.right)
    #expect(whole.largestStep(in: 4_000..<7_000) < Signal.sineStep + 0.006)
  }

  @Test func `many seeks within one fade do not click`() {
    let rig = Rig(signal: .sine)
    rig.engine.play()
    var whole = rig.render(5_003)
    for index in 0..<60 {
      rig.engine.seek(to: (index * 7_919) % 90_000)
      let output = rig.render(1 + (index * 37) % 200)
      whole.left += output.left
      whole.right += output.right
    }
    // Each seek adds at most the step of one fade, even during other fades.
    #expect(whole.largestStep(in: 1..<whole.count) < Signal.sineStep + 0.02)
  }

  @Test func `seeking past the end stops playback`() {
    let rig = Rig()
    rig.engine.play()
    rig.render(1_000)
    rig.engine.seek(to: 96_000)
    let output = rig.render(1_000)
    #expect(rig.engine.state == .ended)
    #expect(rig.engine.frame == 96_000)
    #expect(output.isSilent(240..<1_000))
    #expect(rig.events(.ended).count == 1)
  }

  @Test func `seeking before the part goes to its start`() {
    let rig = Rig(part: 1_000..<50_000)
    rig.engine.seek(to: -5)
    #expect(rig.engine.frame == 1_000)
  }

  @Test func `seeking back from the end allows playing from there`() {
    let rig = Rig(part: 0..<5_000)
    rig.engine.play()
    rig.render(6_000)
    rig.engine.seek(to: 4_000)
    #expect(rig.engine.state == .paused)
    rig.engine.play()
    let output = rig.render(1_000)
    #expect(output.equals(.noise, from: 4_240, in: 240..<1_000))
  }

  @Test func `an end in the middle of a period does not click`() {
    let rig = Rig(part: 0..<20_030, signal: .sine)
    rig.engine.play()
    let output = rig.render(21_000)
    #expect(abs(output.left[20_029]) > 0.2)
    #expect(output.largestStep(in: 19_000..<21_000) < Signal.sineStep + 0.004)
  }

  @Test func `loading another part fades out the old one`() {
    let rig = Rig(signal: .sine)
    rig.engine.play()
    let before = rig.render(5_030)
    rig.engine.load(partStart: 20_000, partEnd: 30_000)
    let after = rig.render(500)
    #expect(rig.engine.state == .ready)
    #expect(rig.engine.frame == 20_000)
    #expect(after.isSilent(240..<500))
    let whole = Output(left: before.left + after.left, right: before.right + after.right)
    #expect(whole.largestStep(in: 5_000..<5_500) < Signal.sineStep + 0.004)
  }

  @Test func `discarding the audio during a fade does not click`() {
    let rig = Rig(signal: .sine)
    rig.engine.play()
    var whole = rig.render(5_030)
    rig.engine.unload()
    let fading = rig.render(64)
    rig.engine.discardAllChunks()
    let gone = rig.render(1_000)
    whole.left += fading.left + gone.left
    #expect(rig.engine.state == .empty)
    #expect(whole.largestStep(in: 5_000..<6_000) < Signal.sineStep + 0.005)
  }

  @Test func `the volume changes without a step and 1 leaves samples unchanged`() {
    let rig = Rig(signal: .sine)
    rig.engine.play()
    var whole = rig.render(1_000)
    rig.engine.setVolume(0.25)
    let down = rig.render(1_000)
    whole.left += down.left
    #expect(whole.largestStep(in: 0..<2_000) < Signal.sineStep + 0.003)
    #expect(down.left[600] == Signal.sine.sample(1_600, channel: 0) * 0.25)
    rig.engine.setVolume(1)
    rig.render(240)
    #expect(rig.render(1_000).equals(.sine, from: 2_240, in: 0..<1_000))
  }

  @Test func `a volume of NaN is silence`() {
    let rig = Rig()
    rig.engine.setVolume(.nan)
    rig.engine.play()
    #expect(rig.render(1_000).isSilent(0..<1_000))
  }

  @Test func `a part of zero length is not loaded`() {
    let rig = Rig(provided: false)
    rig.engine.load(partStart: 500, partEnd: 500)
    rig.engine.play()
    #expect(rig.engine.state == .empty)
    #expect(rig.render(300).isSilent(0..<300))
  }
}
