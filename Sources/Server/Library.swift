// One library, open: its folder, its database, its media, and the one way in which anything in it
// is changed.

import Database
import FoundationEssentials
import Glibc
import HTTP
import Locking
import Logging
import Media
import Model
import Storage
import Synchronization

/// An open library. Threads: any.
public final class Library: Sendable {
  /// Where everything is kept.
  public let folder: DataDirectory
  let database: LibraryDatabase
  let records: RecordStore
  let jobs: JobStore
  /// Takes the jobs that are added to the one that runs them.
  let jobQueue = JobQueue()
  let blobs: BlobStore
  let uploads: UploadStore
  /// Tells open clients what is new.
  let hub = EventHub()
  let devices: Devices
  let players: RemotePlayers
  let tools: MediaTools
  /// Held while bytes gain their first reference or lose their last, so that the sweep never takes
  /// what a track is about to point at.
  let mediaLock = OrderedMutex(.media, ())
  /// What is wrong with it at the moment.
  let health = Health()
  /// Where backups are written by schedule; nil: nowhere.
  let backupPlan: BackupPlan?
  let streamedBackups = ConcurrencyLimit()
  /// How much it takes on the disk, and how much it may take.
  let quota: Quota
  /// What happened, for whoever runs it.
  let log: Logger
  /// Where the library before this one is kept, when opening it finished a restore.
  public let previousLibrary: String?
  private let clock: OrderedMutex<HybridClock>
  private let lock: LibraryLock

