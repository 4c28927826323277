// The job that restores an uploaded backup while the server runs.

import Database
import FoundationEssentials
import Media
import Model

/// Builds the restored library beside the one in use. The backup is stored under the job's id.
struct RestoreJob: JobDefinition {
  static let kind = "restore"

  let library: Library
  /// Called when the restored library is ready to be opened.
  let onReplaced: @Sendable () -> Void

  func run(_ job: Job<NoParameters>, _ context: JobContext) throws -> [Library.Edit] {
    let folder = library.folder
    let backup = folder.tmp + "/" + Restores.uploadName(ofRestore: job.id)
    guard FileManager.default.fileExists(atPath: backup) else {
      throw LibraryError(
        .gone, "The server stopped before the restore was done. Nothing was changed.")
    }
    let restore = LibraryRestore(folder: folder)
    let summary = try restore.prepare(
      backup: backup, job: job.id, progress: { context.report($0) },
      isCancelled: { context.shouldStop })
    library.log.info(
      "restore.prepared",
      [
        "routines": .integer(summary.routines), "tracks": .integer(summary.tracks),
        "missing": summary.lost.isEmpty ? nil : .integer(summary.lost.count),
      ])
    do {
      // The restored library takes the links over from the database.
      try library.links.save()
    } catch {
      library.log.error("links.unsaved", error)
    }
    library.database.setReadOnly()
    do {
      try restore.commit(
        summary, shutOut: library.devices.unremoved, revoked: library.links.unremoved)
    } catch {
      library.database.setReadOnly(false)
      throw error
    }
    onReplaced()
    throw JobSuperseded()
  }

  func cleanUp(_ job: Job<NoParameters>, after end: JobRow.State) throws {
    try library.folder.removeTemporary(Restores.uploadName(ofRestore: job.id))
  }
}
