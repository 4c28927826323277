// What reads and writes the tables, on either engine.

/// A failure of the library's database.
public struct DatabaseError: Error, Sendable, CustomStringConvertible {
  /// Kinds of failure that callers tell apart.
  public enum Code: Sendable {
    /// The disk, or the room set aside for the library, is full.
    case full
    /// The file is damaged or is no database.
    case corrupt
    /// It was written by a later version of Segmance.
    case newerSchema
    /// Another process holds it, or a transaction keeps others waiting. The same may be asked again.
    case busy
    /// The database server can't be reached, or broke off. What was not answered may be asked again.
    case unreachable
    /// The library is read-only because a restored one will replace it, or another server has opened it.
    case sealed
    case other
  }

  public let code: Code
  /// What happened and what to do. It may hold SQL, but never values.
  public let message: String

  /// Makes an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { message }
}

/// What a transaction is for.
enum TransactionPurpose {
  /// It writes. No other one that writes runs beside it, and it sees all that were before it.
  case write
  /// It sees what was committed when it began.
  case read
}

/// A connection to a database, with its prepared statements. Threads: one at a time.
///
/// The statements are those that both engines understand: parameters are `?`, or `?1` and so on;
/// `json_extract(column, '$.field')` reads a field; texts compare byte by byte.
protocol Connection: AnyObject, Sendable {
  /// Runs statements without parameters and ignores their rows.
  func execute(_ sql: String) throws(DatabaseError)

  /// Runs `sql` with `values` bound in order and hands each row to `row`.
  func query(
    _ sql: String, _ values: [SQLValue], row: (Row) throws(DatabaseError) -> Void
  ) throws(DatabaseError)

  /// Hands each row of `sql`, within a transaction, to `row` until that returns false. However many rows
  /// there are, a few are in the memory.
  /// - Returns: whether `row` took all.
  func eachRow(
    _ sql: String, row: (Row) throws(DatabaseError) -> Bool
  ) throws(DatabaseError) -> Bool

  /// Lets the statements of this transaction take as long as they need, where their number of rows is that of
  /// the library.
  func allowLongStatements() throws(DatabaseError)

  /// Begins a transaction.
  func begin(_ purpose: TransactionPurpose) throws(DatabaseError)

  /// Whether a transaction has begun and not ended.
  var isInTransaction: Bool { get }
}

extension Connection {
  /// Runs `sql` and hands each row to `row`.
  func query(
    _ sql: String, row: (Row) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    try query(sql, [], row: row)
  }

  /// Runs `sql` with `values` bound in order, for its effect.
  func run(_ sql: String, _ values: [SQLValue] = []) throws(DatabaseError) {
    try query(sql, values) { _ throws(DatabaseError) in }
  }

  /// Returns the first column of the first row as an integer.
  func integer(_ sql: String, _ values: [SQLValue] = []) throws(DatabaseError) -> Int? {
    var result: Int?
    try query(sql, values) { row throws(DatabaseError) in result = result ?? row.integer(0) }
    return result
  }

  /// Runs `body` in one transaction that is rolled back when it throws.
  func transaction<Result>(
    _ purpose: TransactionPurpose = .write, _ body: () throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    try begin(purpose)
    return try finish(body)
  }

  /// Runs `body` in the transaction that has begun, and commits it, or rolls it back when it throws.
  func finish<Result>(_ body: () throws(DatabaseError) -> Result) throws(DatabaseError) -> Result {
    do {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      // On a full disk SQLite may have rolled back already, and a server that broke off has.
      if isInTransaction { try run("ROLLBACK") }
      throw error
    }
  }
}

/// A parameter of a statement.
enum SQLValue {
  case null
  case integer(Int)
  case text(String)
}

/// The current row of a query; valid only inside the closure that received it.
enum Row {
  case sqlite(SQLiteRow)
  case postgreSQL(PostgreSQLRow)

  /// The integer in `column`; 0 for NULL.
  func integer(_ column: Int32) -> Int {
    switch self {
    case .sqlite(let row): row.integer(column)
    case .postgreSQL(let row): row.integer(column)
    }
  }

  /// Whether `column` is NULL.
  func isNull(_ column: Int32) -> Bool {
    switch self {
    case .sqlite(let row): row.isNull(column)
    case .postgreSQL(let row): row.isNull(column)
    }
  }

  /// The text in `column`; empty for NULL.
  func text(_ column: Int32) -> String {
    switch self {
    case .sqlite(let row): row.text(column)
    case .postgreSQL(let row): row.text(column)
    }
  }
}
