// Restoring while the server runs: the restored library is made beside the one in use; when it is
// whole, no more changes are taken and the server starts anew with it.

import Database
import FoundationEssentials
import HTTP
import Media
import Model

/// Restores of a library while the server runs.
struct Restores: Sendable {
  private let library: Library

  init(library: Library) { self.library = library }

  /// Where the uploaded backup of a restore lies, under `tmp`.
  static func uploadName(ofRestore job: String) -> String { "restore-\(job).tar" }

  /// Begins to take a backup that is to be restored.
  func begin(length: Int?) throws -> RestoreSink {
    if let length { try library.quota.requireDisk(for: length) }
    let job = Identifier.make(milliseconds: Library.now())
    return try RestoreSink(
      library: library, job: job, name: Restores.uploadName(ofRestore: job))
  }

  /// Queues the restore of a backup that has come completely.
  func add(_ job: String) throws {
    let row = try RestoreJob.row(id: job, NoParameters())
    // Under the lock, so that of two at once one is refused.
    try library.mediaLock.withLock { _ in
      guard try !library.jobs.unfinished().contains(where: { $0.kind == RestoreJob.kind }) else {
        throw HTTPError.conflict("A backup is being restored already. Wait until it is done.")
      }
      try library.add(row)
    }
  }
}
