import FoundationEssentials
import Testing

@testable import Model

@Suite struct ValidationTests {
  private static let now = 1_763_650_000_000
  private static let record = "0193a5b0-0000-7000-8000-000000000001"

  private func reason(
    _ type: RecordType, _ fields: [String: Value], record: String = Self.record,
    by author: Change.Author = .person, milliseconds: Int = Self.now
  ) -> String? {
    rejection(type, fields, record: record, by: author, milliseconds: milliseconds)?.reason
  }

  private func rejection(
    _ type: RecordType, _ fields: [String: Value], record: String = Self.record,
    by author: Change.Author = .person, milliseconds: Int = Self.now
  ) -> Rejection? {
    let change = Change(
      id: Identifier.make(milliseconds: Self.now), type: type, record: record, fields: fields,
      at: Stamp(milliseconds: milliseconds, counter: 0, device: 1))
    do {
      try change.validate(
        by: author, stampedUntil: HybridClock(device: 2).latestAccepted(now: Self.now))
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    "Swan Lake", "سماء", "👩‍👩‍👧‍👦", "<b>bold</b>", String(repeating: "é", count: 60),
    String(repeating: "👍🏽", count: 60),
  ])
  func `a title in any script is accepted`(title: String) {
    #expect(reason(.routine, ["title": .text(title)]) == nil)
  }

  @Test(arguments: [
    "", "   ", "two\nlines", "nul\u{0}", String(repeating: "a", count: 61),
    "a" + String(repeating: "\u{301}", count: 1_000),
  ])
  func `an empty, too long or multi-line title is refused`(title: String) {
    #expect(reason(.routine, ["title": .text(title)]) != nil)
  }

  @Test func `values of the wrong kind are refused, each with its field's name`() {
    let cases: [(RecordType, String, Value)] = [
      (.routine, "title", 3), (.part, "startFrame", "3"), (.part, "startFrame", -1),
      (.part, "loopMode", "always"), (.part, "rate", 4.0), (.part, "semitones", 13),
      (.part, "routine", "none"), (.part, "position", "a0"), (.part, "track", 7),
      (.moveType, "colour", "red"), (.moveType, "colour", "#FF0000"), (.moveType, "name", nil),
      (.routine, "deletedAt", "now"), (.part, "countdownSeconds", 601),
      (.part, "trainerFrom", 24), (.part, "trainerStep", 0), (.part, "repeatLimit", 1_000),
      (.part, "restSeconds", -1), (.part, "countdownRepeats", "never"),
      (.routine, "pinned", 2), (.routine, "tags", .text(String(repeating: "a", count: 248))),
    ]
    for (type, name, value) in cases {
      #expect(reason(type, [name: value])?.hasPrefix(name) == true, "\(name) = \(value)")
    }
  }

  @Test func `tags stand in lines of their own`() {
    let tag = String(repeating: "é", count: 30)
    let tags = Array(repeating: tag, count: 8).joined(separator: "\n")
    #expect(reason(.routine, ["tags": .text(tags), "pinned": 1]) == nil)
  }

  @Test(arguments: [
    "", " \n\t\u{2003}", "bell\u{7}", "return\r", String(repeating: "a", count: 1_001),
    "a" + String(repeating: "\u{301}", count: 16_000),
  ])
  func `a comment that is empty, too long or holds control characters is refused`(text: String) {
    #expect(reason(.comment, ["text": .text(text)])?.hasPrefix("text") == true)
  }

  @Test func `a comment has lines, and its author is the server's to say`() {
    #expect(reason(.comment, ["text": "Arms up.\n\tAgain!", "startFrame": 5]) == nil)
    #expect(reason(.comment, ["text": .null]) != nil)
    #expect(reason(.comment, ["startFrame": 5, "endFrame": 5]) != nil)
    #expect(reason(.comment, ["author": "owner"])?.contains("server") == true)
    #expect(reason(.comment, ["arrived": 5])?.contains("server") == true)
  }

  @Test func `a field that does not exist is refused`() {
    #expect(reason(.routine, ["colour": "#ffffff"]) != nil)
  }

  @Test func `only the server can set the server's fields`() {
    let fields: [String: Value] = ["lengthFrames": 480_000]
    #expect(reason(.track, fields) != nil)
    #expect(reason(.track, fields, by: .server) == nil)
    #expect(reason(.track, ["title": "Overture"]) == nil)
  }

  @Test func `a start at or after its end is refused`() {
    #expect(reason(.part, ["startFrame": 10, "endFrame": 10]) != nil)
    #expect(reason(.part, ["startFrame": 10, "endFrame": 11]) == nil)
  }

  @Test func `a clock more than a day ahead is refused`() {
    #expect(
      rejection(.routine, ["title": "A"], milliseconds: Self.now + 86_400_001)?.code == .clock)
    #expect(rejection(.routine, ["title": ""])?.code == nil)
    #expect(reason(.routine, ["title": "A"], milliseconds: Self.now + 86_400_000) == nil)
  }

  @Test func `practice is refused with a text that is too long, another offset or no routine`() {
    let routine = Value.text(Self.record)
    let heard = "\(Self.record) 0 48000 3 12 90 1\n\(Self.record) 0 48000 0 4 0 0"
    let fields: [String: Value] = [
      "routine": routine, "startedAt": 1_763_650_000_000, "utcOffset": -330, "heard": .text(heard),
    ]
    #expect(reason(.practiceEntry, fields) == nil)
    #expect(reason(.practiceEntry, ["heard": .text(String(repeating: "1", count: 12_001))]) != nil)
    #expect(reason(.practiceEntry, ["utcOffset": 1_441]) != nil)
    #expect(reason(.practiceEntry, ["routine": "swan"]) != nil)
    #expect(reason(.practiceEntry, ["startedAt": -1]) != nil)
    #expect(reason(.runThrough, ["misses": "x", "notes": "Arms,\nlate"]) == nil)
    #expect(reason(.runThrough, ["percent": 24]) != nil)
    #expect(reason(.plan, ["title": "Before the show", "steps": "part"]) == nil)
    #expect(reason(.plan, ["title": ""]) != nil)
  }

  @Test func `a setting is named, any other record has a UUID`() {
    #expect(reason(.setting, ["value": "dark"], record: "theme") == nil)
    #expect(reason(.setting, ["value": "dark"], record: "../theme") != nil)
    #expect(reason(.routine, ["title": "A"], record: "theme") != nil)
  }

  @Test func `one unreadable change does not affect the others`() throws {
    let json = """
      [{"id":"x","type":"dance","record":"r","fields":{},"at":"1763650000123-00ab-00001234"},
       7, {"id":"y"}, {"id":"z","type":"move","record":"r","fields":{"title":[1]},"at":"?"},
       {"id":"good","type":"move","record":"r","fields":{"title":"A","notes":null},
        "at":"1763650000123-00ab-00001234"}]
      """
    let incoming = try JSONDecoder().decode([IncomingChange].self, from: Data(json.utf8))
    #expect(incoming.count == 5)
    let ids = incoming.map { change -> String? in
      switch change {
      case .change(let change): change.id
      case .rejected(let rejection): rejection.id
      }
    }
    #expect(ids == ["x", nil, "y", "z", "good"])
    guard case .change(let change) = incoming[4] else {
      Issue.record("the good change was rejected")
      return
    }
    #expect(change.fields == ["title": "A", "notes": nil])
  }
}
