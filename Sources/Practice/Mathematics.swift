// Logarithm and powers from operations that native and WebAssembly builds have as instructions, so that
// both agree to the bit. WebAssembly has no C mathematics here.

/// ln 2.
private let naturalLogarithmOf2 = 0.693_147_180_559_945_3

/// Returns the natural logarithm of a number above 0: accurate to about 1e-14.
func logarithm(_ value: Double) -> Double {
  var exponent = Double(value.exponent)
  var fraction = value.significand
  if fraction > 1.414_213_562_373_095 {
    fraction /= 2
    exponent += 1
  }
  // ln m = 2 artanh ((m - 1) / (m + 1)); the argument is at most 0.172.
  let argument = (fraction - 1) / (fraction + 1)
  let square = argument * argument
  var sum = 0.0
  var divisor = 19.0
  while divisor >= 1 {
    sum = sum * square + 1 / divisor
    divisor -= 2
  }
  return exponent * naturalLogarithmOf2 + 2 * argument * sum
}

/// Returns e to a power of -700…700; beyond, as at the border.
func exponential(_ power: Double) -> Double {
  let power = min(max(power, -700), 700)
  let whole = (power / naturalLogarithmOf2 + 0.5).rounded(.down)
  let rest = power - whole * naturalLogarithmOf2
  var sum = 1.0
  var place = 14.0
  while place >= 1 {
    sum = 1 + rest / place * sum
    place -= 1
  }
  return sum * Double(sign: .plus, exponent: Int(whole), significand: 1)
}

/// Returns `base`, above 0, to a power.
func power(_ base: Double, _ exponent: Double) -> Double {
  exponential(exponent * logarithm(base))
}

/// Returns a number as a share: 0…1.
func share(_ value: Double) -> Double { min(max(value, 0), 1) }
