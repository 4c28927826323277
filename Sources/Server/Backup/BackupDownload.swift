// A backup that is streamed to a client while it is written.

import Logging
import Storage

/// A backup for one download. Call `end` afterwards.
struct BackupDownload: Sendable {
  /// Why a download ended early.
  enum Failure {
    /// The client closed the connection.
    case aborted
    case failed(any Error)
  }

  /// The suggested file name.
  let name = "segmance-\(FileTimestamp.text(Library.now() / 1000)).tar"
  private let snapshot: BackupSnapshot
  // The library is not stored here, so that a running download does not keep a replaced library
  // open.
  private let health: Health
  private let log: Logger
  private let limit: ConcurrencyLimit

  fileprivate init(library: Library, snapshot: BackupSnapshot) {
    health = library.health
    log = library.log
    limit = library.streamedBackups
    self.snapshot = snapshot
  }

  /// The length in bytes, if known.
  var length: Int? { snapshot.length }

  /// Writes the whole backup.
  func write(to sink: (UnsafeRawBufferPointer) throws -> Void) throws {
    let damaged = try snapshot.writer.write(to: sink).count
    health.set(
      .download,
      Backups.note(
        on: "last downloaded backup", snapshot.missing.count, damaged, older: "an older backup"))
    log.info("backup.sent", Backups.figures(of: snapshot, damaged: damaged))
  }

  /// Removes its temporary files. `failure` is nil if the backup was sent completely, or never
  /// begun.
  func end(_ failure: Failure?) {
    limit.end()
    do {
      try snapshot.remove()
      switch failure {
      case nil: break
      case .aborted: log.warning("backup.brokenOff")
      case .failed(let error): throw error
      }
    } catch {
      log.error("backup.unsent", error)
    }
  }
}

extension Backups {
  /// The maximum number of concurrent downloads.
  private static let downloadLimit = 2

  /// Begins a download.
  func download() throws -> BackupDownload {
    guard library.streamedBackups.begin(limit: Backups.downloadLimit) else {
      throw LibraryError(
        .busy(retryAfterSeconds: 30),
        "Two backups are being downloaded already. Try again when one is done.")
    }
    do {
      return BackupDownload(library: library, snapshot: try snapshotForSending())
    } catch {
      library.streamedBackups.end()
      throw error
    }
  }

  /// Takes a snapshot and checks its database first, because a streamed backup cannot be read back
  /// and verified.
  private func snapshotForSending() throws -> BackupSnapshot {
    let snapshot = try BackupSnapshot(database: library.database, blobs: library.blobs)
    do {
      try snapshot.checkDatabase()
      return snapshot
    } catch {
      try snapshot.remove()
      guard let error = error as? StorageError, error.code == .corrupt else { throw error }
      library.health.set(.download, "No backup could be downloaded: \(error.message)")
      throw LibraryError(.damaged, error.message, cause: error)
    }
  }
}
