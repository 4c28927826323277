// `.cue` files, and names of files.

import Testing

@testable import Model

@Suite struct CueFileTests {
  @Test func `pieces are ordered by time, in 75ths of a second`() throws {
    let file = try #require(
      CueFile(
        fileName: "Swan \"live\".mp3", title: "Swan",
        tracks: [
          .init(title: "Second\n", startFrame: 48_000 * 61 + 640),
          .init(title: "First", startFrame: 0),
        ]))
    #expect(
      file.text == """
        TITLE "Swan"
        FILE "Swan ''live''.mp3" MP3
          TRACK 01 AUDIO
            TITLE "First"
            INDEX 01 00:00:00
          TRACK 02 AUDIO
            TITLE "Second "
            INDEX 01 01:01:01

        """)
  }

  @Test func `a quotation mark with a combining accent is also replaced`() {
    let title = "Swan \"" + "\u{301}"
    let text = CueFile(fileName: "a.mp3", title: title, tracks: [])?.text ?? ""
    #expect(text.unicodeScalars.count { $0 == "\"" } == 4)
  }

  @Test func `times are rounded to the nearest 75th and go beyond 99 minutes`() {
    #expect(CueFile.time(319) == "00:00:00")
    #expect(CueFile.time(320) == "00:00:01")
    #expect(CueFile.time(48_000 - 1) == "00:01:00")
    #expect(CueFile.time(48_000 * 60 * 123) == "123:00:00")
  }

  @Test func `more than 99 pieces are refused`() {
    let track = CueFile.Track(title: "A", startFrame: 0)
    #expect(CueFile(fileName: "a", title: "", tracks: .init(repeating: track, count: 99)) != nil)
    #expect(CueFile(fileName: "a", title: "", tracks: .init(repeating: track, count: 100)) == nil)
  }

  @Test(arguments: [
    ("Été – سماء 🎵", "Été – سماء 🎵"), ("a/b\\c:d*e?f\"g<h>i|j", "a-b-c-d-e-f-g-h-i-j"),
    ("  ..hidden. . ", "hidden"), ("con", "_con"), ("Com1.part", "_Com1.part"), ("COM10", "COM10"),
    ("LPT²", "_LPT²"), ("a\u{202E}b\tc\u{0}", "ab c"), ("...", "Clip"), ("", "Clip"),
  ])
  func `a title becomes a name that is valid on every file system`(title: String, name: String) {
    #expect(FileName.safe(title, fallback: "Clip") == name)
  }

  @Test func `a name is cut between characters at its byte limit`() {
    let family = "👨‍👩‍👧‍👦"
    #expect(FileName.safe(String(repeating: "é", count: 100), fallback: "").utf8.count == 120)
    #expect(FileName.safe("ab" + family, limit: 10, fallback: "") == "ab")
    #expect(FileName.safe(family, limit: 10, fallback: "").utf8.count <= 10)
    #expect(FileName.safe("abc   def", limit: 5, fallback: "") == "abc")
    let zalgo = "a" + String(repeating: "\u{301}", count: 5_000)
    #expect((1...120).contains(FileName.safe(zalgo, fallback: "").utf8.count))
  }
}
