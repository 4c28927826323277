// The job that writes a scheduled or requested backup to the plan's folder.

import Database
import Media
import Model
import Storage

/// Writes a backup, verifies it and deletes the oldest ones.
struct BackupJob: JobDefinition {
  static let kind = "backup"

  let library: Library

  func run(_ job: Job<NoParameters>, _ context: JobContext) throws -> [Library.Edit] {
    guard let plan = library.backups.plan, let backups = library.backups.destination else {
      throw LibraryError(.conflict, "No folder for backups is set any more.")
    }
    try backups.prepare()
    let begun = Library.now() / 1000
    let prepared = try BackupSnapshot(
      database: library.database, blobs: library.blobs, isCancelled: { context.shouldStop })
    let path = backups.newPath(at: begun)
    let incompletePath = BackupFolder.incompletePath(path)
    let damaged: Int
    do {
      damaged = try prepared.write(
        to: path, orIncompleteTo: incompletePath, progress: { context.report($0) },
        isCancelled: { context.shouldStop }
      ).count
      try prepared.remove()
    } catch {
      try prepared.remove()
      throw error
    }
    let lost = prepared.missing.count
    // Old backups are deleted only after the new one is verified.
    let complete = try backups.keepLast(
      plan.keep, written: lost + damaged > 0 ? incompletePath : path,
      now: Library.now() / 1000, spacing: plan.spacingSeconds)
    library.log.info("backup.written", Backups.figures(of: prepared, damaged: damaged))
    let older = complete.map { "the one of \(FileTimestamp.shown($0.createdAt)), which is kept" }
    if let note = Backups.note(on: "last backup", lost, damaged, older: older ?? "an older backup")
    {
      context.note(note)
    }
    return []
  }

  func onEnd(_ row: JobRow) {
    guard row.state != .cancelled else { return }
    let problem = Backups.problem(ofBackup: row)
    library.health.set(.backup, problem)
    // A complete backup resolves an incomplete download.
    if problem == nil { library.health.set(.download, nil) }
  }
}
