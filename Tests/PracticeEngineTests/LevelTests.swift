// The levels of parts: exact where they hold, gradual between, and absent where there are none.

import PracticeEngine
import Testing

@Suite struct LevelTests {
  private let fade = EngineTimeline.fadeFrames

  private func rig(
    _ levels: [(frame: Int, gain: Float)], part: Range<Int> = 0..<96_000, signal: Signal = .noise
  ) -> Rig {
    let rig = Rig(part: part, signal: signal)
    rig.setLevels(levels)
    return rig
  }

  /// Whether `frames` are the signal, multiplied by a gain, to the bit.
  private func equals(_ output: Output, _ gain: Float, _ frames: Range<Int>, from frame: Int = 0)
    -> Bool
  {
    frames.allSatisfy {
      output.left[$0] == Signal.noise.sample(frame + $0, channel: 0) * gain
        && output.right[$0] == Signal.noise.sample(frame + $0, channel: 1) * gain
    }
  }

  @Test func `a level of 1, and none, leave the samples unchanged`() {
    for levels in [[], [(frame: 0, gain: Float(1))]] {
      let rig = rig(levels)
      rig.engine.play()
      #expect(rig.render(20_000).equals(.noise, from: 0, in: 0..<20_000))
    }
  }

  @Test func `a level holds from the first frame on`() {
    let rig = rig([(0, 0.3)])
    rig.engine.play()
    #expect(equals(rig.render(20_000), 0.3, 0..<20_000))
  }

  @Test(arguments: [128, 1_000, 1])
  func `a fall ends where the level changes`(blockSize: Int) {
    let rig = rig([(0, 0.9), (10_007, 0.25)])
    rig.engine.play()
    let output = rig.render(12_000, blockSize: blockSize)
    let start = 10_007 - fade
    #expect(equals(output, 0.9, 0..<start))
    #expect(equals(output, 0.25, 10_007 - 1..<12_000))
    var last: Float = 0.9
    for frame in start..<10_007 {
      let gain = output.left[frame] / Signal.noise.sample(frame, channel: 0)
      #expect(gain < last + 1e-6 && last - gain < 0.9 / Float(fade))
      last = gain
    }
  }

  @Test func `a rise begins where the level changes`() {
    let rig = rig([(0, 0.25), (10_007, 4)])
    rig.engine.play()
    let output = rig.render(12_000)
    #expect(equals(output, 0.25, 0..<10_007))
    #expect(equals(output, 4, 10_007 + fade - 1..<12_000))
    #expect(output.left[10_007] != Signal.noise.sample(10_007, channel: 0) * 4)
  }

  @Test func `levels that are set while it plays are reached within a fade, without a click`() {
    let rig = rig([], signal: .sine)
    rig.engine.play()
    rig.render(5_000)
    rig.setLevels([(0, 0.2)])
    let changed = rig.render(5_000)
    let last = Signal.sine.sample(9_999, channel: 0) * 0.2
    #expect(changed.left[4_999] == last)
    #expect(changed.largestStep(in: 0..<5_000) < Signal.sineStep + 1 / Float(fade))
    #expect(changed.left[fade - 1] == Signal.sine.sample(5_000 + fade - 1, channel: 0) * 0.2)
    rig.setLevels([])
    #expect(rig.render(5_000).left[4_999] == Signal.sine.sample(14_999, channel: 0))
  }

