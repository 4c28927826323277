// Decides the phases: by how much the spectrum around each peak is rotated.

extension SpectralBand {
  /// By what factor a region must have become stronger at an attack to start with the attack's own
  /// phases, instead of continuing the previous sound.
  private static let attackRise: Float = 2
  /// By how much the level of a region is raised, relative to how much the previous output differs
  /// from the spectrum that continues it. With it noise has the same level at every speed, to 0.1
  /// dB.
  private static let unlikenessGain: Float = 0.42

  /// Finds the phase rotation of every bin; all bins around one peak share it (identity phase
  /// locking, Laroche & Dolson 1999).
  ///
  /// A region's rotation makes this transform, taken one hop earlier in the source, continue the
  /// previous output: the phase of Σ made · conj(earlier) over the region and both channels. No
  /// phase is unwrapped, and the stereo image is preserved.
  ///
  /// The magnitude of that sum, relative to its maximum, measures the similarity of both: a steady
  /// tone is similar to itself, while overlapping pieces of noise partly cancel. That loss is
  /// compensated, except for hits, where transforms do not see the whole of their window
  /// (`isWhole`).
  mutating func decideTurns(isAttack: Bool, isWhole: Bool, earlierGain: Float) {
    let bins = binCount
    let cosines = turns.base, sines = turns.base + bins + 4
    compareSpectra()
    let count = findPeaks()
    let threshold = Self.attackRise * earlierGain * earlierGain
    let redrawsNoise = isWhole && shape.isHighest && mostNoise > 0
    if redrawsNoise { measureNoise() }
    startLikeness(isWhole: isWhole)
    var start = 0
    for index in 0..<max(count, 1) {
      let end =
        index + 1 < count ? valley(between: peaks[index], and: peaks[index + 1]) : bins
      var sum = Four()
      for k in start..<end { sum += comparison.base.four(4 * k) }
      let square = sum.x * sum.x + sum.y * sum.y
      let begins = isAttack && regionPower(start..<end) > threshold * sum.w
      var cosine: Float = 1, sine: Float = 0
      var raise: Float = 1, noiseShare: Float = 0
      if square > 1e-30 && !begins {
        let alike = square.squareRoot(), possible = (sum.z * sum.w).squareRoot()
        let unlikeness = max(0, 1 - alike / possible)
        if isWhole { raise += Self.unlikenessGain * unlikeness }
        cosine = sum.x / alike
        sine = sum.y / alike
        if agreement.isLedAnywhere && count > 0 {
          (cosine, sine) = ledTurn(start..<end, peak: peaks[index], own: (cosine, sine))
        }
        if isWhole { addLikeness(start..<end, alike: alike, possible: possible) }
        if redrawsNoise && start >= firstNoiseBin {
          noiseShare = self.noiseShare(start..<end, alike: alike, possible: possible)
        }
      }
      if noiseShare > 0 {
        drawNoise(start..<end, (cosine, sine), share: noiseShare, raise: raise)
        start = end
        continue
      }
      // The next region overwrites the surplus.
      let c = Four(repeating: raise * cosine), s = Four(repeating: raise * sine)
      var k = start
      while k < end {
        cosines.setFour(k, c)
        sines.setFour(k, s)
        k += 4
      }
      start = end
    }
    if firstBin == 0 {
      cosines[0] = 1
      sines[0] = 0
    }
  }

  /// Lets what was averaged of earlier transforms fade.
  private mutating func startLikeness(isWhole: Bool) {
    guard isWhole else {
      // The longest windows are chosen for what is known to be steady, so never just after a hit.
      if shape.isForSteadySound { likeness.clear() }
      return
    }
    expectedUnlikeness = Self.unlikenessOfNoise(lag: lag, length: shape.lengthFrames)
    for index in 0..<likeness.count { likeness[index] *= 0.5 }
  }

  /// Counts a region in the zones that it touches.
  private func addLikeness(_ region: Range<Int>, alike: Float, possible: Float) {
    for zone in zones[region.lowerBound]...zones[region.upperBound - 1] {
      likeness[2 * zone] += alike
      likeness[2 * zone + 1] += possible
    }
  }

  /// Rotates a spectrum and stores the result as `made`.
  func turn(_ spectrum: FourierTransform.Arrays) {
    let cosines = turns.base, sines = turns.base + binCount + 4
    let (fromReal, fromImaginary) = spectrum
    let (toReal, toImaginary) = made
    var k = 0
    while k < binCount {
      let bin = firstBin + k
      let mirror = length - bin - 3
      let c = cosines.four(k), s = sines.four(k)
      let d = c.reversed, t = s.reversed
      let ar = fromReal.four(bin), ai = fromImaginary.four(bin)
      let br = fromReal.four(mirror), bi = fromImaginary.four(mirror)
      toReal.setFour(bin, ar * c - ai * s)
      toImaginary.setFour(bin, ar * s + ai * c)
      toReal.setFour(mirror, br * d + bi * t)
      toImaginary.setFour(mirror, bi * d - br * t)
      k += 4
    }
  }

  func regionPower(_ bins: Range<Int>) -> Float {
    var sum: Float = 0
    for k in bins { sum += power[k + 4] }
    return sum
  }

  /// Computes every bin's power, and compares the previous output with the spectrum one hop
  /// earlier.
  private func compareSpectra() {
    let (xr, xi) = current
    let (er, ei) = earlier
    let (yr, yi) = made
    let powers = power.base + 4
    var k = 0
    while k < binCount {
      let bin = firstBin + k
      let mirror = length - bin - 3
      let ar = xr.four(bin), ai = xi.four(bin)
      let br = xr.four(mirror), bi = xi.four(mirror)
      let power = ar * ar + ai * ai + (br * br + bi * bi).reversed
      powers.setFour(k, power)
      let cr = er.four(bin), ci = ei.four(bin)
      let dr = er.four(mirror), di = ei.four(mirror)
      let before = cr * cr + ci * ci + (dr * dr + di * di).reversed
      let ur = yr.four(bin), ui = yi.four(bin)
      let vr = yr.four(mirror), vi = yi.four(mirror)
      // The mirror image rotates in the opposite direction, hence its conjugate.
      let real = ur * cr + ui * ci + (vr * dr + vi * di).reversed
      let imaginary = ui * cr - ur * ci - (vi * dr - vr * di).reversed
      let past = ur * ur + ui * ui + (vr * vr + vi * vi).reversed
      comparison.base.setColumns(4 * k, real, imaginary, past, before)
      k += 4
    }
  }

  /// Lists the bins that are stronger than two neighbours on both sides. Returns their number.
  private func findPeaks() -> Int {
    // Four readable slots lie before the first power and after the last.
    let powers = power.base + 4
    var count = 0
    var k = 0
    while k < binCount {
      let value = powers.four(k)
      let isPeak =
        (value .> powers.four(k - 1)) .& (value .>= powers.four(k + 1))
        .& (value .> powers.four(k - 2)) .& (value .>= powers.four(k + 2))
      let ones = SIMD4<Int32>(repeating: 0).replacing(with: 1, where: isPeak)
      // Without branches, which would be unpredictable: every bin is written, only peaks advance
      // the index.
      for lane in 0..<4 {
        peaks[count] = k + lane
        count += Int(ones[lane])
      }
      k += 4
    }
    return count
  }

  private func valley(between peak: Int, and next: Int) -> Int {
    let powers = power.base + 4
    var lowest = peak + 1
    var least = powers[lowest]
    for k in (peak + 2)...next {
      let value = powers[k]
      lowest = value < least ? k : lowest
      least = value < least ? value : least
    }
    return lowest
  }
}
