// Servers that share a library on a PostgreSQL server.

import Dispatch
import Model
import Synchronization
import TestSupport
import Testing

@testable import Database

@Suite(.enabled(if: TestDatabase.isServer, "the family postgresql runs it"))
struct SharedLibraryTests {
  let address = TestDatabase.newAddress() ?? ""

  private func open() throws -> (database: LibraryDatabase, shared: SharedLibrary) {
    let database = try LibraryDatabase(at: .server(address), isShared: true)
    return (database, try #require(database.shared))
  }

  /// What a server hears.
  private final class Heard: Sendable {
    private let texts = Mutex<[String]>([])
    private let isOver = Mutex(false)
    private let news = DispatchSemaphore(value: 0)

    init(_ shared: SharedLibrary) throws {
      try shared.listen(
        until: { [self] in isOver.withLock { $0 } }, onGap: { [self] in add("gap") },
        onText: { [self] in add($0) })
    }

    private func add(_ text: String) {
      texts.withLock { $0.append(text) }
      news.signal()
    }

    /// What was heard once there are `count` texts.
    func first(_ count: Int) -> [String] {
      while texts.withLock({ $0.count }) < count { news.wait() }
      return texts.withLock { $0 }
    }

    func end() { isOver.withLock { $0 = true } }
  }

  @Test
  func `servers that share a library know of each other, and keep out one that wants it alone`()
    throws
  {
    let first = try open()
    let refused = #expect(throws: DatabaseError.self) {
      try PostgreSQLEngine(address: address, patience: "50ms")
    }
    #expect(refused?.code == .busy)
    #expect(try !StandbyClaim(address: address).take())
    do {
      let second = try open()
      #expect(second.shared.number != first.shared.number)
      #expect(try first.shared.servers() == [first.shared.number, second.shared.number])
      _ = try RecordStore(database: second.database).apply([])
    }
    // The locks of a process that ended go with its connections.
    while try first.shared.servers() != [first.shared.number] {}
    let other = try #require(TestDatabase.newAddress())
    let elsewhere = try LibraryDatabase(at: .server(other), isShared: true)
    #expect(try first.shared.servers() == [first.shared.number])
    #expect(try elsewhere.shared?.servers().count == 1)
  }

  @Test func `who has a library alone keeps out those who would share it`() throws {
    let alone = try LibraryDatabase(at: .server(address))
    #expect(alone.shared == nil)
    let refused = #expect(throws: DatabaseError.self) {
      try PostgreSQLEngine(address: address, isShared: true, patience: "50ms")
    }
    #expect(refused?.code == .busy)
    #expect(refused?.message.contains("--shared") == true)
  }

  @Test
  func `a server whose connections broke is there again, unless one opened the library alone`()
    throws
  {
    let first = try open()
    try PostgreSQLConnection(address: address).endOthers()
    #expect(try RecordStore(database: first.database).latestSeq() == 0)
    #expect(try first.database.keepsOthersOut(silenceMilliseconds: 1_000))
    #expect(try first.shared.servers() == [first.shared.number])
    try PostgreSQLConnection(address: address).endOthers()
    _ = try LibraryDatabase(at: .server(address))
    let error = #expect(throws: DatabaseError.self) {
      try RecordStore(database: first.database).latestSeq()
    }
    #expect(error?.code == .sealed)
  }

  @Test func `what one announces all hear in one order, also after a connection broke`() throws {
    let (first, second) = (try open(), try open())
    let heard = [try Heard(first.shared), try Heard(second.shared)]
    defer { heard.forEach { $0.end() } }
    for listener in heard { #expect(listener.first(1) == ["gap"]) }
    try first.shared.announce("a")
    try second.shared.announce("b, “ü”")
    try first.shared.announce(String(repeating: "x", count: SharedLibrary.longest))
    for listener in heard {
      #expect(listener.first(4)[1...2] == ["a", "b, “ü”"])
      #expect(listener.first(4)[3].utf8.count == SharedLibrary.longest)
    }
    try PostgreSQLConnection(address: address).endOthers()
    for listener in heard { #expect(listener.first(5)[4] == "gap") }
    try second.shared.announce("c")
    for listener in heard { #expect(listener.first(6)[5] == "c") }
  }

  @Test func `one edits at a time`() throws {
    let (first, second) = (try open(), try open())
    let order = Mutex<[String]>([])
    let (isIn, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let group = DispatchGroup()
    DispatchQueue.global().async(group: group) {
      try? first.shared.exclusively(.people) {
        isIn.signal()
        goesOn.wait()
        order.withLock { $0.append("first") }
      }
    }
    isIn.wait()
    DispatchQueue.global().async(group: group) {
      try? second.shared.exclusively(.people) { order.withLock { $0.append("second") } }
    }
    // Another topic is free.
    try second.shared.exclusively(.devices) { order.withLock { $0.append("devices") } }
    goesOn.signal()
    group.wait()
    #expect(order.withLock { $0 } == ["devices", "first", "second"])
    struct Failure: Error {}
    #expect(throws: Failure.self) { try first.shared.exclusively(.people) { throw Failure() } }
    try second.shared.exclusively(.people) {}
  }

  @Test func `changes of what servers keep in memory are counted, and nothing else`() throws {
    let (database, shared) = try open()
    var before = try shared.versions()
    func changes() throws -> [Int] {
      let now = try shared.versions()
      defer { before = now }
      return [now.devices - before.devices, now.people - before.people, now.links - before.links]
        .map(\.signum)
    }
    let devices = DeviceStore(database: database)
    try devices.add(DeviceRow(id: "d", name: "Phone", tokenHash: "t", createdAt: 1))
    #expect(try changes() == [1, 0, 0])
    try devices.note(lastSeen: ["d": 5])
    #expect(try changes() == [0, 0, 0])
    try devices.rename("d", to: "Tablet")
    #expect(try changes() == [1, 0, 0])
    try devices.remove("d")
    #expect(try changes() == [1, 0, 0])
    let people = PeopleStore(database: database)
    try people.save(PersonRow(Person(id: "p", name: "Ana", colour: "#248f36"), createdAt: 1))
    #expect(try changes() == [0, 1, 0])
  }
}

extension Int {
  fileprivate var signum: Int { self.signum() }
}
