// Links over HTTP: made and listed by those who may edit what they show, opened by everybody.

import Database
import FoundationEssentials
import HTTP
import Model
import Network

enum LinkRoutes {
  /// The request body that makes a link.
  private struct Making: Decodable {
    let routine: String
    let part: String?
    let startFrame: Int?
    let endFrame: Int?
    let expiresAt: Int
    let passcode: String?
  }

  /// The request body that gives a link another end.
  private struct Change: Decodable {
    let expiresAt: Int?
  }

  /// The request body that opens a link.
  private struct Opening: Decodable {
    let secret: String
    let passcode: String?
  }

  private static let bodyLimit = 4_096

  static func routes(_ library: Library, _ network: LANServer) -> [Route] {
    [
      Route(
        .get, "/api/links", summary: "The links, the newest first",
        parameters: [
          ParameterDoc("routine", schema: Schemas.id, description: "Only those to this routine")
        ],
        responses: [
          .json(200, "Those to routines that the caller may edit, to the owner all", "Links")
        ], access: .person(nil)
      ) { request in
        let routine = request.query["routine"]
        guard routine.map(Identifier.isValid) ?? true else {
          throw HTTPError.unprocessable("The query value routine must be the id of a routine.")
        }
        let links = try library.links.all.filter {
          routine == nil || $0.scope.routine == routine
        }.filter { try library.permissions.answer(request.caller, to: .read, .link($0.id)) == .yes }
        // Looked for once, as it takes a look at the machine's addresses.
        let origin = network.addresses.first
        return json(["links": .array(links.map { link($0, at: origin) })])
      },
      Route(
        .post, "/api/links", summary: "Make a link that shows a routine or a part to anybody",
        requestBody: .json("LinkRequest"),
        responses: [.json(201, "The link", "Link")], access: .person(nil),
        body: .buffered(limit: bodyLimit)
      ) { request in
        json(link(try make(request, library), at: network.addresses.first), status: 201)
      },
      Route(
        .patch, "/api/links/{id}", summary: "Give a link another end",
        requestBody: .json("LinkChange"), responses: [.json(200, "The link", "Link")],
        access: .person(.link, to: .write), body: .buffered(limit: bodyLimit)
      ) { request in
        let id = request.parameters["id"]
        var row = library.links[id]
        if let expiresAt = try request.decode(Change.self).expiresAt {
          row = try library.links.setEnd(of: id, to: expiresAt)
        }
        guard let row else { throw LibraryError.unknownLink }
        return json(link(row, at: network.addresses.first))
      },
      Route(
        .delete, "/api/links/{id}", summary: "Revoke a link at once",
        responses: [
          ResponseDoc(
            204, "Nobody can open it, and what is being sent through it ends within a second")
        ], access: .person(.link, to: .write)
      ) { request in
        try library.revokeLink(request.parameters["id"], by: request.caller)
        return .empty()
      },
      Route(
        .get, "/api/links/{id}/code", summary: "The address of a link as a picture",
        responses: [.json(200, "The picture; null while there is no address", "LinkCode")],
        access: .person(.link)
      ) { request in
        guard let row = library.links[request.parameters["id"]] else {
          throw LibraryError.unknownLink
        }
        let qr = address(of: row, at: network.addresses.first).flatMap { QRCode($0)?.svg }
        return json(["qr": qr.map { .string($0) } ?? .null])
      },
      Route(
        .post, "/api/links/{id}/open", summary: "Open a link, with the secret of its address",
        requestBody: .json("LinkOpening"),
        responses: [.json(200, "What it shows; its cookie is set", "OpenedLink")],
        access: .everyone, body: .buffered(limit: bodyLimit)
      ) { request in try open(request, library) },
      Route(
        .get, "/api/links/{id}/records", summary: "All records that a link shows",
        responses: [.json(200, "Without what belongs to the performer", "LinkRecords")],
        access: .visitor(.link)
      ) { request in try records(request, library) },
    ]
  }

