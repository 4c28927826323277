// Resamples the source, which changes its pitch and speed; the stretcher compensates for the speed.

/// Resamples by a ratio of 0.5 to 2 with a sinc under Kaiser's window, 32 frames long.
///
/// Real time: a new ratio fills a table of 8,192 numbers from one that `init` made; only `init`
/// allocates.
struct Transposer: ~Copyable {
  /// How many frames before and after the position of an output frame are read.
  static let reach = 16
  private static let phaseCount = 256

  /// Source frames per output frame; 1 is a copy.
  private(set) var ratio = 1.0
  private let window: SampleBuffer
  private let kernel: SampleBuffer
  private let table: SampleBuffer

  init() {
    let count = Self.reach * Self.phaseCount + 1
    window = SampleBuffer(count: count)
    kernel = SampleBuffer(count: count)
    table = SampleBuffer(count: (Self.phaseCount + 1) * 2 * Self.reach)
    for i in 0..<count {
      window[i] = Float(Kaiser.window(Double(i) / Double(count - 1), shape: 8))
    }
  }

  /// Sets the pitch; 12 semitones up read twice as fast.
  mutating func setSemitones(_ semitones: Int) {
    guard semitones != 0 else {
      ratio = 1
      return
    }
    ratio = Mathematics.exponential(Double(semitones) / 12 * 0.6931471805599453)
    fillKernel(cutoff: ratio > 1 ? 1 / ratio : 1)
    for phase in 0...Self.phaseCount {
      let row = table.base + phase * 2 * Self.reach
      for tap in 0..<(2 * Self.reach) {
        let place = (tap - Self.reach + 1) * Self.phaseCount - phase
        row[tap] = kernel[abs(place)]
      }
    }
  }

  /// Samples the sinc for a cutoff, given as a fraction of half the sample rate.
  private func fillKernel(cutoff: Double) {
    // The sines of equal steps are computed by rotation, which is exact enough over this many.
    let turns = cutoff / Double(2 * Self.phaseCount)
    let stepSine = Mathematics.sine(turns: turns), stepCosine = Mathematics.cosine(turns: turns)
    var sine = 0.0, cosine = 1.0
    kernel[0] = Float(cutoff)
    for i in 1..<kernel.count {
      (sine, cosine) = (
        sine * stepCosine + cosine * stepSine, cosine * stepCosine - sine * stepSine
      )
      let x = Mathematics.pi * Double(i) / Double(Self.phaseCount)
      kernel[i] = Float(sine / x) * window[i]
    }
  }

  /// Returns both channels' values at a position between two source frames.
  @inline(__always)
  func values(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frame: Int,
    fraction: Double
  ) -> (Float, Float) {
    let exact = fraction * Double(Self.phaseCount)
    let phase = Int(exact)
    let part = Four(repeating: Float(exact - Double(phase)))
    let row = table.base + phase * 2 * Self.reach
    let l = left + frame - Self.reach + 1
    let r = right + frame - Self.reach + 1
    var sums = (Four(), Four())
    var i = 0
    while i < 2 * Self.reach {
      let here = row.four(i)
      let weights = here + part * (row.four(i + 2 * Self.reach) - here)
      sums.0 += l.four(i) * weights
      sums.1 += r.four(i) * weights
      i += 4
    }
    return (sums.0.sum(), sums.1.sum())
  }
}
