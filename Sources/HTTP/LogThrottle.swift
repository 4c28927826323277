// Keeps one who knocks again and again from filling the log.

import Synchronization

/// Lets the first event of a kind through, and after a minute the next, which tells how many were left
/// out. Threads: any.
final class LogThrottle: Sendable {
  /// What makes two events the same.
  struct Kind: Hashable, Sendable {
    let status: Int
    let method: Method
    let route: String
  }

  private struct Seen {
    var since: Int
    var leftOut = 0
  }

  private static let windowMilliseconds = 60_000
  private let seen = Mutex<[Kind: Seen]>([:])

  /// Returns how many of the kind were left out since the last one that went through; nil: leave this
  /// one out as well. `now` in milliseconds of `Monotonic`.
  func pass(_ kind: Kind, now: Int = Monotonic.milliseconds) -> Int? {
    seen.withLock { seen in
      if var last = seen[kind], now - last.since < LogThrottle.windowMilliseconds {
        last.leftOut += 1
        seen[kind] = last
        return nil
      }
      defer { seen[kind] = Seen(since: now) }
      return seen[kind]?.leftOut ?? 0
    }
  }
}
