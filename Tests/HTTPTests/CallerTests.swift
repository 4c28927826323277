// Authentication of requests, and each caller's access.

import Dispatch
import HTTPTesting
import Synchronization
import TestSupport
import Testing

@testable import HTTP

@Suite struct CallerTests {
  private struct FixedAuthenticator: Authenticator {
    let caller: Caller
    func caller(of request: Request) -> Caller { caller }
    func isStillAuthorized(_ caller: Caller) -> Bool { true }
  }

  /// An authenticator that accepts its only device while a condition holds.
  private struct PassingDoor: Authenticator {
    let isPaired: @Sendable () -> Bool
    func caller(of request: Request) -> Caller { isPaired() ? .device("x") : .stranger }
    func isStillAuthorized(_ caller: Caller) -> Bool { caller == .stranger || isPaired() }
  }

  private func serve(
    _ routes: [Route], while isPaired: @escaping @Sendable () -> Bool,
    _ test: (SocketClient) throws -> Void
  ) throws {
    let server = HTTPServer(
      configuration: .patient, router: Router(routes: routes),
      authenticator: PassingDoor(isPaired: isPaired))
    let port = try server.start()
    defer { server.stop() }
    try test(SocketClient(port: port))
  }

  @Test(arguments: [Route.Execution.inline, .worker])
  func `who may no longer come in once the body is there is refused, and nothing runs`(
    execution: Route.Execution
  ) throws {
    let isPaired = Mutex(true)
    let runs = Mutex(0)
    let route = Route(
      .post, "/api/x", summary: "x", execution: execution, body: .buffered(limit: 100)
    ) { request in
      runs.withLock { $0 += 1 }
      return .text("\(request.body.count)")
    }
    try serve([route], while: { isPaired.withLock { $0 } }) { client in
      for (stays, status) in [(true, 200), (false, 401)] {
        try client.send("POST /api/x", ["Content-Length: 4", "Expect: 100-continue"])
        // Authenticated.
        #expect(try client.receiveHead().status == 100)
        try client.send(bytes: [1, 2])
        isPaired.withLock { $0 = stays }
        try client.send(bytes: [3, 4])
        let answer = try client.receive()
        #expect(answer.status == status)
        #expect(answer.headers["WWW-Authenticate"] == (stays ? nil : "Pairing"))
      }
      // The connection stays open, but its requests are no longer authenticated.
      try client.send("POST /api/x", ["Content-Length: 1"], body: [1])
      #expect(try client.receive().status == 401)
    }
    #expect(runs.withLock { $0 } == 1)
  }

  @Test func `a piece of a streamed body is stored only for who may come in then`() throws {
    let record = RecordingSink.Record()
    let route = Route.streamed(.patch, "/api/x", summary: "x") { _ in RecordingSink(record) }
    let body = [UInt8](repeating: 7, count: 2_000_000)
    try serve([route], while: { record.bytes.withLock { $0.count < 500_000 } }) { client in
      try client.send("PATCH /api/x", ["Content-Length: \(body.count)"], body: body)
      let answer = try client.receive()
      #expect(answer.status == 401)
      #expect(answer.headers["WWW-Authenticate"] == "Pairing")
    }
    #expect(record.endings.withLock { $0 } == [.aborted])
    #expect((500_000..<1_000_000).contains(record.bytes.withLock { $0.count }))
  }

  @Test func `the end of a streamed body counts only for who may come in then`() throws {
    let record = RecordingSink.Record()
    let route = Route.streamed(.patch, "/api/x", summary: "x") { _ in RecordingSink(record) }
    let isPaired = Mutex(true)
    try serve([route], while: { isPaired.withLock { $0 } }) { client in
      try client.send("PATCH /api/x", ["Content-Length: 4", "Expect: 100-continue"])
      #expect(try client.receiveHead().status == 100)
      try client.send(bytes: [1, 2])
      isPaired.withLock { $0 = false }
      try client.send(bytes: [3, 4])
      #expect(try client.receive().status == 401)
    }
    #expect(record.endings.withLock { $0 } == [.aborted])
    #expect(record.holds([]))
  }

  @Test func `who goes away when they may no longer come in leaves nothing more`() throws {
    let ended = DispatchSemaphore(value: 0)
    let record = RecordingSink.Record { ended.signal() }
    let route = Route.streamed(.patch, "/api/x", summary: "x") { _ in RecordingSink(record) }
    let isPaired = Mutex(true)
    try serve([route], while: { isPaired.withLock { $0 } }) { client in
      try client.send("PATCH /api/x", ["Content-Length: 4", "Expect: 100-continue"])
      #expect(try client.receiveHead().status == 100)
      try client.send(bytes: [1, 2])
      isPaired.withLock { $0 = false }
      client.shutDown()
      #expect(ended.comes())
    }
    #expect(record.endings.withLock { $0 } == [.aborted])
    #expect(record.holds([]))
  }

