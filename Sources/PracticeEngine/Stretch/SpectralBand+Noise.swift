// Finds noise above 4 kHz and draws its phases anew, so that stretched noise stays noise.
//
// At less than the full speed a phase vocoder makes lines of noise: the same random magnitudes pass by
// more slowly, with phases that continue one another. Above it the channels become too coherent.

extension SpectralBand {
  /// The bins of one group, for which it is decided together how much of it is noise.
  static let noiseGroupBins = 32
  /// The first bin above 3.75 kHz in a transform of 43 ms: a group's first.
  static let firstNoiseBin = 160
  /// How fast the averages of a group follow: over some 25 ms.
  private static let kept: Float = 0.8
  /// What independent phases leave of the power: Σw² / (Σw)² over the transforms that overlap at a frame, w being
  /// the product of both windows; 0.424, less what the limited levels of regions lose.
  private static let incoherentPower: Float = 0.402
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

  /// Averages how evenly the magnitudes of each group are distributed: (Σ|x|)² / (n Σ|x|²), 0.785 for
  /// noise, less for lines with little between them.
  func measureEvenness() {
    var group = Self.firstNoiseBin / Self.noiseGroupBins
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
      let whole = amplitudes.sum()
      let value = whole * whole / max(Float(Self.noiseGroupBins) * sum.sum(), 1e-30)
      evenness[group] += (1 - Self.kept) * (value - evenness[group])
      groupLikeness[2 * group] *= Self.kept
      groupLikeness[2 * group + 1] *= Self.kept
      group += 1
    }
  }

  /// Returns a rotation and a change of level for a region: a random one for noise, none for tones.
  ///
  /// - Parameters:
  ///   - alike: how much the previous output is like the spectrum that continues it; `possible` how much
  ///     it could be.
  ///   - raise: by how much the region is raised already.
  mutating func noiseTurn(
    _ region: Range<Int>, alike: Float, possible: Float, raise: Float
  ) -> (cosine: Float, sine: Float) {
    let group = region.lowerBound / Self.noiseGroupBins
    groupLikeness[2 * group] += alike
    groupLikeness[2 * group + 1] += possible
    let unlikeness = 1 - groupLikeness[2 * group] / max(groupLikeness[2 * group + 1], 1e-30)
    let share =
      mostNoise
      * Self.part(
        of: unlikeness / expectedUnlikeness, from: lag < 0 ? 0.4 : 0.5, to: lag < 0 ? 0.8 : 0.85)
      * Self.part(of: evenness[group], from: 0.65, to: 0.75)
    guard share > 0 else { return (1, 0) }
    // Numerical Recipes' linear congruential generator, whose high bits are used.
    random = random &* 1_664_525 &+ 1_013_904_223
    let half = Float(Self.circleCount / 2)
    let angle =
      Int(Float(Int32(bitPattern: random)) * 0x1p-31 * share * half) & (Self.circleCount - 1)
    // What remains coherent of phases within ±π · share, about sin(π share) / (π share).
    let coherent = max(0, 1 - share * share * (1.645 - 0.645 * share * share))
    let power =
      coherent * coherent / (raise * raise) + (1 - coherent * coherent) * Self.incoherentPower
    // The magnitudes of noise are drawn anew too: each region gets its group's mean power.
    let first = group * Self.noiseGroupBins
    let bins = first..<min(first + Self.noiseGroupBins, binCount)
    let mean = regionPower(bins) / Float(bins.count)
    let own = max(regionPower(region) / Float(region.count), 1e-30)
    let level = 1 + share * (max(0.25, min(4, (mean / own).squareRoot())) - 1)
    let scale = level / (raise * power.squareRoot())
    return (
      scale * circle[angle],
      scale * circle[(angle + 3 * Self.circleCount / 4) & (Self.circleCount - 1)]
    )
  }

  /// Returns where a value lies between two others, from 0 to 1.
  static func part(of value: Float, from least: Float, to most: Float) -> Float {
    max(0, min(1, (value - least) / (most - least)))
  }
}
