// An open library: its folder, database and media, and the only way to change them.

import Database
import Dispatch
import FoundationEssentials
import Glibc
import HTTP
import Locking
import Logging
import Media
import Model
import Storage
import Synchronization
import Timing

/// An open library.
public final class Library: Sendable {
  /// The library's data folder.
  public let folder: DataDirectory
  let database: LibraryDatabase
  let records: RecordStore
  let jobs: JobStore
  let secrets: SecretStore
  let deletions: DeletionStore
  /// Passes added jobs to the runner.
  let jobQueue: JobQueue
  /// Passes comments that came in to the notifier.
  let commentRelay = CommentRelay()
  let blobs: any BlobStore
  /// What is made of the originals, if it is in a bucket; nil where the folder holds all of it.
  let derived: DerivedBucket?
  /// nil if browsers get all media from this server.
  let direct: DirectAddresses?
  /// Requests that wait for a bucket.
  let bucketRequests = ConcurrencyLimit()
  /// Deletes objects that were removed.
  let removals = DispatchQueue(label: "segmance.removals")
  let uploads: any UploadStore
  /// The pages that are connected.
  let hub: EventHub
  /// Sends events to pages.
  let events: Events
  /// What it takes to share the library with other servers; nil if this one has it alone.
  let sharing: Sharing?
  let devices: Devices
  let people: People
  let links: Links
  /// Opens links.
  let linkDoor: LinkDoor
  /// Lets people sign in without a code.
  let signIn: SignIn
  let players: RemotePlayers
  /// Who leads which routine, and the clock for it.
  let leads: Leads
  let serverClock = ServerClock()
  let tools: MediaTools
  /// Says names.
  let speaker: Speaker
  /// Held while blobs gain their first reference or lose their last, so that the sweep never
  /// removes a blob that a record is about to reference.
  let mediaLock: MediaLock
  /// The library's current problems.
  let health = Health()
  /// The backup schedule; nil for none.
  let backupPlan: BackupPlan?
  let streamedBackups = ConcurrencyLimit()
  /// The used and permitted disk space.
  let quota: Quota
  /// The clock of links and of signing in, in milliseconds since 1970.
  let now: @Sendable () -> Int
  /// The timers of all that does something later.
  let timers: any Timers
  /// The log for the server's operator.
  let log: Logger
  /// The path of the previous library, if opening this one finished a restore.
  public let previousLibrary: String?
  private let clock: OrderedMutex<HybridClock>
  /// Whether other servers may have the library open too, or wait to take this one's place.
  let hasOtherServers: Bool
  private let lock: LibraryLock

  /// Opens the library in `root`, or creates it. `now` is the clock of its links and
  /// of signing in, and `timers` are those of all that does something later. A new library has its records on the
  /// server at the address `server`, if there is one; of an existing one the folder says where they are. `bucket` is
  /// where its blobs are; nil means where they were before. With `isShared`, other servers may have it open as well.
  /// A `standby` that may open it now has the folder's lock already.
  ///
  /// - Throws: `LibraryError` `locked` if another process has it open; `DatabaseError`;
  ///   `StorageError`.
  public init(
    root: String, tools: MediaTools, server: String? = nil, backupPlan: BackupPlan? = nil,
    limits: LibraryLimits = LibraryLimits(), bucket: BucketOptions? = nil,
    openID: OpenIDOptions? = nil, isShared: Bool = false, standby: Standby? = nil,
    log: Logger = .silent,
    versions: DerivedVersions = .current, now: @escaping @Sendable () -> Int = Library.now,
    timers: any Timers = SystemTimers()
  ) throws {
    hasOtherServers = standby != nil || isShared
    var folder = DataDirectory(root: root)
    folder.versions = versions
    self.folder = folder
    self.tools = tools
    speaker = Speaker(tools: tools)
    self.log = log
    self.now = now
    self.timers = timers
    hub = EventHub(timers: timers)
    self.backupPlan = backupPlan
    lock = try standby?.lock ?? Library.makeAndLock(folder)
    if isShared { try Library.requireNothingRestored(in: folder) }
    previousLibrary = try RestoreTransaction(folder).finish()
    if let problem = try folder.prepare() { log.error("scrap.unremoved", problem) }
    if try server == nil && folder.databaseAddress == nil {
      try folder.createIfMissing(folder.database)
    }
    database = try Library.openDatabase(of: folder, newAt: server, isShared, standby?.claim)
    sharing = try database.shared.map { try Sharing($0, log: log, timers: timers) }
    records = RecordStore(database: database)
    jobs = JobStore(database: database)
    jobQueue = JobQueue(sharing: sharing)
    mediaLock = MediaLock(sharing)
    secrets = SecretStore(database: database)
    let deletions = DeletionStore(database: database)
    self.deletions = deletions
    blobs = try Library.openBlobs(
      of: folder, library: database.nameOnServer(), bucket,
      holds: sharing.map {
        Holds(deletions, server: $0.shared.number, log: log, timers: timers)
      }, health, log)
    derived = try (blobs as? BucketBlobStore).map(DerivedBucket.init)
    direct = Library.directAddresses(blobs, bucket, log)
    uploads = try Library.openUploads(
      beside: blobs, UploadLimits(fileBytes: limits.fileBytes), log)
    quota = Quota(
      limits: limits, folder: folder, blobs: blobs, derived: derived, uploads: uploads,
      health: health, log: log)
    devices = try Devices(store: DeviceStore(database: database), sharing: sharing)
    people = try People(store: PeopleStore(database: database), sharing: sharing)
    links = try Links(store: LinkStore(database: database), sharing: sharing, now: now)
    events = Events(hub: hub, people: people, sharing: sharing)
    let hashing = HashTurns()
    linkDoor = LinkDoor(links: links, records: records, hashing: hashing, now: now)
    signIn = SignIn(
      store: CredentialStore(database: database), secrets: secrets, people: people,
      devices: devices, hashing: hashing, sharing: sharing, openID: openID, now: now)
    players = RemotePlayers(events: events, devices: devices, sharing: sharing)
    leads = Leads(
      events: events, devices: devices, people: people, sharing: sharing, timers: timers,
      now: now)
    var clock = HybridClock(device: UInt32.random(in: .min ... .max))
    if let latest = try records.latestStamp() { clock.observe(latest) }
    self.clock = OrderedMutex(.clock, clock)
  }

