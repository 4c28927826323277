// The clock that pages agree on to play together.

import FoundationEssentials
import Synchronization

/// Tells the time in milliseconds, with fractions, which neither jumps nor goes back while the server runs:
/// the wall clock of its start, and the steady time since.
///
/// Servers that share a library measure how far theirs is from the database's clock, as a leader may ask one of
/// them and a follower another. Then it may jump by as much as the measurement was wrong.
final class ServerClock: Sendable {
  /// How many measurements count.
  private static let memory = 6

  private struct State {
    var measured: [(offset: Double, roundTrip: Double)] = []
    var offset = 0.0
  }

  private let start = ContinuousClock.now
  private let startMilliseconds = Date().timeIntervalSince1970 * 1_000
  private let state = Mutex(State())

  /// The time now.
  var now: Double { ownNow + state.withLock { $0.offset } }

  private var ownNow: Double {
    startMilliseconds + (ContinuousClock.now - start) / .milliseconds(1)
  }

  /// Measures how far another clock is, which `read` asks for its time, in milliseconds. Of the last
  /// measurements the one that took the shortest time counts.
  func follow(_ read: () throws -> Double) rethrows {
    let before = ownNow
    let other = try read()
    let after = ownNow
    state.withLock { state in
      state.measured.append((other - (before + after) / 2, after - before))
      state.measured = state.measured.suffix(ServerClock.memory)
      state.offset = state.measured.min { $0.roundTrip < $1.roundTrip }?.offset ?? 0
    }
  }
}
