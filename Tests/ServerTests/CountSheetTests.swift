// The eight-count sheet over the routes: its rows and blocks, the empty one, and the table.

import Analysis
import Counts
import FoundationEssentials
import Media
import Model
import TestSupport
import Testing

@testable import Database
@testable import Server

@Suite struct CountSheetTests {
  let studio: TestStudio

  init() throws { studio = try TestStudio() }

  /// A part with these moves: beats each half second from 0.5 s on, the first eight at 1.5 s. Returns the
  /// routine's id.
  private func addRoutine(
    _ moves: [(title: String, start: Double?, length: Double?)], seconds: Int = 12, metre: Int = 4,
    range: Range<Int>? = nil, hasCounts: Bool = true
  ) throws -> String {
    let frames = seconds * 48_000
    let track = try studio.importTrack(
      WAV.impulses([100], frames: frames + studio.log.all.count), name: "song.wav")
    let type = Identifier.make(milliseconds: 1)
    try studio.library.commit([
      .init(.moveType, type, ["name": "Step", "abbreviation": "ST", "colour": "#aabbcc"])
    ])
    let routine = try studio.library.addRoutine(
      title: "Swan", subtitle: "Lake",
      parts: [
        .init(
          title: "Intro", track: track.id, range: range ?? 0..<frames,
          moves: moves.map { .init(title: $0.title) })
      ])
    try studio.library.commit(
      moves.compactMap { move in
        try studio.library.records.records(.move).first { $0["title"].text == move.title }.map {
          Library.Edit(
            .move, $0.id,
            [
              "startCount": move.start.map { .number($0) } ?? .null,
              "countLength": move.length.map { .number($0) } ?? .null,
            ])
        }
      })
    if hasCounts { try storeBeats(track: track.id, seconds: seconds, metre: metre) }
    return routine
  }

  private func storeBeats(track: String, seconds: Int, metre: Int) throws {
    let count = 2 * seconds - 1
    let eight = Metre.countsPerEight(metre)
    let beats = BeatAnalysis(
      tempo: 120, metre: metre, confidence: 0.9, frames: (0..<count).map { 24_000 * ($0 + 1) },
      places: (0..<count).map { (($0 - 2) % metre + metre) % metre + 1 },
      eights: stride(from: 72_000, to: seconds * 48_000, by: eight * 24_000).map { $0 })
    try studio.library.folder.store(
      TrackAnalysis(attacks: [], changes: [], beats: beats), track: track)
  }

  private func export(_ id: String, _ format: String = "countsheet") -> TestStudio.Answer {
    studio.send(.get, "/api/routines/\(id)/export?format=\(format)")
  }

  private func moveId(_ title: String) throws -> String {
    try #require(studio.library.records.records(.move).first { $0["title"].text == title }).id
  }

  /// The rows of the sheet. A cell is its text, behind it the counts that it spans unless that is one;
  /// an empty count is ".", an absent one "x".
  private func rows(_ id: String) throws -> [String] {
    let text = export(id).text
    return text.matches(of: #/(?s)<tbody.*?</tbody>/#).flatMap { body in
      String(body.output).matches(of: #/(?s)<tr.*?</tr>/#).map { row in
        String(row.output).matches(of: #/(?s)<(?:th|td)([^>]*)>(.*?)</(?:th|td)>/#).map { cell in
          let attributes = String(cell.output.1)
          let span =
            attributes.firstMatch(of: #/colspan="(\d+)"/#).flatMap { Int($0.output.1) } ?? 1
          var words = String(cell.output.2).replacing(#/<[^>]*>/#, with: "")
            .replacing("&amp;", with: "&")
          if attributes.contains("absent") { words = "x" }
          let isCount =
            !attributes.contains("time") && !attributes.contains("notes")
            && !attributes.contains("scope")
          if words.isEmpty { words = isCount ? "." : "-" }
          let counts = Double(span) / 2
          guard isCount, counts != 1 else { return words }
          return "\(words)*\(counts == counts.rounded() ? "\(Int(counts))" : "\(counts)")"
        }.joined(separator: " | ")
      }
    }
  }

  @Test func `a part is rows of eights, the pick-up first, with their times`() throws {
    #expect(
      try rows(addRoutine([])) == [
        "Pick-up | 0:00.0 | x*5 | . | . | . | -",
        "1 | 0:01.5 | . | . | . | . | . | . | . | . | -",
        "2 | 0:05.5 | . | . | . | . | . | . | . | . | -",
        "3 | 0:09.5 | . | . | . | . | . | x*3 | -",
      ])
  }

  @Test func `the heading has title, length, times and track`() throws {
    let text = export(try addRoutine([])).text
    #expect(
      text.contains("<h1 dir=\"auto\">Swan</h1>") && text.contains("<bdi dir=\"auto\">Intro</bdi>"))
    #expect(text.contains("3 × 8 · 0:00–0:12 · <bdi dir=\"auto\">song</bdi>"))
    #expect(text.contains("<th scope=\"col\" colspan=\"2\">8</th>"))
    #expect(!text.contains("colspan=\"2\">9</th>") && !text.contains("<script"))
  }

