// Earlier versions of texts that lost a merge.

import Model
import TestSupport
import Testing

@testable import Database

@Suite struct EarlierVersionsTests {
  let folder: TemporaryFolder
  let store: RecordStore
  let move = Identifier.make(milliseconds: 1)
  let minute = 60_000

  init() throws {
    folder = try TemporaryFolder()
    store = RecordStore(database: try LibraryDatabase(in: folder))
    try write("title", "Turn", at: 0)
  }

  private func write(
    _ field: String, _ value: Value, at milliseconds: Int, by device: UInt32 = 1, now: Int = 0
  ) throws {
    let change = Change(
      id: Identifier.make(milliseconds: 1), type: .move, record: move, fields: [field: value],
      at: Stamp(milliseconds: 1_700_000_000_000 + milliseconds, counter: 0, device: device))
    _ = try store.apply([change], now: now)
  }

  private func notes() throws -> [String] {
    try store.earlierVersions(.move, move).filter { $0.field == "notes" }.map(\.value)
  }

  @Test func `a text that another device replaces is kept with its time`() throws {
    try write("notes", "slow", at: minute)
    try write("notes", "fast", at: minute + 1, by: 2)
    #expect(
      try store.earlierVersions(.move, move) == [
        Revision(field: "notes", value: "slow", at: 1_700_000_060_000)
      ])
  }

  @Test func `a text that arrives late and loses is also kept`() throws {
    try write("notes", "fast", at: minute, by: 2)
    try write("notes", "slow", at: minute - 5)
    #expect(try store.record(.move, move)?["notes"] == "fast")
    #expect(try notes() == ["slow"])
  }

  @Test func `only the first text of five minutes of typing on one device is kept`() throws {
    try write("notes", "written yesterday", at: 0)
    let start = 1_000 * minute
    for (index, text) in ["w", "wr", "wri", "writ", "write"].enumerated() {
      try write("notes", .text(text), at: start + index * minute)
    }
    #expect(try notes() == ["written yesterday"])
    try write("notes", "written anew", at: start + 5 * minute)
    #expect(try notes() == ["write", "written yesterday"])
  }

  @Test func `the first letters typed into an empty field are no version`() throws {
    for (index, text) in ["w", "wr", "wri"].enumerated() {
      try write("notes", .text(text), at: index * 1_000)
    }
    try write("notes", nil, at: 10_000)
    try write("notes", "once more", at: 11_000)
    #expect(try notes().isEmpty)
  }

  @Test func `all texts that two devices type in turns are kept`() throws {
    for (index, text) in ["a", "ab", "abc", "abcd"].enumerated() {
      try write("notes", .text(text), at: index * 1_000, by: UInt32(index % 2 + 1))
    }
    #expect(try notes() == ["abc", "ab", "a"])
  }

  @Test func `only the last text of late typing is kept`() throws {
    try write("notes", "theirs", at: minute, by: 2)
    for (index, text) in ["o", "ou", "our", "ours"].enumerated() {
      try write("notes", .text(text), at: index * 1_000)
    }
    #expect(try notes() == ["ours"])
  }

  @Test func `changes that are sent again add nothing`() throws {
    for _ in 0..<3 {
      try write("notes", "one", at: minute)
      try write("notes", "two", at: minute + 1_000)
      try write("notes", "other", at: minute + 2_000, by: 2)
    }
    #expect(try notes() == ["two"])
  }

  @Test func `the same text, other fields and a new record leave no version`() throws {
    try write("title", "Turn", at: minute, by: 2)
    try write("position", "V", at: minute)
    try write("position", "W", at: minute + 1, by: 2)
    #expect(try store.earlierVersions(.move, move).isEmpty)
  }

  @Test func `at most a hundred versions are listed, the latest first`() throws {
    for index in 0..<120 {
      try write("notes", .text("\(index)"), at: index, by: UInt32(index % 2 + 1))
    }
    #expect(try notes().count == 100)
    #expect(try notes().first == "118")
  }

  @Test func `versions are deleted by the time at which they were replaced`() throws {
    try write("notes", "one", at: 1, now: 5)
    try write("notes", "two", at: 2, by: 2, now: 1_000)
    try write("notes", "three", at: 3, now: 2_000)
    try store.purgeEarlierVersions(keptBefore: 2_000)
    #expect(try notes() == ["two"])
  }

  @Test func `a library of the first schema is migrated with its records`() throws {
    let path = folder.path + "/first.sqlite"
    do {
      let connection = try SQLiteConnection(path: path, .writer)
      try connection.execute(Migrations.all[0])
      try connection.execute(
        """
        PRAGMA user_version = 1;
        INSERT INTO record VALUES ('routine', '\(move)', 1, 5, NULL, '{"title":"Swan"}',
          '{"title":"1700000000000-0000-00000001"}');
        """)
    }
    let opened = RecordStore(database: try LibraryDatabase(path: path))
    #expect(try opened.record(.routine, move)?["title"] == "Swan")
    #expect(try opened.earlierVersions(.routine, move).isEmpty)
  }
}
