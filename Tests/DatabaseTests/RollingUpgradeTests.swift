// Servers of a version go on with a library on PostgreSQL while one of a later version changes its schema.

import Dispatch
import Model
import Synchronization
import TestSupport
import Testing

@testable import Database

extension PostgreSQLSchema {
  /// A schema of a later version: that of today with more steps. On a busy machine readers may take long to let a
  /// step through.
  fileprivate static func later(
    _ steps: String..., patience: Duration = .seconds(3_600)
  ) -> PostgreSQLSchema {
    PostgreSQLSchema(steps: current.steps + steps, patience: patience)
  }

  /// What a step may do.
  fileprivate static let addition = """
    ALTER TABLE record ADD tempo bigint NOT NULL DEFAULT 120;
    ALTER TABLE person ADD shoe text COLLATE "C";
    CREATE INDEX record_tempo ON record (tempo, seq);
    CREATE TABLE rehearsal (id text COLLATE "C" PRIMARY KEY, tempo bigint NOT NULL DEFAULT 1);
    """
}

@Suite(.enabled(if: TestDatabase.isServer, "the family postgresql runs it"))
struct RollingUpgradeTests {
  let address = TestDatabase.newAddress() ?? ""

  private func open(
    _ schema: PostgreSQLSchema = .current, isReader: Bool = false
  ) throws(DatabaseError) -> LibraryDatabase {
    try LibraryDatabase(
      engine: PostgreSQLEngine(
        address: address, isReader: isReader, isShared: true, patience: "50ms", schema: schema))
  }

  private func title(_ record: String, _ title: String) -> Change {
    Change(
      id: Identifier.make(milliseconds: 1), type: .routine, record: record,
      fields: ["title": .text(title)], at: Stamp(milliseconds: 1, counter: 0, device: 1))
  }

  private func write(_ database: LibraryDatabase) throws -> String {
    let record = Identifier.make(milliseconds: 1)
    _ = try RecordStore(database: database).apply([title(record, "Swan")])
    return record
  }

  /// Those who do the same again and again, each on a thread of its own.
  private final class Load: Sendable {
    private struct State {
      var counts: [Int]
      var failure: (any Error)?
      var isOver = false
    }

    private let state: Mutex<State>
    private let group = DispatchGroup()

    init(_ works: [@Sendable () throws -> Void]) {
      state = Mutex(State(counts: works.map { _ in 0 }))
      for (index, work) in works.enumerated() {
        DispatchQueue(label: "load \(index)").async(group: group) { [self] in
          while !state.withLock({ $0.isOver }) {
            do {
              try work()
              state.withLock { $0.counts[index] += 1 }
            } catch {
              state.withLock { ($0.failure, $0.isOver) = ($0.failure ?? error, true) }
            }
          }
        }
      }
    }

    /// Returns once each has done it so often again.
    func go(on count: Int) throws {
      let wanted = state.withLock { $0.counts.map { $0 + count } }
      while true {
        let isDone = try state.withLock { state in
          if let failure = state.failure { throw failure }
          return zip(state.counts, wanted).allSatisfy { $0 >= $1 }
        }
        if isDone { return }
      }
    }

    func end() throws {
      state.withLock { $0.isOver = true }
      group.wait()
      if let failure = state.withLock({ $0.failure }) { throw failure }
    }
  }

  /// Returns once a connection waits for the lock of a table.
  private func waitForWaiting(_ table: String, unless isDone: () -> Bool) throws {
    let connection = try PostgreSQLConnection(address: address)
    while try connection.integer(
      "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = to_regclass(?)", [.text(table)])
      == nil
    {
      try #require(!isDone(), "It does not wait.")
    }
  }

  /// Opens the library with a later schema on another thread.
  private func openLater(
    _ schema: PostgreSQLSchema
  ) -> (wait: @Sendable () throws -> LibraryDatabase, isDone: @Sendable () -> Bool) {
    let result = Mutex<Result<LibraryDatabase, DatabaseError>?>(nil)
    let group = DispatchGroup()
    let kept = Kept(result: result)
    DispatchQueue(label: "later").async(group: group) {
      let opened = Result { () throws(DatabaseError) in try open(schema) }
      kept.result.withLock { $0 = opened }
    }
    return (
      {
        group.wait()
        return try #require(kept.result.withLock { $0 }).get()
      }, { kept.result.withLock { $0 != nil } }
    )
  }

  private final class Kept: Sendable {
    let result: Mutex<Result<LibraryDatabase, DatabaseError>?>
    init(result: consuming sending Mutex<Result<LibraryDatabase, DatabaseError>?>) {
      self.result = result
    }
  }

