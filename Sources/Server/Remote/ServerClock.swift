// The clock that pages agree on to play together.

import FoundationEssentials

/// Tells the time in milliseconds, with fractions, which neither jumps nor goes back while the server runs:
/// the wall clock of its start, and the steady time since.
struct ServerClock: Sendable {
  private let start = ContinuousClock.now
  private let startMilliseconds = Date().timeIntervalSince1970 * 1_000

  /// The time now.
  var now: Double { startMilliseconds + (ContinuousClock.now - start) / .milliseconds(1) }
}
