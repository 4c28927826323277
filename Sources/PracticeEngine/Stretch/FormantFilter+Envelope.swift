// The gain of the filter for natural voices: from the spectrum to its envelope, from that to a
// gain of least delay.

extension FormantFilter {
  /// The spacing of partials where no pitch is found: 200 Hz, in bins.
  static let unpitchedBins: Float = 200 * Float(length) / 48_000
  /// Pitches are sought from 70 to 500 Hz; periods in frames.
  private static let periods = 96...685
  /// How high a period must stand out of the cepstrum to be one. In logarithms to base 2 of power,
  /// as all levels here; one of them is 3 dB.
  private static let pitchThreshold: Float = 0.173
  private static let decibel: Float = 0.33219281
  /// Below this, under the strongest bin, there is nothing to shape.
  private static let range = 70 * decibel
  /// The first partial is within this range of the strongest.
  private static let firstPartialRange = 30 * decibel
  private static let limit = 20 * decibel
  private static let floor: Float = 1e-7

  /// The share of a quefrency, in frames, that is kept: those below 2.25 ms, those to 3.75 ms less.
  static func lifted(quefrency: Int) -> Double {
    let x = (Double(quefrency) - 108) / 72
    if x <= 0 { return 1 }
    return x >= 1 ? 0 : 0.5 + 0.5 * Mathematics.cosine(turns: x / 2)
  }

  /// Computes the gain for the sound in `spectrum`.
  mutating func decideGain() {
    measureLevels()
    joinPeaks()
    fourier.transform(
      work.arrays, weights: ones.base, into: cepstra.arrays)
    findPitch()
    smoothEnvelope()
    keepLevel()
    followGain()
    makeLeastDelay()
    hasGain = true
  }

  /// Writes the level of each bin, of both channels together.
  private func measureLevels() {
    let re = spectrum.real.base, im = spectrum.imaginary.base, level = work.real.base
    let half = Self.length / 2
    var strongest = Four(repeating: Self.floor)
    level[0] = max(Self.floor, 2 * (re[0] * re[0] + im[0] * im[0]))
    var k = 1
    while k < half {
      let mirror = Self.length - k - 3
      let a = re.four(k), b = im.four(k)
      let c = re.four(mirror).reversed, d = im.four(mirror).reversed
      let power = a * a + b * b + (c * c + d * d)
      level.setFour(k, power)
      strongest = strongest.replacing(with: power, where: power .> strongest)
      k += 4
    }
    var peak = Self.floor
    for lane in 0..<4 { peak = max(peak, strongest[lane]) }
    let least = max(Self.floor, peak * 1e-7)
    let bottom = Four(repeating: least)
    k = 0
    while k < half {
      let power = level.four(k)
      level.setFour(
        k, Mathematics.logarithm2(power.replacing(with: bottom, where: power .< bottom)))
      k += 4
    }
    level[half] = level[half - 1]
    mirror(level, Self.length)
  }

  /// Joins the peaks of the level by straight lines: the envelope with its corners.
  ///
  /// A peak is no lower than what lies within 0.4 times the pitch around it.
  private func joinPeaks() {
    let level = work.real.base, line = work.imaginary.base
    let half = Self.length / 2
    let reach = max(1, Int(0.4 * pitchBins))
    var strongest = level[0]
    for k in 1..<half { strongest = max(strongest, level[k]) }
    var last = -1
    for k in 1..<half {
      let here = level[k]
      if here < level[k - 1] || here < level[k + 1] { continue }
      if last < 0 && here < strongest - Self.firstPartialRange { continue }
      var isPeak = true
      for other in max(0, k - reach)...min(half, k + reach) where level[other] > here {
        isPeak = false
        break
      }
      if !isPeak { continue }
      if last < 0 {
        for below in 0...k { line[below] = here }
      } else {
        let from = line[last]
        let slope = (here - from) / Float(k - last)
        for between in (last + 1)..<max(k, last + 1) {
          line[between] = from + slope * Float(between - last)
        }
        line[k] = here
      }
      last = k
    }
    let rest = last < 0 ? strongest : line[last]
    for above in max(0, last)...half { line[above] = rest }
    mirror(line, Self.length)
  }

  /// Completes an even function around the circle.
  private func mirror(_ values: UnsafeMutablePointer<Float>, _ length: Int) {
    for k in 1..<(length / 2) { values[length - k] = values[k] }
  }

  /// Finds the spacing of the partials, for the next transform.
  private mutating func findPitch() {
    let cepstrum = cepstra.real.base
    var best = Self.periods.lowerBound
    for period in Self.periods where cepstrum[period] > cepstrum[best] { best = period }
    let isPitched = cepstrum[best] > Self.pitchThreshold * Float(Self.length)
    pitchBins = isPitched ? Float(Self.length) / Float(best) : Self.unpitchedBins
  }

