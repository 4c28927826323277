// Restores a library from a backup: it is unpacked beside the one in use, verified, migrated to the
// current schema, and then moved into place.

import Database
import FoundationEssentials
import Model
import Storage

/// The result of a restore.
public struct RestoreSummary: Sendable, Encodable {
  public var routines: Int
  public var tracks: Int
  /// The titles of tracks and videos whose files are missing from the backup.
  public var lost: [String]
  /// The time of the backup, in milliseconds since 1970.
  public var createdAt: Int
  /// The path at which the previous library will be kept; nil if there was none.
  public var aside: String?

  /// The message for the user.
  public var sentence: String {
    var parts = [
      "The library of \(FileTimestamp.shown(createdAt / 1000)) is back: "
        + "\(Self.count(routines, "routine")), \(Self.count(tracks, "track"))."
    ]
    if !lost.isEmpty {
      parts.append(
        "Missing or damaged already when the backup was made: "
          + lost.prefix(5).map { "“\($0)”" }.joined(separator: ", ")
          + (lost.count > 5 ? " and \(lost.count - 5) more." : "."))
    }
    if let aside { parts.append("The library before is kept in \(aside).") }
    return parts.joined(separator: " ")
  }

  private static func count(_ number: Int, _ word: String) -> String {
    "\(number) \(word)\(number == 1 ? "" : "s")"
  }
}

/// Restores a data folder from a backup.
public struct LibraryRestore: Sendable {
  /// The share of progress for unpacking; the rest is the database check.
  private static let unpackingShare = 0.9

  private let folder: DataDirectory
  private let swap: RestoreTransaction

  init(folder: DataDirectory) {
    self.folder = folder
    swap = RestoreTransaction(folder)
  }

