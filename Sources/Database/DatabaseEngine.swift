// What keeps the tables of a library, and where.

import Storage

/// Where the records of a library are.
public enum DatabaseLocation: Sendable, Equatable {
  /// In a file of SQLite, at this path.
  case file(String)
  /// On a PostgreSQL server, at an address that libpq knows, such as `postgres://host/database`.
  case server(String)
}

/// What keeps the tables: SQLite in a file, or a PostgreSQL server.
protocol DatabaseEngine: Sendable {
  /// Its name among OpenTelemetry's well-known ones (`db.system.name`).
  var system: String { get }

  /// Runs `body` in one transaction. No other one that writes runs beside it.
  func write<Result>(
    _ body: (any Connection) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result

  /// Runs `body` in one transaction, which sees what was committed when it began.
  func read<Result>(
    _ body: (any Connection) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result

  /// What servers that share the library need; nil if one process has it alone.
  var shared: SharedLibrary? { get }

  /// Writes what was committed to where a copy of the file alone would have it.
  func checkpoint() throws(DatabaseError)

  /// The name of a place outside of the data folder, which a copy of the library elsewhere does not have; nil
  /// for a file in the folder.
  func place() throws(DatabaseError) -> String?

  /// Calls `handler` once, from any thread, when it is found that another server has opened the library. Never
  /// called for a file, which one process holds.
  func whenSuperseded(_ handler: @escaping @Sendable () -> Void)

  /// Asks whether other servers are kept out of the library, and keeps them out again if the connection that
  /// did so has ended. `silence` is how long the server may take to answer, in milliseconds.
  func keepsOthersOut(silence: Int32) throws(DatabaseError) -> Bool

  /// Whether a server of a later version, which shares the library, has changed the schema since it was opened.
  func isOutdated() throws(DatabaseError) -> Bool

  /// Frees memory that no transaction uses.
  func releaseMemory()

  /// The size of what is stored, in bytes.
  func bytes() throws -> Int

  /// Returns what the engine finds wrong with what it stores; empty if it is sound.
  func integrityProblems() throws(DatabaseError) -> [String]

  /// Copies all, as it is now, to a new file of SQLite at `path`. `progress` goes from 0 to 1.
  /// - Returns: false when `isCancelled` said so; then what is at `path` is of no use.
  func snapshot(
    to path: String, progress: (Double) -> Void, isCancelled: () -> Bool
  ) throws(DatabaseError) -> Bool
}

extension LibraryDatabase {
  /// Opens or creates the database of the library in `folder`, in a file there or on the server that the
  /// folder names. The caller holds the folder's lock. `address` is a server for a new library, which the
  /// folder names once it was opened there.
  ///
  /// A file beside the address of a server is a library that was restored: it takes the place of what is
  /// on the server, in one transaction. One of the same life as the server's is left over from what was
  /// interrupted, and put aside. A standby has a `claim` to the library.
  public convenience init(
    of folder: DataDirectory, newAt address: String? = nil, isShared: Bool = false,
    claim: StandbyClaim? = nil
  ) throws {
    if let address {
      try folder.requireRecords(at: address)
      try self.init(at: .server(address), isShared: isShared, claim: claim)
      try folder.writeDatabaseAddress(address)
    } else {
      try self.init(at: folder.records, isShared: isShared, claim: claim)
    }
    guard try folder.databaseAddress != nil, folder.hasDatabaseFile else { return }
    if try replaceUnlessSame(by: LibraryDatabase(readingAt: folder.database)) {
      try folder.removeDatabaseFile()
    } else {
      try folder.putDatabaseFileAside()
    }
  }

  private func replaceUnlessSame(by restored: LibraryDatabase) throws(DatabaseError) -> Bool {
    guard restored.identity != identity else { return false }
    try replace(by: restored)
    return true
  }

  /// Opens the database of the library in `folder` read-only, while a server may be writing.
  public convenience init(reading folder: DataDirectory) throws {
    let records = try folder.records
    if case .server = records, folder.hasDatabaseFile { throw StorageError.restoreInterrupted }
    try self.init(readingAt: records)
  }
}

extension DataDirectory {
  /// Where the records of the library in this folder are.
  var records: DatabaseLocation {
    get throws { try databaseAddress.map(DatabaseLocation.server) ?? .file(database) }
  }
}
