// The database of one library: one writing connection, a few reading ones.

import CSQLite
import Locking
import Synchronization
import Text

/// The embedded database. Threads: any; writes go one after another, reads run beside them.
public final class LibraryDatabase: Sendable {
  /// Tells this library from every other and, behind a hyphen, from its own life before it was restored.
  public var identity: String { numbers?.name ?? "" }
  private let numbers: Identity?
  private let path: String
  private let writer: Connection?
  /// Whether changes are refused. Held while something is written.
  private let isSealed = OrderedMutex(.database, false)
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
    numbers = try writer.transaction { () throws(DatabaseError) in
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
    numbers = try Identity.read(reader)
  }

  /// Whether a client that knows this name had its copy from this library in one of its lives, or from
  /// one that it took the place of. Names from earlier versions, which don't tell, count as such.
  public func continues(_ name: String) -> Bool {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let lineage = Int(parts[0], radix: 16) else { return true }
    return numbers?.lineages.contains(lineage) ?? false
  }

  /// Lets clients of another library, whose place this one takes, go on with it. It holds for whoever
  /// opens it after that.
  public func takeOver(from other: LibraryDatabase) throws(DatabaseError) {
    let lineages = other.numbers?.lineages ?? []
    try write { connection throws(DatabaseError) in
      for lineage in lineages {
        try connection.run(
          "INSERT OR REPLACE INTO counter VALUES ('lineage of ' || ?1, ?1)", [.integer(lineage)])
      }
    }
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

  /// Returns what SQLite finds wrong with the file; empty when it is sound.
  public func integrityProblems() throws(DatabaseError) -> [String] {
    try read { connection throws(DatabaseError) in try connection.integrityProblems() }
  }
}

/// The numbers that stand for a library, and for one life of it between two restores.
private struct Identity {
  /// The library's own lineage, and behind it those of libraries that it took the place of.
  var lineages: [Int]
  var life: Int

  /// The name that clients know.
  var name: String {
    [lineages[0], life].map { $0.padded(to: 16, radix: 16) }.joined(separator: "-")
  }

  static func read(_ connection: Connection) throws(DatabaseError) -> Identity? {
    guard let life = try number("library", connection) else { return nil }
    // Earlier versions knew no lineages: the life that was then is the beginning.
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
