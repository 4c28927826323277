// A consistent snapshot of a library, held until it is written as a backup.

import Database
import FoundationEssentials
import Model
import Storage

/// A snapshot that can be written. Call `remove` afterwards.
public struct BackupSnapshot: Sendable {
  /// The number of attempts if blobs disappear between the database copy and their pinning.
  private static let attempts = 3

  let writer: BackupWriter
  let scratch: BackupStaging
  /// Keeps the blobs of a bucket until the snapshot is gone.
  private let pins: [SentBlob]

  /// Takes the snapshot: copies the database while it is in use, and pins the blobs that it
  /// references.
  init(
    database: LibraryDatabase, blobs: any BlobStore, isCancelled: () -> Bool = { false }
  ) throws {
    for attempt in 1...Self.attempts {
      let prepared = try Self.attempt(database, blobs, isCancelled)
      if prepared.writer.manifest.missing.isEmpty || attempt == Self.attempts {
        self = prepared
        return
      }
      try prepared.remove()
    }
    preconditionFailure("The last attempt always returns.")
  }

  /// Takes a snapshot of the library in `root`, which a server may have open.
  public init(root: String, isCancelled: () -> Bool = { false }) throws {
    let folder = DataDirectory(root: root)
    guard folder.hasLibrary else {
      throw StorageError(.notFound, "There is no library in \(folder.root).")
    }
    try RestoreTransaction(folder).requireNonePending()
    try self.init(
      database: LibraryDatabase(reading: folder), blobs: Library.storedBlobs(of: folder),
      isCancelled: isCancelled)
  }

  private init(writer: BackupWriter, scratch: BackupStaging, pins: [SentBlob]) {
    self.writer = writer
    self.scratch = scratch
    self.pins = pins
  }

  /// The length of the backup file, if known.
  public var length: Int? { writer.length }

  /// Blobs that the library references but has lost. Everything else is in the backup.
  public var missing: [String] { writer.manifest.missing }

  /// Writes the backup to `path` and verifies it. Returns the files that were already damaged; see
  /// `BackupFile.write`.
  public func write(
    to path: String, orIncompleteTo incompletePath: String? = nil, replaces: Bool = false,
    progress: (Double) -> Void = { _ in }, isCancelled: () -> Bool = { false }
  ) throws -> [String] {
    try BackupFile.write(
      writer, to: path, orIncompleteTo: incompletePath, using: scratch, replaces: replaces,
      checkDatabase: Self.check, progress: progress, isCancelled: isCancelled)
  }

  /// Throws `corrupt` if the copied database is unusable.
  func checkDatabase() throws { try Self.check(databaseAt: scratch.database) }

  private static func check(databaseAt copy: String) throws {
    if let problem = try LibraryDatabase.problems(inCopyAt: copy).first {
      throw StorageError(
        .corrupt, "The library's database is damaged. Run: segmance check", cause: problem)
    }
  }

  /// Removes the snapshot's temporary files.
  public func remove() throws { try scratch.remove() }

  private static func attempt(
    _ database: LibraryDatabase, _ blobs: any BlobStore, _ isCancelled: () -> Bool
  ) throws -> BackupSnapshot {
    let folder = blobs.folder
    try folder.requireSpace(for: database.bytes())
    let scratch = try BackupStaging(in: folder)
    do {
      guard try database.snapshot(to: scratch.database, isCancelled: isCancelled) else {
        throw StorageError(.cancelled, "Cancelled.")
      }
      let moment = try LibraryDatabase(readingAt: scratch.database)
      let records = RecordStore(database: moment)
      let media = try records.media()
      var (files, sources) = (
        [try scratch.databaseFile()], [BackupSource.file(scratch.database)]
      )
      var missing: [String] = []
      let needed = Set(media.filter(\.needsMedia).compactMap(\.sha256))
      let hashes = Set(media.compactMap(\.sha256)).sorted()
      let pins = try blobs.pin(hashes)
      for sha256 in hashes {
        if let pinned = try blobs.source(of: sha256, in: scratch) {
          files.append(pinned.file)
          sources.append(pinned.source)
        } else if needed.contains(sha256) {
          missing.append(sha256)
        }
      }
      let manifest = BackupManifest(
        schema: LibraryDatabase.schemaVersion, segmance: SegmanceServer.version,
        library: moment.identity, createdAt: Library.now(), files: files, missing: missing)
      return BackupSnapshot(
        writer: try BackupWriter(manifest, sources: sources), scratch: scratch, pins: pins)
    } catch {
      try scratch.remove()
      throw error
    }
  }
}
