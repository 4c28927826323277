// Log lines, and the descriptions of errors in them.

import FoundationEssentials
import Logging
import Testing

struct LogFormatTests {
  private struct Body: Decodable { let number: Int }

  /// A line in the format `json`.
  private struct Line: Decodable {
    struct Fields: Decodable {
      let x: String
      let n: Int
    }
    let fields: Fields
  }

  @Test func `an event is one line of text with special values in quotes`() {
    let event = LogRecord(
      .warning, "job.failed",
      ["job": "1-2", "kind": "import", "seconds": .number(1.5), "none": nil, "error": "a\nb \"c\""])
    let time = Date(timeIntervalSince1970: 1_700_000_000.25)
    #expect(
      LogFormat.text.line(event, at: time)
        == #"2023-11-14T22:13:20.250Z warning job.failed job=1-2 kind=import seconds=1.5 "#
        + #"error="a\nb \"c\"""#)
    #expect(
      LogFormat.json.line(event, at: time)
        == #"{"time":"2023-11-14T22:13:20.250Z","level":"warning","event":"job.failed","#
        + #""fields":{"job":"1-2","kind":"import","seconds":1.5,"error":"a\nb \"c\""}}"#)
  }

  @Test func `no value breaks out of its line`() throws {
    for text in ["", " ", "a=b", "\r\n", "\u{0}\u{1B}[31m", "\u{2028}", "\\", "é🦢", "\u{7F}"] {
      let event = LogRecord(.info, "a.b", ["x": .text(text), "n": .integer(-3)])
      for format in LogFormat.allCases {
        let line = format.line(event, at: Date())
        #expect(!line.utf8.contains { $0 < 0x20 || $0 == 0x7F }, "\(text.debugDescription)")
      }
      let line = LogFormat.json.line(event, at: Date())
      let value = try JSONDecoder().decode(Line.self, from: Data(line.utf8))
      #expect(value.fields.x == text)
      #expect(value.fields.n == -3)
    }
  }

  @Test func `an error that quotes a body is logged only by its kind`() {
    let data = Data("{\"number\":\"secret\"}".utf8)
    #expect {
      try JSONDecoder().decode(Body.self, from: data)
    } throws: {
      LogRecord.describe($0) == "DecodingError.typeMismatch"
    }
  }
}
