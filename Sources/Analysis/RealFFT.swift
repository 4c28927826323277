// The Fourier transform of real numbers, there and back.

#if canImport(Glibc)
  import Glibc
#endif

/// Transforms real numbers by way of a complex transform of half their count.
/// Threads: one at a time; a copy is a transform of its own.
public struct RealFFT: Sendable {
  /// How many real numbers one transform takes: a power of two, at least 32.
  public let size: Int

  private var half: ComplexFFT
  private var real: [Float]
  private var imaginary: [Float]
  /// exp(−2πi·k/size) for k = 0 … size/4.
  private let turnsReal: [Float]
  private let turnsImaginary: [Float]

  /// Plans transforms of `size` real numbers.
  public init(size: Int) {
    precondition(size >= 32 && size & (size - 1) == 0)
    self.size = size
    half = ComplexFFT(size: size / 2)
    real = [Float](repeating: 0, count: size / 2)
    imaginary = real
    let angles = (0...size / 4).map { 2 * Double.pi * Double($0) / Double(size) }
    turnsReal = angles.map { Float(cos($0)) }
    turnsImaginary = angles.map { Float(-sin($0)) }
  }

  /// Transforms `samples` into `size/2 + 1` complex numbers, from 0 Hz to half the sample rate.
  public mutating func forward(
    _ samples: [Float], real spectrumReal: inout [Float], imaginary spectrumImaginary: inout [Float]
  ) {
    let count = size / 2
    precondition(samples.count == size)
    precondition(spectrumReal.count == count + 1 && spectrumImaginary.count == count + 1)
    for index in 0..<count {
      real[index] = samples[2 * index]
      imaginary[index] = samples[2 * index + 1]
    }
    transform()
    spectrumReal[0] = real[0] + imaginary[0]
    spectrumReal[count] = real[0] - imaginary[0]
    spectrumImaginary[0] = 0
    spectrumImaginary[count] = 0
    for index in 1...count / 2 {
      let mirror = count - index
      // The transforms of the even and of the odd samples, which the complex one holds together.
      let evenReal = (real[index] + real[mirror]) / 2
      let evenImaginary = (imaginary[index] - imaginary[mirror]) / 2
      let oddReal = (imaginary[index] + imaginary[mirror]) / 2
      let oddImaginary = (real[mirror] - real[index]) / 2
      let turnedReal = oddReal * turnsReal[index] - oddImaginary * turnsImaginary[index]
      let turnedImaginary = oddReal * turnsImaginary[index] + oddImaginary * turnsReal[index]
      spectrumReal[index] = evenReal + turnedReal
      spectrumImaginary[index] = evenImaginary + turnedImaginary
      spectrumReal[mirror] = evenReal - turnedReal
      spectrumImaginary[mirror] = turnedImaginary - evenImaginary
    }
  }

  /// Turns `size/2 + 1` complex numbers, as `forward` makes them, back into the samples.
  public mutating func inverse(
    real spectrumReal: [Float], imaginary spectrumImaginary: [Float], _ samples: inout [Float]
  ) {
    let count = size / 2
    precondition(samples.count == size)
    precondition(spectrumReal.count == count + 1 && spectrumImaginary.count == count + 1)
    // With the parts exchanged, the forward transform is the inverse one.
    imaginary[0] = (spectrumReal[0] + spectrumReal[count]) / 2
    real[0] = (spectrumReal[0] - spectrumReal[count]) / 2
    for index in 1...count / 2 {
      let mirror = count - index
      let evenReal = (spectrumReal[index] + spectrumReal[mirror]) / 2
      let evenImaginary = (spectrumImaginary[index] - spectrumImaginary[mirror]) / 2
      let turnedReal = (spectrumReal[index] - spectrumReal[mirror]) / 2
      let turnedImaginary = (spectrumImaginary[index] + spectrumImaginary[mirror]) / 2
      let oddReal = turnedReal * turnsReal[index] + turnedImaginary * turnsImaginary[index]
      let oddImaginary = turnedImaginary * turnsReal[index] - turnedReal * turnsImaginary[index]
      imaginary[index] = evenReal - oddImaginary
      real[index] = evenImaginary + oddReal
      imaginary[mirror] = evenReal + oddImaginary
      real[mirror] = oddReal - evenImaginary
    }
    transform()
    let scale = 1 / Float(count)
    for index in 0..<count {
      samples[2 * index] = imaginary[index] * scale
      samples[2 * index + 1] = real[index] * scale
    }
  }

  private mutating func transform() {
    real.withUnsafeMutableBufferPointer { real in
      imaginary.withUnsafeMutableBufferPointer { imaginary in
        half.transform(real, imaginary)
      }
    }
  }
}
