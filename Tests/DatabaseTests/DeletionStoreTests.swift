// The tables by which servers agree about the blobs of their bucket.

import Model
import TestSupport
import Testing

@testable import Database

@Suite struct DeletionStoreTests {
  private let folder: TemporaryFolder
  private let database: LibraryDatabase
  private let store: DeletionStore

  init() throws {
    folder = try TemporaryFolder()
    database = try LibraryDatabase(in: folder)
    store = DeletionStore(database: database)
  }

  private func holds(_ id: String, at other: LibraryDatabase? = nil) throws -> Bool {
    try (other ?? database).read { connection throws(DatabaseError) in
      try DeletionStore.holds(connection, id)
    }
  }

  @Test func `what a server holds is not announced, and what is announced is not held`() throws {
    #expect(try store.hold("h", "kept", at: 1) == [])
    try store.announce("kept", servers: [1, 2])
    try store.announce("gone", servers: [1, 2])
    try store.announce("gone", servers: [1, 2])
    #expect(try store.claim(at: 2, all: false) == ["gone"])
    #expect(try store.hold("i", "gone", at: 1) == ["gone"])
    #expect(try !holds("i"))
    #expect(try holds("h"))
    try store.end("gone")
    #expect(try store.hold("i", "gone", at: 1) == [])
    #expect(try holds("i"))
    try store.release(["h", "i"])
    try store.announce("kept", servers: [1, 2])
    #expect(try store.claim(at: 2, all: false) == ["kept"])
  }

  @Test func `a server that is gone holds nothing, and hears of it if it comes back`() throws {
    #expect(try store.hold("h", "blob", at: 1) == [])
    try store.announce("blob", servers: [2])
    #expect(try store.claim(at: 2, all: false) == ["blob"])
    #expect(try !holds("h"))
  }

  @Test func `what a record refers to is not announced, until it is deleted or has failed`() throws
  {
    let records = RecordStore(database: database)
    func commit(_ id: String, _ fields: [String: Value], _ milliseconds: Int) throws {
      _ = try records.apply([
        Change(
          id: Identifier.make(milliseconds: 1), type: .track, record: id, fields: fields,
          at: Stamp(milliseconds: milliseconds, counter: 0, device: 1))
      ])
    }
    let ids = (0..<2).map { "0193a5b0-0000-7000-8000-00000000000\($0)" }
    for (id, sha256) in zip(ids, ["deleted", "failed"]) {
      try commit(id, ["sha256": .text(sha256), "state": .text("importing")], 1)
    }
    for sha256 in ["deleted", "failed", "unknown"] { try store.announce(sha256, servers: [1]) }
    #expect(try store.claim(at: 1, all: false) == ["unknown"])
    try commit(ids[0], ["deletedAt": .integer(5)], 2)
    try commit(ids[1], ["state": .text("failed")], 2)
    for sha256 in ["deleted", "failed"] { try store.announce(sha256, servers: [1]) }
    #expect(try store.claim(at: 1, all: false) == ["deleted", "failed", "unknown"])
  }

  @Test func `nothing is announced while a server holds all`() throws {
    try store.announce("before", servers: [1])
    #expect(try store.hold("h", nil, at: 1) == ["before"])
    #expect(try holds("h"))
    try store.announce("after", servers: [1])
    #expect(try store.claim(at: 1, all: false) == ["before"])
    try store.release(["h"])
    try store.announce("after", servers: [1])
    #expect(try store.claim(at: 1, all: false) == ["after", "before"])
  }

  @Test func `what another server may still be deleting is taken over when that is asked for`()
    throws
  {
    try store.announce("a", servers: [1, 2])
    #expect(try store.claim(at: 1, all: false) == ["a"])
    try store.announce("b", servers: [1, 2])
    #expect(try store.isAnyDue(at: 2, all: false))
    #expect(try store.claim(at: 2, all: false) == ["b"])
    #expect(try store.isAnyDue(at: 1, all: false))
    #expect(try !store.isAnyDue(at: 3, all: false))
    #expect(try store.isAnyDue(at: 3, all: true))
    #expect(try store.claim(at: 2, all: true) == ["a", "b"])
    #expect(try store.claim(at: 1, all: false) == [])
  }

  @Test(.enabled(if: TestDatabase.isServer, "the family postgresql runs it"))
  func `a server that opens the library alone has agreed about nothing`() throws {
    let address = try #require(TestDatabase.newAddress())
    do {
      let shared = DeletionStore(
        database: try LibraryDatabase(at: .server(address), isShared: true))
      try shared.announce("a", servers: [1])
      #expect(try shared.hold("h", "b", at: 1) == [])
    }
    let another = try LibraryDatabase(at: .server(address))
    let alone = DeletionStore(database: another)
    #expect(try alone.claim(at: 1, all: true) == [])
    #expect(try !holds("h", at: another))
  }
}
