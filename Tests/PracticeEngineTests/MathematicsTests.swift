// The engine's own sine and exponential, compared with reference values.

import Foundation
import Testing

@testable import PracticeEngine

@Suite struct MathematicsTests {
  @Test(
    arguments: [
      (0, 0), (0.25, 1), (0.5, 0), (0.75, -1), (1.0 / 12, 0.5), (7.0 / 12, -0.5),
      (0.125, 0.7071067811865476), (-0.1, -0.5877852522924731), (1_000.1, 0.5877852522924731),
    ] as [(Double, Double)])
  func `the sine is accurate to ten digits`(turns: Double, expected: Double) {
    #expect(abs(Mathematics.sine(turns: turns) - expected) < 1e-10)
  }

  @Test func `the cosine is a quarter turn ahead`() {
    #expect(abs(Mathematics.cosine(turns: 1.0 / 6) - 0.5) < 1e-12)
  }

  @Test(arguments: [1e-7, 0.3, 0.7071, 1, 1.5, 3.99, 1e6] as [Float])
  func `the logarithm and the exponential of four numbers agree with the C library's`(x: Float) {
    let four = Four(x, 2 * x, 0.1 * x, 1 / x)
    let logarithms = Mathematics.logarithm2(four)
    let powers = Mathematics.exponential2(logarithms)
    for lane in 0..<4 {
      #expect(abs(logarithms[lane] - log2(four[lane])) < 4e-6)
      #expect(abs(powers[lane] / four[lane] - 1) < 4e-6)
    }
  }

  @Test func `cosine and sine of four angles lie on the circle`() {
    for step in -40...40 {
      let turns = Float(step) / 16
      let (cosine, sine) = Mathematics.cosineAndSine(turns: Four(repeating: turns))
      #expect(abs(Double(cosine[2]) - Mathematics.cosine(turns: Double(turns))) < 2e-6)
      #expect(abs(Double(sine[2]) - Mathematics.sine(turns: Double(turns))) < 2e-6)
    }
  }

  @Test(
    arguments: [
      (0, 1), (1, 2.718281828459045), (-1, 0.36787944117144233), (-20, 2.061153622438558e-9),
      (10.5, 36_315.502674246636), (-0.0001, 0.9999000049998333),
    ] as [(Double, Double)])
  func `the exponential is accurate to twelve digits`(x: Double, expected: Double) {
    #expect(abs(Mathematics.exponential(x) / expected - 1) < 1e-12)
  }
}
