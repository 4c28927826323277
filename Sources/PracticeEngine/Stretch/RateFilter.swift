// Resamples a low-frequency band to a lower rate, where it costs less, and back.

/// A symmetric low-pass filter for one decimation factor: Kaiser's window (1974) on a sinc.
///
/// Its pass band is the lower third of the lower rate's range, two thirds if it is wide, and its stop
/// band (−90 dB) begins where aliases would fall into that.
struct RateFilter: ~Copyable {
  let factor: Int
  /// The filter's half length, in frames.
  let reach: Int
  /// The taps, padded with zeros so that four can be read from any position.
  private let taps: SampleBuffer
  /// For every low-rate sample that an output frame needs, in order: the taps of all output frames
  /// of a period.
  private let phases: SampleBuffer
  /// The low-rate samples to either side of one that an output frame needs.
  let side: Int
  /// All of them.
  private let history: Int

  init(factor: Int, isWide: Bool) {
    self.factor = factor
    side = isWide ? 8 : 4
    history = 2 * side + 1
    reach = side * factor
    taps = SampleBuffer(count: 2 * reach + 4)
    phases = SampleBuffer(count: factor * history)
    var sum = 0.0
    for i in -reach...reach {
      let x = Double(i) / Double(factor)
      let sinc = i == 0 ? 1 : Mathematics.sine(turns: x / 2) / (Mathematics.pi * x)
      let value = sinc * Kaiser.window(Double(i) / Double(reach + 1), shape: 8)
      taps[i + reach] = Float(value)
      sum += value
    }
    for i in 0..<(2 * reach + 1) { taps[i] /= Float(sum) }
    for phase in 0..<factor {
      for slot in 0..<history {
        let tap = phase - factor * (slot - side) + reach
        if tap >= 0 && tap <= 2 * reach {
          phases[slot * factor + phase] = taps[tap] * Float(factor)
        }
      }
    }
  }

  /// Returns the low-rate sample at a frame; `reach` frames to both sides must be readable.
  func sample(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>
  ) -> (left: Float, right: Float) {
    let l = left - reach, r = right - reach
    var sums = (Four(), Four())
    var i = 0
    while i < 2 * reach + 1 {
      let tap = taps.base.four(i)
      sums.0 += l.four(i) * tap
      sums.1 += r.four(i) * tap
      i += 4
    }
    return (sums.0.sum(), sums.1.sum())
  }

  /// Adds `factor` output frames for each of `count` low-rate samples; reads four samples before
  /// and after each.
  func interpolate(
    _ low: UnsafeMutablePointer<Float>, count: Int, into output: UnsafeMutablePointer<Float>
  ) {
    for sample in 0..<count {
      let near = low + sample - side
      var phase = 0
      while phase < factor {
        var sum = output.four(sample * factor + phase)
        for slot in 0..<history {
          sum += near[slot] * phases.base.four(slot * factor + phase)
        }
        output.setFour(sample * factor + phase, sum)
        phase += 4
      }
    }
  }
}

/// Kaiser's window.
enum Kaiser {
  /// Returns the window at x, from −1 to 1; a larger shape has a wider main lobe and lower side
  /// lobes.
  static func window(_ x: Double, shape: Double) -> Double {
    let inside = 1 - x * x
    return inside <= 0 ? 0 : bessel(shape * inside.squareRoot()) / bessel(shape)
  }

  /// The modified Bessel function of order 0, by its power series.
  private static func bessel(_ x: Double) -> Double {
    var sum = 1.0
    var term = 1.0
    for n in 1...40 {
      let factor = x / (2 * Double(n))
      term *= factor * factor
      sum += term
    }
    return sum
  }
}
