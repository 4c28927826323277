// Finds noise above 1.5 kHz and draws its phases anew, so that stretched noise stays noise.
//
// At less than the full speed a phase vocoder makes lines of noise: the same random magnitudes pass by
// more slowly, with phases that continue one another. Above it the channels become too coherent.

/// What is known of noise in groups of neighbouring bins, and random numbers.
struct NoiseGroups: ~Copyable {
  /// The bins of one group, for which it is decided together how much of it is noise.
  static let bins = 32

  /// For each group, over the latest transforms: how much of the previous output was like the spectrum that continues
  /// it, and how much could have been.
  fileprivate let likeness: SampleBuffer
  /// For each group, how evenly its magnitudes are distributed, over the latest transforms.
  fileprivate let evenness: SampleBuffer
  /// The mean power of a group's bins.
  fileprivate let power: SampleBuffer
  /// For each group Σ x(k + 1) · conj(x(k)), real and imaginary: its phase says where in the window the sound is.
  fileprivate let places: SampleBuffer
  /// How far the sound of each group and its neighbours is in the middle of the window, from 0 to 1.
  fileprivate let centredness: SampleBuffer
  /// For every bin, how unlike its regions were, over the latest transforms.
  fileprivate let unlikeness: SampleBuffer
  private var random = seeds

  // Four steps at once of Numerical Recipes' linear congruential generator.
  private static let seeds = SIMD4<UInt32>(1, 1_015_568_748, 1_586_005_467, 2_165_703_038)
  private static let multiplier: UInt32 = 158_984_081
  private static let increment: UInt32 = 2_868_466_484

  init(binCount: Int) {
    let count = binCount / Self.bins + 1
    likeness = SampleBuffer(count: 2 * count)
    evenness = SampleBuffer(count: count)
    power = SampleBuffer(count: count)
    places = SampleBuffer(count: 2 * count)
    centredness = SampleBuffer(count: count)
    unlikeness = SampleBuffer(count: binCount)
  }

  mutating func reset() {
    likeness.clear()
    evenness.clear()
    unlikeness.clear()
    random = Self.seeds
  }

  /// Returns four random phases within ±`share` / 2, in turns.
  fileprivate mutating func phases(_ share: Float) -> Four {
    random = random &* Self.multiplier &+ Self.increment
    // From 1 to 2, by the high bits.
    let numbers = unsafeBitCast((random &>> 9) | 0x3f80_0000, to: Four.self)
    return (numbers - 1.5) * share
  }
}

extension SpectralBand {
  /// The first bin above 1.5 kHz in a transform of 43 ms, and that above 3.75 kHz: groups' first.
  private static let slowNoiseBin = 64
  private static let highNoiseBin = 160
  /// The first bin from which noise is drawn anew.
  var firstNoiseBin: Int { lag < 0 ? Self.slowNoiseBin : Self.highNoiseBin }
  /// How fast averages follow: over some 25 ms.
  private static let kept: Float = 0.8
  /// What is left of the power where every bin of every transform has a phase of its own; measured with white noise.
  private static let drawnPower: Float = 0.1365
  /// What is left where every transform has one phase for all bins of a region: Σw² / (Σw)² over the transforms that
  /// overlap at a frame, w being the product of both windows; 0.424, less what the limited levels of regions lose.
  private static let drawnRegionPower: Float = 0.402

  /// How unlike noise is at a distance between where the latest transform was taken and the place that the
  /// next continues: measured with white noise at nine speeds from 0.25 to 2.
  static func unlikenessOfNoise(lag: Int, length: Int) -> Float {
    let x = Float(16 * abs(lag)) / Float(length)
    return lag < 0 ? 0.07 + 0.08 * x + 0.06 * x * x : 0.06 + 0.177 * x
  }

  /// The most that phases are drawn anew: fully below 0.75 and above 1.25 times the speed, and not within a tenth
  /// of the full speed, where noise is nearly copied.
  var mostNoise: Float {
    Self.part(of: Float(16 * abs(lag)) / Float(shape.lengthFrames), from: 0.21, to: 0.48)
  }

  /// Measures each group's power and place, and averages how evenly its magnitudes are distributed:
  /// (Σ|x|)² / (n Σ|x|²), 0.785 for noise, less for lines with little between them.
  func measureNoise() {
    let groups = (firstNoiseBin / NoiseGroups.bins)..<(binCount / NoiseGroups.bins)
    for group in groups {
      let powers = power.base + 4 + group * NoiseGroups.bins
      var amplitudes = Four(), sum = Four()
      var k = 0
      while k < NoiseGroups.bins {
        let value = powers.four(k)
        amplitudes += value.squareRoot()
        sum += value
        k += 4
      }
      let whole = amplitudes.sum(), power = sum.sum()
      noise.power[group] = power / Float(NoiseGroups.bins)
      let value = whole * whole / max(Float(NoiseGroups.bins) * power, 1e-30)
      noise.evenness[group] += (1 - Self.kept) * (value - noise.evenness[group])
      noise.likeness[2 * group] *= Self.kept
      noise.likeness[2 * group + 1] *= Self.kept
    }
    // Only at less than the full speed are phases drawn that sound in the whole window.
    guard lag < 0 else { return }
    for group in groups { measurePlace(group) }
    for group in groups { noise.centredness[group] = centredness(group, among: groups) }
  }