  @Test func `a move spans its counts and goes on over eights with a mark`() throws {
    let id = try addRoutine([("Walk", 0, 4), ("Turn", 6, 12), ("Leap", 18, nil)])
    #expect(
      try rows(id).dropFirst() == [
        "1 | 0:01.5 | Walk*4 | . | . | Turn …*2 | -",
        "2 | 0:05.5 | … Turn …*8 | -",
        "3 | 0:09.5 | … Turn*2 | Leap*3 | x*3 | -",
      ])
  }

  @Test func `a move in the pick-up, and one on an &, lie where they begin`() throws {
    let id = try addRoutine([
      ("Breath", -2, 2), ("Hop", 1.5, 1), ("Kick", 2.5, 0.5), ("End", 3.25, 0.25),
    ])
    #expect(
      try rows(id).prefix(2) == [
        "Pick-up | 0:00.0 | x*5 | . | Breath*2 | -",
        "1 | 0:01.5 | . | .*0.5 | & Hop | & Kick*0.5 | End*0.5 | .*0.5 | . | . | . | . | -",
      ])
  }

  @Test func `moves that sound together lie below each other`() throws {
    let id = try addRoutine([("Walk", 0, 8), ("Arms", 2, nil), ("Head", 2, nil), ("Turn", 4, 2)])
    #expect(
      try rows(id).dropFirst().prefix(3) == [
        "1 | 0:01.5 | Walk*8 | -", ". | . | Arms*2 | Turn*2 | . | .",
        ". | . | Head*2 | . | . | . | .",
      ])
    #expect(export(id).text.contains("<th scope=\"row\" rowspan=\"3\">1</th>"))
  }

  @Test func `a waltz has six counts, and other metres one bar`() throws {
    let waltz = try rows(addRoutine([("Turn", 0, 6)], metre: 3))
    #expect(
      waltz.prefix(3) == [
        "Pick-up | 0:00.0 | x*3 | . | . | . | -", "1 | 0:01.5 | Turn*6 | -",
        "2 | 0:04.5 | . | . | . | . | . | . | -",
      ])
  }

  @Test func `a corrected grid moves the times, and moves keep their counts`() throws {
    let id = try addRoutine([("Walk", 0, 4)])
    let track = try #require(try studio.library.records.records(.track).first).id
    try studio.library.commit([
      .init(
        .gridCorrection, "0193a5b0-0000-7000-8000-000000000001",
        ["track": .text(track), "kind": "one", "order": 1, "startFrame": 96_000])
    ])
    #expect(
      try rows(id).prefix(2) == [
        "Pick-up | 0:00.0 | x*4 | . | . | . | . | -", "1 | 0:02.0 | Walk*4 | . | . | . | . | -",
      ])
  }

  @Test func `a count belongs to the part that its middle lies in`() throws {
    // From just after a 1 to just after the next but one: 16 counts.
    let id = try addRoutine([], range: 72_300..<456_300)
    #expect(try rows(id).map { $0.prefix(3) } == ["1 |", "2 |"])
  }

  @Test func `deleted moves are left out, and those without counts or outside stand below`() throws
  {
    let id = try addRoutine([("Walk", 0, 4), ("Bow", nil, nil), ("Gone", 4, 2), ("Late", 400, 2)])
    try studio.library.commit([
      .init(.move, try moveId("Gone"), ["deletedAt": 5]),
      .init(.move, try moveId("Bow"), ["notes": "slow\ndeep"]),
    ])
    let text = export(id).text
    #expect(!text.contains("Gone"))
    #expect(try rows(id)[1] == "1 | 0:01.5 | Walk*4 | . | . | . | . | -")
    let lists = text.matches(of: #/(?s)<h3>(.*?)</h3>\n<ol>(.*?)</ol>/#)
    #expect(
      lists.map { String($0.output.1) } == ["Not on counts yet", "On counts outside this part"])
    #expect(lists[0].output.2.contains("Bow") && lists[0].output.2.contains("slow\ndeep"))
    #expect(lists[1].output.2.contains("Late"))
  }

  @Test func `a part without counts or without music is a list with rows to write in`() throws {
    let id = try addRoutine([("Walk", 0, 4), ("Bow", nil, nil)], hasCounts: false)
    #expect(export(id).text.contains("No counts are known for this music."))
    #expect(export(id).text.contains("<li><b dir=\"auto\">Walk</b></li>"))
    #expect(
      try rows(id)
        == Array(repeating: ".*0.5 | .*0.5 | . | . | . | . | . | . | . | . | -", count: 4))
    let part = try #require(try studio.library.records.records(.part).first).id
    try studio.library.commit([.init(.part, part, ["track": .null])])
    #expect(export(id).text.contains("This part has no music."))
    let table = export(id, "countsheet-csv").text
    #expect(table.contains(#""Swan","Intro","","","","","","","","","","","","Walk""#))
  }

  @Test func `notes stand beside the eight where their move begins`() throws {
    let id = try addRoutine([("Walk", 0, 4), ("Turn", 4, 8), ("Leap", 12, 2)])
    try studio.library.commit([
      .init(.move, try moveId("Turn"), ["notes": "  chin up\n"]),
      .init(.move, try moveId("Leap"), ["notes": "high"]),
    ])
    // With the title where it is not clear whose they are.
    #expect(
      try rows(id).dropFirst().map { $0.split(separator: "| ").last } == [
        "Turn chin up", "high", "-",
      ])
  }

  @Test func `long notes stand below the eights, not beside them`() throws {
    let id = try addRoutine([("Walk", 0, 4)])
    let notes = String(repeating: "chin up ", count: 100)
    try studio.library.commit([.init(.move, try moveId("Walk"), ["notes": .text(notes)])])
    #expect(try rows(id)[1] == "1 | 0:01.5 | Walk*4 | . | . | . | . | Walk see below")
    let below = export(id).text.split(separator: "<h3>Notes</h3>")
    #expect(below.count == 2 && below[1].contains("chin up chin up chin up</span>"))
  }

  @Test(.enabled(if: !TestDatabase.isServer, "the family swift runs it"))
  func `typed text is escaped, and an invalid colour is no style`() throws {
    let hostile = #"<img src=x onerror="a()"> & 'q'"#
    let id = try addRoutine([(hostile, 0, 4)])
    let move = try moveId(hostile)
    let type = try #require(try studio.library.records.records(.moveType).first).id
    try studio.library.commit([
      .init(.move, move, ["moveType": .text(type), "notes": "</td></table><script>x</script>"]),
      .init(.routine, id, ["title": "</h1><b>", "subtitle": "<i>"]),
    ])
    for record in try studio.library.records.records(.part) + studio.library.records.records(.track)
    {
      try studio.library.commit([.init(record.type, record.id, ["title": "\"><u>"])])
    }
    #expect(export(id).text.contains("style=\"border-left-color:#aabbcc\""))
    #expect(export(id).text.contains("<bdi class=\"type\" dir=\"auto\">ST</bdi>"))
    try studio.library.database.write { connection throws(DatabaseError) in
      try connection.run(
        "UPDATE record SET fields = json_set(fields, '$.colour', ?, '$.abbreviation', '<s>') "
          + "WHERE type = 'moveType'", [.text("red;position:fixed")])
    }
    let text = export(id).text
    for tag in [
      "<script", "<img", "<u>", "<i>", "<s>", "</td></table>", "onerror=\"", "position:fixed",
    ] {
      #expect(!text.contains(tag), "\(tag)")
    }
    #expect(text.contains("&lt;img src=x onerror=&quot;a()&quot;&gt; &amp; &#39;q&#39;"))
  }

  @Test func `the sheet is for the chosen paper, in landscape`() throws {
    let id = try addRoutine([])
    #expect(export(id, "countsheet&paper=a4").text.contains("size: A4 landscape;"))
    #expect(export(id, "countsheet&paper=letter").text.contains("size: letter landscape;"))
    #expect(export(id).text.contains("size: landscape;"))
    let page = export(id, "countsheet&print=true")
    #expect(page.headers["Content-Disposition"] == nil)
    #expect(page.text.ranges(of: "<script").count == 1)
    #expect(
      page.headers.values(of: "Content-Security-Policy").map {
        $0.hasPrefix(HTMLText.printingPolicy)
      } == [true])
    #expect(
      export(id).headers["Content-Disposition"]?
        .hasPrefix("attachment; filename=\"Swan eight-count sheet.html\"") == true)
  }

  @Test func `the empty sheet has rows of eight or six counts`() {
    func empty(_ query: String) -> TestStudio.Answer {
      studio.send(.get, "/api/export/empty-countsheet\(query)")
    }
    let sheet = empty("")
    #expect(sheet.status == 200 && sheet.text.contains("size: A4 landscape;"))
    #expect(sheet.headers["Content-Disposition"]?.contains("Eight-count sheet.html") == true)
    #expect(sheet.text.contains(">8</th>") && !sheet.text.contains("<script"))
    let waltz = empty("?counts=6&paper=letter&print=true")
    #expect(waltz.text.contains(">6</th>") && !waltz.text.contains(">7</th>"))
    #expect(waltz.text.contains("size: letter landscape;"))
    #expect(waltz.headers["Content-Disposition"] == nil)
    for query in ["?counts=4", "?counts=9", "?counts=x", "?paper=a0", "?print=1"] {
      #expect(empty(query).status == 400, "\(query)")
    }
  }

  @Test func `the table has a line for each eight and each move outside`() throws {
    let id = try addRoutine([("Walk", 0, 4), ("Hop", 5.5, 4), ("Bow", nil, nil)])
    try studio.library.commit([.init(.move, try moveId("Walk"), ["notes": "slow\n\"low\""])])
    let answer = export(id, "countsheet-csv")
    #expect(answer.headers["Content-Type"] == "text/csv; charset=utf-8")
    #expect(
      answer.headers["Content-Disposition"]?
        .hasPrefix("attachment; filename=\"Swan eight-count sheet.csv\"") == true)
    #expect(answer.body.prefix(3) == [0xEF, 0xBB, 0xBF])
    let lines = answer.text.dropFirst().components(separatedBy: "\r\n")
    #expect(
      lines == [
        #""Routine","Part","Eight","Time","1","2","3","4","5","6","7","8","Notes","Not on counts""#,
        #""Swan","Intro","Pick-up","00:00.000","","","","","","","","","","""#,
        #""Swan","Intro","1","00:01.500","Walk","…","…","…","","& Hop","…","…","Walk: slow / ""low""","""#,
        #""Swan","Intro","2","00:05.500","…","…","","","","","","","","""#,
        #""Swan","Intro","3","00:09.500","","","","","","","","","","""#,
        #""Swan","Intro","","","","","","","","","","","","Bow""#, "",
      ])
  }

  @Test(arguments: [
    ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@SUM(1)", "'@SUM(1)"), ("\t=1", " '=1"),
    ("  =1", "  '=1"), ("＝1", "'＝1"), ("\u{200B}=1", "\u{200B}'=1"), ("\"=1", "\"\"'=1"),
    ("a;=1", "a;'=1"), ("slow; -> left", "slow; '-> left"), ("a\r\n=1", "a / =1"), ("\n=1", "'=1"),
    ("5-8", "5-8"), ("a = b", "a = b"), ("a,b", "a,b"), ("", ""), ("a\u{0}b", "a b"),
  ])
  func `text never becomes a formula`(text: String, field: String) {
    #expect(CSVText.field(text) == "\"\(field)\"")
  }

  @Test func `an hour of music is laid out without a search through all of it`() {
    let beats = (0..<7_200).map { $0 * 24_000 }
    let grid = Grid(
      analysis: BeatAnalysis(
        tempo: 120, metre: 4, confidence: 0.9, frames: beats,
        places: beats.indices.map { $0 % 4 + 1 },
        eights: [0]),
      lengthFrames: 172_800_000, corrections: [])
    let rows = grid.eights(of: 0..<172_800_000)
    #expect(rows.count == 900)
    #expect(rows.map(\.eight) == Array(1...900) && rows.allSatisfy { $0.length == 8 })
    #expect(rows[899].frame == 172_608_000)
  }
}
