// The sound of the stretcher: pitch, level, attacks, stereo image, and clicks.

import Foundation
import PracticeEngine
import TestSupport
import Testing

@Suite struct StretchedSoundTests {
  /// Returns the frequency of a sine in hertz, from its interpolated zero crossings.
  private func frequency(_ samples: ArraySlice<Float>) -> Double {
    var crossings: [Double] = []
    for index in samples.indices.dropLast() where samples[index] < 0 && samples[index + 1] >= 0 {
      let part = Double(samples[index] / (samples[index] - samples[index + 1]))
      crossings.append(Double(index) + part)
    }
    guard let first = crossings.first, let last = crossings.last, last > first else { return 0 }
    return 48_000 * Double(crossings.count - 1) / (last - first)
  }

  @Test(arguments: [25, 50, 90, 130, 200])
  func `a sine keeps its pitch and its level`(rate: Int) {
    let output = StretchRig(.sine, rate: rate).render(30_000)
    let inner = output.left[12_000...]
    // A twentieth of a cent. Differences below three cents are inaudible.
    #expect(abs(frequency(inner) - 440) < 0.0127)
    #expect(abs((inner.max() ?? 0) - 0.5) < 0.005)
    #expect(output.largestStep(in: 0..<30_000) < Signal.sineStep * 1.05)
  }

  @Test(arguments: [(12, 880.0), (7, 659.2551), (-5, 329.6276), (-12, 220.0)])
  func `transposition changes the pitch and keeps the duration`(semitones: Int, hertz: Double) {
    let rig = StretchRig(.sine, length: 36_000)
    rig.stretcher.setSemitones(semitones)
    let output = rig.renderAll()
    #expect(output.count == 36_000)
    #expect(abs(frequency(output.left[18_000..<30_000]) / hertz - 1) < 3e-5)
    #expect(abs((output.left[18_000..<30_000].max() ?? 0) - 0.5) < 0.01)
    // While the window length is being chosen, a tone where two zones meet is up to 0.6 dB louder.
    #expect(abs((output.left[1_000..<18_000].max() ?? 0) - 0.5) < 0.036)
  }

  @Test(arguments: [25, 50, 75, 125, 200])
  func `each click sounds once on its exact frame`(rate: Int) {
    let clicks = [6_000, 15_000, 21_111, 33_333]
    let rig = StretchRig(length: 40_000, rate: rate) { frame, channel in
      (clicks.contains(frame) ? 0.8 : 0) + 1e-5 * Signal.noise.sample(frame, channel: channel)
    }
    let output = rig.renderAll()
    let loud = output.left.indices.filter { abs(output.left[$0]) > 0.4 }
    #expect(loud == clicks.map { ($0 * 100 + rate / 2) / rate })
    // The 20 ms before a click are quiet: −49 dB of the click, and −47 dB at twice the speed.
    let bound: Float = rate < 200 ? 0.0036 : 0.0045
    for frame in loud {
      let before = output.left[(frame - 960)..<(frame - 48)].map(abs).max() ?? 0
      #expect(before < 0.8 * bound)
    }
  }

  /// A bass drum's sample `frames` after its start. It has no click and its pitch falls.
  private func bassDrum(_ frames: Int) -> Float {
    guard frames >= 0 else { return 0 }
    let time = Double(frames) / 48_000
    let turns = 50 * time + 120 * 0.02 * (1 - exp(-time / 0.02))
    return Float(0.36 * min(1, time / 0.001) * exp(-time / 0.04) * cos(2 * .pi * turns))
  }

  @Test(arguments: [50, 75, 150])
  func `a bass drum under tones does not spread before its attack`(rate: Int) {
    let drums = [14_400, 36_100, 61_007]
    let rig = StretchRig(length: 90_000, rate: rate) { frame, _ in
      let tones = [(440, 0.12), (880, 0.06), (1_320, 0.04), (1_760, 0.03)].map { hertz, level in
        Float(level * sin(2 * .pi * Double(frame * hertz % 48_000) / 48_000))
      }
      return drums.reduce(tones.reduce(0, +)) { $0 + bassDrum(frame - $1) }
    }
    let sound = rig.renderAll().left
    /// The power below about 200 Hz, by two moving sums over one period of 375 Hz.
    func bass(_ frames: Range<Int>) -> Double {
      let sums = ((frames.lowerBound - 128)..<frames.upperBound).map {
        sound[($0 - 128)..<$0].reduce(0, +)
      }
      return frames.indices.map { index in
        let sum = Double(
          sums[(index - frames.lowerBound)..<(index - frames.lowerBound + 128)].reduce(0, +))
        return sum * sum
      }.reduce(0, +)
    }
    for drum in drums.map({ ($0 * 100 + rate / 2) / rate }) {
      let before = bass((drum - 2_000)..<(drum - 240)), after = bass(drum..<(drum + 1_920))
      #expect(10 * log10(before / after) < -20)
    }
  }

