// One SQLite connection and its prepared statements.

import CSQLite
import Glibc
import Storage

/// A connection to one database file.
///
/// Unchecked, because `SQLiteEngine` guarantees it: the writer is used only under its lock, and a
/// reader only by the thread that took it out of the pool.
final class SQLiteConnection: Connection, @unchecked Sendable {
  /// What a connection is for.
  enum Role {
    /// Writes the library: one at a time.
    case writer
    /// Reads it while it is written.
    case reader
    /// Writes a copy that no other connection has open: one file, without a WAL.
    case copy
  }

  let handle: OpaquePointer
  private var statements: [String: OpaquePointer] = [:]

  /// Opens `path`. Only the writing connection creates the file and checkpoints: SQLite before
  /// 3.51.3 can damage a WAL that two connections reset at once.
  init(path: String, _ role: Role) throws(DatabaseError) {
    if role != .reader && path != ":memory:" {
      // Readable by its owner only; SQLite gives the WAL the same mode. An existing file is not opened
      // here: closing it would release the locks that this process holds on it.
      let new = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      // If the file can't be made, SQLite reports it below.
      if new >= 0 {
        Files.chownToParentOwner(new, at: path)
        close(new)
      }
    }
    var opened: OpaquePointer?
    let flags =
      SQLITE_OPEN_NOMUTEX
      | (role == .reader ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    let result = sqlite3_open_v2(path, &opened, flags, nil)
    guard let opened else {
      throw DatabaseError(.other, "The library's database could not be opened.")
    }
    handle = opened
    guard result == SQLITE_OK else { throw failure("opening the library") }
    sqlite3_busy_timeout(handle, 5000)
    sqlite3_extended_result_codes(handle, 1)
    try check(segmance_sqlite_defend(handle), "securing the connection")
    switch role {
    case .writer:
      try execute("PRAGMA journal_mode = WAL")
      try execute("PRAGMA synchronous = FULL")
    case .copy:
      try execute("PRAGMA synchronous = FULL")
    case .reader:
      try execute("PRAGMA query_only = ON")
      try execute("PRAGMA wal_autocheckpoint = 0")
      try check(segmance_sqlite_never_checkpoint_on_close(handle), "setting up a reader")
    }
    try execute("PRAGMA foreign_keys = ON")
    // In kibibytes. There are as many readers as requests ever ran at once.
    try execute("PRAGMA cache_size = \(role == .reader ? -1000 : -4000)")
  }

  /// Frees the cached pages that no transaction uses.
  func releaseMemory() { sqlite3_db_release_memory(handle) }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
  }

  func execute(_ sql: String) throws(DatabaseError) {
    try check(sqlite3_exec(handle, sql, nil, nil, nil), sql)
  }

  func query(
    _ sql: String, _ values: [SQLValue], row: (Row) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    _ = try step(sql, values) { each throws(DatabaseError) in
      try row(each)
      return true
    }
  }

  func eachRow(
    _ sql: String, row: (Row) throws(DatabaseError) -> Bool
  ) throws(DatabaseError) -> Bool {
    try step(sql, [], row: row)
  }

  private func step(
    _ sql: String, _ values: [SQLValue], row: (Row) throws(DatabaseError) -> Bool
  ) throws(DatabaseError) -> Bool {
    let statement = try prepared(sql)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (index, value) in values.enumerated() {
      try check(value.bind(to: statement, at: Int32(index + 1)), sql)
    }
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: guard try row(.sqlite(SQLiteRow(statement: statement))) else { return false }
      case SQLITE_DONE: return true
      default: throw failure(sql)
      }
    }
  }

  func allowLongStatements() {}

  func begin(_ purpose: TransactionPurpose) throws(DatabaseError) {
    try run(purpose == .write ? "BEGIN IMMEDIATE" : "BEGIN")
  }

  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  private func prepared(_ sql: String) throws(DatabaseError) -> OpaquePointer {
    if let statement = statements[sql] { return statement }
    var statement: OpaquePointer?
    try check(
      sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil), sql)
    guard let statement else { throw DatabaseError(.other, "An empty statement was prepared.") }
    statements[sql] = statement
    return statement
  }

  func check(_ result: Int32, _ action: String) throws(DatabaseError) {
    guard result == SQLITE_OK else { throw failure(action) }
  }

  /// Makes an error for the last call, or for `result` of a call on another handle.
  func failure(_ action: String, result: Int32? = nil) -> DatabaseError {
    let text = String(cString: result.flatMap { sqlite3_errstr($0) } ?? sqlite3_errmsg(handle))
    let code: DatabaseError.Code =
      switch (result ?? sqlite3_errcode(handle)) & 0xFF {
      case SQLITE_FULL: .full
      case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
      case SQLITE_BUSY, SQLITE_LOCKED: .busy
      default: .other
      }
    return DatabaseError(code, "\(text), while: \(action)")
  }
}

extension SQLValue {
  fileprivate func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    switch self {
    case .null: return sqlite3_bind_null(statement, index)
    case .integer(let value): return sqlite3_bind_int64(statement, index, Int64(value))
    case .text(var value):
      return value.withUTF8 { bytes in
        // An empty string may have no base address, which SQLite would take for NULL.
        guard let base = bytes.baseAddress else {
          return sqlite3_bind_text(statement, index, "", 0, segmance_sqlite_transient())
        }
        return base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
          sqlite3_bind_text(
            statement, index, $0, Int32(bytes.count), segmance_sqlite_transient())
        }
      }
    }
  }
}

/// The current row of a query.
struct SQLiteRow {
  fileprivate let statement: OpaquePointer

  /// The integer in `column`; 0 for NULL.
  func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(statement, column)) }

  /// Whether `column` is NULL.
  func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(statement, column) == SQLITE_NULL
  }

  /// The text in `column`; empty for NULL.
  func text(_ column: Int32) -> String {
    guard let bytes = sqlite3_column_text(statement, column) else { return "" }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }
}
