// One edit at a time, here and in all servers that share the library.

import Database
import Synchronization

/// Is held while people, devices or links are edited, so that memory and the database agree.
final class EditLock: Sendable {
  private let mutex = Mutex(())
  private let topic: SharedLibrary.Topic
  private let sharing: Sharing?

  /// Makes a lock for the edits of a topic. `sharing` is nil where one server has the library alone.
  init(_ topic: SharedLibrary.Topic, _ sharing: Sharing? = nil) {
    (self.topic, self.sharing) = (topic, sharing)
  }

  /// Runs `body` while nobody else edits. What this server has in memory is as new as the database then; when
  /// this returns, what the others have is so, too.
  func withLock<Result: Sendable>(_ body: () throws -> Result) throws -> Result {
    guard let sharing else { return try withLocalLock(body) }
    return try sharing.edit(topic) { try withLocalLock(body) }
  }

  /// Waits until all servers that share the library know what is known here.
  func agree() throws {
    if sharing != nil { try withLock {} }
  }

  /// Runs `body`, which changes or reads again what this server has in memory, while nothing else does.
  func withLocalLock<Result: Sendable>(_ body: () throws -> Result) rethrows -> Result {
    try mutex.withLock { _ in try body() }
  }
}
