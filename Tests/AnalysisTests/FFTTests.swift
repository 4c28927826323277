// The transforms compared with their definition, and with their inverse.

import TestSupport
import Testing

@testable import Analysis

#if canImport(Glibc)
  import Glibc
#endif

struct FFTTests {
  private func noise(_ count: Int, seed: UInt64) -> [Float] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in Float.random(in: -1...1, using: &random) }
  }

  /// The sum that defines the transform, in double precision.
  private func definition(
    _ real: [Float], _ imaginary: [Float]
  ) -> (real: [Float], imaginary: [Float]) {
    let size = real.count
    var result = (real: [Float](), imaginary: [Float]())
    for k in 0..<size {
      var (sumReal, sumImaginary) = (0.0, 0.0)
      for n in 0..<size {
        let angle = -2 * Double.pi * Double(k * n % size) / Double(size)
        sumReal += Double(real[n]) * cos(angle) - Double(imaginary[n]) * sin(angle)
        sumImaginary += Double(real[n]) * sin(angle) + Double(imaginary[n]) * cos(angle)
      }
      result.real.append(Float(sumReal))
      result.imaginary.append(Float(sumImaginary))
    }
    return result
  }

  private func largestDifference(_ a: [Float], _ b: [Float]) -> Float {
    zip(a, b).reduce(0) { max($0, abs($1.0 - $1.1)) }
  }

  @Test(arguments: [16, 32, 64, 128, 512, 1_024])
  func `a complex transform equals its defining sum`(size: Int) {
    var real = noise(size, seed: 1)
    var imaginary = noise(size, seed: 2)
    let expected = definition(real, imaginary)
    var fourier = ComplexFFT(size: size)
    real.withUnsafeMutableBufferPointer { real in
      imaginary.withUnsafeMutableBufferPointer { fourier.transform(real, $0) }
    }
    // Sums of `size` numbers of about 1, with 24 bits each.
    let tolerance = 4e-6 * Float(size).squareRoot()
    #expect(largestDifference(real, expected.real) < tolerance)
    #expect(largestDifference(imaginary, expected.imaginary) < tolerance)
  }

  @Test(arguments: [32, 64, 128, 2_048])
  func `a real transform is the first half of the complex one`(size: Int) {
    let samples = noise(size, seed: 3)
    let expected = definition(samples, [Float](repeating: 0, count: size))
    var real = [Float](repeating: 0, count: size / 2 + 1)
    var imaginary = real
    var fourier = RealFFT(size: size)
    fourier.forward(samples, real: &real, imaginary: &imaginary)
    let tolerance = 4e-6 * Float(size).squareRoot()
    #expect(largestDifference(real, Array(expected.real[...(size / 2)])) < tolerance)
    #expect(largestDifference(imaginary, Array(expected.imaginary[...(size / 2)])) < tolerance)
  }

  @Test(arguments: [32, 64, 4_096, 8_192])
  func `the inverse transform restores the samples`(size: Int) {
    let samples = noise(size, seed: 4)
    var real = [Float](repeating: 0, count: size / 2 + 1)
    var imaginary = real
    var back = [Float](repeating: 0, count: size)
    var fourier = RealFFT(size: size)
    fourier.forward(samples, real: &real, imaginary: &imaginary)
    fourier.inverse(real: real, imaginary: imaginary, &back)
    #expect(largestDifference(samples, back) < 2e-6)
  }

  @Test func `products of spectra correlate, which finds a shift`() {
    let size = 1_024
    let samples = noise(300, seed: 5)
    var early = [Float](repeating: 0, count: size)
    var late = early
    for (index, sample) in samples.enumerated() {
      early[index + 20] = sample
      late[index + 157] = sample
    }
    var fourier = RealFFT(size: size)
    let zeros = [Float](repeating: 0, count: size / 2 + 1)
    var a = (real: zeros, imaginary: zeros)
    var b = a
    fourier.forward(early, real: &a.real, imaginary: &a.imaginary)
    fourier.forward(late, real: &b.real, imaginary: &b.imaginary)
    let real = a.real.indices.map { a.real[$0] * b.real[$0] + a.imaginary[$0] * b.imaginary[$0] }
    let imaginary = a.real.indices.map {
      a.real[$0] * b.imaginary[$0] - a.imaginary[$0] * b.real[$0]
    }
    var correlation = early
    fourier.inverse(real: real, imaginary: imaginary, &correlation)
    #expect(correlation.indices.max { correlation[$0] < correlation[$1] } == 137)
  }
}
