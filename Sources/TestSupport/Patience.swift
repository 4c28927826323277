// How tests wait for what happens on other threads.

import Dispatch
import Glibc

/// The one limit of all waiting. What comes, comes long before, on a busy machine too; it only ends a test that has
/// failed.
public enum Patience {
  /// The limit in seconds.
  public static let seconds = 60
}

extension DispatchSemaphore {
  /// Waits for a signal; false if none comes.
  public func comes() -> Bool {
    wait(timeout: .now() + .seconds(Patience.seconds)) == .success
  }
}

/// Waits until a condition holds that nothing announces; false if it never does.
public func eventually(_ holds: () throws -> Bool) rethrows -> Bool {
  let end = DispatchTime.now() + .seconds(Patience.seconds)
  while DispatchTime.now() < end {
    if try holds() { return true }
    usleep(5_000)
  }
  return try holds()
}
