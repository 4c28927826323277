// Restoring while the server runs: the restored library is made beside the one in use; when it is
// whole, no more changes are taken and the server starts anew with it.

import Database
import FoundationEssentials
import Model
import Storage

/// Restores of a library while the server runs.
struct Restores: Sendable {
  private let library: Library

  init(library: Library) { self.library = library }

  /// Where the uploaded backup of a restore lies, under `tmp`.
  static func uploadName(ofRestore job: String) -> String { "restore-\(job).tar" }

  /// Begins to take a backup that is to be restored.
  func begin(length: Int?) throws -> IncomingBackup {
    if let length { try library.quota.requireDisk(for: length) }
    return try IncomingBackup(library: library)
  }

  /// Queues the restore of a backup that has come completely.
  func add(_ job: String) throws {
    let row = try RestoreJob.row(id: job, NoParameters())
    // Under the lock, so that of two at once one is refused.
    try library.mediaLock.withLock { _ in
      guard try !library.jobs.unfinished().contains(where: { $0.kind == RestoreJob.kind }) else {
        throw LibraryError(.conflict, "A backup is being restored already. Wait until it is done.")
      }
      try library.add(row)
    }
  }
}

/// A backup that is being received. Without `finish` it leaves no file.
final class IncomingBackup {
  private let library: Library
  private let job: String
  private let name: String
  private let file: IncomingFile
  /// Whether the file belongs to the job.
  private var isHandedOver = false

  fileprivate init(library: Library) throws {
    self.library = library
    job = Identifier.make(milliseconds: Library.now())
    name = Restores.uploadName(ofRestore: job)
    file = try library.folder.makeTemporary(name)
  }

  deinit { abort() }

  /// Adds bytes.
  func write(_ bytes: UnsafeRawBufferPointer) throws { try file.write(bytes) }

  /// Queues the restore of the complete file and returns the job. A file that is no backup is refused
  /// at once.
  func finish() throws -> String {
    do {
      try file.finish()
      _ = try BackupReader(path: file.path).manifest()
      try library.restores.add(job)
      isHandedOver = true
      return job
    } catch {
      abort()
      throw error
    }
  }

  /// Removes the file, unless it belongs to the job.
  func abort() {
    if isHandedOver { return }
    do {
      try library.folder.removeTemporary(name)
    } catch {
      // It stays under tmp, which the next start empties.
    }
  }
}
