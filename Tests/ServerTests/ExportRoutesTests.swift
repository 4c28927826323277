// Exports over the routes: their contents, and the escaping of typed text.

import Analysis
import Counts
import FoundationEssentials
import Glibc
import Media
import Model
import TestSupport
import Testing

@testable import Database
@testable import Server

@Suite struct ExportRoutesTests {
  let studio: TestStudio

  init() throws { studio = try TestStudio() }

  static let hostile = #"<img src=x onerror="a()"> & 'q' `c` |p| [l](http://x) *b* #"#

  /// A routine of two parts on one track, the first with two moves.
  private func addRoutine(
    title: String = "Swan", part: String = "Intro", move: String = "Turn", notes: String = "slow"
  ) throws -> String {
    let song = WAV.impulses([100], frames: 96_000 + studio.log.all.count)
    let track = try studio.importTrack(song, name: "song.wav")
    let type = Identifier.make(milliseconds: 1)
    try studio.library.commit([
      .init(.moveType, type, ["name": "Step & <b>", "abbreviation": "ST", "colour": "#aabbcc"])
    ])
    return try studio.library.addRoutine(
      title: title, subtitle: "Lake",
      parts: [
        .init(
          title: part, track: track.id, range: 0..<48_000,
          moves: [.init(title: move, notes: notes, moveType: type), .init(title: "Leap")]),
        .init(title: "سماء", track: track.id, range: 48_000..<96_000),
      ])
  }

  private func export(_ id: String, _ format: String) -> TestStudio.Answer {
    studio.send(.get, "/api/routines/\(id)/export?format=\(format)")
  }

  @Test(arguments: [
    ("html", "Swan.html"), ("markdown", "Swan.md"), ("json", "Swan.json"),
    ("labels", "Swan labels.txt"), ("cuesheet", "Swan cue sheet.html"),
  ])
  func `every format is an attachment with a file name`(format: String, name: String) throws {
    let answer = export(try addRoutine(), format)
    #expect(answer.status == 200)
    let disposition = answer.headers["Content-Disposition"] ?? ""
    #expect(disposition.hasPrefix("attachment; filename=\"\(name)\""), "\(disposition)")
    #expect(answer.text.contains("Intro"))
  }

  @Test func `the page contains parts, times, moves, notes and a waveform`() throws {
    let text = export(try addRoutine(), "html").text
    for piece in ["Swan", "Lake", "00:00.000–00:01.000", "Turn", "slow", "<svg", "<path d=\"M0 "] {
      #expect(text.contains(piece), "\(piece)")
    }
    #expect(text.contains("<bdi dir=\"auto\">سماء</bdi>"))
    #expect(!text.contains("<script"))
  }

  @Test(arguments: ["html", "cuesheet"])
  func `typed text is always escaped in a page`(format: String) throws {
    let id = try addRoutine(
      title: "<script>x</script>", part: Self.hostile, move: "\"><b>&amp;", notes: "</p><i>")
    let text = export(id, format).text
    for tag in ["<script", "<img", "<b>", "<i>", "onerror=\""] {
      #expect(!text.contains(tag), "\(tag)")
    }
    #expect(text.contains("&lt;img src=x onerror=&quot;a()&quot;&gt; &amp; &#39;q&#39;"))
    #expect(text.contains("&quot;&gt;&lt;b&gt;&amp;amp;"))
  }

  @Test(.enabled(if: !TestDatabase.isServer, "the family swift runs it"))
  func `an invalid colour from another backup is not used as a style`() throws {
    let id = try addRoutine()
    #expect(export(id, "html").text.contains("style=\"border-color:#aabbcc\""))
    try studio.library.database.write { connection throws(DatabaseError) in
      try connection.run(
        "UPDATE record SET fields = json_set(fields, '$.colour', ?) WHERE type = 'moveType'",
        [.text("red;position:fixed")])
    }
    let text = export(id, "html").text
    #expect(text.contains("Step &amp;") && !text.contains("position:fixed"))
  }

  @Test func `a cue sheet is for A4, Letter or the printer's default paper`() throws {
    let id = try addRoutine()
    #expect(export(id, "cuesheet&paper=a4").text.contains("size: A4;"))
    #expect(export(id, "cuesheet&paper=letter").text.contains("size: letter;"))
    #expect(!export(id, "cuesheet").text.contains("size: A4"))
    #expect(export(id, "cuesheet").text.contains("<span class=\"times\">0:00–0:01</span>"))
    #expect(export(id, "cuesheet&paper=a0").status == 400)
  }