  @Test func `a loop falls before it turns`() {
    let rig = rig([(0, 0.1), (20_000, 0.8)])
    rig.engine.setLoop(.section, from: 10_000, to: 30_000)
    rig.engine.play()
    // From 10,000 on.
    let output = rig.render(45_000)
    let turn = 20_000
    #expect(output.left[turn - 1] == Signal.noise.sample(29_999, channel: 0) * 0.1)
    #expect(output.left[turn] == Signal.noise.sample(10_000, channel: 0) * 0.1)
    #expect(
      output.left[turn - fade - 1] == Signal.noise.sample(30_000 - fade - 1, channel: 0) * 0.8)
  }

  @Test func `playback after a seek, and after a pause, begins at its level`() {
    let rig = rig([(0, 0.1), (20_000, 0.8)])
    rig.engine.play()
    rig.render(1_000)
    rig.engine.seek(to: 40_000)
    let sought = rig.render(2_000)
    #expect(sought.left[1_000] == Signal.noise.sample(41_000, channel: 0) * 0.8)
    rig.engine.pause()
    rig.render(1_000)
    rig.setLevels([(0, 0.4)])
    rig.engine.play()
    let resumed = rig.render(1_000)
    #expect(resumed.left[500] == Signal.noise.sample(42_500, channel: 0) * 0.4)
  }

  @Test func `a pause fades out at the level`() {
    let rig = rig([(0, 0.2)], signal: .sine)
    rig.engine.play()
    rig.render(5_027)
    rig.engine.pause()
    #expect(rig.render(1_000).largestStep(in: 0..<1_000) < 0.2 * Signal.sineStep * 1.5)
  }

  @Test func `another part has no level of the one before`() {
    let rig = rig([(0, 0.2)])
    rig.engine.load(partStart: 1_000, partEnd: 50_000)
    rig.engine.play()
    #expect(rig.render(10_000).equals(.noise, from: 1_000, in: 0..<10_000))
  }

  @Test func `ticks and clicks keep their volume`() {
    func clicks(_ levels: [(frame: Int, gain: Float)]) -> Output {
      let rig = rig(levels)
      rig.setBeats(beats(at: (0..<8).map { 2_000 + $0 * 6_000 }))
      rig.engine.setClick(volume: 1)
      rig.engine.setMusicVolume(0)
      rig.engine.setCountdown(frames: 24_000, sound: .clave, repeats: .first)
      rig.engine.play()
      return rig.render(90_000)
    }
    #expect(clicks([(0, 0.1), (20_000, 5)]) == clicks([]))
  }

  @Test(arguments: [50, 75, 150])
  func `at another speed the level changes with what is heard`(percent: Int) {
    func played(_ levels: [(frame: Int, gain: Float)]) -> Output {
      let rig = rig(levels, signal: .sine)
      rig.engine.setSpeed(percent: percent)
      rig.engine.play()
      return rig.render(60_000 * 100 / percent)
    }
    let plain = played([])
    let levelled = played([(0, 0.5), (20_000, 0.125), (40_000, 2)])
    func gain(_ frames: Range<Int>) -> (low: Float, high: Float) {
      let gains = frames.filter { abs(plain.left[$0]) > 0.01 }.map {
        levelled.left[$0] / plain.left[$0]
      }
      return (gains.min() ?? 0, gains.max() ?? 0)
    }
    let fall = 20_000 * 100 / percent
    let rise = 40_000 * 100 / percent
    // Where the fall begins and ends is a matter of whole frames of both sides.
    #expect(gain(1_000..<fall - fade - 4) == (0.5, 0.5))
    #expect(gain(fall..<rise - 4) == (0.125, 0.125))
    #expect(gain(rise + fade + 4..<rise + 10_000) == (2, 2))
    #expect(gain(fall - fade..<fall).high <= 0.5)
    #expect(gain(rise..<rise + fade).low >= 0.125)
  }

  @Test func `levels out of order or beyond 20 dB are dropped`() {
    let rig = rig([(0, 0.5), (5_000, 0.25), (4_000, 1), (6_000, 0.1)])
    rig.engine.play()
    #expect(equals(rig.render(9_000), 0.25, 5_000..<9_000))
    for gain in [Float.nan, -1, 11, .infinity] {
      let rig = self.rig([(0, gain)])
      rig.engine.play()
      #expect(rig.render(1_000).equals(.noise, from: 0, in: 0..<1_000))
    }
  }
}
