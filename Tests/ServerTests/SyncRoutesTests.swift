// POST /api/sync over the routes: merging, paging, refusing.

import FoundationEssentials
import Model
import TestSupport
import Testing

@testable import Server

@Suite struct SyncRoutesTests {
  let studio: TestStudio

  init() throws { studio = try TestStudio() }

  private struct Answer: Decodable {
    struct Rejected: Decodable {
      var id: String?
      var reason: String
      var code: String?
    }
    var seq: Int
    var records: [[String: Value]]
    var rejected: [Rejected]
    var more: Bool
    var clock: String
    var purged: Int
  }

  private func id(_ number: Int) -> String {
    let digits = String(number)
    return "0193a5b0-0000-7000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  private func change(
    _ record: Int, _ fields: String, type: String = "routine", milliseconds: Int = 1
  ) -> String {
    """
    {"id":"\(id(900_000 + record))","type":"\(type)","record":"\(id(record))","fields":\(fields),\
    "at":"\(1_700_000_000_000 + milliseconds)-0000-0000abcd"}
    """
  }

  private func sync(_ since: Int, _ changes: [String]) throws -> Answer {
    try studio.post(
      "/api/sync", "{\"since\":\(since),\"changes\":[\(changes.joined(separator: ","))]}"
    ).json()
  }

  @Test func `a change is returned as a flat record with a sequence number`() throws {
    let answer = try sync(0, [change(1, #"{"title":"Swan","subtitle":"a \"quoted\" one"}"#)])
    let record = try #require(answer.records.first)
    #expect(record["type"] == "routine")
    #expect(record["id"] == .text(id(1)))
    #expect(record["title"] == "Swan")
    #expect(record["subtitle"] == "a \"quoted\" one")
    #expect(record["seq"] == 1)
    #expect(record["createdAt"] == 1_700_000_000_001)
    #expect(record["deletedAt"] == .some(.null))
    #expect(answer.seq == 1)
    #expect(!answer.more)
  }

  @Test func `sending the same changes twice changes nothing`() throws {
    let changes = [change(1, #"{"title":"Swan"}"#)]
    let first = try sync(0, changes)
    let second = try sync(first.seq, changes)
    #expect(second.seq == first.seq)
    #expect(second.records.isEmpty)
  }

  @Test func `an invalid change is refused and the others are merged`() throws {
    let answer = try sync(
      0,
      [
        change(1, #"{"title":"Swan"}"#), change(2, #"{"title":""}"#),
        change(3, #"{"sha256":"x"}"#, type: "track"), "17",
        change(4, #"{"title":"Late"}"#, milliseconds: 900_000_000_000),
        change(5, #"{"title":"Duck"}"#),
      ])
    #expect(answer.records.count == 2)
    #expect(answer.rejected.map(\.id) == [id(900_002), id(900_003), nil, id(900_004)])
    #expect(answer.rejected.allSatisfy { $0.reason.hasSuffix(".") })
    #expect(answer.rejected.map(\.code) == [nil, nil, nil, "clock"])
  }

  @Test func `the server's clock follows observed stamps`() throws {
    let answer = try sync(0, [change(1, #"{"title":"Swan"}"#, milliseconds: 5)])
    #expect(answer.clock >= "1700000000005-0000-0000abcd")
  }

  @Test func `edits continue after the server's clock was ahead`() throws {
    let folder = try TemporaryFolder()
    let inTenYears = Library.now() + 10 * 365 * 86_400_000
    do {
      let edited = Change(
        id: id(900_001), type: .routine, record: id(1), fields: ["title": "Swan"],
        at: Stamp(milliseconds: inTenYears, counter: 0, device: 1))
      _ = try TestStudio(in: folder).library.records.apply([edited])
    }
    let studio = try TestStudio(in: folder)
    func refused(_ number: Int, at milliseconds: Int) throws -> [String] {
      let change = change(
        number, #"{"title":"Duck"}"#, milliseconds: milliseconds - 1_700_000_000_000)
      let answer: Answer = try studio.post(
        "/api/sync", "{\"since\":0,\"changes\":[\(change)]}"
      ).json()
      return answer.rejected.map(\.reason)
    }
    // Stamps of a device that has seen this library, and of one whose own clock is wrong.
    #expect(try refused(2, at: inTenYears + 1) == [])
    #expect(try refused(3, at: inTenYears + 86_400_000).count == 1)
  }

  @Test func `many records are returned in pages`() throws {
    let changes = (0..<5_500).map { change($0, #"{"title":"R"}"#) }
    _ = try sync(0, Array(changes[5_000...]))
    var answer = try sync(0, Array(changes[..<5_000]))
    #expect(answer.records.count == 5_000)
    #expect(answer.more)
    answer = try sync(answer.seq, [])
    #expect(answer.records.count == 500)
    #expect(!answer.more)
    #expect(try sync(answer.seq, []).records.isEmpty)
  }

  @Test func `a client with a higher sequence number gets the whole library`() throws {
    _ = try sync(0, [change(1, #"{"title":"Swan"}"#)])
    #expect(try sync(999, []).records.count == 1)
  }

  @Test func `changes for another library are not merged and get no records`() throws {
    let other = try TestStudio().library.database.identity
    let body = { (library: String) in
      "{\"library\":\"\(library)\",\"changes\":[\(self.change(1, #"{"title":"Swan"}"#))]}"
    }
    let refusal = studio.post("/api/sync", body(other))
    #expect(refusal.status == 409)
    #expect(try sync(0, []).records.isEmpty)
    #expect(studio.post("/api/sync", body(studio.library.database.identity)).status == 200)
    #expect(try sync(0, []).records.count == 1)
  }

  @Test func `an invalid body is refused with a message`() {
    for body in ["", "[]", "{", #"{"since":"x"}"#, #"{"changes":{}}"#] {
      let answer = studio.post("/api/sync", body)
      #expect(answer.status == 400, "\(body)")
      #expect(answer.headers["Content-Type"] == "application/problem+json")
    }
    let many = String(repeating: "1,", count: 5_000) + "1"
    #expect(studio.post("/api/sync", "{\"changes\":[\(many)]}").status == 413)
  }

  @Test func `acknowledged changes exist after opening the library again`() throws {
    let folder = studio.folder
    _ = try sync(0, [change(1, #"{"title":"Swan"}"#)])
    let copy = try LibraryCheck(root: folder.path).problems()
    #expect(copy.isEmpty)
  }

  @Test func `the description of the interface names every route`() throws {
    let answer = studio.send(.get, "/api/openapi.json")
    #expect(answer.status == 200)
    for path in [
      "/api/health", "/api/sync", "/api/events", "/api/uploads/{id}", "/api/tracks/{id}/peaks",
      "/api/tracks/{id}/chunks/{n}", "/api/jobs/{id}", "/api/openapi.json",
    ] {
      #expect(answer.text.contains("\"\(path)\""), "\(path)")
    }
    #expect(
      studio.send(.get, "/api/health").text
        == #"{"problems":[],"status":"ok","version":"\#(SegmanceServer.version)"}"#)
  }
}
