// One moment of a library, held still until it is written as a backup.

import Database
import FoundationEssentials
import Model
import Storage

/// A backup that can be written. Remove it afterwards.
public struct BackupSnapshot: Sendable {
  /// How often the moment is taken anew when bytes vanish between it and their pinning.
  private static let attempts = 3

  let writer: BackupWriter
  let scratch: BackupStaging

  /// Takes the moment: copies the database while it is used, and pins the blobs that it speaks of.
  init(
    database: LibraryDatabase, folder: DataDirectory, isCancelled: () -> Bool = { false }
  ) throws {
    for attempt in 1...Self.attempts {
      let prepared = try Self.attempt(database, folder, isCancelled)
      if prepared.writer.manifest.missing.isEmpty || attempt == Self.attempts {
        self = prepared
        return
      }
      try prepared.remove()
    }
    preconditionFailure("The last attempt always returns.")
  }

  /// Takes the moment of the library in `root`, which a server may be using.
  public init(root: String, isCancelled: () -> Bool = { false }) throws {
    let folder = DataDirectory(root: root)
    guard FileManager.default.fileExists(atPath: folder.database) else {
      throw StorageError(.notFound, "There is no library in \(folder.root).")
    }
    try RestoreTransaction(folder).requireNonePending()
    try self.init(
      database: LibraryDatabase(readingAt: folder.database), folder: folder,
      isCancelled: isCancelled)
  }

  private init(writer: BackupWriter, scratch: BackupStaging) {
    self.writer = writer
    self.scratch = scratch
  }

  /// The length of the file that will be written, where it is known.
  public var length: Int? { writer.length }

  /// Blobs that the library speaks of but has lost; everything else is in the backup.
  public var missing: [String] { writer.manifest.missing }

  /// Writes it to `path`, verified, and returns which files were damaged before; see
  /// `BackupFile.write`.
  public func write(
    to path: String, orIncompleteTo incompletePath: String? = nil, replaces: Bool = false,
    progress: (Double) -> Void = { _ in }, isCancelled: () -> Bool = { false }
  ) throws -> [String] {
    try BackupFile.write(
      writer, to: path, orIncompleteTo: incompletePath, using: scratch, replaces: replaces,
      checkDatabase: Self.check, progress: progress, isCancelled: isCancelled)
  }

  /// Throws `corrupt` when the library's database, as it was copied, can't be used.
  func checkDatabase() throws { try Self.check(databaseAt: scratch.database) }

  private static func check(databaseAt copy: String) throws {
    if let problem = try LibraryDatabase.problems(inCopyAt: copy).first {
      throw StorageError(
        .corrupt, "The library's database is damaged. Run: segmance check", cause: problem)
    }
  }

  /// Gives up what it holds.
  public func remove() throws { try scratch.remove() }

  private static func attempt(
    _ database: LibraryDatabase, _ folder: DataDirectory, _ isCancelled: () -> Bool
  ) throws -> BackupSnapshot {
    try folder.requireSpace(for: folder.databaseBytes())
    let scratch = try BackupStaging(in: folder)
    do {
      guard try database.snapshot(to: scratch.database, isCancelled: isCancelled) else {
        throw StorageError(.cancelled, "Cancelled.")
      }
      let moment = try LibraryDatabase(readingAt: scratch.database)
      let records = RecordStore(database: moment)
      let media = try records.media()
      var (files, sources) = ([try scratch.databaseFile()], [scratch.database])
      var missing: [String] = []
      let needed = Set(media.filter(\.needsMedia).compactMap(\.sha256))
      for sha256 in Set(media.compactMap(\.sha256)).sorted() {
        if let pinned = try scratch.hardLink(sha256) {
          files.append(pinned.file)
          sources.append(pinned.path)
        } else if needed.contains(sha256) {
          missing.append(sha256)
        }
      }
      let manifest = BackupManifest(
        schema: LibraryDatabase.schemaVersion, segmance: SegmanceServer.version,
        library: moment.identity, createdAt: Library.now(), files: files, missing: missing)
      return BackupSnapshot(
        writer: try BackupWriter(manifest, sources: sources), scratch: scratch)
    } catch {
      try scratch.remove()
      throw error
    }
  }
}
