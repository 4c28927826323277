// Sine and cosine from additions and multiplications alone, so that the native and the WebAssembly build
// agree bit for bit.

enum Sinusoid {
  static let pi = 3.141592653589793

  /// Returns the sine of an angle in whole turns. Exact to about 1e-12.
  static func sine(turns: Double) -> Double {
    var folded = turns - turns.rounded(.toNearestOrEven)
    if folded > 0.25 { folded = 0.5 - folded }
    if folded < -0.25 { folded = -0.5 - folded }
    let angle = 2 * pi * folded
    let square = angle * angle
    // Taylor's series by Horner's scheme; the angle is at most a quarter turn.
    var sum = 1.0
    var power = 18.0
    while power >= 2 {
      sum = 1 - square / (power * (power + 1)) * sum
      power -= 2
    }
    return angle * sum
  }

  static func cosine(turns: Double) -> Double { sine(turns: turns + 0.25) }
}
