// A small library with two routines that share nothing, and visitors of links to them.

import Database
import FoundationEssentials
import Model
import Storage

@testable import HTTP
@testable import Server

/// A routine with two parts, and all that hangs on them.
struct StagedRoutine {
  /// A word that stands in every text, file name and file of this routine.
  let word: String
  var routine = Identifier.make(milliseconds: 1)
  var parts: [String] = []
  var moves: [String] = []
  var moveType = Identifier.make(milliseconds: 1)
  var track = ""
  var video = Identifier.make(milliseconds: 1)
  var recording = Identifier.make(milliseconds: 1)
  /// The owner's, on the first move.
  var comment = Identifier.make(milliseconds: 1)
  /// The hashes of the files.
  var hashes: [String] = []
  /// The ids of what belongs to the performer: a plan, an entry of the log, a run-through, a clip.
  var own: [RecordType: String] = [:]

  /// Every text of the routine that a stranger must not see.
  var secrets: [String] { [word] + hashes }
}

extension Route {
  /// The targets of the route with the ids of one routine.
  func targets(_ staged: StagedRoutine, link: String) -> [String] {
    let id: [String] =
      switch pattern.split(separator: "/").dropFirst().first {
      case "tracks": [staged.track]
      case "videos": [staged.video]
      case "recordings": [staged.recording]
      case "routines": [staged.routine]
      case "links": [link]
      case "records": [staged.routine, staged.parts[0], staged.moves[0]]
      default: [UUID().uuidString.lowercased()]
      }
    let query: String =
      switch pattern {
      case "/api/tracks/{id}/peaks": "?framesPerPixel=64"
      case "/api/speech": "?language=en&text=\(staged.word)%20move%201"
      case "/api/export", "/api/routines/{id}/export": "?format=json"
      case "/api/videos/{id}/alignment": "?track=\(staged.track)&start=0&end=9"
      default: ""
      }
    let types =
      pattern.contains("{type}") ? ["routine", "part", "move"] : [""]
    return id.enumerated().map { index, id in
      pattern.split(separator: "/").map { segment in
        switch segment {
        case "{type}": "/" + types[index]
        case "{n}": "/0"
        case "{id}", "{job}", "{token}": "/" + id
        default: "/\(segment)"
        }
      }.joined() + query
    }
  }
}

