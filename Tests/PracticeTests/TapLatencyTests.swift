// Latency from taps: of simulated people whose latency is known.

import Foundation
import TestSupport
import Testing

@testable import Practice

struct TapLatencyTests {
  private let clicks = TapLatency(firstClickSeconds: 2, reportedSeconds: 0)

  private func steady(_ count: Int, latency: Double) -> [Double] {
    (0..<count).map { 2 + latency + Double($0) * TapLatency.periodSeconds }
  }

  @Test(arguments: [0.0, 0.12, 0.25, 0.4])
  func `steady taps give their latency and are sure`(latency: Double) {
    let estimate = clicks.estimate(taps: steady(20, latency: latency))
    #expect(abs(estimate.seconds - latency) < 0.0001)
    #expect(estimate.certainty == .sure)
    #expect(estimate.used == 18)
  }

  @Test func `taps ahead of the click give a negative latency`() {
    let estimate = clicks.estimate(taps: steady(20, latency: -0.03))
    #expect(abs(estimate.seconds + 0.03) < 0.0001)
    #expect(estimate.certainty == .sure)
  }

  @Test func `a stated latency moves the range that taps can mean`() {
    let far = TapLatency(firstClickSeconds: 2, reportedSeconds: 0.5)
    let taps = steady(20, latency: 0.55)
    #expect(abs(far.estimate(taps: taps).seconds - 0.55) < 0.0001)
    #expect(abs(clicks.estimate(taps: taps).seconds - 0.05) < 0.0001)
  }

  @Test func `a double tap counts once and a missed one not at all`() {
    var taps = steady(22, latency: 0.2)
    taps.remove(at: 9)
    taps += taps.prefix(6).map { $0 + 0.06 }
    let estimate = clicks.estimate(taps: taps)
    #expect(abs(estimate.seconds - 0.2) < 0.0001)
    #expect(estimate.used == 19)
  }

  @Test func `few taps give nothing, and some more are not sure`() {
    #expect(clicks.estimate(taps: []).certainty == .none)
    #expect(clicks.estimate(taps: steady(7, latency: 0.1)).obstacle == .tooFew)
    let some = clicks.estimate(taps: steady(10, latency: 0.1))
    #expect(some.certainty == .unsure && some.obstacle == .tooFew)
  }

  @Test func `taps at any time give nothing`() {
    var generator = SeededGenerator(seed: 5)
    var found = 0
    for _ in 0..<200 {
      let taps = (0..<36).map { _ in Double.random(in: 2..<22, using: &generator) }
      if clicks.estimate(taps: taps).certainty == .sure { found += 1 }
    }
    #expect(found == 0)
  }

  @Test func `taps at the end of the range are not sure of their click`() {
    let estimate = clicks.estimate(taps: steady(24, latency: 0.4399))
    #expect(estimate.certainty == .unsure && estimate.obstacle == .ambiguous)
  }

  @Test func `taps that are no numbers change nothing`() {
    let taps = steady(20, latency: 0.1) + [.nan, .infinity, -.infinity]
    #expect(clicks.estimate(taps: taps) == clicks.estimate(taps: steady(20, latency: 0.1)))
    let wild = TapLatency(firstClickSeconds: 1e300, reportedSeconds: .nan)
    _ = wild.estimate(taps: steady(20, latency: 0.1))
  }

  @Test func `a measurement ends after ten seconds when it is sure, else after twenty`() {
    #expect(!TapLatency.isOver(clicks: 19, certainty: .sure))
    #expect(TapLatency.isOver(clicks: 20, certainty: .sure))
    #expect(!TapLatency.isOver(clicks: 20, certainty: .unsure))
    #expect(TapLatency.isOver(clicks: 40, certainty: .none))
  }

  /// The figures stand in docs/BENCHMARKS.md.
  @Test func `what it calls sure is within ten milliseconds in 95 of 100 measurements`() {
    var generator = SeededGenerator(seed: 24)
    var report = ""
    var sure = 0
    var right = 0
    for deviation in [0.015, 0.02, 0.025, 0.03, 0.04] {
      for correlation in [0.0, 0.25, 0.4] {
        let result = Self.tally(deviation, correlation, &generator)
        report +=
          "taps: sd \(Int(deviation * 1000)) ms, correlation \(correlation): sure \(result.sure) of 400, within 10 ms \(result.right), unsure \(result.unsure), of those within the margin \(result.covered)\n"
        sure += result.sure
        right += result.right
      }
    }
    print(report + "taps: sure \(sure) of 6000, within 10 ms \(right)")
    #expect(Double(right) >= 0.95 * Double(sure))
    #expect(sure > 1_500)
  }

  private struct Tally {
    var sure = 0
    var right = 0
    var unsure = 0
    var covered = 0
  }

  private static func tally(
    _ deviation: Double, _ correlation: Double, _ generator: inout SeededGenerator
  ) -> Tally {
    var tally = Tally()
    for _ in 0..<400 {
      let tapper = SimulatedTapper(
        latencySeconds: Double.random(in: 0...0.4, using: &generator),
        deviationSeconds: deviation, correlation: correlation)
      let estimate = tapper.measure(&generator)
      let error = abs(estimate.seconds - tapper.latencySeconds)
      switch estimate.certainty {
      case .none: break
      case .unsure:
        tally.unsure += 1
        if error <= estimate.marginSeconds { tally.covered += 1 }
      case .sure:
        tally.sure += 1
        if error <= LatencyEstimate.aimSeconds { tally.right += 1 }
      }
    }
    return tally
  }
}
