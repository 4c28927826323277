// The lock of the library's media, here and in all servers that share the library.

import Database
import Locking

/// Is held while blobs gain their first reference or lose their last, so that nothing is removed that a record
/// is about to reference.
final class MediaLock: Sendable {
  private let mutex = OrderedMutex(.media, ())
  private let sharing: Sharing?

  /// `sharing` is nil where one server has the library alone.
  init(_ sharing: Sharing?) { self.sharing = sharing }

  /// Whether no thread of this server holds the lock at the moment.
  var isFree: Bool { mutex.withLockIfAvailable { _ in true } ?? false }

  /// Runs `body` while nobody else holds the lock.
  func withLock<Result: Sendable>(_ body: () throws -> Result) throws -> Result {
    guard let sharing else { return try mutex.withLock { _ in try body() } }
    return try sharing.edit(.media) { try mutex.withLock { _ in try body() } }
  }
}
