// Loudness of the tones of EBU Tech 3341, whose results are known without a meter.

import Testing

@testable import Analysis

#if canImport(Glibc)
  import Glibc
#endif

struct LoudnessMeterTests {
  /// A stereo sine of 1 kHz; `level` in dB below full scale.
  private func measure(_ tones: [(level: Double, seconds: Double)]) -> Double? {
    var meter = LoudnessMeter()
    // 48 frames are one period, so that one period repeated is the tone.
    for tone in tones {
      let amplitude = 32_768 * pow(10, tone.level / 20)
      let period = (0..<96).map { index in
        Int16((amplitude * sin(2 * .pi * Double(index / 2) / 48)).rounded())
      }
      let tenth = Array(repeatElement(period, count: 100).joined())
      for _ in 0..<Int((tone.seconds * 10).rounded()) { meter.append(tenth) }
    }
    return meter.integrated()
  }

  // EBU Tech 3341, table 1: minimum requirements 1 to 5, each within 0.1 LU. The times of 3 to 5
  // are a fifth of the original's, which changes nothing in what the gates let through.
  @Test(
    arguments: [
      ([(-23, 4)], -23.0),
      ([(-33, 4)], -33.0),
      ([(-36, 2), (-23, 12), (-36, 2)], -23.0),
      ([(-72, 2), (-36, 2), (-23, 12), (-36, 2), (-72, 2)], -23.0),
      ([(-26, 4), (-20, 4), (-26, 4)], -23.0),
    ] as [([(Double, Double)], Double)])
  func `the loudness of an EBU test tone has its specified value`(
    tones: [(Double, Double)], loudness: Double
  ) throws {
    let measured = try #require(measure(tones.map { (level: $0.0, seconds: $0.1) }))
    #expect(abs(measured - loudness) <= 0.1, "\(measured)")
  }

  @Test func `silence and almost silence have no loudness`() {
    #expect(measure([(-200, 1)]) == nil)
    #expect(measure([(-75, 1)]) == nil)
  }

  @Test func `less than one block of 400 ms has no loudness`() {
    #expect(measure([(-20, 0.3)]) == nil)
    #expect(measure([(-20, 0.4)]) != nil)
  }

  @Test func `the result does not depend on the piece size`() {
    let samples = (0..<96_000).map { Int16(truncatingIfNeeded: ($0 &* 31) % 9_000) }
    var whole = LoudnessMeter()
    whole.append(samples)
    var pieces = LoudnessMeter()
    for start in stride(from: 0, to: samples.count, by: 2_002) {
      pieces.append(Array(samples[start..<min(start + 2_002, samples.count)]))
    }
    #expect(pieces.integrated() == whole.integrated())
  }
}
