// One connection to a PostgreSQL server and its prepared statements, over libpq.

import CPostgreSQL
import Glibc

/// A connection to a PostgreSQL server.
///
/// Unchecked, because `PostgreSQLEngine` guarantees it: a connection is used only by the thread that took
/// it out of the pool.
final class PostgreSQLConnection: Connection, @unchecked Sendable {
  /// The longest that a statement runs, that it waits for a lock, and that a transaction waits for its
  /// next statement, as when this process was stopped. The server sees to it; of one that is frozen,
  /// `silence` does.
  ///
  /// A process whose machine vanished holds its locks until the server notices. These settings make that
  /// 25 seconds: by the keepalives where the server waits, by the timeout where it answers.
  ///
  /// Each statement has an index and is short. Without the last two lines, plans that were made while a
  /// library was small would read whole tables, or whole indexes to join them, and compile themselves first.
  private static let settings = """
    SET statement_timeout = '60s'; SET lock_timeout = '20s';
    SET idle_in_transaction_session_timeout = '60s'; SET client_min_messages = 'error';
    SET client_encoding = 'UTF8'; SET standard_conforming_strings = on;
    SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3;
    SET tcp_user_timeout = 25000;
    SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;
    SET jit = off
    """

  /// PostgreSQL's number of its type bigint.
  private static let bigint: UInt32 = 20

  /// Which opening of the library by a server this connection writes for; nil for any.
  var opening: Int?
  let libpq: segmance_pg_functions
  let handle: OpaquePointer
  private var statements: [String: String] = [:]
  /// How long the server may send and take nothing while it is asked, in milliseconds. A transaction begins
  /// when the one before it is through, within `lock_timeout`; then a statement runs for a minute at most.
  var silence = usualSilence
  static let usualSilence: Int32 = 70_000
  static let silenceAtBeginning: Int32 = 25_000
  /// Whether the transaction may have statements that run for as long as they need.
  private var isPatient = false
  /// Whether the server was silent for too long. What it might still say belongs to nothing any more.
  private(set) var isGivenUp = false