  private func measurePlace(_ group: Int) {
    let (re, im) = current
    var real = Four(), imaginary = Four()
    var k = firstBin + group * NoiseGroups.bins
    let end = k + NoiseGroups.bins
    while k < end {
      let mirror = length - k - 4
      let a = re.four(k), b = im.four(k), c = re.four(k + 1), d = im.four(k + 1)
      // The image is conjugate, and runs the other way.
      let e = re.four(mirror), f = im.four(mirror)
      let g = re.four(mirror + 1), h = im.four(mirror + 1)
      real += a * c + b * d + (e * g + f * h)
      imaginary += a * d - b * c + (e * h - f * g)
      k += 4
    }
    noise.places[2 * group] = real.sum()
    noise.places[2 * group + 1] = imaginary.sum()
  }

  /// How far the sound of a group and its neighbours is in the middle of the window: 1 within some 70 frames of it, 0
  /// beyond some 150. Drawn anew, it would be heard in the whole window, after it has ended too.
  private func centredness(_ group: Int, among groups: Range<Int>) -> Float {
    var real: Float = 0, imaginary: Float = 0
    for near in max(groups.lowerBound, group - 1)..<min(groups.upperBound, group + 2) {
      real += noise.places[2 * near]
      imaginary += noise.places[2 * near + 1]
    }
    // The middle is half a turn away from the first frame.
    let size = (real * real + imaginary * imaginary).squareRoot()
    return Self.part(of: -real / max(size, 1e-30), from: 0.9, to: 0.975)
  }

  /// Returns how far a region's phases are drawn anew, from 0 to 1: where its whole group is noise, and above 4 kHz
  /// where the region is, and weak beside others of its group, as what lies between the tones of a choir is.
  ///
  /// `alike` is how much the previous output is like the spectrum that continues it; `possible` how much it could be.
  func noiseShare(_ region: Range<Int>, alike: Float, possible: Float) -> Float {
    let group = region.lowerBound / NoiseGroups.bins
    let isSlower = lag < 0
    noise.likeness[2 * group] += alike
    noise.likeness[2 * group + 1] += possible
    let unlikeness = 1 - noise.likeness[2 * group] / max(noise.likeness[2 * group + 1], 1e-30)
    let whole =
      Self.part(
        of: unlikeness / expectedUnlikeness, from: isSlower ? 0.4 : 0.5, to: isSlower ? 0.8 : 0.85)
      * Self.part(of: noise.evenness[group], from: 0.65, to: 0.75)
    guard isSlower else { return mostNoise * whole }
    let most = mostNoise * noise.centredness[group]
    let strength = meanPower(region) / max(noise.power[group], 1e-30)
    guard region.lowerBound >= Self.highNoiseBin && strength < 0.15 else { return most * whole }
    let own = 1 - alike / max(possible, 1e-30)
    var sum: Float = 0
    for k in region {
      noise.unlikeness[k] += (1 - Self.kept) * (own - noise.unlikeness[k])
      sum += noise.unlikeness[k]
    }
    let between = Self.part(
      of: sum / Float(region.count) / expectedUnlikeness, from: 0.5, to: 0.85)
    return most * max(whole, between * (1 - Self.part(of: strength, from: 0.06, to: 0.15)))
  }

  /// Rotates a region by random phases besides its own rotation, and keeps the level of noise.
  ///
  /// At less than the full speed the same magnitudes pass by for longer, so every bin gets a phase of its own, which
  /// draws the magnitudes anew too. Above it the region keeps its shape, and gets the mean power of its group.
  mutating func drawNoise(
    _ region: Range<Int>, _ turn: (cosine: Float, sine: Float), share: Float, raise: Float
  ) {
    let isSlower = lag < 0
    // What remains coherent of phases within ±π · share, about sin(π share) / (π share).
    let coherent = max(0, 1 - share * share * (1.645 - 0.645 * share * share))
    let kept = coherent * coherent
    let power =
      kept / (raise * raise) + (1 - kept) * (isSlower ? Self.drawnPower : Self.drawnRegionPower)
    let own = max(meanPower(region), 1e-30)
    var even = (noise.power[region.lowerBound / NoiseGroups.bins] / own).squareRoot()
    // The whole way to the mean would cost coherence of the channels.
    if isSlower { even = even.squareRoot().squareRoot() }
    let level = (1 + share * (max(0.25, min(4, even)) - 1)) / power.squareRoot()
    let cosine = level * turn.cosine, sine = level * turn.sine
    let cosines = turns.base, sines = turns.base + binCount + 4
    let phases = noise.phases(share)
    var (c, s) = Mathematics.cosineAndSine(turns: isSlower ? phases : Four(repeating: phases.x))
    var k = region.lowerBound
    while true {
      cosines.setFour(k, cosine * c - sine * s)
      sines.setFour(k, cosine * s + sine * c)
      k += 4
      if k >= region.upperBound { break }
      if isSlower { (c, s) = Mathematics.cosineAndSine(turns: noise.phases(share)) }
    }
  }

  private func meanPower(_ region: Range<Int>) -> Float {
    regionPower(region) / Float(region.count)
  }

  /// Returns where a value lies between two others, from 0 to 1.
  static func part(of value: Float, from least: Float, to most: Float) -> Float {
    max(0, min(1, (value - least) / (most - least)))
  }
}
