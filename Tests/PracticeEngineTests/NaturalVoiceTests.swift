// Transposed voices that stay natural: formants, attacks, levels, and changes while playing.

import Foundation
import PracticeEngine
import TestSupport
import Testing

/// A sung vowel: harmonics of one pitch under formants that are known.
private struct Vowel: Sendable {
  var pitch: Double
  var formants: [Double]

  /// The level of a partial at a frequency: resonators of two poles under −6 dB an octave.
  func level(_ hertz: Double) -> Double {
    let angle = 2 * Double.pi * hertz / 48_000
    var level = 100 / hertz
    for (index, formant) in allFormants.enumerated() {
      let radius = exp(-Double.pi * (60 + 30 * Double(index)) / 48_000)
      let a = -2 * radius * cos(2 * Double.pi * formant / 48_000)
      let b = radius * radius
      let real = 1 + a * cos(angle) + b * cos(2 * angle)
      let imaginary = a * sin(angle) + b * sin(2 * angle)
      level *= (1 + a + b) / (real * real + imaginary * imaginary).squareRoot()
    }
    return level
  }

  private var allFormants: [Double] { formants + (0..<20).map { 3_500 + 1_000 * Double($0) } }

  func samples(_ count: Int) -> [Float] {
    var sum = [Double](repeating: 0, count: count)
    for harmonic in 1...Int(12_000 / pitch) {
      let frequency = Double(harmonic) * pitch
      let level = level(frequency)
      for frame in 0..<count {
        let turns = frequency * Double(frame) / 48_000 + 0.016 * Double(harmonic * harmonic)
        sum[frame] += level * sin(2 * .pi * turns)
      }
    }
    let power = sum.reduce(0) { $0 + $1 * $1 } / Double(count)
    return sum.map { Float(0.1 * $0 / power.squareRoot()) }
  }

  /// How far the formants of a transposed vowel are from their places, as a ratio, and how much the
  /// levels of the partials below 4 kHz then differ from the ideal, in decibels.
  func displacement(in samples: ArraySlice<Float>, ratio: Double) -> (ratio: Double, error: Double)
  {
    let partials = (1...Int(4_000 / (pitch * ratio))).map { Double($0) * pitch * ratio }
    let levels = partials.map { decibels(amplitude(of: samples, at: $0)) }
    func error(_ shift: Double) -> Double {
      let ideal = partials.map { decibels(level($0 / shift)) }
      let loudest = ideal.max() ?? 0
      let differences = zip(levels, ideal).filter { $1 > loudest - 40 }.map { $0 - $1 }
      let mean = differences.reduce(0, +) / Double(differences.count)
      let sum = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      return (sum / Double(differences.count)).squareRoot()
    }
    let shifts = stride(from: -0.5, through: 0.5, by: 0.01).map { exp($0) }
    let best = shifts.min { error($0) < error($1) } ?? 1
    return (best, error(1))
  }
}

private func decibels(_ amplitude: Double) -> Double { 20 * log10(max(amplitude, 1e-9)) }

private func amplitude(of samples: ArraySlice<Float>, at hertz: Double) -> Double {
  var real = 0.0, imaginary = 0.0, sum = 0.0
  let count = Double(samples.count)
  for (index, sample) in samples.enumerated() {
    let window = 0.5 - 0.5 * cos(2 * Double.pi * Double(index) / count)
    let angle = 2 * Double.pi * hertz * Double(index) / 48_000
    real += window * Double(sample) * cos(angle)
    imaginary += window * Double(sample) * sin(angle)
    sum += window
  }
  return 2 * (real * real + imaginary * imaginary).squareRoot() / sum
}

private func power(_ samples: ArraySlice<Float>) -> Double {
  samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(samples.count)
}

@Suite struct NaturalVoiceTests {
  /// Transposes samples, the same in both channels.
  private func transpose(
    _ samples: [Float], by semitones: Int, isNatural: Bool = true, rate: Int = 100,
    blockSize: Int = 128
  ) -> Output {
    let rig = StretchRig(length: samples.count, rate: rate) { frame, _ in samples[frame] }
    rig.stretcher.setSemitones(semitones)
    rig.stretcher.setNaturalVoice(isNatural)
    return rig.render(.max, blockSize: blockSize)
  }

  private static let vowels = [
    Vowel(pitch: 160, formants: [730, 1_090, 2_440]),
    Vowel(pitch: 150, formants: [270, 2_290, 3_010]),
    Vowel(pitch: 220, formants: [590, 920, 2_710]),
  ]

  @Test(arguments: 0..<3, [-5, -3, 3, 6])
  func `a vowel's formants stay where they are`(vowel: Int, semitones: Int) {
    let vowel = Self.vowels[vowel]
    let ratio = exp2(Double(semitones) / 12)
    let samples = vowel.samples(36_000)
    let natural = transpose(samples, by: semitones)
    let found = vowel.displacement(in: natural.left[16_000..<32_000], ratio: ratio)
    // 3 % of a formant at 1,000 Hz are 30 Hz; what tells two vowels apart is five times as much.
    #expect(abs(found.ratio - 1) < 0.035)
    #expect(found.error < 4)
    let moved = transpose(samples, by: semitones, isNatural: false)
    let other = vowel.displacement(in: moved.left[16_000..<32_000], ratio: ratio)
    #expect(abs(other.ratio / ratio - 1) < 0.035)
    #expect(other.error > 2 * found.error)
  }