  @Test(arguments: [75, 125, 150, 200])
  func `a drum rings for as long as it does in the source`(rate: Int) {
    let drums = [12_000, 36_000, 60_000]
    func drum(_ frame: Int) -> Float {
      guard (0..<12_000).contains(frame) else { return 0 }
      let time = Float(frame) / 48_000
      let skin = 0.5 * exp(-time / 0.04) * sin(2 * .pi * 190 * time)
      return skin + 0.15 * exp(-time / 0.02) * Signal.noise.sample(frame, channel: 0)
    }
    let sound = StretchRig(length: 84_000, rate: rate) { frame, _ in
      drums.reduce(0) { $0 + drum(frame - $1) }
    }.renderAll().left
    func power(_ samples: [Float]) -> Float { samples.reduce(0) { $0 + $1 * $1 } }
    for start in drums.map({ ($0 * 100 + rate / 2) / rate }) {
      for (frames, bound) in [(0..<960, Float(0.3)), (960..<2_880, 0.6), (2_880..<4_320, 2.5)] {
        let heard = power(frames.map { sound[start + $0] })
        #expect(abs(10 * log10(heard / power(frames.map(drum)))) < bound)
      }
    }
  }

  @Test(arguments: [25, 50, 75, 90, 125, 150, 200])
  func `noise keeps its level`(rate: Int) {
    let sound = StretchRig(.noise, rate: rate).render(108_000).left[12_000...]
    let source = (0..<96_000).map { Signal.noise.sample($0, channel: 0) }
    func power(_ samples: some Collection<Float>) -> Double {
      samples.reduce(0) { $0 + Double($1 * $1) } / Double(samples.count)
    }
    #expect(abs(10 * log10(power(sound) / power(source))) < 0.2)
  }

  @Test(arguments: [50, 75])
  func `noise that ends is not heard on`(rate: Int) {
    let length = 24_000
    let rig = StretchRig(rate: rate) { frame, channel in
      let isLoud = frame % length < length / 2
      return (isLoud ? 0.3 : 0.003) * Signal.noise.sample(frame, channel: channel)
    }
    let sound = rig.render(12 * length * 100 / rate).left
    func power(_ samples: some Collection<Float>) -> Float {
      samples.reduce(0) { $0 + $1 * $1 } / Float(samples.count)
    }
    let ends = (2..<11).map { ($0 * length + length / 2) * 100 / rate }
    func mean(_ frames: Range<Int>) -> Float {
      ends.reduce(0) { $0 + power(sound[($1 + frames.lowerBound)..<($1 + frames.upperBound)]) } / 9
    }
    let loud = mean(-6_000..<(-2_000))
    for (frames, bound) in [(240..<480, Float(-18)), (480..<720, -22), (720..<1_200, -28)] {
      #expect(10 * log10(mean(frames) / loud) < bound)
    }
  }

  @Test func `the stretcher keeps the relation of both channels`() {
    let rig = StretchRig(rate: 60) { frame, channel in
      let sample =
        Signal.sine.sample(frame, channel: 0)
        + 0.2 * Signal.noise.sample(frame / 3, channel: 0)
      return channel == 0 ? sample : -0.5 * sample
    }
    let output = rig.render(20_000)
    let worst = zip(output.left, output.right).map { abs($1 + 0.5 * $0) }.max() ?? 1
    // The tolerance is single-precision rounding through two transforms.
    #expect(worst < 1e-5)
  }

  @Test func `changes of speed and jumps at random moments never click`() {
    let rig = StretchRig(.sine)
    var random = SeededGenerator(seed: 21)
    var last: Float = 0
    var worst: Float = 0
    for block in 0..<800 {
      switch Int.random(in: 0..<40, using: &random) {
      case 0: rig.jump(to: Int.random(in: 0..<100_000, using: &random))
      case 1, 2: rig.stretcher.setRate(hundredths: Int.random(in: 25...200, using: &random))
      case 3: rig.stretcher.setRate(hundredths: 100)
      default: break
      }
      let output = rig.render(128)
      #expect(output.count == 128)
      for sample in output.left {
        if block > 0 { worst = max(worst, abs(sample - last)) }
        last = sample
      }
    }
    // A jump crossfades two sounds. A click would be a step of about the level, 0.5.
    #expect(worst < 2 * Signal.sineStep)
  }

  @Test func `two minutes of random commands keep every value within bounds`() {
    // RandomCommandsTests runs ten more minutes with the whole engine.
    let blocks = 45_000
    let rig = StretchRig { frame, channel in
      frame % 9_000 < 3_000
        ? Signal.noise.sample(frame, channel: channel) * 0.3
        : 0.5 * Signal.sine.sample(frame, channel: channel)
    }
    var random = SeededGenerator(seed: 4)
    var heard = 0
    for _ in 0..<blocks {
      switch Int.random(in: 0..<200, using: &random) {
      case 0:
        rig.jump(to: Int.random(in: 0..<1_000_000, using: &random))
        heard = 0
      case 1, 2: rig.stretcher.setRate(hundredths: Int.random(in: 25...200, using: &random))
      case 3: rig.stretcher.setSemitones(Int.random(in: -12...12, using: &random))
      case 4:
        rig.stretcher.setRate(hundredths: 100)
        rig.stretcher.setSemitones(0)
      case 5: rig.stretcher.setNaturalVoice(!rig.stretcher.isNaturalVoice)
      default: break
      }
      let output = rig.render(128)
      #expect(output.count == 128)
      #expect(output.left.allSatisfy { abs($0) < 2 } && output.right.allSatisfy { abs($0) < 2 })
      let now = rig.stretcher.sourceFrameHeard
      #expect(now >= heard + 31 && now <= heard + 257)
      #expect(rig.given - now <= Stretcher.lookAheadFrames)
      heard = now
    }
  }
}
