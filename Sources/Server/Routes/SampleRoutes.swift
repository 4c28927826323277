// The sample routine over HTTP.

import HTTP
import Model

enum SampleRoutes {
  static func routes(_ library: Library) -> [Route] {
    [
      Route(
        .post, "/api/sample", summary: "Add the sample routine",
        responses: [.json(202, "The routine, its track and the import", "SampleResponse")],
        access: .person(nil)
      ) { request in
        let sample = try library.addSample(in: request.caller.person ?? Person.owner)
        return try .json(sample, status: 202)
      }
    ]
  }
}
