// What is noted of transactions.

import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import Database

@Suite struct TransactionLogTests {
  private let folder: TemporaryFolder
  private let database: LibraryDatabase

  init() throws {
    folder = try TemporaryFolder()
    database = try LibraryDatabase(in: folder)
  }

  @Test func `reads and writes are noted in order, with their times`() throws {
    let log = TransactionLog()
    try log.during {
      try database.write { _ in }
      try database.read { _ in }
    }
    try database.read { _ in }
    #expect(log.noted.entries.map(\.isWrite) == [true, false])
    for entry in log.noted.entries {
      let begun = try #require(entry.begun)
      #expect(entry.asked <= begun && begun <= entry.ended && entry.problem == nil)
    }
    #expect(log.noted.unlisted == 0)
  }

  @Test func `a transaction has waited until its first statement could run`() throws {
    let log = TransactionLog()
    let (before, after) = try log.note(isWrite: true, "sqlite") { begin throws(DatabaseError) in
      let before = ContinuousClock.now
      begin()
      return (before, ContinuousClock.now)
    }
    let entry = try #require(log.noted.entries.first)
    let begun = try #require(entry.begun)
    #expect(entry.asked <= before && before <= begun && begun <= after && after <= entry.ended)
    // A write has begun when it is its turn, and not before.
    let inside = try log.during { try database.write { _ in ContinuousClock.now } }
    #expect(try #require(log.noted.entries.last?.begun) <= inside)
  }

  @Test func `a transaction that never begins is noted with its reason`() throws {
    let log = TransactionLog()
    database.setReadOnly()
    #expect(throws: DatabaseError.self) { try log.during { try database.write { _ in } } }
    let entry = try #require(log.noted.entries.first)
    #expect(entry.begun == nil && entry.problem == .sealed)
  }

  @Test func `what the work of another thread does is not noted`() throws {
    let log = TransactionLog()
    let group = DispatchGroup()
    log.during {
      DispatchQueue(label: "other").async(group: group) { try? database.read { _ in } }
      group.wait()
    }
    #expect(log.noted.entries.isEmpty)
  }
}
