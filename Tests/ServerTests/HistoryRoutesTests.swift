// GET /api/records/{type}/{id}/history and /api/routines/{id}/changes over the routes.

import FoundationEssentials
import Model
import Testing

@testable import Server

@Suite struct HistoryRoutesTests {
  let studio: TestStudio
  let move = Identifier.make(milliseconds: 1)

  init() throws { studio = try TestStudio() }

  private struct Answer: Decodable {
    struct Version: Decodable, Equatable {
      var field: String
      var value: String
      var at: Int
    }
    var versions: [Version]
  }

  private func write(_ notes: String, milliseconds: Int, device: String) {
    let answer = studio.post(
      "/api/sync",
      """
      {"since":0,"changes":[{"id":"\(move)","type":"move","record":"\(move)",\
      "fields":{"notes":"\(notes)"},"at":"\(1_700_000_000_000 + milliseconds)-0000-\(device)"}]}
      """)
    #expect(answer.status == 200)
  }

  private func versions() throws -> [Answer.Version] {
    try studio.send(.get, "/api/records/move/\(move)/history").json(Answer.self).versions
  }

  @Test func `the texts of both devices are listed, the latest first`() throws {
    write("phone", milliseconds: 0, device: "0000000a")
    write("desk", milliseconds: 5, device: "0000000b")
    write("phone again", milliseconds: 9, device: "0000000a")
    #expect(
      try versions() == [
        .init(field: "notes", value: "desk", at: 1_700_000_000_005),
        .init(field: "notes", value: "phone", at: 1_700_000_000_000),
      ])
  }

  @Test func `a recent version survives the garbage collection`() throws {
    write("phone", milliseconds: 0, device: "0000000a")
    write("desk", milliseconds: 5, device: "0000000b")
    try studio.library.cleaning.sweep()
    #expect(try versions().count == 1)
  }

  @Test func `an unknown record or a type without versions is not found`() throws {
    try studio.library.commit([.init(.setting, "theme", ["value": "dark"])])
    write("phone", milliseconds: 0, device: "0000000a")
    for path in ["move/\(Identifier.make(milliseconds: 2))", "routine/\(move)", "dance/\(move)"] {
      #expect(studio.send(.get, "/api/records/\(path)/history").status == 404, "\(path)")
    }
    #expect(studio.send(.get, "/api/records/setting/theme/history").status == 404)
  }

  private struct Changes: Decodable {
    struct Change: Decodable {
      struct Back: Decodable {
        var record: String
        var fields: [String: Value]
        var removes: Bool
      }
      var kind: String
      var record: String
      var was: [String: Value]
      var back: [Back]
    }
    var since: Int
    var changes: [Change]
    var more: Int
    var back: [Change.Back]
  }

  private func changes(_ routine: String, since: Int) throws -> Changes {
    try studio.send(.get, "/api/routines/\(routine)/changes?since=\(since)").json(Changes.self)
  }

  @Test func `what has changed in a routine is listed with what brings it back`() throws {
    let (routine, part) = (
      Identifier.make(milliseconds: 3), Identifier.make(milliseconds: 4)
    )
    try studio.library.commit([
      .init(.routine, routine, ["title": "Tango"]),
      .init(
        .part, part, ["routine": .text(routine), "title": "Entrance", "position": "V"]),
      .init(.move, move, ["part": .text(part), "title": "Turn", "position": "V"]),
    ])
    let start = try #require(try studio.library.records.record(.move, move)?.cells["title"]?.stamp)
    let later = start.milliseconds + 1
    _ = try studio.library.records.apply([
      Change(
        id: move, type: .move, record: move, fields: ["startCount": 8, "notes": "slow"],
        at: Stamp(milliseconds: later, counter: 0, device: 7))
    ])
    let answer = try changes(routine, since: start.milliseconds)
    #expect(answer.since == start.milliseconds && answer.more == 0)
    #expect(answer.changes.map(\.kind) == ["counts", "notes"])
    #expect(answer.changes[1].was == ["notes": .null])
    #expect(answer.back.count == 1 && answer.back[0].fields == ["startCount": nil, "notes": nil])
    #expect(try changes(routine, since: later).changes.isEmpty)
  }

  @Test func `what is known since later is told since then`() throws {
    let routine = Identifier.make(milliseconds: 3)
    try studio.library.commit([.init(.routine, routine, ["title": "Tango"])])
    let since = try changes(routine, since: 0).since
    // A library knows what was overwritten since its first day.
    #expect(abs(since - Library.now()) < 600_000)
  }

  @Test func `times that are none and routines that are not there are refused`() throws {
    let routine = Identifier.make(milliseconds: 3)
    try studio.library.commit([.init(.routine, routine, ["title": "Tango"])])
    for query in ["", "?since=", "?since=yesterday", "?since=-1", "?since=10000000000000"] {
      #expect(
        studio.send(.get, "/api/routines/\(routine)/changes\(query)").status == 400, "\(query)")
    }
    let other = Identifier.make(milliseconds: 5)
    #expect(studio.send(.get, "/api/routines/\(other)/changes?since=0").status == 404)
    try studio.library.commit([.init(.routine, routine, ["deletedAt": 5])])
    #expect(studio.send(.get, "/api/routines/\(routine)/changes?since=0").status == 404)
  }
}
