// Paths match their routes; unlisted ones are rejected.

import HTTPTesting
import Testing

@testable import HTTP

@Suite struct RouterTests {
  private let application = Application(
    [
      Route(.get, "/api/tracks/{id}", summary: "track") { .text("track \($0.parameters["id"])") },
      Route(.delete, "/api/tracks/{id}", summary: "delete") { _ in .empty() },
      Route(.get, "/api/tracks/latest", summary: "latest") { _ in .text("latest") },
      Route(.get, "/api/tracks/{id}/chunks/{n}", summary: "chunk") {
        .text("chunk \($0.parameters["id"]) \(try $0.parameters.integer("n"))")
      },
      Route(.post, "/api/uploads", summary: "create") { _ in .empty(status: 201) },
      Route(.options, "/api/uploads", summary: "capabilities") { _ in
        .empty(headers: ["Tus-Version": "1.0.0"])
      },
      Route(.head, "/api/uploads/{id}", summary: "offset") { _ in
        .empty(status: 200, headers: ["Upload-Offset": "7"])
      },
    ], fallback: { .text("page \($0.path)") })

  @Test(arguments: [
    ("/api/tracks/7", "track 7"), ("/api/tracks/latest", "latest"),
    ("/api/tracks/latest/chunks/3", "chunk latest 3"), ("/api/tracks/a%20b", "track a b"),
    ("/api/tracks/..b", "track ..b"), ("/routines/7", "page /routines/7"), ("/", "page /"),
    ("/apis", "page /apis"), ("/%CC%81api/tracks/7", "page /\u{301}api/tracks/7"),
    ("/api/tracks/%CC%81", "track \u{301}"),
  ])
  func `a path finds its route, literals before names`(target: String, text: String) {
    #expect(application.respond(to: .local(.get, target)).text == text)
  }

  @Test(arguments: [
    "/api", "/api/", "/api/nothing", "/api/tracks", "/api/tracks/", "/api/tracks/7/",
    "/api/%CC%81tracks/7", "/api/tracks/7/%CC%81chunks",
    "/api/tracks/7/chunks",
    "/api/tracks/7/chunks/3/4", "/api/Tracks/7", "/api/tracks/7/chunks/-1",
    "/api/tracks/7/chunks/03",
    "/api/tracks/7/chunks/x",
  ])
  func `an address that is not listed is a 404`(target: String) {
    let response = application.respond(to: .local(.get, target))
    #expect(response.status == 404)
    #expect(response.headers["Content-Type"] == "application/problem+json")
  }

  @Test func `another method gets the list of those that work`() {
    let response = application.respond(to: .local(.put, "/api/tracks/7"))
    #expect(response.status == 405)
    #expect(response.headers["Allow"] == "GET, HEAD, DELETE, OPTIONS")
    #expect(application.respond(to: .local(.post, "/routines/7")).status == 405)
    #expect(application.respond(to: .local(.post, "/api/nothing")).status == 404)
  }

  @Test func `OPTIONS tells the methods unless a route answers it`() {
    let own = application.respond(to: .local(.options, "/api/tracks/7"))
    #expect(own.status == 204)
    #expect(own.headers["Allow"] == "GET, HEAD, DELETE, OPTIONS")
    #expect(
      application.respond(to: .local(.options, "/api/uploads")).headers["Tus-Version"] == "1.0.0")
    #expect(application.respond(to: .local(.options, "*")).status == 204)
    #expect(application.respond(to: .local(.options, "/api/nothing")).status == 404)
  }

  @Test func `HEAD is GET without the body unless a route answers it`() {
    let response = application.respond(to: .local(.head, "/api/tracks/7"))
    #expect(response.status == 200)
    #expect(response.headers["Content-Length"] == "7")
    #expect(response.content.isEmpty)
    let upload = application.respond(to: .local(.head, "/api/uploads/1"))
    #expect(upload.headers["Upload-Offset"] == "7")
    #expect(application.respond(to: .local(.get, "/api/uploads/1")).status == 405)
  }

  @Test func `a method that nobody knows is refused, not guessed`() {
    guard
      case .reply(_, let known) = application.authorize(.local(.get, "/api/tracks/7"), method: nil),
      case .reply(_, let unknown) = application.authorize(.local(.get, "/api/nothing"), method: nil),
      case .reply(_, let page) = application.authorize(.local(.get, "/page"), method: nil)
    else {
      Issue.record("a request without a method went through")
      return
    }
    #expect(known.status == 405)
    #expect(unknown.status == 404)
    #expect(page.status == 405)
  }

  @Test func `guards come before the handler of every route`() {
    for route in application.routes {
      let target = route.pattern.replacing("{id}", with: "1").replacing("{n}", with: "1")
      let foreign = Request(route.method, target, headers: ["Host": "evil.example"])
      #expect(application.respond(to: foreign).status == 421)
      if route.method.isWrite {
        let crossSite = Request.local(route.method, target, ["Sec-Fetch-Site": "cross-site"])
        #expect(application.respond(to: crossSite).status == 403)
      }
    }
  }
}

extension Application {
  var routes: [Route] { router.routes }
}