  /// Stores an analysis of the only track, with a beat every quarter of a second.
  private func storeBeats(confidence: Double) throws {
    let track = try #require(try studio.library.records.records(.track).first).id
    let beats = BeatAnalysis(
      tempo: 240, metre: 4, confidence: confidence, frames: (0..<8).map { $0 * 12_000 },
      places: (0..<8).map { $0 % 4 + 1 }, eights: [0])
    try studio.library.folder.store(
      TrackAnalysis(attacks: [], changes: [], beats: beats), track: track)
  }

  @Test func `counts are exported as labels of the routine's only track`() throws {
    let id = try addRoutine()
    #expect(export(id, "counts").status == 422)
    #expect(export(id, "counts").text.contains("has no counts"))
    try storeBeats(confidence: 0.9)
    let lines = export(id, "counts").text.split(separator: "\n")
    #expect(lines.first == "0.000000\t0.000000\t1 · eight 1")
    #expect(lines[3] == "0.750000\t0.750000\t4")
    #expect(lines.count == 8)
    #expect(studio.send(.get, "/api/export?format=counts").status == 200)
    let other = try studio.importTrack(WAV.impulses([9], frames: 48_000), name: "other.wav")
    let second = try #require(try studio.library.records.records(.part).first).id
    try studio.library.commit([.init(.part, second, ["track": .text(other.id)])])
    #expect(export(id, "counts").status == 422)
    #expect(export(id, "counts").text.contains("This routine has 2."))
    _ = try addRoutine(title: "Duck")
    #expect(studio.send(.get, "/api/export?format=counts").status == 422)
  }

  @Test func `the JSON export has the counts of tracks and the lengths of parts`() throws {
    struct Document: Decodable, Equatable {
      struct Counts: Decodable, Equatable {
        struct Track: Decodable, Equatable { var track: String, counts: [[String: Int]] }
        struct Part: Decodable, Equatable {
          var part: String, eights: Int, counts: Int, countsPerEight: Int
        }
        var tracks: [Track]
        var parts: [Part]
      }
      var counts: Counts
    }
    let id = try addRoutine()
    #expect(try export(id, "json").json(Document.self).counts == .init(tracks: [], parts: []))
    try storeBeats(confidence: 0.9)
    let counts = try export(id, "json").json(Document.self).counts
    #expect(counts.tracks.map(\.counts.count) == [8])
    #expect(counts.tracks[0].counts[4] == ["frame": 48_000, "beat": 1, "count": 5, "eight": 1])
    #expect(counts.parts.map(\.counts) == [4, 4])
    #expect(counts.parts.map(\.countsPerEight) == [8, 8])
  }

  @Test func `the length in counts stands where the track has counts that are likely right`() throws
  {
    let id = try addRoutine()
    let track = try #require(try studio.library.records.records(.track).first).id
    func texts() -> [String] { ["html", "markdown", "cuesheet"].map { export(id, $0).text } }

    #expect(texts().allSatisfy { !$0.contains("counts") }, "no analysis")
    try storeBeats(confidence: 0.9)
    #expect(texts().allSatisfy { $0.contains("4 counts") })
    #expect(texts()[2].contains("0:00–0:01 · 4 counts"))
    try storeBeats(confidence: 0.3)
    #expect(texts().allSatisfy { !$0.contains("counts") }, "unsure")
    // A person who corrects an unsure grid has seen it: now it counts, at half the tempo.
    try studio.library.commit([
      .init(
        .gridCorrection, "0193a5b0-0000-7000-8000-000000000001",
        ["track": .text(track), "kind": "halve", "order": 1])
    ])
    #expect(texts().allSatisfy { $0.contains("2 counts") })
  }

  @Test func `moves stand in the order of their counts, with their places`() throws {
    let id = try addRoutine()
    try storeBeats(confidence: 0.9)
    let moves = try studio.library.records.records(.move)
    let first = try #require(moves.first { $0["title"].text == "Turn" }).id
    let second = try #require(moves.first { $0["title"].text == "Leap" }).id
    try studio.library.commit([
      .init(.move, first, ["startCount": 2, "countLength": 2]),
      .init(.move, second, ["startCount": 0.5]),
    ])
    for format in ["html", "markdown", "cuesheet"] {
      let text = export(id, format).text
      let leap = try #require(text.firstRange(of: "Eight 1 · 1&–2"), "\(format)").lowerBound
      let turn = try #require(text.firstRange(of: "Eight 1 · 3–4"), "\(format)").lowerBound
      #expect(leap < turn, "\(format)")
    }
    try storeBeats(confidence: 0.1)
    #expect(!export(id, "html").text.contains("Eight"))
  }

