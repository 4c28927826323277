// Backups of an open library: streamed to who asks, or written to a folder by a job.

import Database
import FoundationEssentials
import HTTP
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

extension Library {
  static let backupKind = "backup"

  /// The backups of the plan; nil: there is none. A restored library has the lineage of the one that
  /// was backed up, and goes on with them.
  var backups: BackupFolder? {
    backupPlan.map { BackupFolder(path: $0.path, library: String(database.identity.prefix(8))) }
  }

  /// How many backups may be streamed at once.
  private static let streamLimit = 2

  /// Begins a backup that is written while it is sent.
  func streamBackup() throws -> Response {
    guard streamedBackups.begin(limit: Library.streamLimit) else {
      throw HTTPError.unavailable(
        "Two backups are being downloaded already. Try again when one is done.",
        retryAfterSeconds: 30)
    }
    let prepared: PreparedBackup
    do {
      prepared = try prepareForSending()
    } catch {
      streamedBackups.end()
      throw error
    }
    let stream = ByteStream { [log, health] stream in
      let damaged = try prepared.writer.write(to: { try stream.write($0) }).count
      let lost = prepared.missing.count
      health.set(
        .download,
        Self.remark(on: "last downloaded backup", lost, damaged, older: "an older backup"))
      log.info("backup.sent", Self.figures(of: prepared, damaged: damaged))
    } end: { [streamedBackups, log] failure in
      streamedBackups.end()
      do {
        try prepared.remove()
        if let failure { throw failure }
      } catch is ByteStream.ReaderIsGone {
        log.warning("backup.brokenOff")
      } catch {
        log.error("backup.unsent", error)
      }
    }
    return .stream(
      stream, length: prepared.length, contentType: "application/x-tar",
      downloadName: "segmance-\(FileTime.text(Library.now() / 1000)).tar")
  }

  /// Takes the moment for a download. What is sent can't be read back: the database is looked over
  /// before.
  private func prepareForSending() throws -> PreparedBackup {
    let prepared = try PreparedBackup(database: database, folder: folder)
    do {
      try prepared.checkDatabase()
      return prepared
    } catch {
      try prepared.remove()
      guard let error = error as? StorageError, error.code == .corrupt else { throw error }
      health.set(.download, "No backup could be downloaded: \(error.message)")
      throw HTTPError(500, detail: error.message, cause: error)
    }
  }

  /// Queues a backup to the folder of the plan and returns the job; the one at work, if there is one.
  func addBackup() throws -> String {
    guard backupPlan != nil else {
      throw HTTPError.conflict("No folder for backups is set. Start Segmance with --backup-dir.")
    }
    return try mediaLock.withLock { _ in
      if let job = try jobs.unfinished().first(where: { $0.kind == Library.backupKind }) {
        return job.id
      }
      let job = JobRow(
        id: Identifier.make(milliseconds: Library.now()), kind: Library.backupKind, subject: "")
      try jobs.write { writer throws(DatabaseError) in try writer.add(job, now: Library.now()) }
      return job.id
    }
  }

  /// The job that writes a backup to the folder, verifies it, and forgets the oldest.
  var backupJob: JobKind {
    JobKind(
      perform: { [self] _, context in
        guard let plan = backupPlan, let backups else {
          throw JobProblem("No folder for backups is set any more.")
        }
        try backups.prepare()
        let begun = Library.now() / 1000
        let prepared = try PreparedBackup(
          database: database, folder: folder, isCancelled: { context.isCancelled })
        let path = backups.newPath(at: begun)
        let incompletePath = BackupFolder.incompletePath(path)
        let damaged: Int
        do {
          damaged = try prepared.write(
            to: path, orIncompleteTo: incompletePath, progress: { context.report($0) },
            isCancelled: { context.isCancelled }
          ).count
          try prepared.remove()
        } catch {
          try prepared.remove()
          throw error
        }
        let lost = prepared.missing.count
        // Only now, when the new one is whole.
        let complete = try backups.keepLast(
          plan.keep, written: lost + damaged > 0 ? incompletePath : path,
          now: Library.now() / 1000, spacing: plan.spacingSeconds)
        log.info("backup.written", Self.figures(of: prepared, damaged: damaged))
        let older = complete.map { "the one of \(FileTime.shown($0.createdAt)), which is kept" }
        if let remark = Self.remark(
          on: "last backup", lost, damaged, older: older ?? "an older backup")
        {
          context.remark(remark)
        }
        return []
      },
      abandon: { _, _ in [] },
      afterwards: { _, _ in },
      tell: { [health] job in
        guard job.state != .cancelled else { return }
        let problem = Library.problem(ofBackup: job)
        health.set(.backup, problem)
        // A whole one that lies there makes good what a download lacked.
        if problem == nil { health.set(.download, nil) }
      })
  }

