// How often something may be tried.

import Synchronization

/// Counts attempts by key, in windows of a fixed length. Threads: any.
final class RateLimit: Sendable {
  private struct Window {
    let start: Int
    var count = 0
  }

  /// Keys that are remembered at once; past windows are forgotten first.
  private static let keyLimit = 10_000
  private let limit: Int
  private let milliseconds: Int
  private let now: @Sendable () -> Int
  private let windows = Mutex<[String: Window]>([:])

  /// Allows `limit` attempts of a key in so many milliseconds.
  init(_ limit: Int, per milliseconds: Int, now: @escaping @Sendable () -> Int) {
    self.limit = limit
    self.milliseconds = milliseconds
    self.now = now
  }

  /// Counts an attempt; throws `tooOften` when there were too many.
  func take(_ key: String, _ sentence: String) throws(LibraryError) {
    let time = now()
    let wait: Int? = windows.withLock { windows in
      if windows.count >= RateLimit.keyLimit {
        windows = windows.filter { time - $0.value.start < milliseconds }
        if windows.count >= RateLimit.keyLimit { return milliseconds }
      }
      var window = windows[key] ?? Window(start: time)
      // A clock that was set back must not lock anybody out.
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

  /// Takes an attempt back that turned out to be right.
  func refund(_ key: String) {
    windows.withLock { windows in windows[key]?.count -= 1 }
  }
}
