// Somebody who taps along with clicks, as well as people do.

import Foundation
import TestSupport

@testable import Practice

/// A tapper of known latency: with noise that runs on from tap to tap, missed, double and stray taps.
struct SimulatedTapper {
  var latencySeconds: Double
  var deviationSeconds: Double
  /// How much a tap resembles the one before.
  var correlation = 0.25
  var missedShare = 0.05
  var doubleShare = 0.04
  var strayShare = 0.04

  /// Returns the estimate at the end of a measurement, which is as long as the estimates make it.
  func measure(_ generator: inout SeededGenerator, reportedSeconds: Double = 0) -> LatencyEstimate {
    let measurement = TapLatency(firstClickSeconds: 3.25, reportedSeconds: reportedSeconds)
    let taps = self.taps(&generator, from: measurement.firstClickSeconds)
    var clicks = TapLatency.leastClicks
    while true {
      let now = measurement.firstClickSeconds + Double(clicks) * TapLatency.periodSeconds
      let estimate = measurement.estimate(taps: taps.filter { $0 < now + latencySeconds })
      if TapLatency.isOver(clicks: clicks, certainty: estimate.certainty) { return estimate }
      clicks += 1
    }
  }

  /// Returns the times of taps at all clicks that may be played. The clock tells whole milliseconds.
  private func taps(_ generator: inout SeededGenerator, from first: Double) -> [Double] {
    var taps: [Double] = []
    var noise = Gaussian.next(&generator)
    // The first clicks are only heard; the first taps seek the pulse.
    let silent = Int.random(in: 1...4, using: &generator)
    for click in silent..<TapLatency.mostClicks {
      noise =
        correlation * noise + (1 - correlation * correlation).squareRoot()
        * Gaussian.next(&generator)
      let seeking = click < silent + 2 ? 2.0 : 1.0
      if Double.random(in: 0..<1, using: &generator) < missedShare { continue }
      var tap =
        first + Double(click) * TapLatency.periodSeconds + latencySeconds
        + seeking * deviationSeconds * noise
      if Double.random(in: 0..<1, using: &generator) < strayShare {
        tap += Double.random(in: -0.2...0.2, using: &generator)
      }
      taps.append((tap * 1000).rounded() / 1000)
      if Double.random(in: 0..<1, using: &generator) < doubleShare {
        taps.append(tap + Double.random(in: 0.03...0.11, using: &generator))
      }
    }
    return taps
  }
}

/// Normal noise.
enum Gaussian {
  /// Returns a number of mean 0 and deviation 1 (Box and Muller 1958).
  static func next(_ generator: inout SeededGenerator) -> Double {
    let radius = (-2 * log(1 - Double.random(in: 0..<1, using: &generator))).squareRoot()
    return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &generator))
  }
}