  @Test(arguments: [-4, 3, 7])
  func `a drum stays single and sharp`(semitones: Int) {
    let hits = [9_000, 21_000, 33_500]
    let samples = (0..<48_000).map { frame -> Float in
      var sample = 1e-4 * Signal.noise.sample(frame, channel: 0)
      for hit in hits where frame >= hit && frame < hit + 9_000 {
        let time = Float(frame - hit) / 48_000
        sample += 0.5 * exp(-time / 0.02) * Signal.noise.sample(frame, channel: 1)
        sample += 0.4 * exp(-time / 0.035) * sin(2 * .pi * 190 * time)
      }
      return sample
    }
    let output = transpose(samples, by: semitones)
    let moved = transpose(samples, by: semitones, isNatural: false)
    // Nearly as quiet before a hit, in the mean, as without the filter.
    func before(_ output: Output) -> Double {
      hits.reduce(0) { $0 + power(output.left[($1 - 960)..<($1 - 48)]) }
    }
    #expect(10 * log10(before(output) / before(moved)) < 2.5)
    for hit in hits {
      let sounding = power(output.left[hit..<(hit + 960)])
      // The first millisecond and a half is as loud as the source's, and no second hit follows.
      let start = power(output.left[hit..<(hit + 72)]) / power(samples[hit..<(hit + 72)])
      #expect(abs(10 * log10(start)) < 3)
      let late = power(output.left[(hit + 2_400)..<(hit + 4_800)])
      #expect(10 * log10(late / sounding) < -12)
    }
  }

  @Test(arguments: [-5, -3, 3, 5])
  func `pink noise keeps its level`(semitones: Int) {
    // White noise through poles and zeros that fall by 3 dB an octave (Kellet).
    var state = (0.0, 0.0, 0.0)
    let samples = (0..<96_000).map { frame -> Float in
      let white = Double(Signal.noise.sample(frame, channel: 0))
      state.0 = 0.99765 * state.0 + white * 0.0990460
      state.1 = 0.96300 * state.1 + white * 0.2965164
      state.2 = 0.57000 * state.2 + white * 1.0526913
      return Float(0.1 * (state.0 + state.1 + state.2 + white * 0.1848))
    }
    let output = transpose(samples, by: semitones)
    let change = power(output.left[12_000..<84_000]) / power(samples[12_000..<84_000])
    #expect(abs(10 * log10(change)) < 0.5)
  }

  @Test(arguments: [-3, 3])
  func `a chord with drums keeps its level, and the drums do not make it pump`(semitones: Int) {
    let partials = [110.0, 131, 165, 220, 262, 330, 392, 523, 660, 880, 1_320, 1_760, 2_640]
    let samples = (0..<96_000).map { frame -> Float in
      var sum = 0.0
      for partial in partials {
        sum += 6 / partial * sin(2 * .pi * partial * Double(frame) / 48_000 + partial)
      }
      let time = Double(frame % 24_000) / 48_000
      let drum = 0.3 * exp(-time / 0.02) * Double(Signal.noise.sample(frame, channel: 0))
      return Float(sum + drum)
    }
    let output = transpose(samples, by: semitones)
    let change = power(output.left[24_000..<72_000]) / power(samples[24_000..<72_000])
    #expect(abs(10 * log10(change)) < 0.5)
    // The chord is as loud shortly after a drum as long after it; it beats as it does without.
    let moved = transpose(samples, by: semitones, isNatural: false)
    for hit in [24_000, 48_000] {
      let soon = (hit + 7_000)..<(hit + 11_800)
      let late = (hit + 18_000)..<(hit + 22_800)
      let change = power(output.left[soon]) / power(output.left[late])
      let beats = power(moved.left[soon]) / power(moved.left[late])
      #expect(abs(10 * log10(change / beats)) < 0.5)
    }
  }

  @Test func `the original pitch passes unchanged`() {
    let rig = StretchRig(.noise, length: 20_000)
    rig.stretcher.setNaturalVoice(true)
    #expect(rig.renderAll().equals(.noise, from: 0, in: 0..<20_000))
  }

  @Test(arguments: [-12, -3, 4, 12], [25, 100, 200])
  func `every block size makes the same sound of the same length`(semitones: Int, rate: Int) {
    let samples = (0..<30_000).map { Signal.noise.sample($0, channel: 0) }
    let output = transpose(samples, by: semitones, rate: rate)
    #expect(output.count == 30_000 * 100 / rate)
    #expect(transpose(samples, by: semitones, rate: rate, blockSize: 331) == output)
    #expect(output.left.contains { abs($0) > 0.1 })
  }

  @Test func `silence stays silent, and what follows it is heard`() {
    let samples = (0..<40_000).map { $0 < 20_000 ? 0 : Signal.sine.sample($0, channel: 0) }
    let output = transpose(samples, by: 5)
    #expect(output.left[..<19_000].allSatisfy { abs($0) < 1e-4 })
    #expect(output.left[26_000..<34_000].contains { $0 > 0.3 })
  }

  @Test func `it is switched while playing without a click`() {
    let rig = Rig(part: 0..<480_000, signal: .sine)
    rig.engine.setTransposition(semitones: 3)
    rig.engine.play()
    var output = rig.render(20_000)
    for isNatural in [true, false, true] {
      rig.engine.setTransposition(semitones: 3, isNaturalVoice: isNatural)
      let more = rig.render(20_000)
      output.left += more.left
      output.right += more.right
    }
    #expect(output.largestStep(in: 0..<output.count) < Signal.sineStep * 1.6)
  }
}
