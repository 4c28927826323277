// The engine for more than one machine: a pool of connections to a PostgreSQL server.

import Locking
import Synchronization

/// A library on a PostgreSQL server, in the first schema of the address's search path.
final class PostgreSQLEngine: DatabaseEngine {
  /// How many connections stay open when nobody needs them. In use there are as many as requests run.
  private static let mostIdle = 8

  private let address: String
  private let schema: PostgreSQLSchema
  /// Which opening of the library by a server this is; nil reads only.
  private let opening: Int?
  /// The number of this server among those that share the library; nil if it has the library alone.
  let number: Int?
  /// Keeps other servers out while it lasts, or only those that want the library alone, and is replaced when
  /// it breaks. If another server begins before that, the number of the opening keeps this one out.
  private let guardian: Mutex<PostgreSQLConnection?>
  private let idle = Mutex<[PostgreSQLConnection]>([])
  private let supersession = Mutex(Supersession())

  private struct Supersession {
    /// Whether another server has opened the library since.
    var isKnown = false
    var handler: (@Sendable () -> Void)?
  }

  /// Connects to the server, and creates the library there or brings it to `schema`. A reader requires a library of
  /// that schema. `patience` is how long another server may take to let go of the library;
  /// a standby's `claim` has waited for that already.
  init(
    address: String, isReader: Bool = false, isShared: Bool = false, patience: String = "5s",
    claim: StandbyClaim? = nil, schema: PostgreSQLSchema = .current
  ) throws(DatabaseError) {
    self.address = address
    self.schema = schema
    let granted = claim?.takeConnection()
    let first: PostgreSQLConnection
    if let granted { first = granted } else { first = try PostgreSQLConnection(address: address) }
    if isReader {
      try schema.require(first)
      opening = nil
      number = nil
      guardian = Mutex(nil)
      giveBack(first)
    } else if isShared {
      try PostgreSQLSchema.create(first)
      // Before the schema is changed, as a server that has it alone goes on with the one that it knows.
      try first.share(patience)
      try schema.migrate(first)
      let numbers = try PostgreSQLSchema.join(first)
      try first.show(numbers.number)
      (opening, number) = (numbers.opening, numbers.number)
      guardian = Mutex(first)
    } else {
      try PostgreSQLSchema.create(first)
      if granted == nil { try first.keepOthersOut(patience) }
      try schema.migrate(first)
      opening = try PostgreSQLSchema.open(first)
      number = nil
      guardian = Mutex(first)
    }
  }

  var system: String { "postgresql" }

  var shared: SharedLibrary? {
    number.map { SharedLibrary(engine: self, address: address, number: $0) }
  }

  func write<Result>(
    _ body: (any Connection) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    guard opening != nil else {
      throw DatabaseError(.other, "The library is open for reading only.")
    }
    return try inTransaction(.write, body)
  }

  func read<Result>(
    _ body: (any Connection) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    try inTransaction(.read, body)
  }

  private func inTransaction<Result>(
    _ purpose: TransactionPurpose, _ body: (PostgreSQLConnection) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    let connection = try begun(purpose)
    defer { giveBack(connection) }
    return try connection.finish { () throws(DatabaseError) in try body(connection) }
  }

  /// Returns a connection in whose transaction nothing was done yet. Of idle ones that the server has
  /// ended since, as when it started anew, the next is tried, and at last a new one.
  private func begun(_ purpose: TransactionPurpose) throws(DatabaseError) -> PostgreSQLConnection {
    do throws(DatabaseError) {
      return try connectionInTransaction(purpose)
    } catch  where error.code == .sealed {
      noteSupersession()
      throw error
    }
  }

  private func connectionInTransaction(
    _ purpose: TransactionPurpose
  ) throws(DatabaseError) -> PostgreSQLConnection {
    while let connection = idle.withLock({ $0.popLast() }) {
      do throws(DatabaseError) {
        try connection.begin(purpose)
        return connection
      } catch  where error.code == .unreachable {
        // If it was silent, all others might be: each would cost the same time.
        if connection.isGivenUp { idle.withLock { $0 = [] } }
      }
    }
    // One that breaks seldom breaks alone.
    try replaceBrokenGuardian()
    let connection = try PostgreSQLConnection(address: address)
    connection.opening = opening
    try connection.begin(purpose)
    return connection
  }

  /// Keeps other servers out again if the connection that did has ended, unless one has begun since.
  private func replaceBrokenGuardian() throws(DatabaseError) {
    guard let opening else { return }
    // A thread that finds it taken need not wait: another one looks after it.
    let attempt = guardian.withLockIfAvailable {
      guardian -> Result<Void, DatabaseError> in
      Result { () throws(DatabaseError) in
        _ = try renew(&guardian, opening, PostgreSQLConnection.silenceAtBeginning)
      }
    }
    try attempt?.get()
  }