  /// Restores the library in `root`, which no process may have open.
  ///
  /// - Throws: `LibraryError` `locked`; `StorageError.unusableBackup`. Then nothing was changed.
  public static func run(
    root: String, backup: String, progress: (Double) -> Void = { _ in },
    isCancelled: () -> Bool = { false }
  ) throws -> RestoreSummary {
    let folder = DataDirectory(root: root)
    try FileManager.default.createDirectory(
      atPath: folder.root, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    let lock = try LibraryLock(root: folder.root)
    defer { withExtendedLifetime(lock) {} }
    let restore = LibraryRestore(folder: folder)
    _ = try restore.swap.finish()
    let summary = try restore.prepare(
      backup: backup, job: Identifier.make(milliseconds: Library.now()), progress: progress,
      isCancelled: isCancelled)
    try restore.commit(summary)
    _ = try restore.swap.finish()
    // The restored records go to the server that has those of the folder.
    if try folder.databaseAddress != nil { _ = try LibraryDatabase(of: folder) }
    return summary
  }

  /// Builds the restored library beside the one in use. It contains the restore job `job` as done,
  /// so that its clients see the result. On an error, nothing is left behind.
  func prepare(
    backup: String, job: String, progress: (Double) -> Void, isCancelled: () -> Bool
  ) throws -> RestoreSummary {
    try swap.begin()
    do {
      let building = swap.building
      let contents = try BackupReader(path: backup).read(
        database: building.database, blobs: building,
        progress: { progress($0 * Self.unpackingShare) }, isCancelled: isCancelled)
      let summary = try bringUp(building, contents, job)
      progress(1)
      return summary
    } catch {
      try swap.discard()
      throw error
    }
  }

  /// Makes the restored library the one that is opened next. The current library must take no
  /// further changes: devices that are paired or revoked until now are so in the restored library
  /// too, and links that are made or revoked. `shutOut` are the ids of revoked devices that are still in
  /// the database, `revoked` those of links.
  func commit(
    _ summary: RestoreSummary, shutOut: [String] = [], revoked: Set<String> = []
  ) throws {
    do {
      try takeOverAccess(without: shutOut, revoked)
      let stale = try staleDerived()
      try keepRecordsOfServer()
      try swap.commit(
        aside: summary.aside.flatMap { $0.split(separator: "/").last.map(String.init) }
          ?? swap.asideName(at: Library.now() / 1000),
        staleDerived: stale)
    } catch {
      // Once the swap is committed, the next start completes it despite later errors.
      guard swap.isPending else {
        if try folder.databaseAddress != nil { try folder.removeDatabaseFile() }
        try swap.discard()
        throw error
      }
    }
  }

  private func bringUp(
    _ building: DataDirectory, _ contents: BackupReader.Contents, _ job: String
  ) throws -> RestoreSummary {
    if let problem = try LibraryDatabase.problems(inCopyAt: building.database).first {
      throw StorageError.unusableBackup(cause: problem)
    }
    // Closed at the end of this function.
    let database = try LibraryDatabase(path: building.database, isCopy: true)
    let records = RecordStore(database: database)
    if let problem = try records.normalizeImported() {
      throw StorageError.unusableBackup(cause: problem)
    }
    let media = try records.presentMedia()
    let stored = Set(try FolderBlobStore(folder: building).all().map(\.sha256))
    let known = Set(contents.manifest.missing + contents.damaged)
    var lost: [String] = []
    for medium in media where medium.needsMedia {
      guard let sha256 = medium.sha256, !stored.contains(sha256) else { continue }
      guard known.contains(sha256) else {
        throw StorageError.unusableBackup(cause: "the blob \(sha256) is not in it")
      }
      lost.append(medium.title ?? medium.id)
    }
    let isUsed = folder.hasLibrary
    let summary = RestoreSummary(
      routines: try records.present(.routine).count,
      tracks: media.count { $0.type == .track }, lost: lost.sorted(),
      createdAt: contents.manifest.createdAt,
      aside: isUsed ? folder.root + "/" + swap.asideName(at: Library.now() / 1000) : nil)
    var row = try RestoreJob.row(id: job, NoParameters())
    row.state = .done
    row.message = summary.sentence
    // Unfinished preparing jobs are kept. The only original of a medium that was never ready is
    // here, and a newly queued job would not wait.
    try JobStore(database: database).beginAnew(
      keepingUnfinished: JobKinds.preparing, adding: row, now: Library.now())
    try database.checkpoint()
    return summary
  }

  /// Access belongs to this installation. A backup must neither restore a device or link that was
  /// revoked since, nor remove one that was paired or made since, so both are copied from the previous
  /// library, and with them passwords, passkeys, accounts, the key for notifications, and who is in a group that
  /// both have. What belongs to
  /// people whom the restored library lacks, and links to what it lacks, are dropped.
  private func takeOverAccess(without shutOut: [String], _ revoked: Set<String>) throws {
    let database = try LibraryDatabase(path: swap.building.database)
    let before = libraryBefore()
    let people = PeopleStore(database: database)
    let known = Set(try people.people().map(\.person.id))
    try DeviceStore(database: database).replaceAll(
      with: (before?.devices ?? []).filter {
        !shutOut.contains($0.id) && known.contains($0.person ?? Person.owner)
      })
    try CredentialStore(database: database).replaceAll(
      with: (before?.credentials ?? CredentialStore.Credentials()).of(known))
    // Pairing and signing in that are under way end.
    try PairingStore(database: database).removeAll()
    try SecretStore(database: database).replaceAll(
      with: (before?.secrets ?? [:]).filter { $0.key == PushKeyStore.name })
    for group in try people.groups() {
      let now = before?.groups.first { $0.id == group.id }
      guard let current = now else { continue }
      var group = group
      group.members = current.members.filter { known.contains($0.key) }
      if !group.members.values.contains(.owner) { group.members[Person.owner] = .owner }
      try people.save(group, anew: [], now: Library.now())
    }
    try LinkStore(database: database).replaceAll(
      with: (before?.links ?? []).filter { !revoked.contains($0.id) })
    if let before { try database.inheritIdentity(from: before.database) }
    try database.checkpoint()
  }

  /// What is on a database server is kept aside as a file, like the database of a folder.
  private func keepRecordsOfServer() throws {
    guard try folder.databaseAddress != nil, let before = libraryBefore() else { return }
    let path = folder.temporaryPath("records")
    _ = try before.database.snapshot(to: path)
    try folder.moveInDatabaseFile(at: path)
  }

  private struct Before {
    let database: LibraryDatabase
    let devices: [DeviceRow]
    let links: [LinkRow]
    let groups: [Group]
    let credentials: CredentialStore.Credentials
    let secrets: [String: String]
  }

  private func libraryBefore() -> Before? {
    guard folder.hasLibrary else { return nil }
    do {
      let database = try LibraryDatabase(reading: folder)
      return Before(
        database: database, devices: try DeviceStore(database: database).all(),
        links: try LinkStore(database: database).all(),
        groups: try PeopleStore(database: database).groups(),
        credentials: try CredentialStore(database: database).all(),
        secrets: try SecretStore(database: database).all())
    } catch {
      // The previous database is unreadable, so its devices have to be paired again, and its links be
      // made again.
      return nil
    }
  }

  /// Derived files are stored under the track's id. They stay if the track has the same bytes in
  /// both libraries. A bucket may have files of records of which the folder has none.
  private func staleDerived() throws -> [String] {
    let after = try Self.hashes(LibraryDatabase(readingAt: swap.building.database))
    var ids = try folder.derivedIds()
    if FileManager.default.fileExists(atPath: folder.bucketFile) {
      ids = Set(ids).union(after.keys).sorted()
    }
    guard !ids.isEmpty, folder.hasLibrary else { return ids }
    let before: [String: String]
    do {
      before = try Self.hashes(LibraryDatabase(reading: folder))
    } catch {
      // The previous library is unreadable, so the source of its derived files is unknown.
      return ids
    }
    return ids.filter { before[$0] == nil || before[$0] != after[$0] }
  }

  private static func hashes(_ database: LibraryDatabase) throws -> [String: String] {
    let records = RecordStore(database: database)
    return Dictionary(
      try records.media().compactMap { medium in medium.sha256.map { (medium.id, $0) } },
      uniquingKeysWith: { first, _ in first })
  }
}

extension StorageError {
  fileprivate static func unusableBackup(cause: String) -> StorageError {
    StorageError(
      .unusableBackup,
      "This backup holds no library that can be used. Nothing was changed. Choose another one.",
      cause: cause)
  }
}