  /// What the log says of a backup.
  private static func figures(
    of backup: PreparedBackup, damaged: Int
  ) -> KeyValuePairs<StaticString, LogEvent.Value?> {
    let lost = backup.missing.count
    return [
      "bytes": backup.length.map { .integer($0) }, "missing": lost > 0 ? .integer(lost) : nil,
      "damaged": damaged > 0 ? .integer(damaged) : nil,
    ]
  }

  /// What a person is told of a backup that lacks so many files; nil when it lacks none.
  private static func remark(
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
  func backupStatus() throws -> BackupStatus {
    let media = try records.present(.track) + records.present(.video)
    let blobs = media.reduce(0) { $0 + ($1["size"].integer ?? 0) }
    let bytes = try blobs + folder.databaseBytes()
    guard let plan = backupPlan, let backups else {
      return BackupStatus(bytes: bytes, scheduled: nil)
    }
    let stored = try backups.all()
    let last = stored.latest(by: Library.now() / 1000)
    let latest = try jobs.latest(ofKind: Library.backupKind)
    var problem = latest?.state == .failed ? latest?.message : nil
    if !backups.isPresent { problem = BackupFolder.away.message }
    return BackupStatus(
      bytes: bytes,
      scheduled: BackupStatus.Scheduled(
        folder: plan.path, everyHours: plan.everyHours, keep: plan.keep,
        lastAt: last.map { $0.createdAt * 1000 }, lastBytes: last?.size,
        count: stored.count, problem: problem,
        job: latest.flatMap { $0.state.isFinal ? nil : $0.id }))
  }

  /// Whether the plan wants a backup now, so many seconds after the last attempt.
  func isBackupDue(secondsSinceAttempt: Int) throws -> Bool {
    guard let backups, let hours = backupPlan?.everyHours else { return false }
    guard backups.isPresent else { throw BackupFolder.away }
    let interval = hours * 3600
    let now = Library.now() / 1000
    let last = try backups.all().latest(by: now)?.createdAt ?? 0
    // One that failed is tried again in an hour.
    return now - last >= interval && secondsSinceAttempt >= min(interval, 3600)
  }

  /// Makes the folder of the plan. One that is away, with its disk, takes no studio down.
  func makeBackupFolder() {
    do {
      try backups?.make()
    } catch {
      noteUnbegun(error)
    }
  }

  /// Queues a backup if the plan wants one now, and returns its job. What keeps it from looking is
  /// in health until it has looked.
  func addDueBackup(secondsSinceAttempt: Int) -> String? {
    do {
      let job = try isBackupDue(secondsSinceAttempt: secondsSinceAttempt) ? addBackup() : nil
      health.set(.schedule, nil)
      return job
    } catch {
      noteUnbegun(error)
      return nil
    }
  }

  /// Says why no backup can be begun, to the log only once: it is tried every minute.
  private func noteUnbegun(_ error: any Error) {
    let reason = (error as? StorageError)?.message ?? "The server's log says why."
    if health.set(.schedule, "No backup can be begun: \(reason)") {
      log.error("backup.notBegun", error)
    }
  }

  /// Tells health what was wrong with the last backup of an earlier run.
  func recallBackup() throws {
    guard backupPlan != nil, let latest = try jobs.latest(ofKind: Library.backupKind) else {
      return
    }
    health.set(.backup, Library.problem(ofBackup: latest))
  }

  private static func files(_ count: Int) -> String {
    count == 1 ? "one file" : "\(count) files"
  }

  private static func problem(ofBackup job: JobRow) -> String? {
    switch job.state {
    case .failed: "The last backup failed: \(job.message ?? "")"
    case .done: job.message
    case .queued, .running, .cancelled: nil
    }
  }
}