  /// Writes the envelope without its corners to the grid, and the gain that follows from it.
  private func smoothEnvelope() {
    let quefrencies = cepstra.imaginary.base
    let half = Self.gridBins
    work.real.base.update(from: quefrencies, count: half)
    (work.real.base + half).update(from: quefrencies + Self.length - half, count: half)
    work.imaginary.base.update(repeating: 0, count: Self.gridLength)
    gridFourier.transform(
      work.arrays, weights: lifter.base, into: cepstra.arrays)
    let envelope = cepstra.real.base
    for i in 0...half {
      let place = min(Float(i) * ratio, Float(half))
      let index = min(Int(place), half - 1)
      let part = place - Float(index)
      let moved = envelope[index] + part * (envelope[index + 1] - envelope[index])
      fresh[i] = min(max(moved - envelope[i], -Self.limit), Self.limit) + densityGain
    }
  }

  /// Raises or lowers the whole gain if the sound would change by more than half a decibel. A lone
  /// tone, whose envelope is unknown beside it, would lose up to 20 dB.
  private func keepLevel() {
    let re = spectrum.real.base, im = spectrum.imaginary.base
    var before: Float = 0
    var after: Float = 0
    var i = 0
    while i < Self.gridBins {
      let gains = Mathematics.exponential2(fresh.base.four(i))
      for lane in 0..<4 {
        let k = 2 * (i + lane)
        let mirror = k == 0 ? 0 : Self.length - k
        let power =
          re[k] * re[k] + im[k] * im[k] + re[k + 1] * re[k + 1] + im[k + 1] * im[k + 1]
          + re[mirror] * re[mirror] + im[mirror] * im[mirror]
        before += power
        after += power * gains[lane]
      }
      i += 4
    }
    guard before > Self.floor else { return }
    let ratio = Four(repeating: max(after, 1e-6 * before) / before)
    let change = Mathematics.logarithm2(ratio)[0]
    let excess = change - min(max(change, -0.5 * Self.decibel), 0.5 * Self.decibel)
    if excess == 0 { return }
    // What was not raised before is not raised far for the sake of a tone beside it.
    for k in 0...Self.gridBins {
      fresh[k] = min(fresh[k] - excess, max(fresh[k], Self.decibel))
    }
  }

  /// Follows the fresh gain: slowly in steady sound, where it would only tremble, and the faster the
  /// more it differs.
  private func followGain() {
    guard hasGain else {
      // Exactly, whatever was there before.
      smooth.base.update(from: fresh.base, count: Self.gridBins + 1)
      return
    }
    var difference: Float = 0
    for i in 0..<(Self.gridBins / 2) { difference += abs(fresh[i] - smooth[i]) }
    difference /= Float(Self.gridBins / 2) * Self.decibel
    let share = min(1, 0.2 + difference / 8)
    for i in 0...Self.gridBins { smooth[i] += share * (fresh[i] - smooth[i]) }
  }

  /// Gives the gain the phase of the least delay (Oppenheim & Schafer: the folded cepstrum).
  private func makeLeastDelay() {
    let level = work.real.base, half = Self.gridBins
    level.update(from: smooth.base, count: half + 1)
    mirror(level, Self.gridLength)
    work.imaginary.base.update(repeating: 0, count: Self.gridLength)
    gridFourier.transform(
      work.arrays, weights: ones.base, into: cepstra.arrays)
    cepstra.imaginary.base.update(repeating: 0, count: Self.gridLength)
    // The real part is the level again, the imaginary part the phase that belongs to it.
    gridFourier.transform(
      cepstra.arrays, weights: fold.base, into: spare)
    let turnsOfOne: Float = 0.055158909
    let real = gain.real.base, imaginary = gain.imaginary.base
    var i = 0
    while i < half {
      let size = Mathematics.exponential2(level.four(i) * 0.5)
      let turn = Mathematics.cosineAndSine(turns: spare.1.four(i) * turnsOfOne)
      let a = size * turn.0, b = size * turn.1
      for lane in 0..<4 {
        real[2 * (i + lane)] = a[lane]
        imaginary[2 * (i + lane)] = b[lane]
      }
      i += 4
    }
    let last = Mathematics.exponential2(Four(repeating: level[half] * 0.5))
    real[2 * half] = last[0]
    imaginary[2 * half] = 0
    for i in 0..<half {
      real[2 * i + 1] = 0.5 * (real[2 * i] + real[2 * i + 2])
      imaginary[2 * i + 1] = 0.5 * (imaginary[2 * i] + imaginary[2 * i + 2])
    }
    for k in 1..<(2 * half) {
      real[Self.length - k] = real[k]
      imaginary[Self.length - k] = -imaginary[k]
    }
  }

  /// The second half of `work`, which the grid does not use.
  private var spare: FourierTransform.Arrays {
    (work.real.base + Self.gridLength, work.imaginary.base + Self.gridLength)
  }
}
