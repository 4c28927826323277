// Why writes that wait behind one that stood still fail with it.

import Synchronization

/// Remembers a write for which the database took long and then failed. Those that have waited behind it fail
/// like it, and so do those that come right after: each of them would take as long again, one after another, so
/// that the last of many would be answered after minutes.
final class Standstill: Sendable {
  typealias Instant = ContinuousClock.Instant

  /// The shortest time that a write took that counts as one that stood still.
  static let least = Duration.seconds(10)
  /// How long after its failure others still fail like it. Until then those that hold other locks while they
  /// wait for their turn had it.
  static let after = Duration.seconds(1)

  private let last = Mutex<(error: DatabaseError, until: Instant)?>(nil)

  /// Throws the error of a write that stood still, if another one that came at `arrival` waited behind it or
  /// came right after.
  func check(_ arrival: Instant) throws(DatabaseError) {
    if let last = last.withLock({ $0 }), arrival < last.until { throw last.error }
  }

  /// Notes that a write failed that began at `start`.
  func note(_ error: DatabaseError, from start: Instant, to end: Instant = .now) {
    guard error.code == .busy || error.code == .unreachable, end - start >= Standstill.least
    else { return }
    last.withLock { $0 = (error, end + Standstill.after) }
  }
}
