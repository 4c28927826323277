// Measures true peaks: what the samples reach between them when they become sound.

#if canImport(Glibc)
  import Glibc
#endif

/// Returns the highest magnitude of stereo at 48 kHz, oversampled four times as ITU-R BS.1770-4,
/// annex 2, asks for: an interpolation by windowed sinc (Kaiser, beta 6) over 24 samples, flat up to 20 kHz.
/// The annex's own filter has 12, and reads up to 0.5 dB too little there.
struct TruePeakMeter: Sendable {
  /// The samples before a point, and those after it, that its value depends on.
  static let before = 11
  static let after = 12
  /// The frames that are looked at together.
  static let group = 8
  private static let taps = 24

  /// For each of the samples around them, its weight in the three points between two samples.
  private let weights: [SIMD3<Float>]
  /// How much higher than the highest sample around it a point may be.
  private let bound: Float

  init() {
    let places = SIMD3(0.25, 0.5, 0.75)
    let weights = (0..<Self.taps).map { tap in
      let distances = Double(tap - Self.before) - places
      return SIMD3(
        Self.weight(at: distances.x), Self.weight(at: distances.y), Self.weight(at: distances.z))
    }
    // So that a constant stays what it is.
    let sum = weights.reduce(SIMD3(), +)
    self.weights = weights.map { SIMD3<Float>($0 / sum) }
    bound = self.weights.reduce(SIMD3()) { $0 + $1.replacing(with: -$1, where: $1 .< 0) }.max()
  }

  /// Returns the highest of `peak` and the magnitudes from the first of `count` samples, a multiple of
  /// `group`, up to the one after the last. `samples` begins `before` samples before the first, and has `after` and `group` behind the last.
  func peak(of samples: UnsafePointer<Float>, count: Int, atLeast peak: Float) -> Float {
    var highest = SIMD8<Float>(repeating: peak)
    for start in stride(from: 0, to: count, by: Self.group) {
      Self.raise(&highest, to: Self.load(samples + Self.before + start))
    }
    var peak = highest.max()
    for start in stride(from: 0, to: count, by: Self.group) {
      let window = samples + start
      var around = SIMD8<Float>(repeating: 0)
      for place in stride(from: 0, to: Self.taps + Self.group, by: Self.group) {
        Self.raise(&around, to: Self.load(window + place))
      }
      // A point can be the highest only where the samples around it are high enough: in few places.
      around -= peak / bound
      if Self.isNegative(around) { continue }
      var found = SIMD8<Float>(repeating: peak)
      var (first, second, third) = (SIMD8<Float>(), SIMD8<Float>(), SIMD8<Float>())
      for tap in 0..<Self.taps {
        let weight = weights[tap]
        let values = Self.load(window + tap)
        first += weight.x * values
        second += weight.y * values
        third += weight.z * values
      }
      Self.raise(&found, to: first)
      Self.raise(&found, to: second)
      Self.raise(&found, to: third)
      peak = found.max()
    }
    return peak
  }

  /// Raises values to the magnitudes of others.
  private static func raise(_ values: inout SIMD8<Float>, to others: SIMD8<Float>) {
    let magnitudes = others.replacing(with: -others, where: others .< 0)
    values.replace(with: magnitudes, where: values .< magnitudes)
  }

  /// Whether all of them are below 0: by the bits of their signs, as a mask would be looked at one by one.
  private static func isNegative(_ values: SIMD8<Float>) -> Bool {
    let signs = unsafeBitCast(values, to: SIMD4<UInt64>.self) & 0x8000_0000_8000_0000
    let all = signs.lowHalf & signs.highHalf
    return all.x & all.y == 0x8000_0000_8000_0000
  }

  // Unsafe: the caller of `peak` vouches for the samples.
  private static func load(_ samples: UnsafePointer<Float>) -> SIMD8<Float> {
    UnsafeRawPointer(samples).loadUnaligned(as: SIMD8<Float>.self)
  }

  private static func weight(at distance: Double) -> Double {
    let ratio = distance / Double(after)
    guard abs(ratio) < 1 else { return 0 }
    let window = bessel(6 * (1 - ratio * ratio).squareRoot()) / bessel(6)
    let angle = Double.pi * distance
    return window * (distance == 0 ? 1 : sin(angle) / angle)
  }

  /// The modified Bessel function of the first kind and order 0, by its series.
  private static func bessel(_ value: Double) -> Double {
    var sum = 1.0
    var term = 1.0
    for step in 1...40 {
      term *= (value / 2 / Double(step)) * (value / 2 / Double(step))
      sum += term
    }
    return sum
  }
}
