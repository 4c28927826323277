// Earlier versions of a record's texts over HTTP.

import Database
import HTTP
import Model

/// The response with the earlier versions.
private struct HistoryResponse: Encodable {
  var versions: [Revision]
}

enum HistoryRoutes {
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
                RecordType.allCases.filter { !$0.fieldsWithHistory.isEmpty }
                  .map { .string($0.rawValue) }),
            ])
        ],
        responses: [.json(200, "At most 100 texts", "HistoryResponse")]
      ) { request in
        let id = request.parameters["id"]
        guard let type = RecordType(rawValue: request.parameters["type"]),
          !type.fieldsWithHistory.isEmpty, try library.records.record(type, id) != nil
        else { throw HTTPError.notFound("There is no such record with earlier versions.") }
        return try .json(HistoryResponse(versions: try library.records.earlierVersions(type, id)))
      }
    ]
  }
}