extension TestStudio {
  /// Adds a routine with a song, a video and a recording whose files are there.
  func stage(_ word: String, seed: Int) throws -> StagedRoutine {
    var staged = StagedRoutine(word: word)
    staged.track = try importTrack(
      WAV.impulses([seed * 100], frames: 500_000), name: "\(word) song.wav"
    ).id
    let song = try library.records.track(staged.track)?.sha256
    func plant(_ text: String) throws -> String {
      let sha256 = String(format(seed, text))
      try Files.makeFolder(library.folder.blobs + "/" + sha256.prefix(2))
      try Files.writeNew(library.folder.blob(sha256), Array("\(word) \(text)".utf8))
      return sha256
    }
    let (film, voice) = (try plant("film"), try plant("voice"))
    staged.hashes = [song, film, voice].compactMap(\.self)
    for id in [staged.video, staged.recording] {
      try Files.makeFolder(library.folder.derived(id))
    }
    try Files.writeNew(library.folder.poster(video: staged.video), Array("\(word) poster".utf8))
    try Files.writeNew(
      library.folder.voice(recording: staged.recording), Array("\(word) voice".utf8))
    let named = ["title": Value.text("\(word) title"), "fileName": .text("\(word) file")]
    func fields(_ more: [String: Value]) -> [String: Value] { named.merging(more) { $1 } }
    var edits = [
      Library.Edit(
        .video, staged.video,
        fields(["sha256": .text(film), "state": "ready", "plays": "original", "hasSound": 1])),
      Library.Edit(
        .recording, staged.recording, fields(["sha256": .text(voice), "state": "ready"])),
      Library.Edit(
        .routine, staged.routine,
        [
          "title": .text("\(word) routine"), "subtitle": .text("\(word) subtitle"),
          "tags": .text("\(word) tag"), "lastPractisedAt": 5, "pinned": 1, "performanceDay": 20_000,
        ]),
      Library.Edit(
        .moveType, staged.moveType, ["name": .text("\(word) type"), "colour": "#123456"]),
    ]
    for number in 1...2 {
      let part = Identifier.make(milliseconds: 1)
      staged.parts.append(part)
      edits.append(
        Library.Edit(
          .part, part,
          [
            "routine": .text(staged.routine), "title": .text("\(word) part \(number)"),
            "position": .text("\(number)"), "track": .text(staged.track), "startFrame": 0,
            "endFrame": 240_000, "video": .text(staged.video), "rate": .number(0.5),
            "markerA": 10, "loopMode": "section", "semitones": 3, "countdownSeconds": 5,
          ]))
      let move = Identifier.make(milliseconds: 1)
      staged.moves.append(move)
      edits.append(
        Library.Edit(
          .move, move,
          [
            "part": .text(part), "title": .text("\(word) move \(number)"),
            "notes": .text("\(word) notes"), "position": "V", "moveType": .text(staged.moveType),
            "recording": .text(staged.recording),
          ]))
      edits.append(
        Library.Edit(
          .spot, Identifier.make(milliseconds: 1),
          ["part": .text(part), "startFrame": 1, "endFrame": 2, "title": .text("\(word) spot")]))
    }
    edits.append(
      Library.Edit(
        .comment, staged.comment,
        [
          "routine": .text(staged.routine), "move": .text(staged.moves[0]),
          "text": .text("\(word) comment"), "author": .text(Person.owner),
        ]))
    edits.append(
      Library.Edit(
        .gridCorrection, Identifier.make(milliseconds: 1),
        ["track": .text(staged.track), "kind": "double", "order": 1]))
    for (type, more) in [
      (RecordType.plan, ["routine": .text(staged.routine), "title": .text("\(word) plan")]),
      (.practiceEntry, ["routine": .text(staged.routine), "startedAt": 1]),
      (
        .runThrough,
        ["routine": .text(staged.routine), "startedAt": 1, "notes": .text("\(word) missed")]
      ),
      (
        .clip,
        [
          "track": .text(staged.track), "startFrame": 0, "endFrame": 9, "position": "V",
          "title": .text("\(word) clip"),
        ]
      ),
    ] as [(RecordType, [String: Value])] {
      let id = Identifier.make(milliseconds: 1)
      staged.own[type] = id
      edits.append(Library.Edit(type, id, more))
    }
    try library.commit(edits)
    return staged
  }

  private func format(_ seed: Int, _ text: String) -> String {
    let digits = text.utf8.map { String($0, radix: 16) }.joined() + String(seed, radix: 16)
    return String(repeating: "0", count: 64 - digits.utf8.count) + digits
  }

  /// Makes a link over HTTP.
  func makeLink(
    to routine: String, part: String? = nil, expiresAt: Int, passcode: String? = nil
  ) throws -> LinkRow {
    var body: [String: JSONValue] = [
      "routine": .string(routine), "expiresAt": .integer(expiresAt),
    ]
    body["part"] = part.map { .string($0) }
    body["passcode"] = passcode.map { .string($0) }
    let answer = post(
      "/api/links", String(decoding: JSONValue.object(body).serialized(), as: UTF8.self))
    guard answer.status == 201 else { throw HTTPError(answer.status, detail: answer.text) }
    struct Made: Decodable { let id: String }
    guard let row = library.links[try answer.json(Made.self).id] else { throw HTTPError.notFound() }
    return row
  }
}

extension ListenerClient {
  /// Opens a link.
  func open(
    _ id: String, secret: String, passcode: String? = nil, token: String? = nil,
    headers: [(String, String)] = [], peer: String = "192.168.1.77"
  ) -> Response {
    var body: [String: JSONValue] = ["secret": .string(secret)]
    body["passcode"] = passcode.map { .string($0) }
    return send(
      .post, "/api/links/\(id)/open", token: token, headers: headers,
      json: String(decoding: JSONValue.object(body).serialized(), as: UTF8.self), peer: peer)
  }

  /// Opens a link without a passcode, and returns the header field of its visitor's requests.
  func visit(_ link: LinkRow) -> [(String, String)] {
    let cookie = open(link.id, secret: link.secret).headers["Set-Cookie"] ?? ""
    return [("Cookie", String(cookie.prefix { $0 != ";" }))]
  }
}