  private static func make(_ request: Request, _ library: Library) throws -> LinkRow {
    let body = try request.decode(Making.self)
    let scope = LinkScope(routine: body.routine, part: body.part)
    let unknown = HTTPError.notFound("There is no such routine or part.")
    // One that the caller may not see is like one that is not there.
    switch try library.permissions.answer(
      request.caller, to: .write, .record(.routine, body.routine))
    {
    case .unseen: throw unknown
    case .readOnly: throw HTTPError.forbidden("Only who may edit a routine makes links to it.")
    case .yes: break
    }
    guard ([body.routine] + [body.part].compactMap(\.self)).allSatisfy(Identifier.isValid),
      try library.records.isThere(scope)
    else { throw unknown }
    var frames: Range<Int>?
    switch (body.startFrame, body.endFrame) {
    case (nil, nil): break
    case (let start?, let end?):
      guard body.part != nil, 0 <= start, start < end, end <= Timeline.longestTrackFrames else {
        throw HTTPError.unprocessable(
          "startFrame and endFrame belong to a part, with 0 ≤ startFrame < endFrame ≤ "
            + "\(Timeline.longestTrackFrames).")
      }
      frames = start..<end
    default: throw HTTPError.unprocessable("Send startFrame and endFrame together, or neither.")
    }
    let row = try library.links.add(
      scope, frames: frames, expiresAt: body.expiresAt,
      passcodeHash: try body.passcode.map { try library.linkDoor.hash($0) })
    library.log.info(
      "link.made",
      ["link": .text(row.id), "by": request.caller == .owner ? "owner" : "device"])
    return row
  }

  private static func open(_ request: Request, _ library: Library) throws -> Response {
    let body = try request.decode(Opening.self)
    let (row, token): (LinkRow, String)
    do {
      (row, token) = try library.linkDoor.open(
        request.parameters["id"], secret: body.secret, passcode: body.passcode,
        by: request.caller, from: request.client)
    } catch let error as LibraryError {
      // As of pairing: the number of attempts is limited, and so is the number of these lines. Wrong
      // passcodes are in the log as refused requests.
      if error.code == .notFound {
        library.log.warning(
          "link.refused",
          ["status": 404, "address": request.client.map { .text($0.description) }])
      }
      throw error
    }
    var response = json(.object(shown(row)))
    response.headers["Set-Cookie"] = LinkCookie.setting(
      token, of: row.id, for: request, seconds: (row.expiresAt - library.now()) / 1000)
    return response
  }

  private static func records(_ request: Request, _ library: Library) throws -> Response {
    let id = request.parameters["id"]
    guard let row = library.links[id] else { throw LibraryError.unknownLink }
    guard library.links.isValid(id) else {
      throw LibraryError(.gone, "This link has ended.")
    }
    let records = try library.records.records(of: row.scope)
    guard !records.isEmpty else {
      throw LibraryError(.gone, "What this link showed was deleted.")
    }
    let head = "{\"seq\":\(records.count),\"expiresAt\":\(row.expiresAt),\"records\":["
    let text = head + records.joined(separator: ",") + "]}"
    return .bytes(
      Array(text.utf8), contentType: "application/json", etag: Token.hash(text),
      cacheControl: CacheControl.revalidate)
  }

  /// What a link shows, for those who open it.
  private static func shown(_ row: LinkRow) -> [String: JSONValue] {
    var members: [String: JSONValue] = [
      "id": .string(row.id), "routine": .string(row.scope.routine),
      "expiresAt": .integer(row.expiresAt),
    ]
    members["part"] = row.scope.part.map { .string($0) }
    members["startFrame"] = (row.frames?.lowerBound).map { .integer($0) }
    members["endFrame"] = (row.frames?.upperBound).map { .integer($0) }
    return members
  }

  /// The address of a link; nil while no other device can reach this server. The secret is in the
  /// fragment, which browsers do not send, so that no log contains it.
  private static func address(of row: LinkRow, at origin: String?) -> String? {
    origin.map { "\($0)/l/\(row.id)#\(row.secret)" }
  }

  /// A link for those who may make some.
  private static func link(_ row: LinkRow, at origin: String?) -> JSONValue {
    var members = shown(row)
    members["createdAt"] = .integer(row.createdAt)
    members["hasPasscode"] = .bool(row.passcodeHash != nil)
    members["openings"] = .integer(row.openings)
    members["lastOpenedAt"] = row.lastOpenedAt.map { .integer($0) }
    members["address"] = address(of: row, at: origin).map { .string($0) } ?? .null
    return .object(members)
  }

  private static func json(_ value: JSONValue, status: Int = 200) -> Response {
    .json(encoded: value.serialized(), status: status)
  }
}
