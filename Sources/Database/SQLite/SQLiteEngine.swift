// The embedded engine: one writing connection, a few reading ones.

import Storage
import Synchronization

/// A library in one file. Writes run one after another; reads run in parallel with them.
final class SQLiteEngine: DatabaseEngine {
  private let path: String
  /// nil reads only.
  private let writer: SQLiteConnection?
  private let idleReaders = Mutex<[SQLiteConnection]>([])

  /// Opens or creates the database at `path` and migrates it to the current schema. An older one is
  /// copied first, unless it is a copy itself.
  init(path: String, isCopy: Bool) throws(DatabaseError) {
    self.path = path
    let writer = try SQLiteConnection(path: path, .writer)
    let version = try Migrations.version(of: writer)
    if !isCopy, version > 0, version < Migrations.all.count {
      try MigrationBackup.make(of: writer, at: path)
    }
    try Migrations.migrate(writer)
    self.writer = writer
  }

  /// Opens the database at `path` read-only, while another process may be writing.
  init(readingAt path: String) throws(DatabaseError) {
    self.path = path
    writer = nil
    let reader = try SQLiteConnection(path: path, .reader)
    try Migrations.requireCurrent(reader)
    idleReaders.withLock { $0.append(reader) }
  }

  deinit {
    // The writer closes last: closing it checkpoints and leaves one file.
    idleReaders.withLock { $0 = [] }
  }

  var shared: SharedLibrary? { nil }

  func write<Result>(
    _ body: (any Connection) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    guard let writer else { throw DatabaseError(.other, "The library is open for reading only.") }
    return try writer.transaction { () throws(DatabaseError) in try body(writer) }
  }

  func read<Result>(
    _ body: (any Connection) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    try reading { reader throws(DatabaseError) in
      try reader.transaction(.read) { () throws(DatabaseError) in try body(reader) }
    }
  }

  private func reading<Result>(
    _ body: (SQLiteConnection) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    let reader: SQLiteConnection
    if let idle = idleReaders.withLock({ $0.popLast() }) {
      reader = idle
    } else {
      reader = try SQLiteConnection(path: path, .reader)
    }
    defer { idleReaders.withLock { $0.append(reader) } }
    return try body(reader)
  }

  /// Moves the content of the WAL into the database file.
  ///
  /// Closing does the same, but reports no failure; then the file alone is out of date.
  /// - Throws: `busy` if a reader blocks it for five seconds.
  func checkpoint() throws(DatabaseError) {
    guard let writer else { throw DatabaseError(.other, "The library is open for reading only.") }
    guard try writer.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0 else {
      throw DatabaseError(.busy, "The database is in use, and can't be written into one file.")
    }
  }

  var system: String { "sqlite" }

  /// Never: the lock of the folder lasts as long as the process.
  func whenSuperseded(_ handler: @escaping @Sendable () -> Void) {}

  func keepsOthersOut(silence: Int32) -> Bool { true }

  /// Never, for the same reason.
  func isOutdated() -> Bool { false }

  /// Frees the page caches of idle readers.
  func releaseMemory() {
    idleReaders.withLock { for reader in $0 { reader.releaseMemory() } }
  }

  /// The size of the file, with the write-ahead log.
  func bytes() throws -> Int {
    try [path, path + "-wal"].filter(Files.exists).reduce(0) { try $0 + Files.size(of: $1) }
  }

  func place() -> String? { nil }

  func integrityProblems() throws(DatabaseError) -> [String] {
    try reading { reader throws(DatabaseError) in
      try reader.transaction(.read) { () throws(DatabaseError) in try reader.integrityProblems() }
    }
  }

  func snapshot(
    to path: String, progress: (Double) -> Void, isCancelled: () -> Bool
  ) throws(DatabaseError) -> Bool {
    try reading { reader throws(DatabaseError) in
      // The transaction holds the moment, so that no writing begins the copy anew.
      try reader.transaction(.read) { () throws(DatabaseError) in
        _ = try Migrations.version(of: reader)
        return try reader.copy(to: path, progress: progress, isCancelled: isCancelled)
      }
    }
  }
}
