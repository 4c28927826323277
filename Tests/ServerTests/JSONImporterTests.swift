// Import of JSON exports.

import FoundationEssentials
import Glibc
import HTTP
import Model
import Testing

@testable import Server

@Suite struct JSONImporterTests {
  let studio: TestStudio
  static let song = WAV.impulses([100], frames: 96_000)

  init() throws { studio = try TestStudio() }

  /// A library with all contents that a routine can have, with some siblings at the same position.
  private func fill() throws {
    let track = try studio.importTrack(Self.song).id
    let ids = (10..<22).map { "0193a5b0-0000-7000-8000-0000000000\($0)" }
    try studio.library.commit([
      .init(.moveType, ids[0], ["name": "Step", "abbreviation": "ST", "colour": "#aabbcc"]),
      .init(.moveType, ids[1], ["name": "Step", "abbreviation": "ST", "colour": "#aabbcc"]),
      .init(
        .routine, ids[2],
        [
          "title": "سماء <b> \"q\" 🎪", "subtitle": "s\\", "lastPractisedAt": 77, "pinned": 1,
          "evenLoudness": 1, "commentsSeen": 8, "tags": "duo\nsummer, 2027",
          "performanceDay": 20_790,
        ]),
      .init(
        .part, ids[3],
        [
          "routine": .text(ids[2]), "track": .text(track), "startFrame": 1, "endFrame": 95_999,
          "title": "Intro", "position": "V", "loopMode": "section", "markerA": 7, "markerB": 9,
          "rate": 0.75, "semitones": -3, "countdownSeconds": 0, "targetRate": 0.9,
          "naturalVoice": 1, "countdownRepeats": "first", "restSeconds": 4, "repeatLimit": 3,
          "trainerFrom": 60, "trainerTo": 100, "trainerStep": 5, "trainerEvery": 2,
        ]),
      .init(.part, ids[4], ["routine": .text(ids[2]), "title": "No music", "position": "V"]),
      .init(
        .move, ids[5],
        [
          "part": .text(ids[3]), "title": "B", "position": "V", "moveType": .text(ids[1]),
          "notes": "one\n\ttwo", "startCount": -1, "countLength": 2.5,
        ]),
      .init(.move, ids[6], ["part": .text(ids[3]), "title": "C", "position": "V"]),
      .init(.move, ids[7], ["part": .text(ids[3]), "title": "A", "position": "K"]),
      .init(.routine, ids[8], ["title": "Deleted", "deletedAt": 5]),
      .init(
        .spot, ids[9],
        ["part": .text(ids[3]), "startFrame": 10, "endFrame": 9_000, "title": "Turn"]),
      .init(
        .gridCorrection, ids[10],
        [
          "track": .text(track), "kind": "taps", "order": 5, "startFrame": 10,
          "endFrame": 90_000, "taps": "10 30000 60000",
        ]),
      .init(
        .gridCorrection, ids[11],
        ["track": .text(track), "kind": "tempo", "order": 5, "startFrame": 0, "value": 120.5]),
    ])
  }

  private func exported(_ studio: TestStudio) -> [UInt8] {
    studio.send(.get, "/api/export?format=json").body
  }

  /// The document with names instead of ids, and without times.
  private func comparable(_ bytes: [UInt8]) throws -> JSONValue {
    let document = try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
    var names: [String: String] = [:]
    func gather(_ value: JSONValue) {
      switch value {
      case .array(let elements): for element in elements { gather(element) }
      case .object(let members):
        if case .string(let id)? = members["id"] { names[id] = "id \(names.count)" }
        for (_, member) in members.sorted(by: { $0.key < $1.key }) { gather(member) }
      default: break
      }
    }
    gather(document)
    func named(_ value: JSONValue) -> JSONValue {
      switch value {
      case .string(let text): .string(names[text] ?? text)
      case .array(let elements): .array(elements.map(named))
      case .object(let members):
        .object(members.filter { $0.key != "exportedAt" }.mapValues(named))
      default: value
      }
    }
    return named(document)
  }

  private func run(_ text: String, in studio: TestStudio) throws -> JSONImporter.Outcome {
    try JSONImporter(library: studio.library).importDocument(
      ExportDocument(bytes: Data(text.utf8), name: "export.json"))
  }

