// What changes a library: the bodies of sync, the JSON that is imported, uploads.

import FoundationEssentials
import HTTP
import TestSupport

@testable import Database
@testable import Media
@testable import Model
@testable import Server
@testable import Storage

extension Harness {
  private static let id = "0193a5b0-0000-7000-8000-00000000000"
  private static let stamp = "1700000000000-0000-0000000a"

  private static func change(_ record: String, _ fields: String, at: String = stamp) -> String {
    #"{"id":"\#(id)9","type":"routine","record":"\#(id)\#(record)","fields":{\#(fields)},"at":"\#(at)"}"#
  }

  /// The body of `POST /api/sync`.
  static let sync = Harness(
    "sync", "sent twice it counts once, and in any order the same library comes of it",
    texts: [
      #"{"since":0,"changes":["# + change("1", #""title":"Swan","subtitle":null"#) + ","
        + change("1", #""title":"Lake""#, at: "1700000000001-0000-0000000b") + ","
        + change("2", #""title":"x","deletedAt":1700000000000"#) + "]}",
      #"{"changes":["# + change("1", #""title":"A""#) + "," + change("1", #""subtitle":"B""#)
        + "]}",
      #"{"changes":[{"id":"\#(id)3","type":"setting","record":"theme","fields":{"value":1.5},"#
        + #""at":"\#(stamp)"},{"id":7},{"type":"part"}]}"#,
      #"{"since":99999999999}"#, "{}",
    ],
    words: [
      "\"title\":", "\"subtitle\":", "\"deletedAt\":", "\"at\":\"", stamp, "0000000b\"", id,
      "\"type\":\"", "routine", "setting", "moveType", "\"name\":", "\"value\":", "1e300", "2.0",
      "-0.0", "9223372036854775807", "\\u0000", "\\ud800", "null", "true", "\u{301}", "\"since\":",
    ], shortRounds: 120
  ) {
    let studio = try EmptyStudio()
    return { bytes in
      try studio.clear()
      let first = studio.post("/api/sync", bytes)
      try holds([200, 400, 413].contains(first.status), "\(first.status)")
      guard first.status == 200, case .bytes(let answer) = first.body else {
        try holds(try studio.library.records.latestSeq() == 0, "refused, but something is there")
        return
      }
      _ = try JSONDecoder().decode(JSONValue.self, from: Data(answer))
      let seq = try studio.library.records.latestSeq()
      try holds(studio.post("/api/sync", bytes).status == 200, "refused the second time")
      try holds(try studio.library.records.latestSeq() == seq, "the second time changed something")

      struct Body: Decodable { var changes: [IncomingChange]? }
      let changes = try JSONDecoder().decode(Body.self, from: Data(bytes)).changes ?? []
      let latest = HybridClock(device: 0).latestAccepted(now: Library.now())
      var records: [String: Record] = [:]
      for case .change(let change) in changes.reversed() {
        guard (try? change.validate(by: .person, stampedUntil: latest)) != nil else { continue }
        let key = change.type.rawValue + change.record
        var record = records[key] ?? Record(before: change)
        record.merge(change)
        records[key] = record
      }
      for record in records.values {
        let stored = try studio.library.records.record(record.type, record.id)
        try holds(stored == record, "backwards, \(record) comes of it and not \(stored as Any)")
      }
      let count = try RecordType.allCases.reduce(0) {
        $0 + (try studio.library.records.records($1).count)
      }
      try holds(count == records.count, "\(count) records, not \(records.count)")
    }
  }

  /// A JSON export.
  static let exportModel = Harness(
    "notebook", "an import takes all or nothing, and exported again it is the same",
    texts: [
      #"{"format":"segmance","version":1,"exportedAt":1,"#
        + ##""moveTypes":[{"id":"t","name":"Step","colour":"#aabbcc"}],"##
        + #""tracks":[{"id":"s","sha256":"00"}],"#
        + #""routines":[{"id":"r","title":"Swan","subtitle":"Lake","parts":[{"id":"p","title":"A","#
        + #""position":"V","track":"s","startFrame":1,"endFrame":2,"rate":0.75,"moves":[{"id":"m","#
        + #""title":"B","position":"V","moveType":"t","notes":"one\n\ttwo"}]}]},"#
        + #"{"id":"q","title":"Good"}]}"#,
      #"{"format":"segmance","version":1,"moveTypes":[],"tracks":[],"routines":[]}"#,
      #"{"format":"segmance","version":2}"#,
    ],
    words: [
      "{\"id\":\"", "\"title\":\"", "\"parts\":[", "\"moves\":[", "\"position\":\"V\"",
      "\"track\":",
      "\"moveType\":", "\"sha256\":", "\"deletedAt\":", "null", "9223372036854775807", "-1", "0.5",
      "\\u0000", "\"startFrame\":", "\"endFrame\":", "\"name\":", "\"routine\":", "\"part\":",
    ], shortRounds: 100
  ) {
    let studio = try EmptyStudio()
    return { bytes in
      try studio.clear()
      guard let outcome = try importing(bytes, studio) else {
        try holds(try studio.library.records.latestSeq() == 0, "refused, but something is there")
        return
      }
      let first = try exported(studio)
      try holds(
        first.exportModel.routines.count == outcome.routines
          && first.exportModel.moveTypes.count == outcome.moveTypes, "something is missing")
      try studio.clear()
      let again = try importing(first.bytes, studio)
      try holds(again != nil, "what was exported is refused")
      try holds(try exported(studio).text == first.text, "exported again it differs")
    }
  }

  private static func importing(
    _ bytes: [UInt8], _ studio: EmptyStudio
  ) throws -> JSONImporter.Outcome? {
    do {
      return try JSONImporter(library: studio.library).importDocument(
        ExportDocument(bytes: Data(bytes), name: "notebook.json"))
    } catch let failure as LibraryError {
      try holds(failure.description.hasSuffix("."), "no sentence: \(failure)")
      return nil
    }
  }

  /// The export, and its text without ids, which are new each time.
  private static func exported(
    _ studio: EmptyStudio
  ) throws -> (exportModel: ExportModel, bytes: [UInt8], text: [UInt8]) {
    func plain(_ value: JSONValue) -> JSONValue {
      switch value {
      case .array(let elements): .array(elements.map(plain))
      case .object(let members):
        .object(members.filter { !["id", "moveType"].contains($0.key) }.mapValues(plain))
      default: value
      }
    }
    let exportModel = try ExportModel(allOf: studio.library.records, for: .owner)
    let bytes = JSONExport(exportModel).bytes(now: 1)
    let document = try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
    return (exportModel, bytes, plain(document).serialized())
  }

  /// An upload, a step to a line: `c` length and metadata, `p` offset and bytes, `h`, `d`.
  static let tus = Harness(
    "tus", "what was taken lies there in its order, and nothing else is taken",
    texts: [
      "c11 filename c3dhbi53YXY=\np0 hello \nh\np6 world\n", "c5 \np0 hello\np5 x\nd\nh\n",
      "c0 filename \n", "c4000000001 \nc-1 \n", "c3 a b,filename 4pmq\np1 abc\np0 abcd\np0 abc\n",
      "c9223372036854775807 x\np9223372036854775807 a\n", "p0 a\nd\nh\nc2 filename ====\n",
      "c5 \np0 hell\np4 o\n", "c5 \np0 hello\np0 hallo\n", "c41 \np-0\nd1 \n",
    ],
    words: [
      "filename ", "\nc", "\np", "\nh", "\nd", "9223372036854775807", "+5", "4000000000", "==",
    ],
    shortRounds: 100
  ) {
    let studio = try EmptyStudio()
    return { bytes in
      try studio.clear()
      var upload = UploadModel()
      for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(12) {
        try upload.take(line, studio)
      }
      guard let id = upload.id, upload.length == upload.bytes.count, upload.length > 0 else {
        return
      }
      let taken = try studio.library.uploads.take(id)
      let stored = try Files.read(taken.path)
      try holds(
        stored == upload.bytes && taken.reference.size == stored.count, "other bytes lie there")
      try Files.remove(taken.path)
    }
  }
}

/// An upload as it should be.
private struct UploadModel {
  var id: String?
  var length = 0
  var bytes: [UInt8] = []

  /// Takes a step over HTTP and compares.
  mutating func take(_ line: ArraySlice<UInt8>, _ studio: EmptyStudio) throws {
    let words = line.dropFirst().split(
      separator: UInt8(ascii: " "), maxSplits: 1, omittingEmptySubsequences: false)
    let first = String(decoding: words.first ?? [], as: UTF8.self)
    let rest = Array(words.count > 1 ? words[1] : [])
    let address = "/api/uploads/\(id ?? "none")"
    switch line.first {
    case UInt8(ascii: "c"): try create(first, String(decoding: rest, as: UTF8.self), studio)
    case UInt8(ascii: "p"):
      let answer = studio.tus(
        .patch, address,
        [("Upload-Offset", first), ("Content-Type", "application/offset+octet-stream")], rest)
      let offset = number(first)
      if let offset, offset == bytes.count, id != nil, bytes.count + rest.count <= length {
        try holds(answer.status == 204, "\(answer.status) for bytes in their place")
        bytes += rest
        try holds(answer.headers["Upload-Offset"] == "\(bytes.count)", "another offset")
      } else {
        try holds((400..<500).contains(answer.status), "\(answer.status) for bytes out of place")
      }
    case UInt8(ascii: "d"):
      let answer = studio.tus(.delete, address)
      try holds(answer.status == (id == nil ? 404 : 204), "\(answer.status) for a deletion")
      self = UploadModel()
    default: break
    }
    let head = studio.tus(.head, "/api/uploads/\(id ?? "none")")
    guard id != nil else { return try holds(head.status == 404, "\(head.status) for no upload") }
    try holds(
      head.status == 200 && head.headers["Upload-Offset"] == "\(bytes.count)"
        && head.headers["Upload-Length"] == "\(length)", "another offset or length is said")
  }

  /// The number that is written with digits alone.
  private func number(_ text: String) -> Int? {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
  }

  private mutating func create(
    _ length: String, _ metadata: String, _ studio: EmptyStudio
  ) throws {
    if let id { try studio.library.uploads.delete(id) }
    self = UploadModel()
    let answer = studio.tus(
      .post, "/api/uploads", [("Upload-Length", length), ("Upload-Metadata", metadata)])
    guard answer.status == 201 else {
      return try holds([400, 413, 507].contains(answer.status), "\(answer.status) for an upload")
    }
    id = answer.headers["Location"]?.split(separator: "/").last.map(String.init)
    self.length = number(length) ?? -1
    try holds((0...UploadLimits().fileBytes).contains(self.length), "a length of \(length)")
    let name = try studio.library.uploads.upload(id ?? "").fileName
    try holds(
      !name.isEmpty && name.count <= 255 && !name.unicodeScalars.contains { $0.value < 32 },
      "a file called \(name.debugDescription)")
  }
}

/// A library that is emptied between trials, and those of its routes that are tried.
final class EmptyStudio {
  let library: Library
  private let folder: TemporaryFolder
  private let application: Application

  init() throws {
    folder = try TemporaryFolder()
    library = try Library(root: folder.path, tools: try MediaTools.locate(sandbox: .none))
    application = Application(
      configuration: Configuration(),
      router: Router(routes: SyncRoutes.routes(library) + UploadRoutes.routes(library)))
  }

  /// Removes all records and uploads.
  func clear() throws {
    for upload in try library.uploads.all() { try library.uploads.delete(upload.id) }
    _ = try library.database.write { connection throws(DatabaseError) in
      try connection.run("DELETE FROM record", [])
      try connection.run("DELETE FROM earlier", [])
      try connection.run("UPDATE counter SET value = 0", [])
      return 0
    }
  }

  func post(_ target: String, _ body: [UInt8]) -> Response {
    send(.post, target, [("Content-Type", "application/json")], body)
  }

  func tus(
    _ method: HTTP.Method, _ target: String, _ headers: [(String, String)] = [],
    _ body: [UInt8] = []
  ) -> Response {
    send(method, target, [("Tus-Resumable", "1.0.0")] + headers, body)
  }

  private func send(
    _ method: HTTP.Method, _ target: String, _ headers: [(String, String)], _ body: [UInt8]
  ) -> Response {
    application.respond(
      to: Request(
        method, target,
        headers: Headers(
          [("Host", "localhost:7700"), ("Sec-Fetch-Site", "same-origin")] + headers),
        body: body))
  }
}