  /// Makes the folder of a library, if it is missing, and keeps other processes out of it.
  static func makeAndLock(_ folder: DataDirectory) throws -> LibraryLock {
    try FileManager.default.createDirectory(
      atPath: folder.root, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    return try LibraryLock(root: folder.root)
  }

  /// Opens the database. If the disk is full, SQLite cannot create the file that its connections
  /// share, and reports an I/O error.
  private static func openDatabase(
    of folder: DataDirectory, newAt server: String?, _ isShared: Bool, _ claim: StandbyClaim?
  ) throws -> LibraryDatabase {
    do {
      return try LibraryDatabase(of: folder, newAt: server, isShared: isShared, claim: claim)
    } catch let error as DatabaseError {
      guard error.code == .full || error.code == .other, try folder.space().free < 1 << 20 else {
        throw error
      }
      throw DatabaseError(
        .full,
        "The disk is full: the library can't be opened. Make some room, then start again; nothing "
          + "is lost. (\(error.message))")
    }
  }

  /// Who may do what.
  var permissions: Permissions {
    Permissions(
      people: people, links: links, records: records,
      spacesOfJob: { [self] in try spaces(ofJob: $0) })
  }
  var tracks: Tracks { Tracks(library: self) }
  var videos: Videos { Videos(library: self) }
  var recordings: Recordings { Recordings(library: self) }
  /// The common operations of tracks, videos and recordings.
  var media: MediaRecords { MediaRecords(library: self) }
  var analyses: Analyses { Analyses(library: self) }
  var alignments: Alignments { Alignments(library: self) }
  var backups: Backups { Backups(library: self) }
  /// Restores that replace this library.
  var restores: Restores { Restores(library: self) }
  var exports: Exports { Exports(library: self) }
  /// The repeated preparation of tracks, videos and recordings.
  var renewals: Renewals { Renewals(library: self) }
  /// The removal of unneeded files, records and jobs.
  var cleaning: Cleaning { Cleaning(library: self) }

  /// A day in milliseconds.
  static let day = 86_400_000

  /// The current time, in milliseconds since 1970.
  public static func now() -> Int { Int(Date().timeIntervalSince1970 * 1000) }

  /// The latest stamp made or received by this library.
  var latestStamp: Stamp { clock.withLock { $0.time(now: 0) } }

  /// The current stamp of this library's clock.
  var time: Stamp { clock.withLock { $0.time(now: Library.now()) } }

  /// An edit by the server or the command line. It becomes a change when it is committed.
  public struct Edit: Sendable {
    public var type: RecordType
    public var record: String
    public var fields: [String: Value]
    /// The space of a record that it makes, if that hangs on no other; nil for the owner's.
    public var space: String?

    /// Makes an edit of one record.
    public init(
      _ type: RecordType, _ record: String, _ fields: [String: Value], space: String? = nil
    ) {
      self.type = type
      self.record = record
      self.fields = fields
      self.space = space
    }
  }

  /// Stamps, validates and merges `edits`, runs `alongside` in the same transaction, and notifies
  /// open clients.
  ///
  /// - Throws: `Rejection` if an edit violates a rule; then none is applied.
  public func commit(
    _ edits: [Edit],
    alongside: (JobWriter) throws(DatabaseError) -> Void = { _ throws(DatabaseError) in }
  ) throws {
    let now = Library.now()
    // What another server has stamped is earlier.
    if sharing != nil, let latest = try records.latestStamp() {
      clock.withLock { $0.observe(latest) }
    }
    let changes = edits.map { edit in
      Change(
        id: Identifier.make(milliseconds: now), type: edit.type, record: edit.record,
        fields: edit.fields, at: nextStamp(now: now), space: edit.space)
    }
    // The server's stamps continue from its latest stamp, so that jobs can end after the clock was
    // set back.
    for change in changes { try change.validate(by: .server, stampedUntil: .max) }
    try merge(changes, alongside: alongside)
  }

  /// A new stamp of this library's clock.
  func nextStamp(now: Int = Library.now()) -> Stamp { clock.withLock { $0.next(now: now) } }

  /// Commits `edits` and a new job in one transaction, and starts the job.
  ///
  /// - Parameter hold: keeps the blob to which the edits refer.
  /// - Throws: `busy` if the other servers have not heard of this one for so long that they may have deleted the blob.
  func commit(_ edits: [Edit], adding job: JobRow, whileHolding hold: (any BlobHold)? = nil) throws
  {
    let now = Library.now()
    try commit(edits) { writer throws(DatabaseError) in
      if let hold { try writer.requireBlobHold(hold.id) }
      try writer.add(job, now: now)
    }
    jobQueue.add(job)
  }

  /// Adds a job and starts it.
  func add(_ job: JobRow) throws {
    let now = Library.now()
    try jobs.write { writer throws(DatabaseError) in try writer.add(job, now: now) }
    jobQueue.add(job)
  }

  /// Merges a person's changes. Returns the rejected ones, each with its reason.
  func take(_ incoming: [IncomingChange], by viewer: Viewer = .owner) throws -> [Rejection] {
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
    // A page of the later version, which was sent here, would drop what is refused.
    guard try rejected.isEmpty || !database.isOutdated() else {
      throw LibraryError(
        .busy(retryAfterSeconds: 2), "This server is being updated. Try again in a moment.")
    }
    if !changes.isEmpty { rejected += try merge(changes, by: viewer) }
    return rejected
  }

  @discardableResult
  private func merge(
    _ changes: [Change], by viewer: Viewer? = nil,
    alongside: (JobWriter) throws(DatabaseError) -> Void = { _ throws(DatabaseError) in }
  ) throws(DatabaseError) -> [Rejection] {
    let outcome = try records.apply(changes, by: viewer, alongside: alongside)
    clock.withLock { clock in
      if let latest = changes.map(\.at).max() { clock.observe(latest) }
    }
    if outcome.hasChanged { announceChanges(outcome.seq, to: .spaces(outcome.spaces)) }
    commentRelay.announce(outcome.comments)
    return outcome.rejections
  }

  /// Tells pages that there is something to read, up to a sequence number.
  func announceChanges(_ seq: Int, to readers: Audience) {
    events.publish("changed", data: Library.changed(seq), to: readers)
  }

  /// The data of the event `changed`.
  static func changed(_ seq: Int) -> String { "{\"seq\":\(seq)}" }
}

/// Counts concurrent operations.
final class ConcurrencyLimit: Sendable {
  private let count = Mutex(0)

  /// Increments the count; false if it has reached `limit`.
  func begin(limit: Int) -> Bool {
    count.withLock { count in
      guard count < limit else { return false }
      count += 1
      return true
    }
  }

  /// Decrements the count.
  func end() { count.withLock { $0 -= 1 } }
}

/// Prevents two processes from writing one library, because only one connection may ever checkpoint
/// it.
final class LibraryLock: Sendable {
  private let descriptor: Int32

  /// Locks the library in `root`. If another process holds the lock, retries for a second unless
  /// `isPatient` is false: a child that a killed server was starting holds the lock until it calls
  /// exec. `pause` waits so many milliseconds.
  init(
    root: String, isPatient: Bool = true,
    pause: (Int) -> Void = { usleep(UInt32($0) * 1_000) }
  ) throws(LibraryError) {
    let folder = DataDirectory(root: root)
    // If it cannot be created, opening it fails as well and reports the error.
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
      pause(25)
    }
  }

  deinit {
    // A child process that is being started may share the descriptor, so closing it is not enough.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
