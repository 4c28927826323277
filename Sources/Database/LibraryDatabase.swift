// The database of one library, on either engine.

import CSQLite
import Locking
import Synchronization
import Text

/// The database of one library. Writes run one after another; reads run in parallel with them.
public final class LibraryDatabase: Sendable {
  /// The id of this library and, after a hyphen, of its life since the last restore.
  public var identity: String { numbers.withLock { $0?.name } ?? "" }
  private let numbers = Mutex<Identity?>(nil)
  let engine: any DatabaseEngine
  /// What servers that share this library need; nil if one process has it alone.
  public var shared: SharedLibrary? { engine.shared }
  /// Whether changes are refused. Held while something is written.
  private let isReadOnly = OrderedMutex(.database, false)
  /// A lock of its own, so that reading it never waits for a write.
  private let writingProblem = Mutex<DatabaseError.Code?>(nil)
  private let standstill = Standstill()

  /// Opens or creates the database at `location` and migrates it to the current schema. An older file
  /// is copied first, unless it is a copy itself.
  public convenience init(
    at location: DatabaseLocation, isCopy: Bool = false, isShared: Bool = false,
    claim: StandbyClaim? = nil
  ) throws(DatabaseError) {
    let engine: any DatabaseEngine =
      switch location {
      case .file(let path): try SQLiteEngine(path: path, isCopy: isCopy)
      case .server(let address):
        try PostgreSQLEngine(address: address, isShared: isShared, claim: claim)
      }
    try self.init(engine: engine, isCopy: isCopy)
  }

  /// Makes the database of a library that `engine` has opened.
  init(engine: any DatabaseEngine, isCopy: Bool = false) throws(DatabaseError) {
    self.engine = engine
    let identity = try engine.write { connection throws(DatabaseError) in
      try Identity.make(connection, replacing: isCopy)
    }
    numbers.withLock { $0 = identity }
  }

  /// Opens or creates the database in the file at `path`.
  public convenience init(path: String, isCopy: Bool = false) throws(DatabaseError) {
    try self.init(at: .file(path), isCopy: isCopy)
  }

  /// Opens the database at `location` read-only, while another process may be writing.
  public init(readingAt location: DatabaseLocation) throws(DatabaseError) {
    let engine: any DatabaseEngine =
      switch location {
      case .file(let path): try SQLiteEngine(readingAt: path)
      case .server(let address): try PostgreSQLEngine(address: address, isReader: true)
      }
    self.engine = engine
    let identity = try engine.read { connection throws(DatabaseError) in
      try Identity.read(connection)
    }
    numbers.withLock { $0 = identity }
  }

  /// Opens the database in the file at `path` read-only, while another process may be writing.
  public convenience init(readingAt path: String) throws(DatabaseError) {
    try self.init(readingAt: .file(path))
  }

  /// Replaces all that is in this database by what is in another one, in one transaction, and compares
  /// both.
  public func replace(by other: LibraryDatabase) throws(DatabaseError) {
    let identity = try other.read { from throws(DatabaseError) in
      try engine.write { to throws(DatabaseError) in
        let copy = TableCopy(from: from, to: to)
        _ = try copy.run()
        try copy.verify()
        return try Identity.read(to)
      }
    }
    numbers.withLock { $0 = identity }
  }

  /// Throws `corrupt` unless the file of SQLite at `path` holds the same rows.
  public func requireSame(asFileAt path: String) throws(DatabaseError) {
    let file = try LibraryDatabase(readingAt: path)
    try read { here throws(DatabaseError) in
      try file.engine.read { there throws(DatabaseError) in
        try TableCopy(from: here, to: there).verify()
      }
    }
  }

  /// The name of this library on its server, which stays when the data folder is lost; nil if the library is in
  /// the folder.
  public func nameOnServer() throws(DatabaseError) -> String? {
    guard let place = try engine.place() else { return nil }
    let lineage = numbers.withLock { $0?.lineages[0] } ?? 0
    return "\(lineage.padded(to: 16, radix: 16))-\(place)"
  }

  /// Whether a client's copy with this name is of this library in any of its lives, or of one that this
  /// library replaced. Names of earlier versions, which hold no lineage, count as such.
  public func isSameLibrary(_ name: String) -> Bool {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let lineage = Int(parts[0], radix: 16) else { return true }
    return numbers.withLock { $0?.lineages.contains(lineage) } ?? false
  }

  /// Lets clients of another library continue with this one, which replaces it. Takes effect when the
  /// library is next opened.
  public func inheritIdentity(from other: LibraryDatabase) throws(DatabaseError) {
    let lineages = other.numbers.withLock { $0?.lineages } ?? []
    try write { connection throws(DatabaseError) in
      for lineage in lineages {
        try Counter.set("lineage of \(lineage)", lineage, connection)
      }
    }
  }

  /// Runs `body` in one transaction, beside which no other one writes.
  func write<Result: Sendable>(
    _ body: (any Connection) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    guard let log = TransactionLog.ofThisWork else { return try writeUnnoted(body) }
    return try log.note(isWrite: true, engine.system) { begin throws(DatabaseError) in
      try writeUnnoted { connection throws(DatabaseError) in
        begin()
        return try body(connection)
      }
    }
  }

