// Restores while the server runs: the restored library is built beside the one in use. When it is
// complete, the server takes no more changes and restarts with it.

import Database
import FoundationEssentials
import Model
import Storage

/// Restores of a library while the server runs.
struct Restores: Sendable {
  private let library: Library

  init(library: Library) { self.library = library }

  /// The name of a restore's uploaded backup, under `tmp`.
  static func uploadName(ofRestore job: String) -> String { "restore-\(job).tar" }

  /// Begins to receive a backup to restore.
  func begin(length: Int?) throws -> IncomingBackup {
    // A standby would go on with the library that is to be replaced, while this server starts anew.
    guard !library.hasOtherServers else {
      throw LibraryError(
        .conflict,
        "Other servers may be waiting for this library, so it can't be restored here. Stop all of "
          + "them, and start one without --standby or --shared.")
    }
    if let length { try library.quota.requireDisk(for: length) }
    return try IncomingBackup(library: library)
  }

  /// Queues the restore of a completely received backup.
  func add(_ job: String) throws {
    let row = try RestoreJob.row(id: job, NoParameters())
    // The lock makes one of two concurrent restores fail.
    try library.mediaLock.withLock {
      guard try !library.jobs.unfinished().contains(where: { $0.kind == RestoreJob.kind }) else {
        throw LibraryError(.conflict, "A backup is being restored already. Wait until it is done.")
      }
      try library.add(row)
    }
  }
}

/// A backup that is being received. Unless `finish` is called, its file is removed.
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

  /// Appends bytes.
  func write(_ bytes: UnsafeRawBufferPointer) throws { try file.write(bytes) }

  /// Queues the restore of the complete file and returns the job. A file that is not a backup is
  /// rejected at once.
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
      // The file stays under `tmp`, which the next start empties.
    }
  }
}
