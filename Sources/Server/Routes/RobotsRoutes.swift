// What search engines are told: nothing here is for them.

import HTTP

enum RobotsRoutes {
  static let routes = [
    Route(
      .get, "/robots.txt", summary: "What robots may visit: nothing",
      responses: [
        ResponseDoc(200, "RFC 9309", contentType: "text/plain", schema: ["type": "string"])
      ], access: .everyone, execution: .inline
    ) { _ in .text("User-agent: *\nDisallow: /\n") }
  ]
}