  private func writeUnnoted<Result: Sendable>(
    _ body: (any Connection) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    let arrival = ContinuousClock.now
    return try isReadOnly.withLock { isReadOnly throws(DatabaseError) in
      guard !isReadOnly else {
        throw DatabaseError(.sealed, "A backup is being restored. Try again in a moment.")
      }
      try standstill.check(arrival)
      let start = ContinuousClock.now
      do throws(DatabaseError) {
        let result = try engine.write(body)
        writingProblem.withLock { $0 = nil }
        return result
      } catch {
        if error.code != .busy { writingProblem.withLock { $0 = error.code } }
        standstill.note(error, from: start)
        throw error
      }
    }
  }

  /// Writes what was committed to where a copy of the file alone would have it.
  /// - Throws: `busy` if a reader blocks it for five seconds.
  public func checkpoint() throws(DatabaseError) {
    try isReadOnly.withLock { _ throws(DatabaseError) in try engine.checkpoint() }
  }

  /// Why the last write failed; nil if it succeeded.
  public var problem: DatabaseError.Code? { writingProblem.withLock { $0 } }

  /// Calls `handler` once, from any thread, when it is found that another server has opened the library. From
  /// then on every transaction fails as `sealed`.
  public func whenSuperseded(_ handler: @escaping @Sendable () -> Void) {
    engine.whenSuperseded(handler)
  }

  /// Asks whether this process is still the one that has the library open. False where that can't be said at
  /// the moment. `silenceMilliseconds` is how long a database server may take to answer.
  public func keepsOthersOut(silenceMilliseconds: Int32) throws(DatabaseError) -> Bool {
    try engine.keepsOthersOut(silence: silenceMilliseconds)
  }

  /// Whether a server of a later version, which shares the library, has changed the schema since it was opened.
  public func isOutdated() throws(DatabaseError) -> Bool { try engine.isOutdated() }

  /// Frees the page caches of idle readers.
  public func releaseMemory() { engine.releaseMemory() }

  /// SQLite's share of this process's memory in bytes, mostly cached pages.
  public static var memoryBytes: Int { Int(sqlite3_memory_used()) }

  /// Makes the library read-only, or writable again.
  public func setReadOnly(_ seals: Bool = true) {
    isReadOnly.withLock { $0 = seals }
  }

  /// Runs `body` in one transaction, which sees what was committed when it began.
  func read<Result>(
    _ body: (any Connection) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    LockRank.database.assertInOrder()
    guard let log = TransactionLog.ofThisWork else { return try engine.read(body) }
    return try log.note(isWrite: false, engine.system) { begin throws(DatabaseError) in
      try engine.read { connection throws(DatabaseError) in
        begin()
        return try body(connection)
      }
    }
  }

  /// The size of what is stored, in bytes.
  public func bytes() throws -> Int { try engine.bytes() }

  /// Whether nobody has stored anything in it yet.
  public func isEmpty() throws(DatabaseError) -> Bool {
    try read { connection throws(DatabaseError) in
      for table in ["record", "personal", "device", "troupe", "job"] {
        if try connection.integer("SELECT 1 FROM \(table) LIMIT 1") != nil { return false }
      }
      return true
    }
  }

  /// Returns what the engine finds wrong with what it stores; empty if it is sound.
  public func integrityProblems() throws(DatabaseError) -> [String] {
    try engine.integrityProblems()
  }

  /// Copies the database, as it is now, to a new file of SQLite at `path` that needs no other file beside
  /// it. Writers go on meanwhile. `progress` goes from 0 to 1.
  /// - Returns: false when `isCancelled` said so; then what is at `path` is of no use.
  public func snapshot(
    to path: String, progress: (Double) -> Void = { _ in }, isCancelled: () -> Bool = { false }
  ) throws(DatabaseError) -> Bool {
    LockRank.database.assertInOrder()
    return try engine.snapshot(to: path, progress: progress, isCancelled: isCancelled)
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

  static func read(_ connection: any Connection) throws(DatabaseError) -> Identity? {
    guard let life = try Counter.value("library", connection) else { return nil }
    // Earlier versions stored no lineage: the life of that time is the first one.
    let own = try Counter.value("lineage", connection) ?? life
    var lineages = [own]
    try connection.query("SELECT value FROM counter WHERE name LIKE 'lineage of %'") {
      row throws(DatabaseError) in lineages.append(row.integer(0))
    }
    return Identity(lineages: lineages, life: life)
  }

  static func make(
    _ connection: any Connection, replacing isReplaced: Bool
  ) throws(DatabaseError) -> Identity {
    let known = try read(connection)
    let life = if let known, !isReplaced { known.life } else { Int.random(in: 1 ... .max) }
    let identity = Identity(lineages: known?.lineages ?? [life], life: life)
    try Counter.set("library", life, connection)
    try Counter.set("lineage", identity.lineages[0], connection)
    return identity
  }
}
