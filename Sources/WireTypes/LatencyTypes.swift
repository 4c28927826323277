// Writes what the page has to know of a latency calibration as TypeScript.

import Practice

/// Returns the constants of the two measurements, and the names of what an estimate says.
func latencyTypes() -> String {
  """

  /** Clicks to tap with: seconds between two, and how many are played at least and at most. */
  export const tapClicks = { periodSeconds: \(TapLatency.periodSeconds), least: \(TapLatency.leastClicks), most: \(TapLatency.mostClicks) } as const;
  /** Chirps for the microphone: their seconds after the first one, and how long the last one is awaited. */
  export const chirps = { offsetsSeconds: \(ClickLatency.offsetsSeconds), longestSeconds: \(ClickLatency.longestSeconds) } as const;
  /** Whether an estimate may be used, by the module's numbers. */
  export const latencyCertainties = [\(names(LatencyEstimate.Certainty.allCases))] as const;
  /** What stands against certainty, by the module's numbers. */
  export const latencyObstacles = [\(names(LatencyEstimate.Obstacle.allCases))] as const;

  """
}

private func names<Case>(_ cases: [Case]) -> String {
  cases.map { "'\($0)'" }.joined(separator: ", ")
}
