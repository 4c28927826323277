// The database of one library: one writing connection, a few reading ones.

import CSQLite
import Synchronization

/// The embedded database. Threads: any; writes go one after another, reads run beside them.
public final class LibraryDatabase: Sendable {
  /// Tells this library from every other, and from its own life before it was restored.
  public let identity: String
  private let path: String
  private let writer: Connection?
  /// Whether changes are refused. Held while something is written.
  private let isSealed = Mutex(false)
  /// Of its own, so that who asks for it waits for no writing.
  private let writingProblem = Mutex<DatabaseError.Code?>(nil)
  private let idleReaders = Mutex<[Connection]>([])

  /// Opens or creates the database at `path` and brings it to today's schema. An older one is
  /// copied first, unless it is a copy itself.
  public init(path: String, isCopy: Bool = false) throws(DatabaseError) {
    self.path = path
    let writer = try Connection(path: path, .writer)
    let version = try Migrations.version(of: writer)
    if !isCopy, version > 0, version < Migrations.all.count {
      try MigrationBackup.make(of: writer, at: path)
    }
    try Migrations.migrate(writer)
    identity = try writer.transaction { () throws(DatabaseError) in
      try Identity.make(writer, replacing: isCopy)
    }
    self.writer = writer
  }

  /// Opens the database at `path` for looking only, while another process may be writing.
  public init(readingAt path: String) throws(DatabaseError) {
    self.path = path
    writer = nil
    let reader = try Connection(path: path, .reader)
    try Migrations.requireCurrent(reader)
    identity = try Identity.read(reader) ?? ""
  }

  deinit {
    // The writer goes last, so that its closing checkpoints and leaves one file.
    idleReaders.withLock { $0 = [] }
  }

  /// Runs `body` in one transaction on the writing connection.
  func write<Result: Sendable>(
    _ body: (Connection) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    guard let writer else { throw DatabaseError(.other, "The library is open for reading only.") }
    return try isSealed.withLock { isSealed throws(DatabaseError) in
      guard !isSealed else {
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

  /// Moves all that was written into the one file, and empties the WAL beside it.
  ///
  /// Closing does so, too, but says nothing where it could not: then the file alone is older.
  /// - Throws: `busy` when somebody who reads stands in the way for five seconds.
  public func checkpoint() throws(DatabaseError) {
    guard let writer else { throw DatabaseError(.other, "The library is open for reading only.") }
    try isSealed.withLock { _ throws(DatabaseError) in
      guard try writer.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0 else {
        throw DatabaseError(.busy, "The database is in use, and can't be written into one file.")
      }
    }
  }

  /// Why the last writing failed; nil when it went well.
  public var problem: DatabaseError.Code? { writingProblem.withLock { $0 } }

  /// Lets the readers that are idle forget the pages that they keep; the next reading fetches its own.
  public func releaseMemory() {
    idleReaders.withLock { for reader in $0 { reader.releaseMemory() } }
  }

  /// What SQLite holds of this process's memory, in bytes: above all pages of the file.
  public static var memoryBytes: Int { Int(sqlite3_memory_used()) }

  /// Takes no more changes from here on, or takes them again.
  public func seal(_ seals: Bool = true) {
    isSealed.withLock { $0 = seals }
  }

  /// Runs `body` on a reading connection, which sees what was committed when it began.
  func read<Result>(
    _ body: (Connection) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
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

  /// Returns what SQLite finds wrong with the file; empty when it is sound.
  public func integrityProblems() throws(DatabaseError) -> [String] {
    try read { connection throws(DatabaseError) in try connection.integrityProblems() }
  }
}

/// The number that stands for one life of one library.
private enum Identity {
  static func read(_ connection: Connection) throws(DatabaseError) -> String? {
    try connection.integer("SELECT value FROM counter WHERE name = 'library'").map { number in
      let digits = String(number, radix: 16)
      return String(repeating: "0", count: max(0, 16 - digits.count)) + digits
    }
  }

  static func make(
    _ connection: Connection, replacing isReplaced: Bool
  ) throws(DatabaseError) -> String {
    if !isReplaced, let known = try read(connection) { return known }
    try connection.run(
      "INSERT OR REPLACE INTO counter VALUES ('library', ?)", [.integer(.random(in: 1 ... .max))])
    return try read(connection) ?? ""
  }
}
