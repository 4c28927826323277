// Synchronization: changes in, records out, and the event stream that announces new records.

import FoundationEssentials
import HTTP
import Model

/// The body of `POST /api/sync`.
private struct SyncRequest: Decodable {
  /// The id of the library that the client has a copy of, from the last response.
  var library: String?
  var since: Int?
  var changes: [IncomingChange]?
}

enum SyncRoutes {
  /// The maximum number of records in one response.
  static let pageSize = 5_000
  /// The maximum number of changes in one request.
  static let batchSize = 5_000
  private static let bodyLimit = 16 << 20

  static func routes(_ library: Library) -> [Route] {
    [
      Route(
        .post, "/api/sync", summary: "Merge changes and read records past a sequence number",
        requestBody: .json("SyncRequest"),
        responses: [.json(200, "What is new, and what was not taken", "SyncResponse")],
        body: .buffered(limit: bodyLimit)
      ) { request in try sync(request, library) },
      Route(
        .get, "/api/events", summary: "Hear of changes, jobs, players and commands as they happen",
        parameters: [
          ParameterDoc(
            "client", schema: ["type": "string", "format": "uuid"],
            description: "makes the page a player that others can send commands to"),
          ParameterDoc("name", schema: ["type": "string", "maxLength": 60]),
        ],
        responses: [
          ResponseDoc(
            200,
            "Server-sent events: `changed` {\"seq\"}, `job` {\"id\",\"kind\",…}, `players`, "
              + "`remote`; a device's cookie is renewed",
            contentType: "text/event-stream", schema: ["type": "string"])
        ]
      ) { request in
        let seq = try library.records.latestSeq()
        let events = try library.players.listen(
          request.query["client"], name: request.query["name"] ?? "", by: request.caller,
          initial: [(event: "changed", data: "{\"seq\":\(seq)}")])
        var response = Response.events(events)
        // Each page requests this at its start, and again after each interruption.
        response.renewCookie(of: request, in: library.devices)
        return response
      },
    ]
  }

  private static func sync(_ request: Request, _ library: Library) throws -> Response {
    let body = try request.decode(SyncRequest.self)
    let changes = body.changes ?? []
    guard changes.count <= batchSize else {
      throw HTTPError.contentTooLarge("At most \(batchSize) changes a request; send several.")
    }
    if let known = body.library, !library.database.isSameLibrary(known) {
      throw HTTPError.conflict(
        "Another library answers here than the one on this device. Nothing was sent to it.")
    }
    let since = max(0, body.since ?? 0)
    let rejected = try library.take(changes)
    let page = try library.records.page(since: since, limit: pageSize)
    // The wall clock is sent only when needed: if it were wrong, all devices would adopt it.
    let isMisdated = rejected.contains { $0.code == .clock }
    let clock = isMisdated ? library.time : library.latestStamp
    var json: [UInt8] = []
    json.reserveCapacity(page.records.reduce(256) { $0 + $1.utf8.count + 1 })
    json += "{\"seq\":\(page.seq),\"records\":[".utf8
    for (index, record) in page.records.enumerated() {
      if index > 0 { json.append(UInt8(ascii: ",")) }
      json += record.utf8
    }
    json += "],\"rejected\":".utf8
    json += try JSONEncoder().encode(rejected)
    json += ",\"more\":\(page.hasMore),\"clock\":\"\(clock)\",".utf8
    json += "\"library\":\"\(library.database.identity)\",\"purged\":\(page.purged)}".utf8
    return .json(encoded: json)
  }
}