  @Test func `servers go on while one of a later version changes the schema and serves`() throws {
    let (first, second) = (try open(), try open())
    let written = Mutex<Set<String>>([])
    let load = Load(
      [first, second].flatMap { database -> [@Sendable () throws -> Void] in
        let store = RecordStore(database: database)
        return [
          {
            let record = try write(database)
            written.withLock { _ = $0.insert(record) }
          },
          { _ = try store.page(since: 0, limit: 10) },
          {
            _ = try database.shared?.versions()
            _ = try PeopleStore(database: database).people()
          },
        ]
      })
    // So that the connections have their statements prepared.
    try load.go(on: 20)
    let later = try open(.later(PostgreSQLSchema.addition))
    try load.go(on: 20)
    let newest = try write(later)
    written.withLock { _ = $0.insert(newest) }
    try load.go(on: 20)
    try load.end()
    for database in [first, second, later] {
      var found: Set<String> = []
      try database.read { connection throws(DatabaseError) in
        try connection.query("SELECT id FROM record") { row in found.insert(row.text(0)) }
      }
      #expect(found == written.withLock { $0 })
    }
    try later.read { connection throws(DatabaseError) in
      let count = try connection.integer("SELECT count(*) FROM record WHERE tempo = 120")
      #expect(count == written.withLock { $0.count })
    }
    // They still hear each other, and notice each other's changes.
    let before = try #require(later.shared).versions()
    let devices = DeviceStore(database: second)
    try devices.add(DeviceRow(id: "d", name: "Phone", tokenHash: "t", createdAt: 1))
    #expect(try #require(later.shared).versions().devices == before.devices + 1)
    #expect(try #require(first.shared).servers().count == 3)
    // A connection that breaks is made again.
    try PostgreSQLConnection(address: address).endOthers()
    _ = try write(first)
    #expect(try first.keepsOthersOut(silenceMilliseconds: 1_000))
  }

