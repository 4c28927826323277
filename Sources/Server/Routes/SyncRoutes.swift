// Synchronization: changes in, records out, and the event stream that announces new records.

import FoundationEssentials
import HTTP
import Model

/// The body of `POST /api/sync`.
private struct SyncRequest: Decodable {
  /// The id of the library that the client has a copy of, from the last response.
  var library: String?
  /// The id of the person whose copy it is, from the last response. The changes of another person than
  /// the caller are not taken: the browser was paired anew.
  var person: String?
  var since: Int?
  var changes: [IncomingChange]?
}

/// A group's space that the caller may read.
private struct VisibleSpace: Encodable {
  let id: String
  let name: String
  let role: Role
  /// Of a group without a name, the names of the others in it.
  let with: [String]?
  /// The number of people in it.
  let members: Int
  /// The sequence number at which the caller joined.
  let since: Int

  /// A person's groups.
  static func all(of viewer: Viewer, _ library: Library) throws -> [VisibleSpace] {
    let people = library.people
    let groups = people.groups(of: viewer.person)
    let joined = groups.isEmpty ? [:] : try library.records.people.joined(viewer.person)
    return groups.map { group in
      let others = group.members.keys.filter { $0 != viewer.person }.compactMap { people[$0]?.name }
      return VisibleSpace(
        id: group.id, name: group.name, role: group.members[viewer.person] ?? .performer,
        with: group.name.isEmpty ? others.sorted() : nil, members: group.members.count,
        since: joined[group.id] ?? 0)
    }
  }
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
        access: .person(nil), body: .buffered(limit: bodyLimit)
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
            "Server-sent events: `changed` {\"seq\"}, `job` {\"id\",\"kind\",…}, `people`, "
              + "`players`, `remote`, `leads`, `lead`; a device's cookie is renewed",
            contentType: "text/event-stream", schema: ["type": "string"])
        ], access: .person(nil)
      ) { request in
        let seq = try library.records.latestSeq()
        let events = try library.players.listen(
          request.query["client"], name: request.query["name"] ?? "", by: request.caller,
          initial: [
            (event: "changed", data: "{\"seq\":\(seq)}"),
            (event: "leads", data: library.leads.all(for: request.caller.person ?? Person.owner)),
          ])
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
    guard let viewer = library.permissions.viewer(of: request.caller) else {
      throw HTTPError.unauthenticated
    }
    let since = max(0, body.since ?? 0)
    let isOwn = body.person == nil || body.person == viewer.person
    let rejected = try library.take(isOwn ? changes : [], by: viewer)
    let page = try library.records.page(since: since, limit: pageSize, for: viewer)
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
    json += "\"library\":\"\(library.database.identity)\",\"purged\":\(page.purged),".utf8
    json += "\"person\":\"\(viewer.person)\",\"people\":\(!library.people.isAlone),".utf8
    json += "\"spaces\":".utf8
    json += try JSONEncoder().encode(VisibleSpace.all(of: viewer, library))
    json += "}".utf8
    return .json(encoded: json)
  }
}
