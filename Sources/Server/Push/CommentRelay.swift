// Passes comments that came in from a library to its notifier.

import Synchronization

/// Passes the ids of new comments to the connected notifier. Without one, nobody is notified.
final class CommentRelay: Sendable {
  /// Weak, because the notifier holds the library, which holds this relay.
  private struct Connection {
    weak var notifier: Notifier?
  }

  private let connection = Mutex(Connection())

  /// The connected notifier.
  var notifier: Notifier? { connection.withLock { $0.notifier } }

  /// Connects a notifier that hears of all comments from now on.
  func connect(_ notifier: Notifier?) { connection.withLock { $0.notifier = notifier } }

  /// Passes on comments that are in the table. Never blocks.
  func announce(_ comments: [String]) {
    if !comments.isEmpty { notifier?.announce(comments) }
  }
}