  @Test func `an announcement of a later version's server is heard, and the other way round`()
    throws
  {
    let first = try #require(try open().shared)
    let heard = Mutex<[String]>([])
    let news = DispatchSemaphore(value: 0)
    let isOver = Atomic(false)
    defer { isOver.store(true, ordering: .relaxed) }
    try first.listen(until: { isOver.load(ordering: .relaxed) }, onGap: {}) { text in
      heard.withLock { $0.append(text) }
      news.signal()
    }
    try first.announce("before")
    let later = try #require(
      try open(.later("ALTER TABLE schemaVersion ADD plans bigint NOT NULL DEFAULT 0")).shared)
    try later.announce("after")
    for _ in 0..<2 { news.wait() }
    #expect(heard.withLock { $0 } == ["before", "after"])
    #expect(try first.versions() == later.versions())
  }

  @Test func `a step waits for one that writes for long`() throws {
    let first = try open()
    let connection = try PostgreSQLConnection(address: address)
    func waits() throws -> Bool {
      try connection.integer(
        """
        SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'advisory' AND classid = ?
          AND CAST(CAST(objid AS bigint) AS bit(32)) = CAST(hashtext(current_schema()) AS bit(32))
        """,
        [.integer(PostgreSQLConnection.LockClass.writing)]) != nil
    }
    let later = try first.write { _ in
      let later = openLater(.later(PostgreSQLSchema.addition))
      do {
        // Until it has given up once, and tried again.
        for isWaiting in [true, false, true] {
          while try waits() != isWaiting, !later.isDone() {}
        }
        #expect(!later.isDone(), "It does not wait.")
      } catch {
        Issue.record(error)
      }
      return later
    }
    _ = try write(later.wait())
    _ = try write(first)
  }

  @Test func `a step waits for one that reads, and the others go on meanwhile`() throws {
    let first = try open()
    _ = try write(first)
    let (isIn, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let reading = DispatchGroup()
    DispatchQueue(label: "backup").async(group: reading) {
      try? first.read { connection throws(DatabaseError) in
        _ = try connection.integer("SELECT count(*) FROM record")
        isIn.signal()
        goesOn.wait()
      }
    }
    isIn.wait()
    let later = openLater(.later(PostgreSQLSchema.addition))
    try waitForWaiting("record", unless: later.isDone)
    // Twice, so that it tries again between.
    for _ in 0..<2 {
      _ = try write(first)
      #expect(try RecordStore(database: first).page(since: 0, limit: 10).records.count > 0)
      try waitForWaiting("record", unless: later.isDone)
    }
    #expect(!later.isDone())
    goesOn.signal()
    reading.wait()
    _ = try write(later.wait())
    #expect(try RecordStore(database: first).latestSeq() == 4)
  }

  @Test func `one that reads what a step has goes on, however they came to wait for each other`()
    throws
  {
    let first = try open()
    let (isIn, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let reading = DispatchGroup()
    let result = Mutex<Result<Int?, DatabaseError>?>(nil)
    DispatchQueue(label: "reader").async(group: reading) {
      let read = Result { () throws(DatabaseError) -> Int? in
        try first.read { connection throws(DatabaseError) in
          _ = try connection.integer("SELECT count(*) FROM job")
          isIn.signal()
          goesOn.wait()
          return try connection.integer("SELECT count(*) FROM record")
        }
      }
      result.withLock { $0 = read }
    }
    isIn.wait()
    let later = openLater(
      .later("ALTER TABLE record ADD tempo bigint; ALTER TABLE job ADD tempo bigint"))
    try waitForWaiting("job", unless: later.isDone)
    goesOn.signal()
    reading.wait()
    #expect(try result.withLock { $0 }?.get() == 0)
    _ = try write(later.wait())
  }

  @Test func `a start is refused if something reads for too long, and leaves all as it was`() throws
  {
    let first = try open()
    try first.read { connection throws(DatabaseError) in
      _ = try connection.integer("SELECT count(*) FROM record")
      let refused = #expect(throws: DatabaseError.self) {
        try open(.later(PostgreSQLSchema.addition, patience: .zero))
      }
      #expect(refused?.code == .busy)
      #expect(refused?.message.contains("such as a backup") == true)
    }
    _ = try write(first)
    _ = try open()
  }

  /// How many steps of a later version were taken.
  private func laterSteps() throws -> Int {
    let connection = try PostgreSQLConnection(address: address)
    let number = try #require(try connection.integer("SELECT value FROM schemaVersion"))
    return number - PostgreSQLSchema.current.number
  }

  @Test func `a step that fails leaves those before it, and the next start goes on from there`()
    throws
  {
    let first = try open()
    #expect(throws: DatabaseError.self) {
      try open(.later(PostgreSQLSchema.addition, "ALTER TABLE nothing ADD tempo bigint"))
    }
    #expect(try laterSteps() == 1)
    _ = try write(first)
    _ = try open(
      .later(PostgreSQLSchema.addition, "CREATE INDEX rehearsal_tempo ON rehearsal (tempo)"))
    #expect(try laterSteps() == 2)
  }

  @Test func `a server of the version before is refused after that, however it starts`() throws {
    let first = try open()
    let claim = StandbyClaim(address: address)
    #expect(try !claim.take())
    var later: LibraryDatabase? = try open(.later(PostgreSQLSchema.addition))
    func refusal(_ open: () throws -> Void) -> DatabaseError? {
      #expect(throws: DatabaseError.self, performing: open)
    }
    for isReader in [false, true] {
      let error = refusal { _ = try open(isReader: isReader) }
      #expect(error?.code == .newerSchema)
      #expect(error?.message.contains("Update Segmance") == true)
    }
    // One that wants it alone is kept out, and changes nothing.
    #expect(
      refusal { _ = try PostgreSQLEngine(address: address, patience: "50ms") }?.code == .busy)
    #expect(
      refusal {
        _ = try PostgreSQLEngine(
          address: address, patience: "50ms", schema: .later(PostgreSQLSchema.addition, "SELECT 1"))
      }?.code == .busy)
    #expect(try !claim.take())
    _ = try write(first)
    _ = try write(#require(later))
    try PostgreSQLConnection(address: address).endOthers()
    later = nil
    #expect(
      refusal { _ = try PostgreSQLEngine(address: address, patience: "5s") }?.code == .newerSchema)
    let standby = StandbyClaim(address: address)
    while try !standby.take() {}
    #expect(
      refusal { _ = try LibraryDatabase(at: .server(address), claim: standby) }?.code
        == .newerSchema)
  }

  @Test func `a server of the version before makes no backup, which would lack what is new`()
    throws
  {
    let folder = try TemporaryFolder()
    let first = try open()
    #expect(try first.snapshot(to: folder.path + "/before.sqlite"))
    let later = try open(.later(PostgreSQLSchema.addition))
    let refused = #expect(throws: DatabaseError.self) {
      try first.snapshot(to: folder.path + "/after.sqlite")
    }
    #expect(refused?.code == .sealed)
    #expect(refused?.message.contains("Update this server") == true)
    #expect(try later.snapshot(to: folder.path + "/later.sqlite"))
  }
}
