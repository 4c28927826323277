// The database of one library: one writing connection, a few reading ones.

import CSQLite
import Locking
import Synchronization
import Text

/// The embedded database. Writes run one after another; reads run in parallel with them.
public final class LibraryDatabase: Sendable {
  /// The id of this library and, after a hyphen, of its life since the last restore.
  public var identity: String { numbers?.name ?? "" }
  private let numbers: Identity?
  private let path: String
  private let writer: Connection?
  /// Whether changes are refused. Held while something is written.
  private let isReadOnly = OrderedMutex(.database, false)
  /// A lock of its own, so that reading it never waits for a write.
  private let writingProblem = Mutex<DatabaseError.Code?>(nil)
  private let idleReaders = Mutex<[Connection]>([])

  /// Opens or creates the database at `path` and migrates it to the current schema. An older one is
  /// copied first, unless it is a copy itself.
  public init(path: String, isCopy: Bool = false) throws(DatabaseError) {
    self.path = path
    let writer = try Connection(path: path, .writer)
    let version = try Migrations.version(of: writer)
    if !isCopy, version > 0, version < Migrations.all.count {
      try MigrationBackup.make(of: writer, at: path)
    }
    try Migrations.migrate(writer)
    numbers = try writer.transaction { () throws(DatabaseError) in
      try Identity.make(writer, replacing: isCopy)
    }
    self.writer = writer
  }

  /// Opens the database at `path` read-only, while another process may be writing.
  public init(readingAt path: String) throws(DatabaseError) {
    self.path = path
    writer = nil
    let reader = try Connection(path: path, .reader)
    try Migrations.requireCurrent(reader)
    numbers = try Identity.read(reader)
  }

  /// Whether a client's copy with this name is of this library in any of its lives, or of one that this
  /// library replaced. Names of earlier versions, which hold no lineage, count as such.
  public func isSameLibrary(_ name: String) -> Bool {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let lineage = Int(parts[0], radix: 16) else { return true }
    return numbers?.lineages.contains(lineage) ?? false
  }

  /// Lets clients of another library continue with this one, which replaces it. Takes effect when the
  /// library is next opened.
  public func inheritIdentity(from other: LibraryDatabase) throws(DatabaseError) {
    let lineages = other.numbers?.lineages ?? []
    try write { connection throws(DatabaseError) in
      for lineage in lineages {
        try connection.run(
          "INSERT OR REPLACE INTO counter VALUES ('lineage of ' || ?1, ?1)", [.integer(lineage)])
      }
    }
  }

  deinit {
    // The writer closes last: closing it checkpoints and leaves one file.
    idleReaders.withLock { $0 = [] }
  }

  /// Runs `body` in one transaction on the writing connection.
  func write<Result: Sendable>(
    _ body: (Connection) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    guard let writer else { throw DatabaseError(.other, "The library is open for reading only.") }
    return try isReadOnly.withLock { isReadOnly throws(DatabaseError) in
      guard !isReadOnly else {
        throw DatabaseError(.sealed, "A backup is being restored. Try again in a moment.")
      }
      do throws(DatabaseError) {
        let result = try writer.transaction { () throws(DatabaseError) in try body(writer) }
        writingProblem.withLock { $0 = nil }
        return result
      } catch {
        if error.code != .busy { writingProblem.withLock { $0 = error.code } }
        throw error
      }
    }
  }

  /// Moves the content of the WAL into the database file.
  ///
  /// Closing does the same, but reports no failure; then the file alone is out of date.
  /// - Throws: `busy` if a reader blocks it for five seconds.
  public func checkpoint() throws(DatabaseError) {
    guard let writer else { throw DatabaseError(.other, "The library is open for reading only.") }
    try isReadOnly.withLock { _ throws(DatabaseError) in
      guard try writer.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0 else {
        throw DatabaseError(.busy, "The database is in use, and can't be written into one file.")
      }
    }
  }

  /// Why the last write failed; nil if it succeeded.
  public var problem: DatabaseError.Code? { writingProblem.withLock { $0 } }

  /// Frees the page caches of idle readers.
  public func releaseMemory() {
    idleReaders.withLock { for reader in $0 { reader.releaseMemory() } }
  }

  /// SQLite's share of this process's memory in bytes, mostly cached pages.
  public static var memoryBytes: Int { Int(sqlite3_memory_used()) }

  /// Makes the library read-only, or writable again.
  public func setReadOnly(_ seals: Bool = true) {
    isReadOnly.withLock { $0 = seals }
  }

  /// Runs `body` on a reading connection, which sees what was committed when it began.
  func read<Result>(
    _ body: (Connection) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    LockRank.database.assertInOrder()
    let reader: Connection
    if let idle = idleReaders.withLock({ $0.popLast() }) {
      reader = idle
    } else {
      reader = try Connection(path: path, .reader)
    }
    defer { idleReaders.withLock { $0.append(reader) } }
    return try reader.transaction(begin: "BEGIN") { () throws(DatabaseError) in
      try body(reader)
    }
  }

  /// Returns what SQLite finds wrong with the file; empty if it is sound.
  public func integrityProblems() throws(DatabaseError) -> [String] {
    try read { connection throws(DatabaseError) in try connection.integrityProblems() }
  }
}

/// The ids of a library and of its present life, which begins with a restore.
private struct Identity {
  /// The library's own lineage, followed by those of the libraries that it replaced.
  var lineages: [Int]
  var life: Int

  /// The name that clients know.
  var name: String {
    [lineages[0], life].map { $0.padded(to: 16, radix: 16) }.joined(separator: "-")
  }

  static func read(_ connection: Connection) throws(DatabaseError) -> Identity? {
    guard let life = try number("library", connection) else { return nil }
    // Earlier versions stored no lineage: the life of that time is the first one.
    let own = try number("lineage", connection) ?? life
    var lineages = [own]
    try connection.query("SELECT value FROM counter WHERE name LIKE 'lineage of %'") {
      row throws(DatabaseError) in lineages.append(row.integer(0))
    }
    return Identity(lineages: lineages, life: life)
  }

  static func make(
    _ connection: Connection, replacing isReplaced: Bool
  ) throws(DatabaseError) -> Identity {
    let known = try read(connection)
    let life = if let known, !isReplaced { known.life } else { Int.random(in: 1 ... .max) }
    let identity = Identity(lineages: known?.lineages ?? [life], life: life)
    try connection.run(
      "INSERT OR REPLACE INTO counter VALUES ('library', ?), ('lineage', ?)",
      [.integer(life), .integer(identity.lineages[0])])
    return identity
  }

  private static func number(
    _ name: String, _ connection: Connection
  ) throws(DatabaseError) -> Int? {
    try connection.integer("SELECT value FROM counter WHERE name = '\(name)'")
  }
}
