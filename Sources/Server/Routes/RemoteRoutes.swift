// The remote control over HTTP: pages control the players of other pages, for example a phone that
// of a laptop.

import FoundationEssentials
import HTTP
import Model

enum RemoteRoutes {
  /// The request body of a command.
  private struct Command: Decodable {
    let from: String?
    let to: String?
    let command: JSONValue
  }

  /// The maximum size of a request, in bytes.
  private static let bodyLimit = 2_048

  static func routes(_ library: Library) -> [Route] {
    [
      Route(
        .get, "/api/remote", summary: "The caller's players that are open",
        responses: [.json(200, "All of them, the earliest first", "Players")], access: .person(nil),
        execution: .inline
      ) { request in
        try .json(["clients": library.players.all(of: request.caller.person ?? Person.owner)])
      },
      Route(
        .post, "/api/remote", summary: "Send a command to a player, or to all others",
        requestBody: .json("RemoteCommand"),
        responses: [ResponseDoc(204, "It is on its way, as the event `remote`")],
        access: .person(nil), execution: .inline, body: .buffered(limit: bodyLimit)
      ) { request in
        let body = try request.decode(Command.self)
        guard case .object = body.command else {
          throw HTTPError.badRequest("The field command must be an object.")
        }
        try library.players.send(
          body.command, from: body.from, to: body.to, by: request.caller)
        return .empty()
      },
    ]
  }
}