  private func status(_ access: Access, _ caller: Caller) -> Int {
    let route = Route(.get, "/api/x", summary: "x", access: access) { .text("\($0.caller)") }
    let application = Application(
      configuration: Configuration(), router: Router(routes: [route]),
      authenticator: FixedAuthenticator(caller: caller))
    return application.respond(to: .local(.get, "/api/x")).status
  }

  @Test func `each route asks for somebody`() {
    for (access, owner, device, person, stranger) in [
      (Access.owner, 200, 403, 403, 401), (.device, 200, 200, 403, 401),
      (.person(nil), 200, 200, 200, 401), (.everyone, 200, 200, 200, 200),
    ] {
      #expect(status(access, .owner) == owner)
      #expect(status(access, .device("x")) == device)
      #expect(status(access, .device("x", of: "somebody")) == person)
      #expect(status(access, .stranger) == stranger)
    }
  }

  /// Lets the visitors of a link read one thing.
  private struct VisitorAuthenticator: Authenticator {
    let caller: Caller
    func caller(of request: Request) -> Caller { caller }
    func isStillAuthorized(_ caller: Caller) -> Bool { true }
    func authorize(
      _ caller: Caller, to action: ResourceAction, _ resource: Resource, id: String
    ) throws {
      guard caller == .visitor(["link"]), resource.kind == "song", id == "7" else {
        throw HTTPError.unauthenticated
      }
    }
  }

  @Test
  func `a visitor gets what the route names, if the authenticator allows it, and nothing else`() {
    func status(_ access: Access, _ caller: Caller, _ target: String) -> Int {
      let routes = ["/api/songs/{id}", "/api/say"].map { pattern in
        Route(.get, pattern, summary: "x", access: access, execution: .inline) { _ in .text("x") }
      }
      return Application(
        configuration: Configuration(), router: Router(routes: routes),
        authenticator: VisitorAuthenticator(caller: caller)
      ).respond(to: .local(.get, target)).status
    }
    let (visitor, other) = (Caller.visitor(["link"]), Caller.visitor(["another"]))
    #expect(status(.visitor(.path("song")), visitor, "/api/songs/7") == 200)
    #expect(status(.visitor(.path("song")), visitor, "/api/songs/8") == 401)
    #expect(status(.visitor(.path("film")), visitor, "/api/songs/7") == 401)
    #expect(status(.visitor(.path("song")), other, "/api/songs/7") == 401)
    #expect(status(.visitor(.query("song", "text")), visitor, "/api/say?text=7") == 200)
    #expect(status(.visitor(.query("song", "text")), visitor, "/api/say?text=8&text=7") == 401)
    #expect(status(.visitor(.query("song", "text")), visitor, "/api/say") == 401)
    for caller in [Caller.owner, .device("x")] {
      #expect(status(.visitor(.path("song")), caller, "/api/songs/8") == 200)
    }
    for access in [Access.owner, .device] {
      #expect(status(access, visitor, "/api/songs/7") == 401)
    }
    #expect(status(.visitor(.path("song")), .stranger, "/api/songs/7") == 401)
    #expect(status(.everyone, visitor, "/api/songs/7") == 200)
    #expect(status(.device, visitor, "/api/nothing") == 401)
  }

  @Test func `without an authenticator that knows links, visitors read nothing`() {
    let route = Route(.get, "/api/songs/{id}", summary: "x", access: .visitor(.path("song"))) { _ in
      .text("x")
    }
    let application = Application(
      configuration: Configuration(), router: Router(routes: [route]),
      authenticator: FixedAuthenticator(caller: .visitor(["link"])))
    #expect(application.respond(to: .local(.get, "/api/songs/7")).status == 401)
  }

  @Test func `a route that says nothing is for paired devices`() {
    let route = Route(.get, "/api/x", summary: "x") { _ in .text("x") }
    let sink = Route.streamed(.post, "/api/x", summary: "x") { _ in throw HTTPError.notFound() }
    #expect(route.access == .device)
    #expect(sink.access == .device)
  }

