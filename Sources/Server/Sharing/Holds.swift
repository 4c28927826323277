// Which blobs this server needs, for the keeper among the servers that share the library.

import Database
import Dispatch
import FoundationEssentials
import Glibc
import Logging
import Storage
import Synchronization
import Timing

/// Writes down in the database which blobs this server is about to refer to, or to back up.
final class Holds: BlobHolds {
  /// How long a server that needs a blob waits for its deletion, which takes one request, in milliseconds.
  private static let patience = 5_000

  private let store: DeletionStore
  private let server: Int
  private let log: Logger
  private let timers: any Timers
  /// What is over, but not yet in the database.
  private let ended = Mutex<[String]>([])
  private let queue = DispatchQueue(label: "segmance.holds")

  init(_ store: DeletionStore, server: Int, log: Logger, timers: any Timers) {
    self.store = store
    self.server = server
    self.log = log
    self.timers = timers
  }

  func hold(_ sha256: String) throws -> any BlobHold {
    let id = UUID().uuidString
    let end = ContinuousClock.now + .milliseconds(timers.patience(Holds.patience))
    while try !store.hold(id, sha256, at: server).isEmpty {
      guard ContinuousClock.now < end else {
        throw LibraryError(
          .busy(retryAfterSeconds: 10),
          "The same file is just being removed. Try again in a moment.")
      }
      // The deletion is another server's, which says nothing when it is over.
      usleep(100_000)
    }
    return Hold(id: id, holds: self)
  }

  func holdAll() throws -> (hold: any BlobHold, leaving: [String]) {
    let id = UUID().uuidString
    let leaving = try store.hold(id, nil, at: server)
    return (Hold(id: id, holds: self), leaving)
  }

  private func end(_ id: String) {
    ended.withLock { $0.append(id) }
    queue.async { [self] in
      let ids = ended.withLock { $0 }
      guard !ids.isEmpty else { return }
      do {
        try store.release(ids)
        ended.withLock { $0.removeAll(where: Set(ids).contains) }
      } catch {
        // The next one that ends tries again; if this server ends, it holds nothing any more.
        log.error("holds.unreleased", error)
      }
    }
  }

  private final class Hold: BlobHold {
    let id: String
    let holds: Holds

    init(id: String, holds: Holds) {
      self.id = id
      self.holds = holds
    }

    deinit { holds.end(id) }
  }
}
