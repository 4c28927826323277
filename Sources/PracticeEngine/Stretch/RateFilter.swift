// Takes a band of low frequencies to a lower rate, where it costs less, and back.

/// A symmetric low-pass filter for one factor of decimation: Kaiser's window (1974) on a sinc.
///
/// Its pass band is the lower third of what the lower rate can carry, and its stop band (−90 dB)
/// begins where aliases would fall into that.
struct RateFilter: ~Copyable {
  let factor: Int
  /// How many frames the filter reaches to either side.
  let reach: Int
  /// The taps, with zeros behind so that four can be read from anywhere.
  private let taps: SampleBuffer
  /// For every output frame of a period, the taps that meet the low samples, in their order.
  private let phases: SampleBuffer
  static let history = 12

  init(factor: Int) {
    self.factor = factor
    reach = 4 * factor
    taps = SampleBuffer(count: 2 * reach + 4)
    phases = SampleBuffer(count: factor * Self.history)
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
      for slot in 0..<9 {
        let tap = phase - factor * (slot - 4) + reach
        if tap >= 0 && tap <= 2 * reach {
          phases[phase * Self.history + slot] = taps[tap] * Float(factor)
        }
      }
    }
  }

  /// Returns the low-rate sample at a frame; `reach` frames to both sides must be readable.
  func sample(_ frame: UnsafeMutablePointer<Float>) -> Float {
    var sum = Four()
    var i = 0
    while i < 2 * reach + 1 {
      sum += (frame - reach).four(i) * taps.base.four(i)
      i += 4
    }
    return sum.sum()
  }

  /// Adds `factor` output frames for every low-rate sample of `count`; four samples before and,
  /// with zeros or not, seven after each are read.
  func interpolate(
    _ low: UnsafeMutablePointer<Float>, count: Int, into output: UnsafeMutablePointer<Float>
  ) {
    for sample in 0..<count {
      let near = low + sample - 4
      let a = near.four(0), b = near.four(4), c = near.four(8)
      for phase in 0..<factor {
        let weights = phases.base + phase * Self.history
        let sum = a * weights.four(0) + b * weights.four(4) + c * weights.four(8)
        output[sample * factor + phase] += sum.sum()
      }
    }
  }
}

/// Kaiser's window.
enum Kaiser {
  /// Returns the window at x, from −1 to 1; a larger shape has a wider lobe and lower side lobes.
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
