// The record store on real SQLite files.

import CSQLite
import FoundationEssentials
import Model
import TestSupport
import Testing

@testable import Database

@Suite struct RecordStoreTests {
  let folder: TemporaryFolder
  let database: LibraryDatabase
  let store: RecordStore

  init() throws {
    folder = try TemporaryFolder()
    database = try LibraryDatabase(in: folder)
    store = RecordStore(database: database)
  }

  private func id(_ number: Int) -> String {
    let digits = String(number)
    return "0193a5b0-0000-7000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  private func change(
    _ record: Int, _ fields: [String: Value], type: RecordType = .routine, at milliseconds: Int = 1
  ) -> Change {
    Change(
      id: Identifier.make(milliseconds: 1), type: type, record: id(record), fields: fields,
      at: Stamp(milliseconds: 1_700_000_000_000 + milliseconds, counter: 0, device: 1))
  }

  @Test func `deleted records are among all records and not among the present ones`() throws {
    _ = try store.apply([
      change(1, ["title": "Swan"]), change(2, ["title": "Gone", "deletedAt": 5]),
      change(3, ["name": "Turn"], type: .moveType),
    ])
    #expect(try store.records(.routine).map(\.id) == [id(1), id(2)])
    #expect(try store.present(.routine).map(\.id) == [id(1)])
  }

  @Test func `records with a value in a field are found, deleted ones too`() throws {
    _ = try store.apply([
      change(1, ["title": "A", "recording": .text(id(9))], type: .move),
      change(2, ["title": "B"], type: .move),
      change(3, ["title": "C", "recording": .text(id(8)), "deletedAt": 5], type: .move),
      change(4, ["title": "D", "recording": .text(id(9))], type: .move),
      change(4, ["recording": .null], type: .move, at: 2),
    ])
    #expect(try store.records(.move, having: "recording").map(\.id) == [id(1), id(3)])
    #expect(try store.records(.move, having: "none").isEmpty)
  }

  @Test func `any text is read back as written`() throws {
    let texts = ["Swan", "\"quoted\\\"", "tab\tand\u{1}", "🎪 سماء", "", "</script>'; DROP TABLE"]
    for (number, text) in texts.enumerated() {
      _ = try store.apply([change(number, ["title": .text(text), "lastPractisedAt": 5])])
      let record = try #require(try store.record(.routine, id(number)))
      #expect(record["title"] == .text(text))
      #expect(record["lastPractisedAt"] == 5)
    }
    let page = try store.page(since: 0, limit: 100)
    let wire = try page.records.map {
      try JSONDecoder().decode([String: Value].self, from: Data($0.utf8))["title"]
    }
    #expect(wire == texts.map(Value.text))
  }

  @Test(.enabled(if: !TestDatabase.isServer, "the family swift runs it"))
  func `a reader drops its page cache on request and continues reading`() throws {
    let title = Value.text(String(repeating: "x", count: 100))
    _ = try store.apply((0..<1_000).map { change($0, ["title": title]) })
    let reader = try SQLiteConnection(path: folder.path + "/segmance.sqlite", .reader)
    func kept() throws -> (count: Int?, bytes: Int32) {
      let count = try reader.integer("SELECT count(*) FROM record WHERE fields <> ''")
      var bytes: Int32 = 0, most: Int32 = 0
      sqlite3_db_status(reader.handle, SQLITE_DBSTATUS_CACHE_USED, &bytes, &most, 0)
      return (count, bytes)
    }
    // The first read also keeps the pages of the schema, which are not read again.
    _ = try kept()
    reader.releaseMemory()
    let before = try kept()
    reader.releaseMemory()
    var bytes: Int32 = 0, most: Int32 = 0
    sqlite3_db_status(reader.handle, SQLITE_DBSTATUS_CACHE_USED, &bytes, &most, 0)
    #expect(bytes < before.bytes / 4, "\(before.bytes) → \(bytes)")
    #expect(try kept() == before)
    // All idle connections at once, beside readers.
    database.releaseMemory()
    #expect(try store.record(.routine, id(7)) != nil)
  }

  @Test func `every record that changed gets the next sequence number, the others keep theirs`()
    throws
  {
    let first = [
      change(1, ["title": "A"]), change(2, ["title": "B"]), change(1, ["subtitle": "s"]),
    ]
    #expect(try store.apply(first).seq == 2)
    #expect(try store.apply(first).hasChanged == false)
    #expect(try store.apply([change(1, ["title": "C"], at: 2)]).seq == 3)
    let page = try store.page(since: 2, limit: 10)
    #expect(page.records.count == 1)
    #expect(page.records[0].contains("\"title\":\"C\""))
    #expect(page.seq == 3)
  }

