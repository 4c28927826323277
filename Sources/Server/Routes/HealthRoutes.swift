// Whether the server is well, over HTTP.

import HTTP

enum HealthRoutes {
  static func routes(_ library: Library) -> [Route] {
    // Strangers need not know which faults this version has.
    let brief = JSONValue.object(["status": "ok"]).serialized()
    return [
      Route(
        .get, "/api/health", summary: "Whether the server is well, and what is wrong",
        responses: [.json(200, "How it is", "Health")], access: .everyone, execution: .inline
      ) { request in
        if request.caller == .stranger { return .json(encoded: brief) }
        return .json(encoded: library.healthReport().json)
      }
    ]
  }
}

extension HealthReport {
  /// As JSON, the same bytes each time.
  var json: [UInt8] {
    let value: JSONValue = [
      "status": .string(status), "version": .string(version),
      "problems": .array(problems.map { .string($0) }),
    ]
    return value.serialized()
  }
}
