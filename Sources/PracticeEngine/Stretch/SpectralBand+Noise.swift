// Finds noise above 1.5 kHz and draws its phases anew, so that stretched noise stays noise.
//
// At less than the full speed a phase vocoder makes lines of noise: the same random magnitudes pass by
// more slowly, with phases that continue one another. Above it the channels become too coherent.

extension SpectralBand {
  /// The bins of one group, for which it is decided together how much of it is noise.
  static let noiseGroupBins = 32
  /// The first bin above 1.5 kHz in a transform of 43 ms, and that above 3.75 kHz: groups' first.
  private static let slowNoiseBin = 64
  private static let highNoiseBin = 160
  /// The first bin from which noise is drawn anew.
  var firstNoiseBin: Int { lag < 0 ? Self.slowNoiseBin : Self.highNoiseBin }
  /// How fast the averages of a group follow: over some 25 ms.
  private static let kept: Float = 0.8
  /// What is left of the power where every bin of every transform has a phase of its own; measured with white noise.
  private static let drawnPower: Float = 0.164
  /// What is left where every transform has one phase for all bins of a region.
  private static let drawnRegionPower: Float = 0.39
  static let circleCount = 1_024

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

  /// Measures the mean power of each group, and averages how evenly its magnitudes are distributed:
  /// (Σ|x|)² / (n Σ|x|²), 0.785 for noise, less for lines with little between them.
  func measureEvenness() {
    var group = firstNoiseBin / Self.noiseGroupBins
    while (group + 1) * Self.noiseGroupBins <= binCount {
      let powers = power.base + 4 + group * Self.noiseGroupBins
      var amplitudes = Four(), sum = Four()
      var k = 0
      while k < Self.noiseGroupBins {
        let value = powers.four(k)
        amplitudes += value.squareRoot()
        sum += value
        k += 4
      }
      let whole = amplitudes.sum(), power = sum.sum()
      groupPower[group] = power / Float(Self.noiseGroupBins)
      let value = whole * whole / max(Float(Self.noiseGroupBins) * power, 1e-30)
      evenness[group] += (1 - Self.kept) * (value - evenness[group])
      groupLikeness[2 * group] *= Self.kept
      groupLikeness[2 * group + 1] *= Self.kept
      group += 1
    }
  }

  /// Returns how far a region's phases are drawn anew, from 0 to 1: where its whole group is noise, and above 4 kHz
  /// where the region is, and weak beside others of its group, as what lies between the tones of a choir is.
  ///
  /// `alike` is how much the previous output is like the spectrum that continues it; `possible` how much it could be.
  mutating func noiseShare(_ region: Range<Int>, alike: Float, possible: Float) -> Float {
    let group = region.lowerBound / Self.noiseGroupBins
    groupLikeness[2 * group] += alike
    groupLikeness[2 * group + 1] += possible
    let unlikeness = 1 - groupLikeness[2 * group] / max(groupLikeness[2 * group + 1], 1e-30)
    let whole =
      Self.part(
        of: unlikeness / expectedUnlikeness, from: lag < 0 ? 0.4 : 0.5, to: lag < 0 ? 0.8 : 0.85)
      * Self.part(of: evenness[group], from: 0.65, to: 0.75)
    guard region.lowerBound >= Self.highNoiseBin else { return mostNoise * whole }
    let own = 1 - alike / max(possible, 1e-30)
    var sum: Float = 0
    for k in region {
      binUnlikeness[k] += (1 - Self.kept) * (own - binUnlikeness[k])
      sum += binUnlikeness[k]
    }
    let between = Self.part(
      of: sum / Float(region.count) / expectedUnlikeness, from: 0.5, to: 0.85)
    let weakness =
      1 - Self.part(of: meanPower(region) / max(groupPower[group], 1e-30), from: 0.15, to: 0.3)
    return mostNoise * max(whole, between * weakness)
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
    var even = (groupPower[region.lowerBound / Self.noiseGroupBins] / own).squareRoot()
    // The whole way to the mean would cost coherence of the channels.
    if isSlower { even = even.squareRoot().squareRoot() }
    let level = (1 + share * (max(0.25, min(4, even)) - 1)) / power.squareRoot()
    let cosine = level * turn.cosine, sine = level * turn.sine
    let cosines = turns.base, sines = turns.base + binCount + 4
    let reach = share * Float(Self.circleCount / 2)
    var angle = 0
    for k in region {
      if isSlower || k == region.lowerBound {
        // Numerical Recipes' linear congruential generator, whose high bits are used.
        random = random &* 1_664_525 &+ 1_013_904_223
        angle = Int(Float(Int32(bitPattern: random)) * 0x1p-31 * reach) & (Self.circleCount - 1)
      }
      let c = circle[angle]
      let s = circle[(angle + 3 * Self.circleCount / 4) & (Self.circleCount - 1)]
      cosines[k] = cosine * c - sine * s
      sines[k] = cosine * s + sine * c
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
