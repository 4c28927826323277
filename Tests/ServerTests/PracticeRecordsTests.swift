// The practice log, run-throughs and plans on the server: sync, deletion, backup, check, export.

import FoundationEssentials
import Model
import TestSupport
import Testing

@testable import Database
@testable import Server

@Suite struct PracticeRecordsTests {
  let studio: TestStudio

  init() throws { studio = try TestStudio() }

  private func id(_ number: Int) -> String {
    let digits = String(number)
    return "0193a5b0-0000-7000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  private func change(
    _ type: String, _ record: Int, _ fields: String, at milliseconds: Int = 1
  ) -> String {
    """
    {"id":"\(id(900_000 + 1_000 * milliseconds + record))","type":"\(type)","record":"\(id(record))",\
    "fields":\(fields),"at":"\(1_700_000_000_000 + milliseconds)-0000-0000abcd"}
    """
  }

  private struct Synced: Decodable {
    struct Rejected: Decodable { var reason: String }
    var seq: Int
    var records: [[String: Value]]
    var rejected: [Rejected]
  }

  @discardableResult
  private func sync(
    _ studio: TestStudio, since: Int = 0, _ changes: [String] = []
  ) throws -> Synced {
    try studio.post(
      "/api/sync", "{\"since\":\(since),\"changes\":[\(changes.joined(separator: ","))]}"
    ).json()
  }

  private var heard: String { "\(id(2)) 0 48000 3 12 90 1" }

  /// A routine with a part, an entry of the log, a run-through and a plan.
  private func practise() throws {
    let answer = try sync(
      studio,
      [
        change("routine", 1, #"{"title":"Swan"}"#),
        change("part", 2, #"{"routine":"\#(id(1))","title":"One","position":"a"}"#),
        change(
          "practiceEntry", 3,
          #"{"routine":"\#(id(1))","startedAt":1700000000000,"utcOffset":60,"heard":"\#(heard)"}"#),
        change(
          "runThrough", 4,
          #"{"routine":"\#(id(1))","startedAt":1700000000000,"misses":"\#(id(2)) 4800 -"}"#),
        change("plan", 5, #"{"routine":"\#(id(1))","title":"Before the show","steps":""}"#),
      ])
    #expect(answer.rejected.map(\.reason) == [])
  }

  private func types(_ records: [[String: Value]]) -> Set<String> {
    Set(records.compactMap { $0["type"]?.text })
  }

  @Test func `an entry that is written again is one record in its latest form`() throws {
    try practise()
    let first = try sync(studio)
    #expect(
      types(first.records) == ["routine", "part", "practiceEntry", "runThrough", "plan"])
    let more = "\(id(2)) 0 48000 5 20 95 1"
    let second = try sync(
      studio, since: first.seq, [change("practiceEntry", 3, #"{"heard":"\#(more)"}"#, at: 2)])
    #expect(second.records.count == 1)
    #expect(second.records.first?["heard"] == .text(more))
    #expect(second.records.first?["utcOffset"] == 60)
    // What an earlier moment wrote, and comes late, changes nothing.
    let late = try sync(studio, [change("practiceEntry", 3, #"{"heard":""}"#, at: 1)])
    #expect(late.seq == second.seq)
  }

  @Test func `a deleted routine keeps its log and hides its plans`() throws {
    try practise()
    let deletedAt = 1_700_000_000_500
    try sync(studio, [change("routine", 1, #"{"deletedAt":\#(deletedAt)}"#, at: 3)])
    let store = studio.library.records
    for type in [RecordType.practiceEntry, .runThrough] {
      let record = try #require(try store.present(type).first)
      #expect(try !store.isDeleted(record))
    }
    let plan = try #require(try store.record(.plan, id(5)))
    #expect(try store.isDeleted(plan))
    // When the deletion is forgotten, the log still stays.
    #expect(try store.purgeTombstones(deletedBefore: deletedAt + 1_000) > 0)
    #expect(try store.record(.routine, id(1)) == nil)
    #expect(try store.record(.plan, id(5)) == nil)
    #expect(try store.present(.practiceEntry).count == 1)
    #expect(try store.present(.runThrough).count == 1)
    #expect(try store.problems() == [])
  }

  @Test func `the log is in a backup, and a check finds nothing wrong with it`() throws {
    try practise()
    let before = try sync(studio).records
    let written = try TemporaryFolder()
    let file = try written.write("backup.tar", studio.send(.get, "/api/backup").body)
    let folder = try TemporaryFolder()
    _ = try LibraryRestore.run(root: folder.path, backup: file)
    let restored = try TestStudio(in: folder)
    #expect(try sync(restored).records == before)
    #expect(try LibraryCheck(root: folder.path).problems(deep: true) == [])
  }

  @Test func `the export that is passed on does not hold the log`() throws {
    try practise()
    let text = String(decoding: studio.send(.get, "/api/export?format=json").body, as: UTF8.self)
    #expect(text.contains("Swan"))
    #expect(!text.contains("heard") && !text.contains("misses"))
  }
}
