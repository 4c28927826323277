// Decides the phases: how the spectrum of each region around a peak is turned.

extension SpectralBand {
  /// How many times stronger a region must have become at an attack to begin with the attack's own
  /// phases, instead of continuing what sounded there before.
  private static let attackRise: Float = 2

  /// Finds the turn of every bin, which all bins around one peak share (identity phase locking,
  /// Laroche & Dolson 1999).
  ///
  /// A region's turn is the one that makes this transform, taken one hop earlier in the source,
  /// continue the transform that was made before: the phase of Σ made · conj(earlier) over the
  /// region and both channels. No phase is unwrapped, and the stereo image stays as it is.
  func decideTurns(isAttack: Bool, earlierGain: Float) {
    let bins = binCount
    let cosines = turns.base, sines = turns.base + bins
    guard hasPast else {
      cosines.update(repeating: 1, count: bins)
      sines.update(repeating: 0, count: bins)
      return
    }
    compareSpectra()
    let crossReal = cross.base, crossImaginary = cross.base + bins
    let before = cross.base + 2 * bins
    let powers = power.base + 4
    let threshold = Self.attackRise * earlierGain * earlierGain
    var start = 0
    var peak = nextPeak(from: 0)
    while start < bins {
      let next = peak < bins ? nextPeak(from: peak + 1) : bins
      let end = next < bins ? valley(between: peak, and: next) : bins
      var real: Float = 0, imaginary: Float = 0, energy: Float = 0, energyBefore: Float = 0
      for k in start..<end {
        real += crossReal[k]
        imaginary += crossImaginary[k]
        energy += powers[k]
        energyBefore += before[k]
      }
      let square = real * real + imaginary * imaginary
      let begins = isAttack && energy > threshold * energyBefore
      var cosine: Float = 1, sine: Float = 0
      if square > 1e-30 && !begins {
        let scale = 1 / square.squareRoot()
        cosine = real * scale
        sine = imaginary * scale
      }
      (cosines + start).update(repeating: cosine, count: end - start)
      (sines + start).update(repeating: sine, count: end - start)
      start = end
      peak = next
    }
    if firstBin == 0 {
      cosines[0] = 1
      sines[0] = 0
    }
  }

  /// Turns the current spectrum into the one that is made.
  func turnSpectrum() {
    let bins = binCount
    let from = current.base, to = made.base
    var k = 0
    while k < bins {
      let c = turns.base.four(k), s = turns.base.four(k + bins)
      let ar = from.four(k), ai = from.four(k + bins)
      let br = from.four(k + 2 * bins), bi = from.four(k + 3 * bins)
      to.setFour(k, ar * c - ai * s)
      to.setFour(k + bins, ar * s + ai * c)
      to.setFour(k + 2 * bins, br * c + bi * s)
      to.setFour(k + 3 * bins, bi * c - br * s)
      k += 4
    }
  }

  /// Computes every bin's power, its power one hop earlier, and made · conj(earlier).
  private func compareSpectra() {
    let bins = binCount
    let x = current.base, e = earlier.base, y = made.base
    let powers = power.base + 4
    let real = cross.base, imaginary = cross.base + bins, before = cross.base + 2 * bins
    var k = 0
    while k < bins {
      let ar = x.four(k), ai = x.four(k + bins)
      let br = x.four(k + 2 * bins), bi = x.four(k + 3 * bins)
      powers.setFour(k, ar * ar + ai * ai + br * br + bi * bi)
      let er = e.four(k), ei = e.four(k + bins)
      let fr = e.four(k + 2 * bins), fi = e.four(k + 3 * bins)
      before.setFour(k, er * er + ei * ei + fr * fr + fi * fi)
      let yr = y.four(k), yi = y.four(k + bins)
      let zr = y.four(k + 2 * bins), zi = y.four(k + 3 * bins)
      // The mirror image turns the other way round, hence its conjugate.
      real.setFour(k, yr * er + yi * ei + zr * fr + zi * fi)
      imaginary.setFour(k, yi * er - yr * ei - zi * fr + zr * fi)
      k += 4
    }
  }

  /// Returns the first bin from `first` on that is stronger than two neighbours on both sides.
  private func nextPeak(from first: Int) -> Int {
    // Four readable places lie before the first power and after the last.
    let powers = power.base + 4
    var k = first
    while k < binCount {
      let value = powers[k]
      if value > powers[k - 1] && value >= powers[k + 1] && value > powers[k - 2]
        && value >= powers[k + 2]
      {
        return k
      }
      k += 1
    }
    return binCount
  }

  private func valley(between peak: Int, and next: Int) -> Int {
    let powers = power.base + 4
    var lowest = peak + 1
    for k in (peak + 1)...next where powers[k] < powers[lowest] { lowest = k }
    return lowest
  }
}
