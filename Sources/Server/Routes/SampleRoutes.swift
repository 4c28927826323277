// The sample routine over HTTP.

import HTTP

enum SampleRoutes {
  static func routes(_ library: Library) -> [Route] {
    [
      Route(
        .post, "/api/sample", summary: "Add the sample routine",
        responses: [.json(202, "The routine, its track and the import", "SampleResponse")]
      ) { _ in
        let sample = try library.addSample()
        return try .json(sample, status: 202)
      }
    ]
  }
}
