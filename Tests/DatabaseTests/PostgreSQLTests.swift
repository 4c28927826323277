// What only a PostgreSQL server does: `make test ONLY=postgresql` starts one.

import FoundationEssentials
import Glibc
import Model
import Storage
import TestSupport
import Testing

@testable import Database

@Suite struct StatementTests {
  @Test(arguments: [
    ("SELECT 1", "SELECT 1"), ("a = ? AND b = ?", "a = $1 AND b = $2"),
    ("?2 IS NULL OR a = ?1", "$2 IS NULL OR a = $1"),
    ("'?' = ? AND '' = ?", "'?' = $1 AND '' = $2"),
    ("a IN (''?, ?)", "a IN (''$1, $2)"), ("?12", "$12"),
  ])
  func `parameters get PostgreSQL's numbers`(sql: String, numbered: String) {
    #expect(PostgreSQLConnection.numbered(sql) == numbered)
  }

  @Test func `what is copied are all tables and columns`() throws {
    let folder = try TemporaryFolder()
    let connection = try SQLiteConnection(path: folder.path + "/library.sqlite", .copy)
    try Migrations.migrate(connection)
    var tables: Set<String> = []
    try connection.query("SELECT name FROM sqlite_schema WHERE type = 'table'") { row in
      tables.insert(row.text(0))
    }
    #expect(tables == LibraryTables.uncopied.union(LibraryTables.all.map(\.name)))
    for table in LibraryTables.all {
      var columns: [String: String] = [:]
      var keys: [Int: String] = [:]
      try connection.query("SELECT name, type, pk FROM pragma_table_info('\(table.name)')") { row in
        columns[row.text(0)] = row.text(1)
        if row.integer(2) > 0 { keys[row.integer(2)] = row.text(0) }
      }
      let copied = table.columns.map { ($0.name, $0.kind == .integer ? "INTEGER" : "TEXT") }
      #expect(columns == Dictionary(uniqueKeysWithValues: copied))
      #expect(
        keys.sorted { $0.key < $1.key }.map(\.value) == table.columns.prefix(table.key).map(\.name))
    }
  }
}

@Suite(.enabled(if: TestDatabase.isServer, "the family postgresql runs it"))
struct PostgreSQLTests {
  let address = TestDatabase.newAddress() ?? ""

  private func title(_ number: Int, _ title: Value, at milliseconds: Int) -> Change {
    Change(
      id: Identifier.make(milliseconds: 1), type: .routine, record: id(number),
      fields: ["title": title],
      at: Stamp(milliseconds: 1_700_000_000_000 + milliseconds, counter: 0, device: 1))
  }

  private func id(_ number: Int) -> String {
    let digits = String(number)
    return "0193a5b0-0000-7000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  @Test func `what the server says on its own is not written to the log`() throws {
    let connection = try PostgreSQLConnection(address: address)
    let folder = try TemporaryFolder()
    let path = folder.path + "/written"
    let file = open(path, O_RDWR | O_CREAT, 0o600)
    try #require(file >= 0)
    defer { close(file) }
    // Other tests may write there too in this moment.
    let standardError = dup(STDERR_FILENO)
    try #require(dup2(file, STDERR_FILENO) >= 0)
    defer {
      dup2(standardError, STDERR_FILENO)
      close(standardError)
    }
    try connection.execute(
      "SET client_min_messages = 'notice'; DO $$ BEGIN RAISE NOTICE 'by the server itself'; END $$")
    let written = try String(decoding: Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    #expect(!written.contains("by the server itself"))
  }

  @Test func `the tables and columns are those of SQLite`() throws {
    _ = try LibraryDatabase(at: .server(address))
    let connection = try PostgreSQLConnection(address: address)
    for table in LibraryTables.all {
      var columns: [String: String] = [:]
      try connection.query(
        """
        SELECT column_name, data_type FROM information_schema.columns
        WHERE table_schema = current_schema() AND table_name = ?
        """, [.text(table.name)]
      ) { row in columns[row.text(0)] = row.text(1) }
      #expect(Set(columns.keys) == Set(table.columns.map { $0.name.lowercased() }), "\(table.name)")
      for column in table.columns {
        let type = columns[column.name.lowercased()]
        #expect((type == "bigint") == (column.kind == .integer), "\(table.name).\(column.name)")
      }
    }
    #expect(PostgreSQLSchema.current.number == Migrations.all.count)
  }

  /// Beside the lock of a process: as several servers would.
  private func write(_ numbers: Range<Int>) throws {
    let connection = try PostgreSQLConnection(address: address)
    for number in numbers {
      try connection.transaction { () throws(DatabaseError) in
        var merging = Merging(
          connection: connection, viewer: nil, now: 1, seq: try RecordStore.seq(connection))
        try merging.take(all: [[title(number, "A", at: number)]])
        try RecordStore.setSeq(merging.seq, connection)
      }
    }
  }

  @Test func `who follows the sequence while others write misses nothing`() async throws {
    let store = RecordStore(database: try LibraryDatabase(at: .server(address)))
    let (writers, each) = (4, 40)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<writers {
        group.addTask { try write(writer * each..<(writer + 1) * each) }
      }
      var seen: Set<String> = []
      var since = 0
      // Far more rounds than it takes, so that a writer that fails ends the test.
      for _ in 0..<100_000 where since < writers * each {
        let page = try store.page(since: since, limit: 7)
        seen.formUnion(page.records)
        since = page.seq
        // The writers may have no other thread.
        await Task.yield()
      }
      #expect(seen.count == writers * each)
      try await group.waitForAll()
    }
  }

