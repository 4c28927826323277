// A limit on the frequency of attempts.

import Synchronization

/// Counts attempts by key, in windows of a fixed length.
final class RateLimit: Sendable {
  private struct Window {
    let start: Int
    var count = 0
  }

  /// The maximum number of stored keys; past windows are removed first.
  private static let keyLimit = 10_000
  private let limit: Int
  private let milliseconds: Int
  private let now: @Sendable () -> Int
  private let windows = Mutex<[String: Window]>([:])

  /// Allows `limit` attempts per key in the given number of milliseconds.
  init(_ limit: Int, per milliseconds: Int, now: @escaping @Sendable () -> Int) {
    self.limit = limit
    self.milliseconds = milliseconds
    self.now = now
  }

  /// Counts an attempt; throws `tooOften` above the limit.
  func take(_ key: String, _ sentence: String) throws(LibraryError) {
    let time = now()
    let wait: Int? = windows.withLock { windows in
      if windows.count >= RateLimit.keyLimit {
        windows = windows.filter { time - $0.value.start < milliseconds }
        if windows.count >= RateLimit.keyLimit { return milliseconds }
      }
      var window = windows[key] ?? Window(start: time)
      // A clock that was set back must not block anybody.
      if !(0..<milliseconds).contains(time - window.start) { window = Window(start: time) }
      guard window.count < limit else { return milliseconds - (time - window.start) }
      window.count += 1
      windows[key] = window
      return nil
    }
    if let wait {
      let seconds = max(1, (wait + 999) / 1000)
      throw LibraryError(.tooOften(retryAfterSeconds: seconds), sentence)
    }
  }

  /// Removes an attempt that succeeded from the count.
  func refund(_ key: String) {
    windows.withLock { windows in windows[key]?.count -= 1 }
  }
}