  @Test func `a cue sheet to print runs only its own script`() throws {
    let id = try addRoutine(title: "<script>x</script>")
    let page = export(id, "cuesheet&paper=letter&print=true")
    #expect(page.headers["Content-Disposition"] == nil)
    #expect(page.headers["Content-Type"] == "text/html; charset=utf-8")
    let policies = page.headers.values(of: "Content-Security-Policy")
    #expect(policies.count == 1)
    #expect(policies[0].hasPrefix(HTMLText.printingPolicy))
    #expect(page.text.ranges(of: "<script").count == 1)
    #expect(page.text.contains("size: letter;"))
    for query in ["cuesheet&print=false", "html&print=true", "json&print=true"] {
      let file = export(id, query)
      #expect(file.headers["Content-Disposition"]?.hasPrefix("attachment; ") == true, "\(query)")
      #expect(!file.text.contains("print()"))
    }
    #expect(export(id, "cuesheet&print=yes").status == 400)
  }

  @Test func `Markdown shows the text as typed`() throws {
    let text = export(
      try addRoutine(part: Self.hostile, move: "1. #one", notes: "- dash\n    code\n\n> quote  "),
      "markdown"
    ).text
    #expect(
      text.contains(
        ##"## 1. \<img src=x onerror="a()"\> \& 'q' \`c\` \|p\| \[l\](http\://x) \*b\* \#"##))
    #expect(text.contains(##"1. **1\. \#one** (Step \& \<b\>)"##))
    #expect(
      text.contains("   \\- dash\\\n   &#32;&#32;&#32;&#32;code\n\n   \\> quote&#32;&#32;\n"))
    #expect(text.contains("00:00.000–00:01.000 · song"))
  }

  /// The processor time of this thread, independent of the machine's load.
  private func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  @Test func `Markdown takes linear time for any marks`() {
    for mark in [".", "w.", "1.", ") ", "-\t"] {
      let text = String(repeating: mark, count: 50_000)
      let begun = processorSeconds()
      #expect(MarkdownExport.escaped(text).utf8.count >= text.utf8.count)
      // Takes a tenth of a second; with work for each pair of marks it would take a minute.
      #expect(processorSeconds() - begun < 15, "\(mark)")
    }
  }

