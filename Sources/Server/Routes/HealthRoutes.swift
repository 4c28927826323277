// Server health over HTTP.

import HTTP
import Model

enum HealthRoutes {
  static func routes(_ library: Library) -> [Route] {
    // Strangers do not get the version, because it would tell them which known faults apply.
    let brief = JSONValue.object(["status": "ok"]).serialized()
    return [
      Route(
        .get, "/api/health", summary: "Whether the server is well, and what is wrong",
        responses: [.json(200, "How it is", "Health")], access: .everyone, execution: .inline
      ) { request in
        if !request.caller.isPaired { return .json(encoded: brief) }
        // What is wrong is the business of the person who runs the server.
        let isOwners = request.caller.person == Person.owner
        return .json(encoded: library.healthReport().json(withProblems: isOwners))
      }
    ]
  }
}

extension HealthReport {
  /// The report as JSON; equal reports give equal bytes.
  func json(withProblems: Bool) -> [UInt8] {
    let value: JSONValue = [
      "status": .string(status), "version": .string(version),
      "problems": .array(withProblems ? problems.map { .string($0) } : []),
    ]
    return value.serialized()
  }
}
