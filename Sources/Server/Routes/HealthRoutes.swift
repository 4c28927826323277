// Server health over HTTP.

import HTTP

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
        return .json(encoded: library.healthReport().json)
      }
    ]
  }
}

extension HealthReport {
  /// The report as JSON; equal reports give equal bytes.
  var json: [UInt8] {
    let value: JSONValue = [
      "status": .string(status), "version": .string(version),
      "problems": .array(problems.map { .string($0) }),
    ]
    return value.serialized()
  }
}