  /// - Returns: whether others are kept out.
  private func renew(
    _ guardian: inout PostgreSQLConnection?, _ opening: Int, _ silence: Int32
  ) throws(DatabaseError) -> Bool {
    if try guardian?.lasts(silence: silence) == true { return true }
    guardian = nil
    let next = try PostgreSQLConnection(address: address)
    let isKept =
      if let number {
        try next.shares(as: number, of: opening)
      } else {
        try next.keepsOthersOut(of: opening)
      }
    guard isKept else { return false }
    guardian = next
    return true
  }

  func keepsOthersOut(silence: Int32) throws(DatabaseError) -> Bool {
    guard let opening else { return false }
    let attempt = guardian.withLock { guardian -> Result<Bool, DatabaseError> in
      Result { () throws(DatabaseError) in try renew(&guardian, opening, silence) }
    }
    do throws(DatabaseError) {
      return try attempt.get()
    } catch  where error.code == .sealed {
      noteSupersession()
      throw error
    }
  }

  /// Takes the lock of the keeper over the connection that shows that this server is there.
  ///
  /// - Returns: false if another server has it.
  func keeps() throws(DatabaseError) -> Bool {
    let attempt = guardian.withLock { guardian -> Result<Bool, DatabaseError> in
      Result { () throws(DatabaseError) in try guardian?.keeps() ?? false }
    }
    return try attempt.get()
  }

  func whenSuperseded(_ handler: @escaping @Sendable () -> Void) {
    let isKnown = supersession.withLock { state in
      state.handler = handler
      return state.isKnown
    }
    if isKnown { handler() }
  }

  private func noteSupersession() {
    let handler = supersession.withLock { state in
      defer { state.isKnown = true }
      return state.isKnown ? nil : state.handler
    }
    handler?()
  }

  /// Runs `body` with a connection outside of a transaction.
  func withConnection<Result>(
    _ body: (PostgreSQLConnection) throws -> Result
  ) throws -> Result {
    let connection = try begun(.read)
    defer { giveBack(connection) }
    try connection.execute("COMMIT")
    return try body(connection)
  }

  private func giveBack(_ connection: PostgreSQLConnection) {
    guard connection.isUsable, !connection.isInTransaction else { return }
    idle.withLock { idle in
      if idle.count < PostgreSQLEngine.mostIdle { idle.append(connection) }
    }
  }

  /// The cluster, which a replica shares and a copy by SQL does not, and the schema in it.
  func place() throws(DatabaseError) -> String? {
    try read { connection throws(DatabaseError) in
      var place: String?
      try connection.query(
        """
        SELECT system_identifier || '-' || oid || '-' || current_schema()
        FROM pg_control_system(), pg_database WHERE datname = current_database()
        """
      ) { row throws(DatabaseError) in place = row.text(0) }
      return place
    }
  }

  /// Nothing: a copy is made over the server, and never of its files.
  func checkpoint() {}

  func releaseMemory() {}

  /// The size of the tables of the library, with their indexes.
  func bytes() throws -> Int {
    try read { connection throws(DatabaseError) in
      try connection.integer(
        """
        SELECT sum(pg_total_relation_size(oid)) FROM pg_class
        WHERE relkind = 'r' AND relnamespace = CAST(current_schema() AS regnamespace)
        """) ?? 0
    }
  }

  /// Nothing is looked for: the server has tools of its own, such as checksums of its pages.
  func integrityProblems() -> [String] { [] }

  func isOutdated() throws(DatabaseError) -> Bool {
    try inTransaction(.read) { connection throws(DatabaseError) in
      try schema.isOlder(than: connection)
    }
  }

  /// What a server of a later version stores in a new schema is unknown here, and a copy would lack it.
  func snapshot(
    to path: String, progress: (Double) -> Void, isCancelled: () -> Bool
  ) throws(DatabaseError) -> Bool {
    try inTransaction(.read) { connection throws(DatabaseError) in
      guard try !schema.isOlder(than: connection) else {
        throw DatabaseError(
          .sealed,
          "A server of a later version of Segmance shares this library by now, and makes the backups. "
            + "Update this server, too.")
      }
      let copy = try SQLiteConnection(path: path, .copy)
      try Migrations.migrate(copy)
      return try copy.transaction { () throws(DatabaseError) in
        try TableCopy(from: connection, to: copy).run(progress: progress, isCancelled: isCancelled)
      }
    }
  }
}