  @Test(arguments: ["html", "cuesheet", "markdown", "json", "labels"])
  func `every field is separated from the surrounding text`(format: String) throws {
    let id = try addRoutine()
    let records = studio.library.records
    let fields: [(RecordType, [String])] = [
      (.routine, ["title", "subtitle"]), (.part, ["title"]), (.track, ["title"]),
      (.moveType, ["name"]), (.move, ["title", "notes"]),
    ]
    // A distinct tag in each field, and characters that end text in other formats.
    func marked(_ field: String) -> String { "<\(field)>\"'</p>\\" }
    let typed = fields.flatMap { kind, names in names.map { "\(kind)-\($0)" } }
    for (kind, names) in fields {
      for record in try records.records(kind) {
        try studio.library.commit([
          .init(
            kind, record.id,
            Dictionary(
              uniqueKeysWithValues: names.map { ($0, .text(marked("\(kind)-\($0)"))) }))
        ])
      }
    }
    let type = try #require(try records.records(.moveType).first).id
    try studio.library.commit([.init(.moveType, type, ["abbreviation": "<u>&"])])
    // Two tracks, so that the labels name them.
    let other = try studio.importTrack(WAV.impulses([9], frames: 48_000), name: "<track-title>.wav")
    let part = try #require(try records.records(.part, whose: "routine", is: id).first).id
    try studio.library.commit([
      .init(.part, part, ["track": .text(other.id), "startFrame": 0, "endFrame": 480])
    ])

    let text = export(id, format).text
    switch format {
    case "html", "cuesheet":
      for field in typed { #expect(!text.contains("<\(field)"), "\(field)") }
      #expect(!text.contains("<u>") && !text.contains("'</p>"))
      #expect(text.contains("&lt;routine-title&gt;&quot;&#39;&lt;/p&gt;\\"))
      #expect(text.contains(format == "html" ? "&lt;move-notes&gt;" : "&lt;u&gt;&amp;"))
    case "markdown":
      let unescaped = text.replacing("\\<", with: "")
      for field in typed { #expect(!unescaped.contains("<\(field)"), "\(field)") }
      #expect(text.contains("\\<moveType-name\\>\"'\\</p\\>\\\\"))
    case "json":
      let document = try JSONDecoder().decode(ExportDocument.self, from: Data(text.utf8))
      let parts = document.routines.flatMap(\.children)
      let items = document.routines + parts + parts.flatMap(\.children) + document.moveTypes
      let found = Set((items + document.tracks).flatMap(\.fields.values))
      for field in typed { #expect(found.contains(.text(marked(field))), "\(field)") }
    default:
      let lines = text.split(separator: "\n")
      #expect(lines.map { $0.split(separator: "\t").count } == [3, 3], "\(text)")
      #expect(text.contains("<track-title>") && text.contains("<part-title>"))
    }
  }

  @Test(arguments: [
    (0, "Thursday, 1 January 1970"), (20_790, "Thursday, 3 December 2026"),
    (21_243, "Tuesday, 29 February 2028"), (100_000, "Tuesday, 17 October 2243"),
  ])
  func `the date of the performance stands below the title`(day: Int, date: String) throws {
    let id = try addRoutine()
    for format in ["html", "markdown", "cuesheet", "countsheet"] {
      #expect(!export(id, format).text.contains("Performance"), "\(format)")
    }
    try studio.library.commit([.init(.routine, id, ["performanceDay": .integer(day)])])
    for format in ["html", "cuesheet", "countsheet"] {
      let text = export(id, format).text
      let line = try #require(text.firstRange(of: ">Performance: \(date)</p>"), "\(format)")
      let title = try #require(text.firstRange(of: ">Lake</p>"), "\(format)")
      #expect(title.upperBound < line.lowerBound, "\(format)")
    }
    #expect(export(id, "markdown").text.hasPrefix("# Swan\n\nLake\n\nPerformance: \(date)\n\n## "))
    #expect(export(id, "json").text.contains("\"performanceDay\":\(day)"))
  }

  @Test func `labels are seconds on the track`() throws {
    #expect(
      export(try addRoutine(), "labels").text
        == "0.000000\t1.000000\tIntro\n1.000000\t2.000000\tسماء\n")
  }

  @Test func `several routines are exported to one file except as labels`() throws {
    _ = try addRoutine()
    let second = try studio.library.addRoutine(title: "Ahoy", parts: [])
    let all = studio.send(.get, "/api/export?format=markdown").text
    #expect(all.hasPrefix("# Ahoy"))
    #expect(all.contains("# Swan"))
    let refused = studio.send(.get, "/api/export?format=labels")
    #expect(refused.status == 422)
    #expect(refused.text.contains("by itself"))
    #expect(export(second, "labels").text == "")
  }

  @Test func `a missing routine and an unknown format are refused`() throws {
    let id = try addRoutine()
    #expect(export(Identifier.make(milliseconds: 3), "json").status == 404)
    #expect(export("x", "json").status == 404)
    for query in ["", "?format=", "?format=pdf"] {
      #expect(studio.send(.get, "/api/export\(query)").status == 400)
    }
    try studio.library.commit([.init(.routine, id, ["deletedAt": 5])])
    #expect(export(id, "json").status == 404)
    #expect(studio.send(.get, "/api/export?format=html").text.contains("No routines yet."))
  }

  @Test func `a file name is valid on any disk and has no direction marks`() {
    #expect(ExportFormat.html.fileName(title: "../a/b\u{202E}gpj") == "-a-bgpj.html")
    #expect(ExportFormat.json.fileName(title: " .. ") == "Routine.json")
    #expect(ExportFormat.labels.fileName(title: "سماء") == "سماء labels.txt")
    #expect(ExportFormat.markdown.fileName(title: "con") == "_con.md")
    let longest = String(repeating: "舞", count: 60)
    #expect(ExportFormat.cuesheet.fileName(title: longest) == longest + " cue sheet.html")
  }

  @Test func `a waveform is scaled to its peak and never thinner than a line`() {
    let path = WaveformDrawings.path([(0, 0), (-50, 50), (-25, 100)], loudest: 100)
    #expect(path == "M0 24L1 12L2 0L2 30L1 36L0 25Z")
  }
}
