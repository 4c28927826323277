// Leading over HTTP: one page leads a routine, others follow; and the clock that they agree on.

import FoundationEssentials
import HTTP
import Model

enum LeadRoutes {
  /// The time, in responses.
  private struct Time: Encodable {
    let now: Double
  }

  /// The number of followers, in responses.
  private struct Followers: Encodable {
    let followers: Int
  }

  /// The request body of a follower.
  private struct Follower: Decodable {
    let client: String
  }

  private static let bodyLimit = 4_096
  private static let client = ParameterDoc("client", schema: Schemas.id, required: true)

  static func routes(_ library: Library) -> [Route] {
    [
      Route(
        .get, "/api/clock",
        summary: "The server's steady clock, which pages agree on to play together",
        responses: [.json(200, "Milliseconds, with fractions", "Clock")], access: .person(nil),
        execution: .inline
      ) { _ in try .json(Time(now: library.serverClock.now)) },
      Route(
        .put, "/api/routines/{id}/lead",
        summary: "Lead a routine: what the leader's player does now",
        requestBody: .json("LeadRequest"),
        responses: [.json(200, "How many follow", "LeadResponse")],
        access: .person(.routine, to: .write), body: .buffered(limit: bodyLimit)
      ) { request in
        let message = try request.decode(Leads.Message.self)
        let routine = try routine(request, library)
        return try .json(
          Followers(
            followers: library.leads.lead(
              routine.id, in: routine.space, message, by: request.caller)))
      },
      Route(
        .delete, "/api/routines/{id}/lead", summary: "Lead no more", parameters: [client],
        responses: [ResponseDoc(204, "This page does not lead")],
        access: .person(.routine, to: .write)
      ) { request in
        try library.leads.end(
          try routine(request, library).id, client: try client(request), by: request.caller)
        return .empty()
      },
      Route(
        .put, "/api/routines/{id}/lead/followers",
        summary: "Follow who leads a routine, again every 10 seconds",
        requestBody: .json("LeadFollower"),
        responses: [ResponseDoc(204, "This page counts as one that follows")],
        access: .person(.routine), body: .buffered(limit: bodyLimit)
      ) { request in
        let follower = try request.decode(Follower.self)
        try library.leads.follow(
          request.parameters["id"], client: follower.client, by: request.caller)
        return .empty()
      },
      Route(
        .delete, "/api/routines/{id}/lead/followers", summary: "Follow no more",
        parameters: [client],
        responses: [ResponseDoc(204, "This page does not follow")], access: .person(.routine)
      ) { request in
        try library.leads.unfollow(
          try routine(request, library).id, client: try client(request), by: request.caller)
        return .empty()
      },
    ]
  }

  /// The routine in the path, which must be there.
  private static func routine(_ request: Request, _ library: Library) throws -> Record {
    guard let record = try library.records.record(.routine, request.parameters["id"]),
      record.deletedAt == nil
    else { throw HTTPError.notFound("There is no such routine.") }
    return record
  }

  /// The id of the page that asks.
  private static func client(_ request: Request) throws -> String {
    guard let client = request.query["client"], Identifier.isValid(client) else {
      throw HTTPError.badRequest("The query value client must be a UUID.")
    }
    return client
  }
}