  /// Opens the library in `root`, creating it when there is none.
  ///
  /// - Throws: `LibraryError` `locked` when another process has it open; `DatabaseError`; `StorageError`.
  public init(
    root: String, tools: MediaTools, backupPlan: BackupPlan? = nil,
    limits: LibraryLimits = LibraryLimits(), log: Logger = .silent,
    versions: DerivedVersions = .current
  ) throws {
    var folder = DataDirectory(root: root)
    folder.versions = versions
    self.folder = folder
    self.tools = tools
    self.log = log
    self.backupPlan = backupPlan
    try FileManager.default.createDirectory(
      atPath: folder.root, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    lock = try LibraryLock(root: folder.root)
    previousLibrary = try RestoreTransaction(folder).finish()
    if let problem = try folder.prepare() { log.error("scrap.unremoved", problem) }
    try folder.createIfMissing(folder.database)
    database = try Library.openDatabase(of: folder)
    records = RecordStore(database: database)
    jobs = JobStore(database: database)
    blobs = BlobStore(folder: folder)
    uploads = UploadStore(folder: folder, limits: UploadLimits(fileBytes: limits.fileBytes))
    quota = Quota(
      limits: limits, folder: folder, blobs: blobs, uploads: uploads, health: health, log: log)
    devices = try Devices(store: DeviceStore(database: database))
    players = RemotePlayers(hub: hub, devices: devices)
    var clock = HybridClock(device: UInt32.random(in: .min ... .max))
    if let latest = try records.latestStamp() { clock.observe(latest) }
    self.clock = OrderedMutex(.clock, clock)
  }

  /// Opens the database. Without room SQLite can't make the file that its connections share, and
  /// calls that an I/O error.
  private static func openDatabase(of folder: DataDirectory) throws -> LibraryDatabase {
    do throws(DatabaseError) {
      return try LibraryDatabase(path: folder.database)
    } catch {
      guard error.code == .full || error.code == .other, try folder.space().free < 1 << 20 else {
        throw error
      }
      throw DatabaseError(
        .full,
        "The disk is full: the library can't be opened. Make some room, then start again; nothing "
          + "is lost. (\(error.message))")
    }
  }

  /// Its tracks.
  var tracks: Tracks { Tracks(library: self) }
  /// Its videos.
  var videos: Videos { Videos(library: self) }
  /// What tracks and videos have in common.
  var media: MediaRecords { MediaRecords(library: self) }
  /// The analyses of tracks.
  var analyses: Analyses { Analyses(library: self) }
  /// The alignments of videos with tracks.
  var alignments: Alignments { Alignments(library: self) }
  /// Its backups.
  var backups: Backups { Backups(library: self) }
  /// Restores of a backup in its place.
  var restores: Restores { Restores(library: self) }
  /// Exports of clips.
  var exports: Exports { Exports(library: self) }
  /// What is prepared again.
  var renewals: Renewals { Renewals(library: self) }
  /// Removes what is no longer needed.
  var cleaning: Cleaning { Cleaning(library: self) }

  /// A day in milliseconds.
  static let day = 86_400_000

  /// Milliseconds since 1970.
  static func now() -> Int { Int(Date().timeIntervalSince1970 * 1000) }

  /// The latest stamp made or seen here.
  var latestStamp: Stamp { clock.withLock { $0.time(now: 0) } }

  /// What the clock of this library shows.
  var time: Stamp { clock.withLock { $0.time(now: Library.now()) } }

  /// An edit that the server or the command line makes; it becomes a change when it is committed.
  public struct Edit: Sendable {
    public var type: RecordType
    public var record: String
    public var fields: [String: Value]

    /// Makes an edit of one record.
    public init(_ type: RecordType, _ record: String, _ fields: [String: Value]) {
      self.type = type
      self.record = record
      self.fields = fields
    }
  }

  /// Stamps, validates and merges `edits`, with `alongside` in the same transaction, and tells open
  /// clients.
  ///
  /// - Throws: `Rejection` when an edit breaks a rule: then none is taken.
  public func commit(
    _ edits: [Edit],
    alongside: (JobWriter) throws(DatabaseError) -> Void = { _ throws(DatabaseError) in }
  ) throws {
    let now = Library.now()
    let changes = edits.map { edit in
      Change(
        id: Identifier.make(milliseconds: now), type: edit.type, record: edit.record,
        fields: edit.fields, at: clock.withLock { $0.next(now: now) })
    }
    // Its own stamps go on from where its clock once was, so that jobs can end after it was put back.
    for change in changes { try change.validate(by: .server, stampedUntil: .max) }
    try merge(changes, alongside: alongside)
  }

  /// Commits `edits` and a new job in one transaction, and lets the job run.
  func commit(_ edits: [Edit], adding job: JobRow) throws {
    let now = Library.now()
    try commit(edits) { writer throws(DatabaseError) in try writer.add(job, now: now) }
    jobQueue.add(job)
  }

  /// Adds a job, and lets it run.
  func add(_ job: JobRow) throws {
    let now = Library.now()
    try jobs.write { writer throws(DatabaseError) in try writer.add(job, now: now) }
    jobQueue.add(job)
  }

  /// Takes changes that a client made; returns those that can't be taken, each with its reason.
  func take(_ incoming: [IncomingChange]) throws -> [Rejection] {
    let latest = clock.withLock { $0.latestAccepted(now: Library.now()) }
    var rejected: [Rejection] = []
    var changes: [Change] = []
    for change in incoming {
      switch change {
      case .rejected(let rejection): rejected.append(rejection)
      case .change(let change):
        do throws(Rejection) {
          try change.validate(by: .person, stampedUntil: latest)
          changes.append(change)
        } catch {
          rejected.append(error)
        }
      }
    }
    if !changes.isEmpty { try merge(changes) }
    return rejected
  }

  private func merge(
    _ changes: [Change],
    alongside: (JobWriter) throws(DatabaseError) -> Void = { _ throws(DatabaseError) in }
  ) throws(DatabaseError) {
    let outcome = try records.apply(changes, alongside: alongside)
    clock.withLock { clock in
      if let latest = changes.map(\.at).max() { clock.observe(latest) }
    }
    if outcome.hasChanged { hub.publish("changed", data: "{\"seq\":\(outcome.seq)}") }
  }
}

/// Counts what is under way. Threads: any.
final class ConcurrencyLimit: Sendable {
  private let count = Mutex(0)

  /// Counts one more, unless there are `limit` already.
  func begin(limit: Int) -> Bool {
    count.withLock { count in
      guard count < limit else { return false }
      count += 1
      return true
    }
  }

  /// Counts one less.
  func end() { count.withLock { $0 -= 1 } }
}

/// Keeps two processes from writing one library: only one connection may ever checkpoint it.
final class LibraryLock: Sendable {
  private let descriptor: Int32

  /// Locks the library in `root`. Where another has it, tries for a second unless `isPatient` is false:
  /// a child that a killed server was just starting holds it until it is a program of its own.
  init(root: String, isPatient: Bool = true) throws(LibraryError) {
    let folder = DataDirectory(root: root)
    // Where it can't be made it can't be opened either.
    try? folder.createIfMissing(folder.lock)
    descriptor = open(folder.lock, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw LibraryError(
        .locked, "The folder \(root) can't be written to. Choose another one with --data.")
    }
    var tries = isPatient ? 40 : 1
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      tries -= 1
      guard tries > 0 else {
        close(descriptor)
        throw LibraryError(
          .locked,
          "Segmance is already running with the library in \(root). "
            + "Stop it first, or add the files in the browser.")
      }
      usleep(25_000)
    }
  }

  deinit {
    // A child that is being started this moment may hold the file, too: closing is not enough.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