  @Test func `export, import and a second export give the same data with new ids`() throws {
    try fill()
    let first = exported(studio)
    let other = try TestStudio()
    _ = try other.importTrack(Self.song)
    let path = other.folder.path + "/export.json"
    try Data(first).write(to: URL(filePath: path))
    let outcome = try JSONImporter(library: other.library).importDocument(path)
    #expect(
      outcome
        == .init(
          routines: 1, parts: 2, moves: 3, spots: 1, gridCorrections: 2, moveTypes: 2,
          partsWithoutAudio: 0, partsWithoutBorders: 0))
    let second = exported(other)
    #expect(try comparable(second) == comparable(first))
    let moves = try other.library.records.records(.move)
    #expect(moves.allSatisfy { !String(decoding: first, as: UTF8.self).contains($0.id) })
  }

  @Test func `the document has its format and all data of a routine`() throws {
    try fill()
    let document = try JSONDecoder().decode(JSONValue.self, from: Data(exported(studio)))
    #expect(document["format"] == "segmance")
    #expect(document["version"] == 1)
    let part = document["routines"]?[0]?["parts"]?[0]
    #expect(document["routines"]?[0]?["pinned"] == 1)
    #expect(document["routines"]?[0]?["evenLoudness"] == 1)
    #expect(document["routines"]?[0]?["tags"] == "duo\nsummer, 2027")
    #expect(part?["rate"] == 0.75)
    #expect(part?["markerB"] == 9)
    #expect(part?["moves"]?[0]?["title"] == "A")
    #expect(document["spots"]?[0]?["title"] == "Turn")
    #expect(document["spots"]?[0]?["part"] == part?["id"])
    #expect(document["gridCorrections"]?[0]?["taps"] == "10 30000 60000")
    #expect(document["gridCorrections"]?[1]?["track"] == document["tracks"]?[0]?["id"])
    #expect(document["tracks"]?[0]?["lengthFrames"] == 96_000)
    #expect(document["tracks"]?[0]?["fileName"] == "song.wav")
  }

  /// What a document has no bytes or no comments for, or says by what holds what.
  private static let leftOut: [RecordType: Set<String>] = [
    .routine: ["commentsSeen"],
    .part: ["routine", "video", "videoOffset", "videoMirrored"], .move: ["part", "recording"],
  ]

  @Test func `what was seen of the comments here says nothing in another library`() throws {
    try fill()
    let text = String(decoding: exported(studio), as: UTF8.self)
    #expect(!text.contains("commentsSeen"))
    let other = try TestStudio()
    _ = try run(
      text.replacing("\"pinned\":1", with: "\"commentsSeen\":8,\"pinned\":1"), in: other)
    let routine = try #require(try other.library.records.records(.routine).first)
    #expect(routine["pinned"] == .integer(1))
    #expect(routine["commentsSeen"] == .null)
  }

  @Test(arguments: [.routine, .part, .move, .spot, .moveType, .gridCorrection] as [RecordType])
  func `every field of a record is exported and imported`(type: RecordType) throws {
    try fill()
    let other = try TestStudio()
    _ = try other.importTrack(Self.song)
    _ = try run(String(decoding: exported(studio), as: UTF8.self), in: other)
    let imported = try other.library.records.records(type)
    #expect(!imported.isEmpty)
    for field in type.fields where Self.leftOut[type]?.contains(field.name) != true {
      #expect(imported.contains { $0[field.name] != .null }, "\(field.name)")
    }
  }

  @Test func `a part without its audio keeps its frames and is counted`() throws {
    try fill()
    let other = try TestStudio()
    let outcome = try run(String(decoding: exported(studio), as: UTF8.self), in: other)
    #expect(outcome.partsWithoutAudio == 1)
    let part = try #require(
      try other.library.records.records(.part).first { $0["title"] == "Intro" })
    #expect(part["track"] == .null)
    #expect(part["startFrame"] == 1)
    #expect(part["endFrame"] == 95_999)
  }

  @Test func `a file without spots is imported, and one with a spot of no part is refused`() throws
  {
    let plain = #"{"format":"segmance","version":1,"moveTypes":[],"tracks":[],"routines":[]}"#
    #expect(try run(plain, in: studio).spots == 0)
    let lost = plain.replacing(
      #""routines""#,
      with: #""spots":[{"id":"s","part":"x","startFrame":1,"endFrame":9}],"routines""#)
    #expect { try run(lost, in: studio) } throws: {
      "\($0)" == "Spot 1: its part is not among the file's parts."
    }
    #expect(try studio.library.records.records(.spot).isEmpty)
  }

  @Test func `corrections come along, but not on top of others, and not without their song`() throws
  {
    try fill()
    let text = String(decoding: exported(studio), as: UTF8.self)
    #expect(try run(text, in: studio).gridCorrections == 0)
    #expect(try studio.library.records.records(.gridCorrection).count == 2)
    let empty = try TestStudio()
    #expect(try run(text, in: empty).gridCorrections == 0)
    let other = try TestStudio()
    let track = try other.importTrack(Self.song).id
    #expect(try run(text, in: other).gridCorrections == 2)
    let made = try other.library.records.records(.gridCorrection).map(GridCorrection.init)
    #expect(made.map(\.track) == [track, track])
    #expect(made.compactMap(\.correction).map(\.kind) == [.taps, .tempo])
    let lost = text.replacing(
      #""gridCorrections":[{"#,
      with: #""gridCorrections":[{"kind":"one","id":"x","order":1,"track":"y"},{"#)
    #expect { try run(lost, in: other) } throws: {
      "\($0)".hasSuffix("its track is not among the file's tracks.")
    }
  }

  @Test func `importing into the same library reuses its move types`() throws {
    try fill()
    let outcome = try run(String(decoding: exported(studio), as: UTF8.self), in: studio)
    #expect(outcome.moveTypes == 0)
    #expect(try studio.library.records.records(.moveType).count == 2)
    #expect(try studio.library.records.records(.routine).filter(\.isComplete).count == 2)
  }

  private static func document(_ routines: String, tracks: String = "") -> String {
    #"{"format":"segmance","version":1,"moveTypes":[],"tracks":[\#(tracks)],"#
      + #""routines":[{"id":"a","title":"Good","parts":[]},\#(routines)]}"#
  }

  private static let deep = String(repeating: #"{"id":"p","parts":["#, count: 400)

  @Test(arguments: [
    "", "[]", "{", "null", #"{"format":"other","version":1}"#, #"{"format":"segmance"}"#,
    #"{"format":"segmance","version":2}"#, #"{"format":"segmance","version":0}"#,
    #"{"format":"segmance","version":1}"#,
    document(#"{"id":"r"}"#), document(#"{"title":"No id"}"#), document("7"),
    document(#"{"id":"r","title":""}"#), document(#"{"id":"r","title":"x","sha256":"y"}"#),
    document(#"{"id":"r","title":"x","deletedAt":5}"#),
    document(#"{"id":"r","title":{"x":1}}"#), document(#"{"id":"r","title":"x","parts":{}}"#),
    document(#"{"id":"r","title":"x","parts":[{"id":"p","title":"t"}]}"#),
    document(#"{"id":"r","title":"x","parts":[{"id":"p","title":"t","position":"0"}]}"#),
    document(
      #"{"id":"r","title":"x","parts":[{"id":"p","title":"t","position":"V","track":"?"}]}"#),
    document(
      #"{"id":"r","title":"x","parts":[{"id":"p","title":"t","position":"V","startFrame":-1,"#
        + #""endFrame":8}]}"#),
    document(
      #"{"id":"r","title":"x","parts":[{"id":"p","title":"t","position":"V","moves":["#
        + #"{"id":"m","title":"m","position":"V","moveType":"?"}]}]}"#),
    document(#"{"id":"r","title":"x"}"#, tracks: #"{"id":"t"}"#),
    document(
      #"{"id":"r","title":"x"}"#, tracks: #"{"id":"t","sha256":"a"},{"id":"t","sha256":"b"}"#),
    document(deep),
  ])
  func `a file that is no export is refused and changes nothing`(text: String) throws {
    let failure = #expect(throws: LibraryError.self) { try run(text, in: studio) }
    #expect(failure?.description.hasSuffix(".") == true, "\(failure?.description ?? "")")
    #expect(try studio.library.records.latestSeq() == 0)
  }

  private func intro(_ studio: TestStudio) throws -> Record {
    try #require(try studio.library.records.records(.part).first { $0["title"] == "Intro" })
  }

  @Test func `a part that ends after its track ends with it`() throws {
    try fill()
    let text = String(decoding: exported(studio), as: UTF8.self)
      .replacing("\"endFrame\":95999", with: "\"endFrame\":96001")
    let other = try TestStudio()
    _ = try other.importTrack(Self.song)
    #expect(try run(text, in: other).partsWithoutBorders == 0)
    let part = try intro(other)
    #expect(part["startFrame"] == 1 && part["endFrame"] == 96_000)
  }

  @Test(arguments: [true, false])
  func `a part with crossed borders is imported without borders`(
    hasAudio: Bool
  ) throws {
    try fill()
    let part = try intro(studio)
    try studio.library.commit([.init(.part, part.id, ["startFrame": 50_000])])
    try studio.library.commit([.init(.part, part.id, ["endFrame": 40_000])])
    let other = try TestStudio()
    if hasAudio { _ = try other.importTrack(Self.song) }
    let outcome = try run(String(decoding: exported(studio), as: UTF8.self), in: other)
    #expect(outcome.parts == 2 && outcome.partsWithoutBorders == 1)
    #expect(outcome.partsWithoutAudio == (hasAudio ? 0 : 1))
    let imported = try intro(other)
    #expect(imported["startFrame"] == .null && imported["endFrame"] == .null)
    #expect((imported["track"] != .null) == hasAudio)
  }

  @Test func `a part after the end of its track is imported without borders`() throws {
    try fill()
    try studio.library.commit([
      .init(.part, try intro(studio).id, ["startFrame": 96_000, "endFrame": 97_000])
    ])
    let other = try TestStudio()
    _ = try other.importTrack(Self.song)
    let outcome = try run(String(decoding: exported(studio), as: UTF8.self), in: other)
    #expect(outcome.partsWithoutBorders == 1 && outcome.partsWithoutAudio == 0)
    #expect(try intro(other)["startFrame"] == .null)
  }

  @Test func `a missing file, a folder and a huge file are refused`() throws {
    let importer = JSONImporter(library: studio.library)
    let huge = studio.folder.path + "/huge.json"
    try Data().write(to: URL(filePath: huge))
    #expect(truncate(huge, off_t(ExportDocument.largestBytes + 1)) == 0)
    for path in ["/nowhere.json", studio.folder.path, huge] {
      let failure = #expect(throws: LibraryError.self) { try importer.importDocument(path) }
      #expect(failure?.description.contains("larger than 256 MB") == (path == huge))
    }
  }
}