  @Test func `after the server has ended its connections the next ones are used`() throws {
    let database = try LibraryDatabase(at: .server(address))
    let store = RecordStore(database: database)
    _ = try store.apply([title(1, "Swan", at: 1)])
    _ = try store.latestSeq()
    let other = try PostgreSQLConnection(address: address)
    try other.endOthers()
    #expect(try store.record(.routine, id(1))?["title"] == "Swan")
    try other.endOthers()
    _ = try store.apply([title(2, "Lake", at: 2)])
    #expect(try store.latestSeq() == 2)
  }

  @Test func `a write that is broken off is not there, and is reported`() throws {
    let database = try LibraryDatabase(at: .server(address))
    let store = RecordStore(database: database)
    let other = try PostgreSQLConnection(address: address)
    let error = #expect(throws: DatabaseError.self) {
      try database.write { connection throws(DatabaseError) in
        try connection.run("UPDATE counter SET value = 99 WHERE name = 'seq'")
        try other.endOthers()
        try connection.run("UPDATE counter SET value = 100 WHERE name = 'seq'")
      }
    }
    #expect(error?.code == .unreachable)
    #expect(database.problem == .unreachable)
    #expect(try store.latestSeq() == 0)
    _ = try store.apply([title(1, "Swan", at: 1)])
    #expect(database.problem == nil)
  }

  @Test func `a server that is silent for too long is given up`() throws {
    let connection = try PostgreSQLConnection(address: address)
    connection.silence = 100
    let error = #expect(throws: DatabaseError.self) {
      try connection.execute("SELECT pg_sleep(30)")
    }
    #expect(error?.code == .unreachable)
    #expect(!connection.isUsable && !connection.isInTransaction)
    #expect(throws: DatabaseError.self) { try connection.execute("SELECT 1") }
  }

  @Test func `in a copy of the library a statement takes as long as it needs`() throws {
    let connection = try PostgreSQLConnection(address: address)
    func limits() throws(DatabaseError) -> String {
      var limits = ""
      try connection.query(
        """
        SELECT current_setting('statement_timeout') || ' '
          || current_setting('idle_in_transaction_session_timeout')
        """
      ) { row in limits = row.text(0) }
      return limits
    }
    try connection.transaction { () throws(DatabaseError) in
      try TableCopy(from: connection, to: connection).allowLongStatements()
      #expect(try limits() == "0 0")
      connection.silence = 10
      try connection.execute("SELECT pg_sleep(0.2)")
      connection.silence = PostgreSQLConnection.usualSilence
    }
    // In that transaction alone.
    #expect(try limits() == "1min 1min")
    connection.silence = 10
    #expect(throws: DatabaseError.self) { try connection.execute("SELECT pg_sleep(30)") }
  }

  @Test func `what is longer than the system's buffers goes there and back`() throws {
    let connection = try PostgreSQLConnection(address: address)
    let text = String(repeating: "0123456789", count: 3_000_000)
    var answer = ""
    try connection.query("SELECT ? || 'x'", [.text(text)]) { row in answer = row.text(0) }
    #expect(answer == text + "x")
    #expect(try connection.integer("SELECT 1") == 1)
  }

  @Test func `a server that is away is reported as such`() {
    let error = #expect(throws: DatabaseError.self) {
      try LibraryDatabase(at: .server("postgres://segmance@/postgres?host=/nonexistent"))
    }
    #expect(error?.code == .unreachable)
    #expect(error?.message.contains("can't be reached") == true)
  }

  @Test func `two servers never write one library`() throws {
    let first = try LibraryDatabase(at: .server(address))
    let refused = #expect(throws: DatabaseError.self) {
      try PostgreSQLEngine(address: address, patience: "50ms")
    }
    #expect(refused?.code == .busy)
    // The connection that keeps the second out breaks, as when the network between them does.
    try PostgreSQLConnection(address: address).endOthers()
    let second = try LibraryDatabase(at: .server(address))
    _ = try RecordStore(database: second).apply([title(1, "Swan", at: 1)])
    let error = #expect(throws: DatabaseError.self) {
      try RecordStore(database: first).apply([title(2, "Lost", at: 1)])
    }
    #expect(error?.code == .sealed)
    #expect(try RecordStore(database: second).records(.routine).map(\.id) == [id(1)])
    _ = try RecordStore(database: second).apply([title(3, "Lake", at: 1)])
  }

  @Test func `a server whose connections broke keeps others out again`() throws {
    let first = try LibraryDatabase(at: .server(address))
    try PostgreSQLConnection(address: address).endOthers()
    // The first answer after it connects anew.
    #expect(try RecordStore(database: first).latestSeq() == 0)
    let refused = #expect(throws: DatabaseError.self) {
      try PostgreSQLEngine(address: address, patience: "50ms")
    }
    #expect(refused?.code == .busy)
    _ = try RecordStore(database: first).apply([title(1, "Swan", at: 1)])
  }

  @Test func `a server that was replaced keeps nobody out`() throws {
    let first = try LibraryDatabase(at: .server(address))
    try PostgreSQLConnection(address: address).endOthers()
    do { _ = try LibraryDatabase(at: .server(address)) }
    try PostgreSQLConnection(address: address).endOthers()
    let error = #expect(throws: DatabaseError.self) { try RecordStore(database: first).latestSeq() }
    #expect(error?.code == .sealed)
    let third = try LibraryDatabase(at: .server(address))
    _ = try RecordStore(database: third).apply([title(1, "Swan", at: 1)])
  }

  @Test func `a copy in a file and back holds the same rows`() throws {
    let folder = try TemporaryFolder()
    let database = try LibraryDatabase(at: .server(address))
    let store = RecordStore(database: database)
    let texts = ["Swan", "\"quoted\\\"", "tab\tand\nline", "🎪 سماء", "", "'; DROP TABLE"]
    for (number, text) in texts.enumerated() {
      _ = try store.apply([title(number, .text(text), at: 1)])
      _ = try store.apply([title(number, .text(text + "!"), at: 400_000)])
    }
    try store.people.save(
      PersonRow(Person(id: id(77), name: "Ana", colour: "#8863de"), createdAt: 5))
    let path = folder.path + "/copy.sqlite"
    #expect(try database.snapshot(to: path))
    #expect(try LibraryDatabase.problems(inCopyAt: path).isEmpty)
    let copy = try LibraryDatabase(readingAt: path)
    #expect(copy.identity == database.identity)
    #expect(
      try RecordStore(database: copy).page(since: 0, limit: 99).records
        == store.page(since: 0, limit: 99).records)
    try database.requireSame(asFileAt: path)

    let elsewhere = try #require(TestDatabase.newAddress())
    let other = try LibraryDatabase(at: .server(elsewhere))
    try other.replace(by: copy)
    #expect(other.identity == database.identity)
    #expect(
      try RecordStore(database: other).earlierVersions(.routine, id(1)).map(\.value)
        == store.earlierVersions(.routine, id(1)).map(\.value))
    _ = try RecordStore(database: other).apply([title(50, "Later", at: 9)])
    let changed = #expect(throws: DatabaseError.self) { try other.requireSame(asFileAt: path) }
    #expect(changed?.code == .corrupt)
  }

  @Test func `a snapshot that is cancelled says so`() throws {
    let folder = try TemporaryFolder()
    let database = try LibraryDatabase(at: .server(address))
    #expect(try !database.snapshot(to: folder.path + "/copy.sqlite", isCancelled: { true }))
  }

  @Test(arguments: [
    ("53100", DatabaseError.Code.full), ("XX001", .corrupt), ("55P03", .busy), ("57014", .busy),
    ("08006", .unreachable), ("57P01", .unreachable), ("25006", .unreachable), ("42601", .other),
  ])
  func `failures of the server are told apart`(state: String, code: DatabaseError.Code) {
    #expect(PostgreSQLConnection.code(of: state) == code)
  }

  @Test func `a schema of a later version is refused`() throws {
    _ = try LibraryDatabase(at: .server(address))
    let connection = try PostgreSQLConnection(address: address)
    try connection.execute("UPDATE schemaVersion SET value = 99")
    for isReader in [false, true] {
      let error = #expect(throws: DatabaseError.self) {
        try PostgreSQLEngine(address: address, isReader: isReader)
      }
      #expect(error?.code == .newerSchema)
    }
  }

  @Test func `a text with a zero in it is refused`() throws {
    let connection = try PostgreSQLConnection(address: address)
    #expect(throws: DatabaseError.self) { try connection.run("SELECT ?", [.text("a\u{0}b")]) }
  }
}

extension PostgreSQLConnection {
  /// Ends all other connections of this name, which is that of one test, as a server that starts anew does.
  func endOthers() throws(DatabaseError) {
    try run(
      """
      SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
      WHERE pid <> pg_backend_pid() AND application_name = ?
      """, [.text(try name)])
  }

  private var name: String {
    get throws(DatabaseError) {
      var name = ""
      try query("SHOW application_name") { row in name = row.text(0) }
      return name
    }
  }
}
