// Logarithm, exponential, sine and cosine of four numbers at once, from operations on which the
// native and the WebAssembly build agree bit for bit.

extension Mathematics {
  /// Rounds to the nearest whole number, for |x| below 4 million: adding it leaves no bits for a
  /// fraction.
  private static let rounder = Four(repeating: 12_582_912)

  /// Returns the logarithms to base 2 of positive numbers. Exact to about 1e-6.
  static func logarithm2(_ x: Four) -> Four {
    let bits = unsafeBitCast(x, to: SIMD4<Int32>.self)
    // The exponent for a mantissa from 0.71 to 1.41, where the series converges fast.
    let exponent = (bits &- 0x3f35_04f3) &>> 23
    let mantissa = unsafeBitCast(bits &- (exponent &<< 23), to: Four.self)
    let t = (mantissa - 1) / (mantissa + 1)
    let square = t * t
    var sum: Four = square * 0.32059890 + 0.41219858
    sum = sum * square + 0.57707802
    sum = sum * square + 0.96179669
    sum = sum * square + 2.8853901
    return sum * t + whole(exponent)
  }

  /// Returns 2 to the power of each number, for |x| below 126. Relative error about 1e-6.
  static func exponential2(_ x: Four) -> Four {
    let shifted = x + rounder
    let power = unsafeBitCast(shifted, to: SIMD4<Int32>.self) &- 0x4b40_0000
    let rest = x - (shifted - rounder)
    var sum: Four = rest * 0.00015403530 + 0.0013333558
    sum = sum * rest + 0.0096181291
    sum = sum * rest + 0.055504109
    sum = sum * rest + 0.24022651
    sum = sum * rest + 0.69314718
    sum = sum * rest + 1
    return sum * unsafeBitCast((power &+ 127) &<< 23, to: Four.self)
  }

  /// Returns cosines and sines of angles in turns. Exact to about 1e-6 for some turns.
  static func cosineAndSine(turns: Four) -> (Four, Four) {
    let folded = turns - ((turns + rounder) - rounder)
    let size = folded.replacing(with: -folded, where: folded .< 0)
    let quarter = Four(repeating: 0.25)
    let mirrored = size.replacing(with: 0.5 - size, where: size .> quarter)
    let sine = sineWithinQuarter(mirrored)
    return (sineWithinQuarter(quarter - size), sine.replacing(with: -sine, where: folded .< 0))
  }

  @inline(__always)
  private static func sineWithinQuarter(_ turns: Four) -> Four {
    let x = turns * 6.2831853
    let square = x * x
    var sum: Four = square * -2.5052108e-8 + 2.7557319e-6
    sum = sum * square - 0.00019841270
    sum = sum * square + 0.0083333333
    sum = sum * square - 0.16666667
    sum = sum * square + 1
    return sum * x
  }

  /// Converts whole numbers below 4 million.
  private static func whole(_ x: SIMD4<Int32>) -> Four {
    unsafeBitCast(x &+ 0x4b40_0000, to: Four.self) - rounder
  }
}
