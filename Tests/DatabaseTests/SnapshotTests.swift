// Copies of an open library.

import Dispatch
import FoundationEssentials
import Glibc
import Model
import Synchronization
import TestSupport
import Testing

@testable import Database

@Suite struct SnapshotTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/library.sqlite"
  }

  private func change(_ number: Int, _ title: String) -> Change {
    let digits = String(number)
    let id = "0193a5b0-0000-7000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    return Change(
      id: id, type: .routine, record: id, fields: ["title": .text(title)],
      at: Stamp(milliseconds: 1_700_000_000_000 + number, counter: 0, device: 1))
  }

  @Test func `a copy is a snapshot of a library that is being written`() throws {
    let database = try LibraryDatabase(path: path)
    let store = RecordStore(database: database)
    let isDone = Atomic(false)
    let group = DispatchGroup()
    defer {
      isDone.store(true, ordering: .relaxed)
      group.wait()
    }
    // Each write makes two records: a copy must have both or none.
    DispatchQueue(label: "writer").async(group: group) {
      for pair in 0..<3_000 where !isDone.load(ordering: .relaxed) {
        let title = String(repeating: "x", count: 500)
        do {
          _ = try store.apply([change(pair * 2, title), change(pair * 2 + 1, title)])
        } catch {
          Issue.record(error)
        }
      }
    }
    while try store.latestSeq() == 0 { sched_yield() }
    for round in 0..<20 {
      let copy = folder.path + "/copy-\(round).sqlite"
      let before = try store.latestSeq()
      #expect(try database.snapshot(to: copy))
      #expect(try LibraryDatabase.problems(inCopyAt: copy) == [])
      let copied = RecordStore(database: try LibraryDatabase(readingAt: copy))
      let count = try copied.records(.routine).count
      #expect(count.isMultiple(of: 2))
      #expect(count >= before)
      #expect(try copied.latestSeq() == count)
    }
  }

  @Test func `a copy is one file, and of the same library`() throws {
    let database = try LibraryDatabase(path: path)
    let copy = folder.path + "/copy.sqlite"
    #expect(try database.snapshot(to: copy))
    #expect(try LibraryDatabase(readingAt: copy).identity == database.identity)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(files.filter { $0.hasPrefix("copy") } == ["copy.sqlite"])
  }

  @Test func `a restored library is another one`() throws {
    let database = try LibraryDatabase(path: path)
    let copy = folder.path + "/copy.sqlite"
    #expect(try database.snapshot(to: copy))
    let restored = try LibraryDatabase(path: copy, isCopy: true).identity
    #expect(restored != database.identity)
    #expect(try LibraryDatabase(path: copy).identity == restored)
    #expect(restored.utf8.count == 33)
    // It still counts as the same library.
    #expect(database.isSameLibrary(restored))
    #expect(try LibraryDatabase(path: copy).isSameLibrary(database.identity))
    // Names from before lineages existed are not rejected.
    #expect(database.isSameLibrary("00000000000000ff"))
    let other = try LibraryDatabase(path: folder.path + "/other.sqlite")
    #expect(!other.isSameLibrary(database.identity) && !database.isSameLibrary(other.identity))
    // Except if the owner replaced one with the other.
    try other.inheritIdentity(from: LibraryDatabase(readingAt: copy))
    let replaced = try LibraryDatabase(path: folder.path + "/other.sqlite")
    #expect(replaced.isSameLibrary(database.identity) && replaced.isSameLibrary(other.identity))
    #expect(replaced.identity == other.identity)
  }

  @Test func `a library from before lineages keeps its lineage through a restore`() throws {
    let copy = folder.path + "/copy.sqlite"
    let life = try {
      let database = try LibraryDatabase(path: path)
      try database.write { connection throws(DatabaseError) in
        try connection.run("DELETE FROM counter WHERE name = 'lineage'")
      }
      #expect(try database.snapshot(to: copy))
      return database.identity.suffix(16)
    }()
    let opened = try LibraryDatabase(path: path)
    #expect(opened.identity == life + "-" + life)
    #expect(opened.isSameLibrary(try LibraryDatabase(path: copy, isCopy: true).identity))
  }

  @Test func `copying can be cancelled`() throws {
    let database = try LibraryDatabase(path: path)
    #expect(try !database.snapshot(to: folder.path + "/copy.sqlite", isCancelled: { true }))
  }

  @Test(arguments: [
    "CREATE TRIGGER t AFTER INSERT ON record BEGIN DELETE FROM record; END",
    "CREATE VIEW v AS SELECT 1", "CREATE TABLE more (x)", "DROP INDEX record_seq",
    "DROP TABLE job",
  ])
  func `a copy with other tables than ours is noticed`(sql: String) throws {
    do {
      let database = try LibraryDatabase(path: path)
      #expect(try database.snapshot(to: folder.path + "/copy.sqlite"))
    }
    try SQLiteConnection(path: folder.path + "/copy.sqlite", .copy).execute(sql)
    #expect(try LibraryDatabase.problems(inCopyAt: folder.path + "/copy.sqlite").count == 1)
  }

  @Test func `a copy of a later version is refused`() throws {
    try SQLiteConnection(path: path, .copy).execute("PRAGMA user_version = 99")
    let error = #expect(throws: DatabaseError.self) {
      try LibraryDatabase.problems(inCopyAt: path)
    }
    #expect(error?.code == .newerSchema)
  }

  @Test func `a read-only library can be read and accepts no change`() throws {
    let database = try LibraryDatabase(path: path)
    let store = RecordStore(database: database)
    _ = try store.apply([change(1, "Swan")])
    database.setReadOnly()
    let error = #expect(throws: DatabaseError.self) { try store.apply([change(2, "Duck")]) }
    #expect(error?.code == .sealed)
    #expect(try store.records(.routine).count == 1)
    database.setReadOnly(false)
    _ = try store.apply([change(2, "Duck")])
    #expect(try store.records(.routine).count == 2)
    #expect(database.problem == nil)
  }

  @Test func `the state of writing is reported during a write`() throws {
    let database = try LibraryDatabase(path: path)
    let answered = DispatchSemaphore(value: 0)
    let isTold = try database.write { _ throws(DatabaseError) in
      DispatchQueue(label: "asks").async {
        _ = database.problem
        answered.signal()
      }
      return answered.comes()
    }
    #expect(isTold)
  }
}
