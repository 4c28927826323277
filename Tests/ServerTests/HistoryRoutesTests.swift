// GET /api/records/{type}/{id}/history over the routes.

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
}