  @Test func `strangers get the pages, and nothing else of what there is`() {
    let application = Application(
      configuration: Configuration(),
      router: Router(
        routes: [Route(.get, "/api/x", summary: "x") { _ in .text("x") }],
        fallback: { _ in .text("page") }),
      authenticator: FixedAuthenticator(caller: .stranger))
    func status(_ method: HTTP.Method, _ target: String) -> Int {
      application.respond(to: .local(method, target)).status
    }
    #expect(status(.get, "/pair") == 200)
    #expect(status(.get, "/app.js") == 200)
    #expect(status(.get, "/apis") == 200)
    for target in ["/api/x", "/api/x?a", "/api", "/api/", "/api/none", "/%61pi/x", "/api/%78"] {
      #expect(status(.get, target) == 401, "\(target)")
      #expect(status(.put, target) == 401, "\(target)")
      #expect(status(.options, target) == 401, "\(target)")
    }
    for target in ["//api/x", "/./api/x", "/pair/../api/x", "/api%2fx", "/pair/%2e%2e/api/x"] {
      #expect(status(.get, target) == 400, "\(target)")
    }
    #expect(status(.get, "/API/x") == 200, "another address, which is a page")
  }

  @Test func `the owner is who comes from this machine itself`() {
    func caller(_ peer: String?, _ headers: Headers = [:]) -> Caller {
      var request = Request(.get, "/", headers: headers)
      request.peer = peer.flatMap { IPAddress($0) }
      return LoopbackAuthenticator().caller(of: request)
    }
    #expect(caller("127.0.0.1") == .owner)
    #expect(caller("::1") == .owner)
    #expect(caller("192.168.1.2") == .stranger)
    #expect(caller("0.0.0.0") == .stranger)
    for field in ["Forwarded", "Via", "x-real-ip", "X-Forwarded-Anything"] {
      #expect(caller("127.0.0.1", [field: ""]) == .stranger)
    }
    #expect(caller("127.0.0.1", ["X-Forward": "a", "Via-X": "b"]) == .owner)
  }

  @Test func `a cookie is found among others, and only under its own name`() {
    func cookie(_ fields: String...) -> String? {
      Request(.get, "/", headers: Headers(fields.map { ("Cookie", $0) })).cookie("token")
    }
    #expect(cookie("token=abc") == "abc")
    #expect(cookie("a=b; token=abc; c=d") == "abc")
    #expect(cookie("a=b", "token=abc") == "abc")
    // Found by fuzzing: a combining mark after a delimiter, so that both form one character.
    #expect(cookie("a=b;\u{301}=c;token=\u{301}abc") == "\u{301}abc")
    #expect(cookie("token=a=b") == "a=b")
    #expect(cookie("token=") == "")
    #expect(cookie("token") == nil)
    #expect(cookie("xtoken=abc; Token=abc; a=token=abc") == nil)
    #expect(cookie("") == nil)
    #expect(cookie() == nil)
  }

  @Test func `random cookie fields are read without harm`() {
    var random = SeededGenerator(seed: 4)
    let alphabet = Array("token=; \t,\"é\u{0}".unicodeScalars)
    for _ in 0..<5_000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...30, using: &random) {
        text.append(alphabet.randomElement(using: &random) ?? "x")
      }
      let value = Request(.get, "/", headers: ["Cookie": String(text)]).cookie("token")
      #expect(value.map { String(text).contains("token=\($0)") } ?? true)
    }
  }

  @Test(arguments: [
    ("127.0.0.1", "203.0.113.1", "203.0.113.1"),
    ("127.0.0.1", "1.1.1.1, 203.0.113.1", "203.0.113.1"),
    ("127.0.0.1", "203.0.113.1, 10.0.0.9", "203.0.113.1"), ("127.0.0.1", "10.0.0.9", "127.0.0.1"),
    ("127.0.0.1", "", "127.0.0.1"), ("127.0.0.1", "nonsense", "127.0.0.1"),
    ("127.0.0.1", "203.0.113.1, unknown", "127.0.0.1"), ("127.0.0.1", "[fd00::5]", "fd00::5"),
    ("192.168.1.9", "203.0.113.1", "192.168.1.9"), ("10.1.1.1", "203.0.113.1", "203.0.113.1"),
    // Code points that form one character with the next comma, or with the space before them.
    ("127.0.0.1", "1.1.1.1 \u{600}, 203.0.113.1", "203.0.113.1"),
    ("127.0.0.1", "1.1.1.1 \u{301}", "127.0.0.1"), ("127.0.0.1", "1.1.1.1 2.2.2.2", "127.0.0.1"),
    ("127.0.0.1", "\t203.0.113.1 ", "203.0.113.1"),
  ])
  func `a trusted proxy says for whom it asks`(peer: String, field: String, sender: String) {
    var request = Request(.get, "/", headers: ["X-Forwarded-For": field])
    request.peer = IPAddress(peer)
    let proxies = ["127.0.0.0/8", "10.0.0.0/8"].compactMap(AddressRange.init)
    #expect(request.sender(trusting: proxies)?.description == sender)
    #expect(request.sender(trusting: [])?.description == peer)
  }
}
