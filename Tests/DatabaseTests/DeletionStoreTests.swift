// The tables by which servers agree about the blobs of their bucket.

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

  @Test func `what a server holds is not announced, and what is announced is not held`() throws {
    #expect(try store.hold("h", "kept", at: 1) == [])
    try store.announce("kept", servers: [1, 2])
    try store.announce("gone", servers: [1, 2])
    try store.announce("gone", servers: [1, 2])
    #expect(try store.claim(at: 2, all: false) == ["gone"])
    #expect(try store.hold("i", "gone", at: 1) == ["gone"])
    #expect(try !store.holds("i"))
    #expect(try store.holds("h"))
    try store.end("gone")
    #expect(try store.hold("i", "gone", at: 1) == [])
    #expect(try store.holds("i"))
    try store.release(["h", "i"])
    try store.announce("kept", servers: [1, 2])
    #expect(try store.claim(at: 2, all: false) == ["kept"])
  }

  @Test func `a server that is gone holds nothing, and hears of it if it comes back`() throws {
    #expect(try store.hold("h", "blob", at: 1) == [])
    try store.announce("blob", servers: [2])
    #expect(try store.claim(at: 2, all: false) == ["blob"])
    #expect(try !store.holds("h"))
  }

  @Test func `nothing is announced while a server holds all`() throws {
    try store.announce("before", servers: [1])
    #expect(try store.hold("h", nil, at: 1) == ["before"])
    #expect(try store.holds("h"))
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

  @Test(.enabled(if: TestDatabase.isServer))
  func `a server that opens the library alone has agreed about nothing`() throws {
    let address = try #require(TestDatabase.newAddress())
    do {
      let shared = DeletionStore(
        database: try LibraryDatabase(at: .server(address), isShared: true))
      try shared.announce("a", servers: [1])
      #expect(try shared.hold("h", "b", at: 1) == [])
    }
    let alone = DeletionStore(database: try LibraryDatabase(at: .server(address)))
    #expect(try alone.claim(at: 1, all: true) == [])
    #expect(try !alone.holds("h"))
  }
}
