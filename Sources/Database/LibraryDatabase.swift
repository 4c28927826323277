// The database of one library: one writing connection, a few reading ones.

import Synchronization

/// The embedded database. Threads: any; writes go one after another, reads run beside them.
public final class LibraryDatabase: Sendable {
  private let path: String
  private let writer: Connection?
  private let writerLock = Mutex(())
  private let idleReaders = Mutex<[Connection]>([])

  /// Opens or creates the database at `path` and brings it to today's schema.
  public init(path: String) throws(DatabaseError) {
    self.path = path
    let writer = try Connection(path: path, isWriter: true)
    try Migrations.migrate(writer)
    self.writer = writer
  }

  /// Opens the database at `path` for looking only, while another process may be writing.
  public init(readingAt path: String) throws(DatabaseError) {
    self.path = path
    writer = nil
    try Migrations.requireCurrent(try Connection(path: path, isWriter: false))
  }

  /// Runs `body` in one transaction on the writing connection.
  func write<Result: Sendable>(
    _ body: (Connection) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    guard let writer else { throw DatabaseError(.other, "The library is open for reading only.") }
    return try writerLock.withLock { _ throws(DatabaseError) in
      try writer.transaction { () throws(DatabaseError) in try body(writer) }
    }
  }

  /// Runs `body` on a reading connection, which sees what was committed when it began.
  func read<Result>(
    _ body: (Connection) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    let reader: Connection
    if let idle = idleReaders.withLock({ $0.popLast() }) {
      reader = idle
    } else {
      reader = try Connection(path: path, isWriter: false)
    }
    defer { idleReaders.withLock { $0.append(reader) } }
    return try reader.transaction(begin: "BEGIN") { () throws(DatabaseError) in
      try body(reader)
    }
  }

  /// Returns what SQLite finds wrong with the file; empty when it is sound.
  public func integrityProblems() throws(DatabaseError) -> [String] {
    try read { connection throws(DatabaseError) in
      var problems: [String] = []
      try connection.query("PRAGMA integrity_check") { row throws(DatabaseError) in
        if row.text(0) != "ok" { problems.append(row.text(0)) }
      }
      try connection.query("PRAGMA foreign_key_check") { row throws(DatabaseError) in
        problems.append("A row of \(row.text(0)) points at nothing.")
      }
      return problems
    }
  }
}