  /// Connects to the server at `address`, in any form that libpq knows.
  init(address: String) throws(DatabaseError) {
    guard let functions = segmance_pg_load()?.pointee else {
      throw DatabaseError(
        .unreachable,
        "The records are on a PostgreSQL server, and libpq is not installed. Install Debian's "
          + "package libpq5.")
    }
    // What the address says itself counts before these. The last one breaks a connection off whose
    // other end has vanished.
    let parameters = [
      ("connect_timeout", "5"), ("application_name", "segmance"), ("keepalives_idle", "15"),
      ("keepalives_interval", "5"), ("keepalives_count", "3"), ("tcp_user_timeout", "20000"),
      ("dbname", address),
    ]
    let names = parameters.map { strdup($0.0) }
    let values = parameters.map { strdup($0.1) }
    defer { (names + values).forEach { free($0) } }
    let opened = (names.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { names in
      (values.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { values in
        functions.connectdbParams(names.baseAddress, values.baseAddress, 1)
      }
    }
    guard let opened else {
      throw DatabaseError(.other, "There is no memory for a connection to the database.")
    }
    libpq = functions
    handle = opened
    // Else libpq writes what the server says on its own, as that it ends, between the lines of our log. What
    // comes of it, the next statement fails with.
    _ = functions.setNoticeReceiver(opened, { _, _ in }, nil)
    guard isUsable else {
      throw DatabaseError(
        .unreachable,
        "The database server can't be reached: \(PostgreSQLConnection.line(of: problem))")
    }
    // Else libpq waits without end for a server that takes nothing.
    guard functions.setNonblocking(opened, 1) == 0 else {
      throw DatabaseError(.unreachable, PostgreSQLConnection.line(of: problem))
    }
    try execute(PostgreSQLConnection.settings)
  }

  deinit { libpq.finish(handle) }

  /// Whether the server can still be asked over it.
  var isUsable: Bool { !isGivenUp && libpq.status(handle) == Int32(SEGMANCE_PG_CONNECTION_OK) }

  var isInTransaction: Bool {
    guard !isGivenUp else { return false }
    let status = libpq.transactionStatus(handle)
    return status != Int32(SEGMANCE_PG_IDLE)
      && status != Int32(SEGMANCE_PG_UNKNOWN)
  }

  func execute(_ sql: String) throws(DatabaseError) {
    let result = result { libpq.sendQuery(handle, sql) }
    defer { libpq.clear(result) }
    try check(result, sql)
  }

  /// Sends something and returns the last result of it, which the caller clears; nil if the connection broke
  /// or was given up.
  private func result(of send: () -> Int32) -> OpaquePointer? {
    guard send() == 1 else { return nil }
    var last: OpaquePointer?
    while waitForAnswer() {
      guard let next = libpq.getResult(handle) else {
        isPatient = isPatient && isInTransaction
        return last
      }
      libpq.clear(last)
      last = next
    }
    libpq.clear(last)
    return nil
  }

  /// Waits until libpq has a result, or knows that there is no other. It never waits itself: what is sent goes
  /// on while the server takes it, and what comes is read, as libpq's chapter on asynchronous commands says.
  /// - Returns: false if the connection broke, or the server is silent for too long.
  private func waitForAnswer() -> Bool {
    while true {
      let unsent = libpq.flush(handle)
      guard unsent >= 0 else { return false }
      if unsent == 0, libpq.isBusy(handle) == 0 { return true }
      var socket = pollfd(
        fd: libpq.socket(handle), events: Int16(POLLIN | (unsent == 1 ? POLLOUT : 0)), revents: 0)
      let ready = poll(&socket, 1, isPatient ? -1 : silence)
      if ready < 0, errno == EINTR { continue }
      isGivenUp = ready <= 0
      guard ready > 0, libpq.consumeInput(handle) == 1 else { return false }
    }
  }

  func allowLongStatements() throws(DatabaseError) {
    try execute(
      "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0")
    isPatient = true
  }

  /// Runs statements without parameters and returns the integer that the last one gives; 0 for none.
  private func lastInteger(_ sql: String) throws(DatabaseError) -> Int {
    let result = result { libpq.sendQuery(handle, sql) }
    defer { libpq.clear(result) }
    try check(result, sql)
    guard libpq.ntuples(result) > 0 else { return 0 }
    return PostgreSQLRow(libpq: libpq, result: result, row: 0).integer(0)
  }

  /// The one that writes waits for the one before it: the sequence numbers that clients follow are
  /// committed in their order, and what a transaction reads stays as it is. The snapshot of each
  /// statement is taken when it begins, after the wait.
  func begin(_ purpose: TransactionPurpose) throws(DatabaseError) {
    silence = min(silence, PostgreSQLConnection.silenceAtBeginning)
    defer { silence = PostgreSQLConnection.usualSilence }
    let question = opening == nil ? "" : "SELECT opened FROM schemaVersion"
    switch purpose {
    case .write:
      // At once: each statement is a way to the server and back.
      let last = try lastInteger(
        """
        BEGIN ISOLATION LEVEL READ COMMITTED;
        SELECT pg_advisory_xact_lock(\(LockClass.writing), hashtext(current_schema()));
        \(question)
        """)
      try PostgreSQLConnection.require(opening, is: last)
    case .read:
      let last = try lastInteger(
        "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \(question)")
      try PostgreSQLConnection.require(opening, is: last)
    }
  }

  static func require(_ opening: Int?, is last: Int) throws(DatabaseError) {
    guard opening == nil || last == opening else {
      throw DatabaseError(
        .sealed, "Another server serves this library now. Try again in a moment.")
    }
  }

  /// Lets no other server open the library while this connection lasts. `patience` is how long one that
  /// has it may take to let go, as PostgreSQL writes times.
  /// - Throws: `busy` if another one has it open.
  func keepOthersOut(_ patience: String) throws(DatabaseError) {
    do throws(DatabaseError) {
      try execute(
        """
        SET lock_timeout = '\(patience)';
        SELECT pg_advisory_lock(\(LockClass.serving), hashtext(current_schema()))
        """)
    } catch  where error.code == .busy {
      throw DatabaseError(
        .busy, "Another server has this library open. Stop it first: a library has one server.")
    }
  }

  /// Like `keepOthersOut`, but at once.
  /// - Returns: false if another server has the library open.
  func triesToKeepOthersOut() throws(DatabaseError) -> Bool {
    try integer(
      """
      SELECT 1 WHERE pg_try_advisory_lock(\(LockClass.serving), hashtext(current_schema()))
      """) != nil
  }

  /// Whether the server is a replica, which takes no changes.
  func isReplica() throws(DatabaseError) -> Bool {
    try integer("SELECT 1 WHERE pg_is_in_recovery()") != nil
  }

  /// Like `triesToKeepOthersOut`, for a server that did so before.
  /// - Returns: false if another one has the library open or is about to, or this one's own lock of a
  ///   connection that broke is not gone yet.
  /// - Throws: `sealed` if another server has begun since `opening`.
  func keepsOthersOut(of opening: Int) throws(DatabaseError) -> Bool {
    let isFree = try triesToKeepOthersOut()
    let last = try integer("SELECT opened FROM schemaVersion") ?? 0
    try PostgreSQLConnection.require(opening, is: last)
    return isFree
  }

  /// Asks the server whether this connection is still there. `silence` is how long the answer may take, in
  /// milliseconds.
  func lasts(silence longest: Int32 = silenceAtBeginning) throws(DatabaseError) -> Bool {
    silence = min(silence, longest)
    defer { silence = PostgreSQLConnection.usualSilence }
    do throws(DatabaseError) {
      try execute("SELECT 1")
      return true
    } catch  where error.code == .unreachable {
      return false
    }
  }

  /// The first numbers of the locks that Segmance takes, where other programs use the same database:
  /// "Segm" in ASCII, and those after it.
  enum LockClass {
    static let writing = 0x5365_676D
    static let serving = 0x5365_676E
    static let keeping = 0x5365_676F
    /// The first of those for edits, one for each topic.
    static let editing = 0x5365_6770
  }

  func query(
    _ sql: String, _ values: [SQLValue], row: (Row) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    let result = try answer(to: sql, values)
    defer { libpq.clear(result) }
    for index in 0..<libpq.ntuples(result) {
      try row(.postgreSQL(PostgreSQLRow(libpq: libpq, result: result, row: index)))
    }
  }

  func eachRow(
    _ sql: String, row: (Row) throws(DatabaseError) -> Bool
  ) throws(DatabaseError) -> Bool {
    try execute("DECLARE each NO SCROLL CURSOR FOR \(sql)")
    var count = 1
    while count > 0 {
      count = 0
      var isWanted = true
      try query("FETCH 1000 FROM each") { next throws(DatabaseError) in
        count += 1
        if isWanted { isWanted = try row(next) }
      }
      if !isWanted { break }
    }
    try execute("CLOSE each")
    return count == 0
  }

  /// Returns the result of a statement, which the caller clears.
  private func answer(
    to sql: String, _ values: [SQLValue]
  ) throws(DatabaseError) -> OpaquePointer? {
    let name = try prepared(sql, values)
    var texts: [UnsafeMutablePointer<CChar>?] = []
    texts.reserveCapacity(values.count)
    defer { texts.forEach { free($0) } }
    for value in values {
      switch value {
      case .null: texts.append(nil)
      case .integer(let integer): texts.append(strdup(String(integer)))
      case .text(let text):
        guard !text.utf8.contains(0) else {
          throw DatabaseError(.other, "PostgreSQL stores no text with a zero in it.")
        }
        texts.append(strdup(text))
      }
    }
    let parameters = texts.map { UnsafePointer($0) }
    let result = result {
      libpq.sendQueryPrepared(handle, name, Int32(values.count), parameters, nil, nil, 0)
    }
    do throws(DatabaseError) {
      try check(result, sql)
    } catch {
      libpq.clear(result)
      throw error
    }
    return result
  }

  /// Returns the name of the prepared statement. The server finds the types of the parameters, but for
  /// integers, which it would take for short ones beside small numbers.
  private func prepared(_ sql: String, _ values: [SQLValue]) throws(DatabaseError) -> String {
    if let name = statements[sql] { return name }
    let name = "s\(statements.count)"
    let types = values.map {
      if case .integer = $0 { PostgreSQLConnection.bigint } else { UInt32(0) }
    }
    let result = result {
      libpq.sendPrepare(
        handle, name, PostgreSQLConnection.numbered(sql), Int32(types.count), types)
    }
    defer { libpq.clear(result) }
    try check(result, sql)
    statements[sql] = name
    return name
  }

  /// The statement with `$1` and so on in place of `?` and `?1`, outside of texts.
  static func numbered(_ sql: String) -> String {
    var numbered = ""
    var isText = false
    var last = 0
    var rest = Substring(sql)
    while let character = rest.popFirst() {
      if character == "'" { isText.toggle() }
      guard character == "?", !isText else {
        numbered.append(character)
        continue
      }
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(digits.count)
      last = Int(digits) ?? last + 1
      numbered += "$\(last)"
    }
    return numbered
  }

  private func check(_ result: OpaquePointer?, _ action: String) throws(DatabaseError) {
    let status = result.map { libpq.resultStatus($0) }
    if status == Int32(SEGMANCE_PG_COMMAND_OK)
      || status == Int32(SEGMANCE_PG_TUPLES_OK)
    {
      return
    }
    guard isUsable else {
      let problem = isGivenUp ? "it is silent." : PostgreSQLConnection.line(of: problem)
      throw DatabaseError(.unreachable, "The database server broke off: \(problem)")
    }
    let state = field(SEGMANCE_PG_SQLSTATE, of: result) ?? ""
    // The sentence alone: details may hold values.
    let sentence = field(SEGMANCE_PG_MESSAGE, of: result) ?? PostgreSQLConnection.line(of: problem)
    throw DatabaseError(
      PostgreSQLConnection.code(of: state), "\(sentence) (\(state)), while: \(action)")
  }

  private func field(_ field: Int, of result: OpaquePointer?) -> String? {
    libpq.resultErrorField(result, Int32(field)).map { String(cString: $0) }
  }

  /// What kind of failure an SQLSTATE is; see PostgreSQL's appendix A.
  static func code(of state: String) -> DatabaseError.Code {
    switch state {
    // The disk, or a quota.
    case "53100", "53400": .full
    // Damaged pages or indexes.
    case "XX001", "XX002": .corrupt
    // A lock or a statement took too long, a deadlock, or a conflict with the replication.
    case "55P03", "57014", "40P01", "40001", "25P03": .busy
    // Too many connections, shutting down, a standby that takes no changes.
    case "53300", "57P01", "57P02", "57P03", "25006": .unreachable
    case _ where state.hasPrefix("08"): .unreachable
    default: .other
    }
  }

  var problem: String {
    libpq.errorMessage(handle).map { String(cString: $0) } ?? ""
  }

  /// A problem on one line.
  static func line(of problem: String) -> String {
    problem.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}

/// The current row of a result.
struct PostgreSQLRow {
  fileprivate let libpq: segmance_pg_functions
  fileprivate let result: OpaquePointer?
  fileprivate let row: Int32

  /// The integer in `column`; 0 for NULL.
  func integer(_ column: Int32) -> Int {
    libpq.getvalue(result, row, column).map { Int(strtoll($0, nil, 10)) } ?? 0
  }

  /// Whether `column` is NULL.
  func isNull(_ column: Int32) -> Bool { libpq.getisnull(result, row, column) != 0 }

  /// The text in `column`; empty for NULL.
  func text(_ column: Int32) -> String {
    let count = Int(libpq.getlength(result, row, column))
    guard let bytes = libpq.getvalue(result, row, column) else { return "" }
    return bytes.withMemoryRebound(to: UInt8.self, capacity: count) {
      String(decoding: UnsafeBufferPointer(start: $0, count: count), as: UTF8.self)
    }
  }
}
