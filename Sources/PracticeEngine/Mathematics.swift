// Sine and exponential from additions and multiplications alone, so that the native and the
// WebAssembly build agree bit for bit (the C libraries of two platforms do not).

enum Mathematics {
  static let pi = 3.141592653589793
  private static let naturalLogarithmOf2 = 0.6931471805599453

  /// Returns the sine of an angle in whole turns. Exact to about 1e-12.
  static func sine(turns: Double) -> Double {
    var folded = turns - turns.rounded(.toNearestOrEven)
    if folded > 0.25 { folded = 0.5 - folded }
    if folded < -0.25 { folded = -0.5 - folded }
    let x = 2 * pi * folded
    let square = x * x
    // Taylor series by Horner's scheme; |x| is at most a quarter turn.
    var sum = 1.0
    var n = 18.0
    while n >= 2 {
      sum = 1 - square / (n * (n + 1)) * sum
      n -= 2
    }
    return x * sum
  }

  static func cosine(turns: Double) -> Double { sine(turns: turns + 0.25) }

  /// Returns e to the power of x, for |x| below 700. Relative error about 1e-14.
  static func exponential(_ x: Double) -> Double {
    let power = (x / naturalLogarithmOf2).rounded(.toNearestOrEven)
    let rest = x - power * naturalLogarithmOf2
    var sum = 1.0
    var n = 14.0
    while n >= 1 {
      sum = 1 + rest / n * sum
      n -= 1
    }
    return sum * Double(bitPattern: UInt64(Int64(power) + 1023) << 52)
  }
}
