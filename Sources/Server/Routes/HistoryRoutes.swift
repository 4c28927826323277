// Earlier versions of a record's texts, and what has changed in a routine, over HTTP.

import Database
import HTTP
import Model

/// The response with the earlier versions.
private struct HistoryResponse: Encodable {
  var versions: [Revision]
}

/// The response with what has changed in a routine.
private struct RoutineChangesResponse: Encodable {
  var since: Int
  var changes: [ChoreographyChange]
  var more: Int
  var back: [BringBack]
}

enum HistoryRoutes {
  /// The most changes of a routine that are listed.
  static let mostChanges = 1_000
  private static let times = 0...9_999_999_999_999

  static func routes(_ library: Library) -> [Route] {
    [
      Route(
        .get, "/api/records/{type}/{id}/history",
        summary: "What stood in a record's texts before, for 30 days, the latest first",
        parameters: [
          ParameterDoc(
            "type", in: .path,
            schema: [
              "type": "string",
              "enum": .array(
                RecordType.allCases.filter { !$0.fieldsWithTexts.isEmpty }
                  .map { .string($0.rawValue) }),
            ])
        ],
        responses: [.json(200, "At most 100 texts", "HistoryResponse")], access: .person(.anyRecord)
      ) { request in
        let id = request.parameters["id"]
        guard let type = RecordType(rawValue: request.parameters["type"]),
          !type.fieldsWithTexts.isEmpty, try library.records.record(type, id) != nil
        else { throw HTTPError.notFound("There is no such record with earlier versions.") }
        return try .json(HistoryResponse(versions: try library.records.earlierVersions(type, id)))
      },
      Route(
        .get, "/api/routines/{id}/changes",
        summary: "What has changed in a routine's choreography, and what brings it back",
        parameters: [
          ParameterDoc(
            "since",
            schema: [
              "type": "integer", "minimum": 0, "maximum": .integer(times.upperBound),
            ],
            description: "Unix milliseconds; at most 30 days ago", required: true)
        ],
        responses: [.json(200, "The changes, part by part", "RoutineChangesResponse")],
        access: .person(.routine)
      ) { request in
        let since = try request.query.requiredInteger("since")
        guard times.contains(since) else {
          throw HTTPError.badRequest("since must be a time in milliseconds since 1970.")
        }
        return try .json(try changes(in: library, of: request.parameters["id"], since: since))
      },
    ]
  }

  private static func changes(
    in library: Library, of id: String, since: Int
  ) throws -> RoutineChangesResponse {
    guard let past = try library.records.past(ofRoutine: id) else {
      throw HTTPError.notFound("There is no such routine.")
    }
    // Before that, not everything that was overwritten is known.
    let known = max(since, past.storedSince, Library.now() - Cleaning.earlierVersionsKept)
    let found = past.history.changes(since: known, names: past.names, limit: mostChanges)
    return RoutineChangesResponse(
      since: known, changes: found.changes, more: found.more, back: found.back)
  }
}
