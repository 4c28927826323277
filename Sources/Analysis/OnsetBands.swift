// Rises of level in frequency bands: the feature of music that survives a noisy room.

#if canImport(Glibc)
  import Glibc
#endif

/// The rises of a sound's level in bands of its spectrum, 125 times a second.
///
/// Levels are logarithmic, so that a microphone's colour cancels out; each band is levelled over a
/// second and limited, so that neither a loud passage nor a clap outweighs the rest.
struct OnsetBands: Sendable {
  /// One value stands for so many samples of `DownsampledAudio`.
  static let hopSamples = 64
  static let valuesPerSecond = DownsampledAudio.samplesPerSecond / hopSamples
  static let bandCount = 16

  /// The values of each band, of mean 0 and variance 1 where anything is heard. Value n is about
  /// sample 64·n; both sounds that are compared are late by the same.
  private(set) var bands: [[Float]]
  let count: Int

  /// Whether any value is not zero.
  var isHeard: Bool { bands.contains { $0.contains { $0 != 0 } } }

  private static let windowSamples = 512
  /// A rise is the difference to this many values before.
  private static let lag = 3

  /// Analyses `samples`. Complexity: O(count); asks `check` some times a second, which may throw.
  init(_ samples: [Int16], check: () throws -> Void) rethrows {
    let size = Self.windowSamples
    let edges = Self.edges
    let window = (0..<size).map {
      Float(0.5 - 0.5 * cos(2 * Double.pi * (Double($0) + 0.5) / Double(size))) / 32_768
    }
    var transform = RealFFT(size: size)
    var frame = [Float](repeating: 0, count: size)
    var real = [Float](repeating: 0, count: size / 2 + 1)
    var imaginary = real
    count = samples.count < size ? 0 : (samples.count - size) / Self.hopSamples + 1
    bands = [[Float]](repeating: [Float](repeating: 0, count: count), count: Self.bandCount)
    for value in 0..<count {
      if value.isMultiple(of: 8_192) { try check() }
      let start = value * Self.hopSamples
      for index in 0..<size { frame[index] = Float(samples[start + index]) * window[index] }
      transform.forward(frame, real: &real, imaginary: &imaginary)
      for band in 0..<Self.bandCount {
        var power: Float = 0
        for bin in edges[band]..<edges[band + 1] {
          power += real[bin] * real[bin] + imaginary[bin] * imaginary[bin]
        }
        bands[band][value] = power
      }
    }
    for band in 0..<Self.bandCount {
      try check()
      Self.turnIntoRises(&bands[band])
      Self.level(&bands[band])
    }
  }

  /// The first spectral lines of the bands, and the end of the last: 200 Hz to 3.5 kHz.
  private static var edges: [Int] {
    (0...bandCount).map { index in
      let hertz = 200 * pow(3_500 / 200.0, Double(index) / Double(bandCount))
      return Int(
        (hertz * Double(windowSamples) / Double(DownsampledAudio.samplesPerSecond)).rounded())
    }
  }

  /// Replaces powers by the rises of their logarithms, above a floor 20 dB under the band's mean.
  private static func turnIntoRises(_ values: inout [Float]) {
    guard !values.isEmpty else { return }
    let mean = Float(values.reduce(0.0) { $0 + Double($1) } / Double(values.count))
    // Quieter than the noise of 16 bits is silence.
    let floor = max(mean * 0.01, 1e-8)
    for index in values.indices { values[index] = logf(values[index] + floor) }
    for index in stride(from: values.count - 1, through: 0, by: -1) {
      values[index] = index >= lag ? max(0, values[index] - values[index - lag]) : 0
    }
  }

  /// Subtracts the mean of the second around, limits outliers, and normalises the variance.
  private static func level(_ values: inout [Float]) {
    let half = valuesPerSecond / 2
    var sums = [Double](repeating: 0, count: values.count + 1)
    for index in values.indices { sums[index + 1] = sums[index] + Double(values[index]) }
    for index in values.indices {
      let (low, high) = (max(0, index - half), min(values.count, index + half + 1))
      values[index] -= Float((sums[high] - sums[low]) / Double(high - low))
    }
    for _ in 0..<2 {
      let variance = values.reduce(0.0) { $0 + Double($1 * $1) } / Double(max(1, values.count))
      guard variance > 1e-9 else {
        for index in values.indices { values[index] = 0 }
        return
      }
      let scale = Float(1 / variance.squareRoot())
      for index in values.indices { values[index] = min(max(values[index] * scale, -3), 3) }
    }
  }
}