  @Test func `pages follow one another without a gap`() throws {
    _ = try store.apply((0..<25).map { change($0, ["title": .text("R\($0)")]) })
    var since = 0
    var seen: [String] = []
    var pages = 0
    while true {
      let page = try store.page(since: since, limit: 10)
      seen += page.records
      since = page.seq
      pages += 1
      if !page.hasMore { break }
    }
    #expect(pages == 3)
    #expect(Set(seen).count == 25)
    #expect(try store.page(since: since, limit: 10).records.isEmpty)
  }

  @Test func `merging through the store equals merging in memory`() throws {
    var random = SeededGenerator(seed: 5)
    var expected: [String: Record] = [:]
    for round in 0..<200 {
      let changes = (0..<5).map { _ in
        change(
          Int.random(in: 0...3, using: &random),
          [
            ["title", "subtitle"].randomElement(using: &random) ?? "title": .text("\(round)"),
            "deletedAt": Bool.random(using: &random) ? nil : 7,
          ], at: Int.random(in: 0...50, using: &random))
      }
      for change in changes {
        expected[change.record, default: Record(before: change)].merge(change)
      }
      _ = try store.apply(changes)
    }
    for record in expected.values {
      #expect(try store.record(.routine, record.id) == record)
    }
  }

  @Test func `a failing companion undoes the records as well`() throws {
    #expect(throws: DatabaseError.self) {
      try store.apply([change(1, ["title": "A"])]) { _ throws(DatabaseError) in
        throw DatabaseError(.full, "full")
      }
    }
    #expect(try store.record(.routine, id(1)) == nil)
    #expect(try store.apply([change(1, ["title": "A"])]).seq == 1)
  }

  @Test func `the parts of a track and the track of a hash are found`() throws {
    let hash = String(repeating: "a", count: 64)
    _ = try store.apply([
      change(1, ["sha256": .text(hash)], type: .track),
      change(2, ["track": .text(id(1))], type: .part),
      change(3, ["track": .text(id(1)), "deletedAt": 5], type: .part),
      change(4, ["track": .text(id(1))], type: .clip),
      change(5, ["track": .text(id(1))], type: .gridCorrection),
    ])
    #expect(try store.media(sha256: hash).map(\.id) == [id(1)])
    #expect(try store.users(ofTrack: id(1)).map(\.id) == [id(2), id(4)])
  }

  @Test func `old tombstones are purged and sequence numbers are never reused`() throws {
    let time = 1_700_000_000_000
    // A deletion with a clock that is ahead; its stamp was replaced by one after the server's.
    let ahead = Value.integer(time + 150_000_000_000)
    _ = try store.apply([change(1, ["title": "A", "deletedAt": ahead], at: 100)])
    #expect(try store.purgeTombstones(deletedBefore: time + 100) == 0)
    #expect(try store.purgeTombstones(deletedBefore: time + 101) == 1)
    #expect(try store.apply([change(2, ["title": "B"])]).seq == 2)
    // A deletion with a clock that is behind; its stamp follows the latest one that it had seen.
    _ = try store.apply([change(3, ["deletedAt": 100], at: 500)])
    #expect(try store.purgeTombstones(deletedBefore: time + 500) == 0)
    #expect(try store.page(since: 0, limit: 10).purged == 1)
    #expect(try store.purgeTombstones(deletedBefore: time + 501) == 1)
    #expect(try store.page(since: 0, limit: 10).purged == 3)
    #expect(try store.purgeTombstones(deletedBefore: time + 501) == 0)
    #expect(try store.page(since: 0, limit: 10).purged == 3)
    #expect(try store.problems() == [])
  }

  @Test func `stamps from a clock that was ahead do not extend the life of tombstones`() throws {
    let (now, day) = (1_700_000_000_000, 86_400_000)
    _ = try store.apply([
      change(1, ["title": "Old", "deletedAt": .integer(now - 91 * day)], at: 400 * day),
      change(2, ["title": "New", "deletedAt": .integer(now - 89 * day)], at: 400 * day),
      change(3, ["title": "Ahead", "deletedAt": .integer(now + 300 * day)], at: 400 * day),
      // The clock of a device that is behind is ignored while stamps give the time.
      change(4, ["title": "Behind", "deletedAt": .integer(now - 91 * day)], at: day),
    ])
    #expect(try store.purgeTombstones(deletedBefore: now - 90 * day, now: now) == 1)
    #expect(try store.records(.routine).map(\.id) == [id(2), id(3), id(4)])
  }

  @Test func `children of a purged record are purged and records without a parent stay`() throws {
    let deleted = Value.integer(1_700_000_000_001)
    _ = try store.apply([
      change(1, ["title": "Gone", "deletedAt": deleted]),
      change(2, ["title": "Swan"], at: 500),
      change(3, ["deletedAt": deleted], type: .track),
      // One parent routine is deleted, one exists, and one was not received.
      change(4, ["routine": .text(id(1))], type: .part, at: 500),
      change(5, ["routine": .text(id(2)), "track": .text(id(3))], type: .part),
      change(6, ["routine": .text(id(99))], type: .part),
      change(7, ["part": .text(id(4))], type: .move, at: 500),
      change(8, ["part": .text(id(5))], type: .move),
      change(9, ["part": .text(id(99))], type: .move),
      change(10, ["track": .text(id(3))], type: .clip, at: 500),
      change(11, ["track": .text(id(99))], type: .clip),
      // Clips have no routine, and a record of another type is not a parent.
      change(12, ["track": .text(id(1))], type: .clip),
    ])
    #expect(try store.purgeTombstones(deletedBefore: 1_700_000_000_002) == 5)
    let left = try RecordType.allCases.flatMap { try store.records($0) }
    #expect(Set(left.map(\.id)) == Set([2, 5, 6, 8, 9, 11, 12].map(id)))
    // A copy that has the clip and nothing later is fetched again.
    #expect(try store.page(since: 0, limit: 20).purged == 10)
    #expect(try store.purgeTombstones(deletedBefore: 1_700_000_000_002) == 0)
  }

  @Test func `what is on a purged part or move is purged with it`() throws {
    let deleted = Value.integer(1_700_000_000_001)
    func comment(_ id: Int, _ fields: [String: Value]) -> Change {
      let all: [String: Value] = ["routine": .text(self.id(1)), "text": "x"]
      return change(id, all.merging(fields) { $1 }, type: .comment)
    }
    _ = try store.apply([
      change(1, ["title": "Swan"]),
      change(2, ["routine": .text(id(1)), "deletedAt": deleted], type: .part),
      change(3, ["routine": .text(id(1))], type: .part),
      change(4, ["part": .text(id(3)), "deletedAt": deleted], type: .move),
      change(5, ["part": .text(id(3))], type: .move),
      comment(6, ["part": .text(id(2)), "startFrame": 5]),
      comment(7, ["move": .text(id(4))]),
      comment(8, ["part": .text(id(3))]), comment(9, ["move": .text(id(5))]), comment(10, [:]),
    ])
    #expect(try store.purgeTombstones(deletedBefore: 1_700_000_000_002) == 4)
    #expect(try store.records(.comment).map(\.id) == [8, 9, 10].map(id))
  }

  @Test func `an author is stored once, and a change that comes twice changes nothing`() throws {
    let made = change(1, ["routine": .text(id(9)), "text": "x"], type: .comment)
    let edit = change(1, ["text": "y"], type: .comment, at: 2)
    // Edits may arrive before what makes the record.
    for changes in [[edit], [made], [made, edit], [edit, made]] {
      _ = try store.apply(changes, by: Viewer(person: id(7)))
    }
    let record = try #require(try store.record(.comment, id(1)))
    #expect(record["text"] == "y" && record["author"] == .text(id(7)) && record["arrived"] == 1)
    #expect(try store.latestSeq() == 2)
    // Somebody else's record with the same id is not theirs.
    let other = try store.apply([made, edit], by: Viewer.owner)
    #expect(other.rejections.map(\.code) == [.forbidden, .forbidden])
  }

  @Test func `a record goes to the space of its parent, from when the parent is known`() throws {
    let (group, person) = (id(50), id(51))
    let viewer = Viewer(person: person, roles: [group: .owner])
    func part(_ number: Int) -> Change {
      change(number, ["routine": .text(id(1))], type: .part)
    }
    var routine = change(1, ["title": "Swan"])
    routine.space = group
    // In one list, in which the parent is asked for before it comes, and after.
    _ = try store.apply([part(2), routine, part(3), part(4)], by: viewer)
    #expect(
      try [2, 3, 4].map { try store.space(of: .part, id($0)) } == [person, group, group])
    // As stored before.
    _ = try store.apply([part(5), part(6)], by: viewer)
    #expect(try [5, 6].map { try store.space(of: .part, id($0)) } == [group, group])
  }

  @Test func `who stays in a group keeps the number with which they joined`() throws {
    let people = store.people
    for number in 1...2 {
      try people.save(
        PersonRow(Person(id: id(number), name: "P", colour: "#000000"), createdAt: 1))
    }
    var group = Group(id: id(5), name: "Class", members: [id(1): .owner])
    try people.save(group, anew: [], now: 1)
    _ = try store.apply([change(8, ["title": "Swan"])])
    group.members = [id(1): .teacher, id(2): .performer]
    try people.save(group, anew: [id(2)], now: 1)
    #expect(try people.joined(id(1)) == [id(5): 0])
    #expect(try people.joined(id(2)) == [id(5): 1])
    group.members[id(1)] = nil
    try people.save(group, anew: [id(1)], now: 1)
    #expect(try people.joined(id(1)) == [:])
    group.members[id(1)] = .owner
    try people.save(group, anew: [id(1)], now: 1)
    #expect(try people.joined(id(1)) == [id(5): try store.latestSeq() - 1])
  }

  @Test func `children of a deleted record are deleted and records without a parent stay`() throws {
    _ = try store.apply([
      change(1, ["deletedAt": 5]), change(2, ["title": "Swan"]),
      change(3, ["routine": .text(id(1))], type: .part),
      change(4, ["routine": .text(id(2))], type: .part),
      change(5, ["routine": .text(id(99))], type: .part),
      change(6, ["part": .text(id(3))], type: .move),
      change(7, ["part": .text(id(4)), "deletedAt": 5], type: .move),
    ])
    let records = try store.records(.part) + store.records(.move)
    let deleted = try records.filter { try store.isDeleted($0) }
    #expect(deleted.map(\.id) == [id(3), id(6), id(7)])
  }

  @Test func `the latest stamp is found when the library opens again`() throws {
    #expect(try store.latestStamp() == nil)
    _ = try store.apply([change(1, ["title": "A"], at: 9), change(2, ["title": "B"], at: 4)])
    #expect(try store.latestStamp()?.milliseconds == 1_700_000_000_009)
  }

  @Test func `a library of a later version is refused untouched`() throws {
    let path = folder.path + "/later.sqlite"
    do {
      let connection = try SQLiteConnection(path: path, .writer)
      try connection.execute("PRAGMA user_version = 9999")
    }
    let error = #expect(throws: DatabaseError.self) { try LibraryDatabase(path: path) }
    #expect(error?.code == .newerSchema)
  }

  @Test func `a file that is no database is refused`() throws {
    let path = folder.path + "/noise.sqlite"
    try Data(repeating: 0x41, count: 8_192).write(to: URL(filePath: path))
    let error = #expect(throws: DatabaseError.self) { try LibraryDatabase(path: path) }
    #expect(error?.code == .corrupt)
  }

  @Test(arguments: [
    // Found by fuzzing: names that would be written differently than read, and values that would be
    // invalid JSON on the wire. Such a record can come only from another installation's backup.
    (#"{}"#, #"{"a\"b":"STAMP"}"#), (#"{"a\"b":1}"#, "{}"),
    (#" {"title":"A"}"#, #"{"title":"STAMP"}"#),
    (#"{"id":"x"}"#, #"{"id":"STAMP"}"#), ("[]", "{}"), ("{}", #"{"title":"yesterday"}"#),
  ])
  func `a record with invalid stored values is refused`(fields: String, stamps: String) {
    let stamps = stamps.replacing("STAMP", with: "1700000000000-0000-0000000a")
    let error = #expect(throws: DatabaseError.self) {
      try RecordJSON.cells(fields: fields, stamps: stamps, deletedAt: nil)
    }
    #expect(error?.code == .corrupt)
  }

  @Test func `an intact library has no integrity problem`() throws {
    _ = try store.apply([change(1, ["title": "A"])])
    #expect(try database.integrityProblems().isEmpty)
  }

  @Test func `readers and a writer work concurrently`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        group.addTask { [store] in
          for round in 0..<50 {
            let fields: [String: Value] = ["title": .text("\(worker)-\(round)")]
            _ = try store.apply([change(worker * 100 + round, fields)])
            _ = try store.page(since: 0, limit: 20)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try store.page(since: 0, limit: 1000).records.count == 200)
  }
}
