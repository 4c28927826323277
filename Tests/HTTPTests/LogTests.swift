// Logging of requests, and a log whose reader is blocked.

import FoundationEssentials
import Glibc
import HTTPTesting
import TestSupport
import Testing

@testable import HTTP
@testable import Logging

@Suite struct LogTests {
  private struct Body: Decodable { let number: Int }

  @Test func `a reader of the log that stands still holds nobody up`() throws {
    var pipe: [Int32] = [0, 0]
    try #require(Glibc.pipe(&pipe) == 0)
    _ = fcntl(pipe[1], F_SETFL, O_NONBLOCK)
    let byte: UInt8 = 46
    while withUnsafeBytes(of: byte, { Glibc.write(pipe[1], $0.baseAddress, 1) }) == 1 {}
    _ = fcntl(pipe[1], F_SETFL, 0)
    let log = Logger.lines(.text, to: pipe[1])
    let server = HTTPServer(
      configuration: .patient,
      router: Router(routes: [
        Route(.get, "/api/health", summary: "x", execution: .inline) { _ in .text("ok") }
      ]), log: log)
    let port = try server.start()
    defer { server.stop() }
    defer { for end in pipe { close(end) } }
    // One line each, so that the threads of both connections meet the blocked log.
    for method in ["GET", "POST", "PUT", "DELETE"] {
      let client = try SocketClient(port: port)
      try client.send(raw: "\(method) /api/health HTTP/1.1\r\nHost: foreign\r\n\r\n")
      #expect(try client.receive().status == 421)
      try client.send("GET /api/health")
      #expect(try client.receive().text == "ok")
    }
    for _ in 0..<300 { log.info("a.b") }
    // A reader that continues gets the waiting lines, and the number of dropped ones.
    _ = readLines(LogSink.waitingLimit, from: pipe[0])
    log.info("c.d")
    let words = readLines(2, from: pipe[0]).map { $0.split(separator: " ").dropFirst(2) }
    #expect(words == [["log.interrupted", "leftOut=48"], ["c.d"]])
  }

  /// Reads a number of lines.
  private func readLines(_ count: Int, from descriptor: Int32) -> [Substring] {
    var read: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while read.count(where: { $0 == 10 }) < count {
      let count = Glibc.read(descriptor, &bytes, bytes.count)
      guard count > 0 else { break }
      read += bytes[..<count]
    }
    return String(decoding: read, as: UTF8.self).split(separator: "\n")
  }

  // MARK: Requests

  @Test func `a refusal of note is told by its route, never by what was asked for`() throws {
    let log = Log()
    let application = Application(
      [
        Route(.post, "/api/codes/{token}/claim", summary: "x", access: .owner) { _ in
          throw HTTPError.insufficientStorage("Secret words.", cause: HTTPError.gone("Secret."))
        }
      ], log: log)
    let request = Request.local(.post, "/api/codes/secret/claim?secret", ["Cookie": "a=secret"])
    #expect(application.respond(to: request).status == 507)
    let event = try #require(log.events.first)
    #expect(event.name == "request.refused" && event["status"] == 507)
    #expect(event["route"] == "/api/codes/{token}/claim" && event["method"] == "POST")
    #expect(event["caller"] == "owner")
    #expect(event["error"] == "410 Gone")
    _ = application.respond(to: Request(.get, "/api/secret", headers: ["Host": "secret"]))
    #expect(log.events.count == 2)
    #expect(!log.lines.joined().lowercased().contains("secret"))
  }

  @Test func `what anybody's typing mistake causes is not told`() {
    let log = Log()
    let application = Application(
      [
        Route(.post, "/api/x", summary: "x", body: .buffered(limit: 100)) { request in
          .text("\(try request.decode(Body.self).number)")
        }
      ], log: log)
    #expect(application.respond(to: .local(.get, "/api/none")).status == 404)
    #expect(application.respond(to: .local(.get, "/api/x")).status == 405)
    let words = Array("{\"number\":\"secret\"}".utf8)
    #expect(application.respond(to: .local(.post, "/api/x", body: words)).status == 400)
    #expect(log.events.isEmpty)
  }

  @Test func `who knocks again and again is told once a minute, with a number`() {
    let filter = LogThrottle()
    let kind = LogThrottle.Kind(status: 401, method: .get, route: "/api/x")
    let other = LogThrottle.Kind(status: 403, method: .get, route: "/api/x")
    #expect(filter.pass(kind, now: 1_000) == 0)
    for _ in 0..<7 { #expect(filter.pass(kind, now: 60_999) == nil) }
    #expect(filter.pass(other, now: 2_000) == 0)
    #expect(filter.pass(kind, now: 61_000) == 7)
    #expect(filter.pass(kind, now: 61_001) == nil)
    #expect(filter.pass(kind, now: 200_000) == 1)
    #expect(filter.pass(kind, now: 300_000) == 0)
  }
}
