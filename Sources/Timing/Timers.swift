// The timers of everything that does something again and again, or later. They come from outside, so that a test
// can turn them by hand.

import Dispatch

#if canImport(Glibc)
  import Glibc
#endif

/// Runs work later. Servers take `SystemTimers`, tests a clock that stands until they turn it.
public protocol Timers: Sendable {
  /// Milliseconds since the machine's start, also while it slept.
  var uptime: Int { get }

  /// Runs `work` on `queue` after so many milliseconds.
  func after(
    _ milliseconds: Int, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void)

  /// Returns for how many milliseconds to wait for somebody else who usually takes at most `milliseconds`. Where
  /// the clock stands such a limit never comes, but a test has to end.
  func patience(_ milliseconds: Int) -> Int
}

/// The timers of the system.
public struct SystemTimers: Timers {
  /// Makes the timers.
  public init() {}

  public var uptime: Int {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
  }

  public func after(
    _ milliseconds: Int, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void
  ) {
    queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: work)
  }

  public func patience(_ milliseconds: Int) -> Int { milliseconds }
}
