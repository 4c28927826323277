// The host and origin checks accept only allowed host names and the server's own pages.

import HTTPTesting
import Synchronization
import TestSupport
import Testing

@testable import HTTP

@Suite struct HostPolicyTests {
  private func application(
    _ configuration: Configuration = Configuration(), clock: TestClock = TestClock()
  ) -> Application {
    let answer: Route.Handler = { _ in .text("ok") }
    return Application(
      configuration: configuration,
      router: Router(routes: [
        Route(.get, "/api/x", summary: "reads", handler: answer),
        Route(.post, "/api/x", summary: "writes", handler: answer),
        Route(.put, "/api/x", summary: "writes", handler: answer),
        Route(.patch, "/api/x", summary: "writes", handler: answer),
        Route(.delete, "/api/x", summary: "writes", handler: answer),
      ]), now: clock.now)
  }

  @Test(arguments: ["localhost:7700", "LOCALHOST:7700", "127.0.0.1:7700", "[::1]:7700"])
  func `the server answers to its own names`(host: String) {
    #expect(
      application().respond(to: Request(.get, "/api/x", headers: ["Host": host])).status == 200)
  }

  @Test(arguments: [
    "127.0.0.1.evil.example:7700", "evil.example", "localhost", "localhost:7701", "localhost:77000",
    "localhost:7700.evil.example", "127.0.0.1", "xlocalhost:7700", "", " ", "localhost:7700,evil",
    "user@localhost:7700", "localhost:07700", "127.1:7700",
  ])
  func `no other name is answered, however alike`(host: String) {
    let response = application().respond(to: Request(.get, "/api/x", headers: ["Host": host]))
    #expect(response.status == 421)
    #expect(response.text.contains("host name"))
  }

  @Test func `a letter that only becomes another one in lower case is no other name`() {
    // U+212A, the Kelvin sign: its lower case is k.
    let desk = application(Configuration(allowedHosts: ["desk.local"]))
    for (host, status) in [("DESK.local", 200), ("des\u{212A}.local", 421)] {
      #expect(
        desk.respond(to: Request(.get, "/api/x", headers: ["Host": host])).status == status)
    }
  }

  @Test func `a request names its host exactly once`() {
    #expect(application().respond(to: Request(.get, "/api/x")).status == 400)
    let twice = Headers([("Host", "localhost:7700"), ("host", "localhost:7700")])
    #expect(application().respond(to: Request(.get, "/api/x", headers: twice)).status == 400)
  }

  @Test func `an absolute address must name the same host`() {
    let application = application()
    #expect(
      application.respond(to: .local(.get, "http://localhost:7700/api/x")).status == 200)
    #expect(application.respond(to: .local(.get, "http://evil.example/api/x")).status == 421)
  }

  @Test func `a host behind a proxy is allowed as written`() {
    let studio = application(
      Configuration(allowedHosts: ["https://studio.example", "tv.local:80"]))
    for (host, origin, status) in [
      ("studio.example", "https://studio.example", 200),
      ("studio.example", "http://studio.example", 403),
      ("tv.local:80", "http://tv.local:80", 200),
      ("studio.example:7700", "https://studio.example:7700", 421),
    ] {
      let headers: Headers = ["Host": host, "Origin": origin]
      #expect(
        studio.respond(to: Request(.post, "/api/x", headers: headers)).status == status)
    }
  }

  @Test func `hosts that come up later are found, at most once a second`() throws {
    let found = Mutex((hosts: ["https://192.168.1.20:7743"], asked: 0))
    var configuration = Configuration()
    configuration.findHosts = { port in
      #expect(port == 7700)
      return found.withLock { found in
        found.asked += 1
        return found.hosts
      }
    }
    let clock = TestClock()
    let application = application(configuration, clock: clock)
    func status(_ host: String, origin: String? = nil) -> Int {
      var headers: Headers = ["Host": host]
      headers["Origin"] = origin
      return application.respond(
        to: Request(origin == nil ? .get : .post, "/api/x", headers: headers)
      ).status
    }
    #expect(status("192.168.1.20:7743") == 200)
    #expect(status("192.168.1.20:7743", origin: "https://192.168.1.20:7743") == 200)
    #expect(status("192.168.1.20:7743", origin: "http://192.168.1.20:7743") == 403)
    #expect(status("localhost:7700") == 421, "only what is found")
    found.withLock { $0.hosts = ["https://10.0.0.7:7743"] }
    clock.advance(999)
    #expect(status("10.0.0.7:7743") == 421)
    #expect(found.withLock { $0.asked } == 1, "at the start")
    clock.advance(1)
    #expect(status("10.0.0.7:7743") == 200)
    #expect(status("192.168.1.20:7743") == 421)
    for _ in 0..<1_000 { _ = status("evil.example") }
    #expect(found.withLock { $0.asked } == 2)
    clock.advance(1_000)
    for _ in 0..<1_000 { _ = status("evil.example") }
    #expect(found.withLock { $0.asked } == 3)
  }

  @Test(arguments: [HTTP.Method.post, .put, .patch, .delete])
  func `a write shows where it comes from`(method: HTTP.Method) {
    let cases: [(Headers, Int)] = [
      ([:], 403),
      (["Sec-Fetch-Site": "same-origin"], 200),
      (["Sec-Fetch-Site": "cross-site"], 403),
      (["Sec-Fetch-Site": "same-site"], 403),
      (["Sec-Fetch-Site": "none"], 403),
      (["Sec-Fetch-Site": ""], 403),
      (["Sec-Fetch-Site": "same-origin, cross-site"], 403),
      (["Sec-Fetch-Site": "cross-site", "Origin": "http://localhost:7700"], 403),
      (["Origin": "http://localhost:7700"], 200),
      (["Origin": "https://localhost:7700"], 403),
      (["Origin": "http://127.0.0.1:7700"], 403),
      (["Origin": "http://localhost:7700.evil.example"], 403),
      (["Origin": "http://localhost"], 403),
      (["Origin": "null"], 403),
      (["Referer": "http://localhost:7700/"], 403),
    ]
    for (headers, status) in cases {
      var all = headers
      all["Host"] = "localhost:7700"
      let response = application().respond(to: Request(method, "/api/x", headers: all))
      #expect(response.status == status, "\(headers.pairs)")
    }
  }

  @Test func `a program that sends neither header is told which to send`() {
    let response = application().respond(
      to: Request(.post, "/api/x", headers: ["Host": "localhost:7700"]))
    #expect(response.text.contains("Origin: http://localhost:7700"))
    #expect(response.text.contains("Sec-Fetch-Site: same-origin"))
  }

  @Test func `random hosts and origins never pass`() {
    var random = SeededGenerator(seed: 2)
    let application = application()
    let alphabet = Array("localhost:7700.127[]@/\u{0}é\r\n".unicodeScalars)
    for _ in 0..<5_000 {
      var text = ""
      for _ in 0..<Int.random(in: 0...20, using: &random) {
        text.unicodeScalars.append(alphabet.randomElement(using: &random) ?? "x")
      }
      let known = ["localhost:7700", "127.0.0.1:7700", "[::1]:7700"].contains(text.lowercased())
      let read = Request(.get, "/api/x", headers: ["Host": text])
      #expect((application.respond(to: read).status == 200) == known)
      let write = Request(
        .post, "/api/x", headers: ["Host": "localhost:7700", "Origin": "http://\(text)"])
      #expect(
        (application.respond(to: write).status == 200) == (text.lowercased() == "localhost:7700"))
    }
  }
}
