// Backups of an open library: streamed to who asks, or written to a folder by a job.

import Database
import FoundationEssentials
import Logging
import Model
import Storage

/// Where and how often backups are written.
public struct BackupPlan: Sendable {
  /// The folder they go to.
  public var path: String
  /// The hours from one to the next; nil: only when somebody asks.
  public var everyHours: Int?
  /// How many are kept.
  public var keep: Int

  /// Backups nearer to each other than this were asked for in between, and make room first.
  var spacingSeconds: Int { (everyHours ?? 24) * 3600 / 2 }

  /// Makes a plan.
  public init(path: String, everyHours: Int?, keep: Int) {
    self.path = path
    self.everyHours = everyHours
    self.keep = keep
  }
}

/// How backups stand, as the settings show it.
struct BackupStatus: Encodable {
  struct Scheduled: Encodable {
    var folder: String
    var everyHours: Int?
    var keep: Int
    /// Of the last one: when it was begun, in milliseconds since 1970.
    var lastAt: Int?
    var lastBytes: Int?
    var count: Int
    /// Why the last attempt failed.
    var problem: String?
    /// The job that is writing one now.
    var job: String?
  }

  /// About how large a backup is now.
  var bytes: Int
  var scheduled: Scheduled?
}

/// The backups of a library.
struct Backups: Sendable {
  let library: Library

  init(library: Library) { self.library = library }

  /// Where backups are written by schedule; nil: nowhere.
  var plan: BackupPlan? { library.backupPlan }

  /// The backups of the plan; nil: there is none. A restored library has the lineage of the one that
  /// was backed up, and goes on with them.
  var destination: BackupFolder? {
    plan.map { BackupFolder(path: $0.path, library: String(library.database.identity.prefix(8))) }
  }

  /// Queues a backup to the folder of the plan and returns the job; the one at work, if there is one.
  func add() throws -> String {
    guard plan != nil else {
      throw LibraryError(
        .conflict, "No folder for backups is set. Start Segmance with --backup-dir.")
    }
    return try library.mediaLock.withLock { _ in
      if let job = try library.jobs.unfinished().first(where: { $0.kind == BackupJob.kind }) {
        library.jobQueue.add(job)
        return job.id
      }
      let job = try BackupJob.row(NoParameters())
      try library.add(job)
      return job.id
    }
  }

  /// What the log says of a backup.
  static func figures(
    of backup: BackupSnapshot, damaged: Int
  ) -> KeyValuePairs<StaticString, LogRecord.Value?> {
    let lost = backup.missing.count
    return [
      "bytes": backup.length.map { .integer($0) }, "missing": lost > 0 ? .integer(lost) : nil,
      "damaged": damaged > 0 ? .integer(damaged) : nil,
    ]
  }

  /// What a person is told of a backup that lacks so many files; nil when it lacks none.
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

  /// Returns how backups stand.
  func status() throws -> BackupStatus {
    let blobs = try library.records.presentMedia().reduce(0) { $0 + ($1.size ?? 0) }
    let bytes = try blobs + library.folder.databaseBytes()
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

  /// Whether the plan wants a backup now, so many seconds after the last attempt.
  func isDue(secondsSinceAttempt: Int) throws -> Bool {
    guard let destination, let hours = plan?.everyHours else { return false }
    guard destination.isPresent else { throw BackupFolder.away }
    let interval = hours * 3600
    let now = Library.now() / 1000
    let last = try destination.all().latest(by: now)?.createdAt ?? 0
    // One that failed is tried again in an hour.
    return now - last >= interval && secondsSinceAttempt >= min(interval, 3600)
  }

  /// Makes the folder of the plan. One that is away, with its disk, takes no studio down.
  func makeFolder() {
    do {
      try destination?.make()
    } catch {
      noteUnbegun(error)
    }
  }

  /// Queues a backup if the plan wants one now, and returns its job. What keeps it from looking is
  /// in health until it has looked.
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

  /// Says why no backup can be begun, to the log only once: it is tried every minute.
  private func noteUnbegun(_ error: any Error) {
    let reason = (error as? StorageError)?.message ?? "The server's log says why."
    if library.health.set(.schedule, "No backup can be begun: \(reason)") {
      library.log.error("backup.notBegun", error)
    }
  }

  /// Tells health what was wrong with the last backup of an earlier run.
  func recallLast() throws {
    guard plan != nil, let latest = try library.jobs.latest(ofKind: BackupJob.kind) else {
      return
    }
    library.health.set(.backup, Backups.problem(ofBackup: latest))
  }

  private static func files(_ count: Int) -> String {
    count == 1 ? "one file" : "\(count) files"
  }

  /// What is wrong with the backup of an ended job; nil: nothing.
  static func problem(ofBackup job: JobRow) -> String? {
    switch job.state {
    case .failed: "The last backup failed: \(job.message ?? "")"
    case .done: job.message
    case .queued, .running, .cancelled: nil
    }
  }
}
