// Backups of an open library: streamed to a client, or written to a folder by a job.

import Database
import FoundationEssentials
import Logging
import Model
import Storage

/// The backup schedule.
public struct BackupPlan: Sendable {
  /// The folder for the backups.
  public var path: String
  /// The interval in hours; nil means only on request.
  public var everyHours: Int?
  /// The number of backups to keep.
  public var keep: Int

  /// Backups closer together than this were made on request between scheduled ones. They are
  /// deleted first.
  var spacingSeconds: Int { (everyHours ?? 24) * 3600 / 2 }

  public init(path: String, everyHours: Int?, keep: Int) {
    self.path = path
    self.everyHours = everyHours
    self.keep = keep
  }
}

/// The state of the backups in the settings.
struct BackupStatus: Encodable {
  struct Scheduled: Encodable {
    var folder: String
    var everyHours: Int?
    var keep: Int
    /// The start time of the last backup, in milliseconds since 1970.
    var lastAt: Int?
    var lastBytes: Int?
    var count: Int
    /// The reason if the last attempt failed.
    var problem: String?
    /// The job that is writing a backup now.
    var job: String?
  }

  /// The approximate size of a backup now.
  var bytes: Int
  var scheduled: Scheduled?
}

/// The backups of a library.
struct Backups: Sendable {
  let library: Library

  init(library: Library) { self.library = library }

  /// The backup schedule; nil for none.
  var plan: BackupPlan? { library.backupPlan }

  /// The folder of the plan's backups; nil without a plan. A restored library has the lineage of
  /// the library that was backed up, and continues its series of backups.
  var destination: BackupFolder? {
    plan.map { BackupFolder(path: $0.path, library: String(library.database.identity.prefix(8))) }
  }

  /// Queues a backup to the plan's folder and returns the job. Returns the existing job if one is
  /// in progress.
  func add() throws -> String {
    guard plan != nil else {
      throw LibraryError(
        .conflict, "No folder for backups is set. Start Segmance with --backup-dir.")
    }
    return try library.mediaLock.withLock {
      if let job = try library.jobs.unfinished().first(where: { $0.kind == BackupJob.kind }) {
        library.jobQueue.add(job)
        return job.id
      }
      let job = try BackupJob.row(NoParameters())
      try library.add(job)
      return job.id
    }
  }

  /// The log fields of a backup.
  static func figures(
    of backup: BackupSnapshot, damaged: Int
  ) -> KeyValuePairs<StaticString, LogRecord.Value?> {
    let lost = backup.missing.count
    return [
      "bytes": backup.length.map { .integer($0) }, "missing": lost > 0 ? .integer(lost) : nil,
      "damaged": damaged > 0 ? .integer(damaged) : nil,
    ]
  }

  /// The message for a backup that lacks this many files; nil for none.
  static func note(
    on backup: String, _ lost: Int, _ damaged: Int, older: String
  ) -> String? {
    if lost > 0 {
      return
        "The \(backup) lacks \(files(lost)) that the library lost. “segmance check” names what "
        + "is lost; add it again, or restore \(older)."
    }
    if damaged > 0 {
      return
        "In the library, and so in the \(backup), \(files(damaged)) can’t be used any more: the "
        + "disk damaged what it held. “segmance check” names it; add it again, or restore \(older)."
    }
    return nil
  }

  /// Returns the state of the backups.
  func status() throws -> BackupStatus {
    let blobs = try library.records.presentMedia().reduce(0) { $0 + ($1.size ?? 0) }
    let bytes = try blobs + library.database.bytes()
    guard let plan, let destination else {
      return BackupStatus(bytes: bytes, scheduled: nil)
    }
    let stored = try destination.all()
    let last = stored.latest(by: Library.now() / 1000)
    let latest = try library.jobs.latest(ofKind: BackupJob.kind)
    var problem = latest?.state == .failed ? latest?.message : nil
    if !destination.isPresent { problem = BackupFolder.away.message }
    return BackupStatus(
      bytes: bytes,
      scheduled: BackupStatus.Scheduled(
        folder: plan.path, everyHours: plan.everyHours, keep: plan.keep,
        lastAt: last.map { $0.createdAt * 1000 }, lastBytes: last?.size,
        count: stored.count, problem: problem,
        job: latest.flatMap { $0.state.isFinal ? nil : $0.id }))
  }

  /// Whether a scheduled backup is due, given the seconds since the last attempt.
  func isDue(secondsSinceAttempt: Int) throws -> Bool {
    guard let destination, let hours = plan?.everyHours else { return false }
    guard destination.isPresent else { throw BackupFolder.away }
    let interval = hours * 3600
    let now = Library.now() / 1000
    let last = try destination.all().latest(by: now)?.createdAt ?? 0
    // A failed backup is tried again after an hour.
    return now - last >= interval && secondsSinceAttempt >= min(interval, 3600)
  }

  /// Makes the plan's folder. If its disk is missing, the server still starts.
  func makeFolder() {
    do {
      try destination?.make()
    } catch {
      noteUnbegun(error)
    }
  }

  /// Queues a backup if one is due, and returns its job. A failed check is reported in health until
  /// a check succeeds.
  func addDue(secondsSinceAttempt: Int) -> String? {
    do {
      let job = try isDue(secondsSinceAttempt: secondsSinceAttempt) ? add() : nil
      library.health.set(.schedule, nil)
      return job
    } catch {
      noteUnbegun(error)
      return nil
    }
  }

  /// Reports why no backup could begin. It is logged only once, because it is tried every minute.
  private func noteUnbegun(_ error: any Error) {
    let reason = (error as? StorageError)?.message ?? "The server's log says why."
    if library.health.set(.schedule, "No backup can be begun: \(reason)") {
      library.log.error("backup.notBegun", error)
    }
  }

  /// Restores the problem of the last backup, from an earlier run, to health.
  func recallLast() throws {
    guard plan != nil, let latest = try library.jobs.latest(ofKind: BackupJob.kind) else {
      return
    }
    library.health.set(.backup, Backups.problem(ofBackup: latest))
  }

  private static func files(_ count: Int) -> String {
    count == 1 ? "one file" : "\(count) files"
  }

  /// The problem with an ended backup job; nil if there is none.
  static func problem(ofBackup job: JobRow) -> String? {
    switch job.state {
    case .failed: "The last backup failed: \(job.message ?? "")"
    case .done: job.message
    case .queued, .running, .cancelled: nil
    }
  }
}
