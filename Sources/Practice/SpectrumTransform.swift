// The discrete Fourier transform, for the correlation of a recording with a click.

/// Transforms complex signals of one length, a power of two (Cooley and Tukey 1965, radix 2, in place).
struct SpectrumTransform {
  /// A complex signal, or its spectrum.
  struct Signal {
    var real: [Double]
    var imaginary: [Double]

    init(length: Int) {
      real = [Double](repeating: 0, count: length)
      imaginary = real
    }

    /// Multiplies each number by one of another signal of the same length.
    mutating func multiply(by other: Signal) {
      for index in real.indices {
        let product = real[index] * other.real[index] - imaginary[index] * other.imaginary[index]
        imaginary[index] =
          real[index] * other.imaginary[index] + imaginary[index] * other.real[index]
        real[index] = product
      }
    }

    /// Returns the sizes of the first numbers.
    func sizes(_ count: Int) -> [Double] {
      (0..<count).map { index in
        (real[index] * real[index] + imaginary[index] * imaginary[index]).squareRoot()
      }
    }
  }

  let length: Int
  private let cosines: [Double]
  private let sines: [Double]

  init(length: Int) {
    precondition(length >= 2 && length & (length - 1) == 0)
    self.length = length
    let turns = (0..<length / 2).map { Double($0) / Double(length) }
    cosines = turns.map { Sinusoid.cosine(turns: $0) }
    sines = turns.map { Sinusoid.sine(turns: $0) }
  }

  /// Replaces a signal by its spectrum, or a spectrum by the signal times `length`.
  func transform(_ signal: inout Signal, inverse: Bool = false) {
    reorder(&signal)
    let sign = inverse ? 1.0 : -1.0
    // Unsafe: the indices stay below `length`, which both arrays have; checking each costs half of the time.
    signal.real.withUnsafeMutableBufferPointer { real in
      signal.imaginary.withUnsafeMutableBufferPointer { imaginary in
        var half = 1
        while half < length {
          pass(real, imaginary, half: half, sign: sign)
          half *= 2
        }
      }
    }
  }

  private func pass(
    _ real: UnsafeMutableBufferPointer<Double>, _ imaginary: UnsafeMutableBufferPointer<Double>,
    half: Int, sign: Double
  ) {
    let step = length / (2 * half)
    for block in stride(from: 0, to: length, by: 2 * half) {
      for offset in 0..<half {
        let low = block + offset
        let high = low + half
        let cosine = cosines[offset * step]
        let sine = sign * sines[offset * step]
        let turnedReal = real[high] * cosine - imaginary[high] * sine
        let turnedImaginary = real[high] * sine + imaginary[high] * cosine
        real[high] = real[low] - turnedReal
        imaginary[high] = imaginary[low] - turnedImaginary
        real[low] += turnedReal
        imaginary[low] += turnedImaginary
      }
    }
  }

  /// Brings the numbers into the order of their reversed bits.
  private func reorder(_ signal: inout Signal) {
    var reversed = 0
    for index in 0..<length {
      if index < reversed {
        signal.real.swapAt(index, reversed)
        signal.imaginary.swapAt(index, reversed)
      }
      var bit = length / 2
      while bit > 0 && reversed & bit != 0 {
        reversed ^= bit
        bit /= 2
      }
      reversed |= bit
    }
  }
}
