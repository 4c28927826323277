// The engine's own sine and exponential, compared with reference values.

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

  @Test(
    arguments: [
      (0, 1), (1, 2.718281828459045), (-1, 0.36787944117144233), (-20, 2.061153622438558e-9),
      (10.5, 36_315.502674246636), (-0.0001, 0.9999000049998333),
    ] as [(Double, Double)])
  func `the exponential is accurate to twelve digits`(x: Double, expected: Double) {
    #expect(abs(Mathematics.exponential(x) / expected - 1) < 1e-12)
  }
}
