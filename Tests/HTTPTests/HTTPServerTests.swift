// The server over real sockets: behaviour that needs a connection.

import Dispatch
import Glibc
import HTTPTesting
import Synchronization
import TestSupport
import Testing

@testable import HTTP

@Suite struct HTTPServerTests {
  /// Starts a server for a test and stops it at the end.
  private func serve(
    _ routes: [Route], log: Log = Log(), configure: (inout Configuration) -> Void = { _ in },
    _ test: (Int, HTTPServer) throws -> Void
  ) throws {
    var configuration = Configuration.patient
    configure(&configuration)
    let server = HTTPServer(
      configuration: configuration, router: Router(routes: routes), log: log.log)
    let port = try server.start()
    defer { server.stop() }
    try test(port, server)
  }

  private let health = Route(.get, "/api/health", summary: "x", execution: .inline) { _ in
    .text("ok")
  }

  @Test func `one connection serves many requests, inline and on workers`() throws {
    let worker = Route(.get, "/api/worker", summary: "x", execution: .worker) { _ in .text("w") }
    let echo = Route(.post, "/api/echo", summary: "x", body: .buffered(limit: 100_000)) {
      .bytes($0.body, contentType: "application/octet-stream")
    }
    try serve([health, worker, echo]) { port, _ in
      let client = try SocketClient(port: port)
      let body = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
      for _ in 0..<20 {
        try client.send("GET /api/health")
        #expect(try client.receive().text == "ok")
        try client.send("GET /api/worker")
        let answer = try client.receive()
        #expect(answer.text == "w")
        #expect(answer.headers["Content-Security-Policy"] != nil)
        #expect(answer.headers["Connection"] == nil)
        try client.send("POST /api/echo", ["Content-Length: \(body.count)"], body: body)
        let echoed = try client.receive().body == body
        #expect(echoed)
        try client.send("GET /api/nothing")
        #expect(try client.receive().status == 404)
        try client.send("HEAD /api/worker")
        #expect(try client.receive(toHead: true).headers["Content-Length"] == "1")
        try client.send("POST /api/nothing", ["Content-Length: 4"], body: [1, 2, 3, 4])
        #expect(try client.receive().status == 404)
      }
    }
  }

  @Test func `pipelined requests are answered in order`() throws {
    let number = Route(.get, "/api/n/{n}", summary: "x", execution: .worker) {
      .text($0.parameters["n"])
    }
    try serve([number, health]) { port, _ in
      let client = try SocketClient(port: port)
      let head = "HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n"
      try client.send(raw: (0..<50).map { "GET /api/n/\($0) \(head)" }.joined())
      for number in 0..<50 { #expect(try client.receive().text == "\(number)") }
    }
  }

  @Test func `concurrent clients get their own responses`() throws {
    let number = Route(.get, "/api/n/{n}", summary: "x", execution: .worker) {
      .text($0.parameters["n"])
    }
    try serve([number]) { port, _ in
      let clients = try (0..<64).map { _ in try SocketClient(port: port) }
      for round in 0..<20 {
        for (index, client) in clients.enumerated() {
          try client.send("GET /api/n/\(index * 100 + round)")
        }
        for (index, client) in clients.enumerated() {
          #expect(try client.receive().text == "\(index * 100 + round)")
        }
      }
    }
  }

  @Test func `a file is served exactly, whole and in ranges`() throws {
    let folder = try TemporaryFolder()
    let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 / 7) }
    let path = try folder.write("big", bytes)
    let routes = [Route.Execution.inline, .worker].map { execution in
      Route(.get, "/api/\(execution)", summary: "x", execution: execution) { _ in
        .file(path: path, contentType: "audio/flac", etag: "abc")
      }
    }
    try serve(routes) { port, _ in
      let client = try SocketClient(port: port)
      for path in ["/api/inline", "/api/worker"] {
        try client.send("GET \(path)")
        let isWhole = try client.receive().body == bytes
        #expect(isWhole)
        for range in [0..<1, 2_999_999..<3_000_000, 1_000_000..<1_065_536, 5..<2_500_000] {
          try client.send(
            "GET \(path)", ["Range: bytes=\(range.lowerBound)-\(range.upperBound - 1)"])
          let answer = try client.receive()
          #expect(answer.status == 206)
          let isExact = answer.body.elementsEqual(bytes[range])
          #expect(isExact)
        }
        try client.send("GET \(path)", ["If-None-Match: \"abc\""])
        #expect(try client.receive().status == 304)
        try client.send("GET \(path)", ["Range: bytes=3000000-"])
        #expect(try client.receive().status == 416)
      }
    }
  }

  @Test func `the checks of requests also apply over a socket`() throws {
    let write = Route(.post, "/api/x", summary: "x", body: .buffered(limit: 10)) { _ in .empty() }
    try serve([health, write]) { port, _ in
      let host = "Host: localhost:\(port)\r\n"
      let write = "\(host)Origin: http://localhost:\(port)\r\n"
      for (line, fields, status) in [
        ("GET /api/health", host, 200),
        ("GET /api/health", "Host: evil.example\r\n", 421),
        ("GET /api/health", host + host, 400),
        ("GET /api/health", "", 400),
        ("GET /api/%2e%2e/health", host, 400),
        ("GET //api/health", host, 400),
        ("GET /api/health%00", host, 400),
        ("BREW /api/health", host, 405),
        ("OPTIONS *", host, 204),
        ("POST /api/x", "\(host)Content-Length: 0\r\n", 403),
        ("POST /api/x", "\(write)Content-Length: 0\r\n", 204),
        ("POST /api/x", "\(write)Content-Length: 1\r\nContent-Length: 2\r\n", 400),
      ] {
        let client = try SocketClient(port: port)
        try client.send(raw: "\(line) HTTP/1.1\r\n\(fields)\r\n")
        let answered = try? client.receive().status
        #expect(answered == status, "\(line) \(fields)")
      }
    }
  }

  @Test func `random bytes on the wire leave the server answering`() throws {
    try serve([health]) { port, _ in
      var random = SeededGenerator(seed: 7)
      let words = [
        "GET ", "POST ", "/api/health", " HTTP/1.1", "\r\n", "Host: ", "localhost:\(port)",
        "Content-Length: ", "5", "-1", "Transfer-Encoding: chunked", "\u{0}", "Range: bytes=", " ",
        "99999999999999999999", "Expect: 100-continue", "ffffffffffffffffff", ":", "\t", "\r\n\r\n",
      ]
      for _ in 0..<400 {
        let client = try SocketClient(port: port)
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 1...20, using: &random) {
          if Int.random(in: 0..<5, using: &random) == 0 {
            bytes.append(UInt8.random(in: 0...255, using: &random))
          } else {
            bytes += Array((words.randomElement(using: &random) ?? "").utf8)
          }
        }
        // The server may close the connection while this is sent.
        try? client.send(bytes: bytes)
      }
      let client = try SocketClient(port: port)
      try client.send("GET /api/health")
      #expect(try client.receive().status == 200)
    }
  }

  @Test func `a port in use is reported with a message`() throws {
    try serve([health]) { port, _ in
      let second = HTTPServer(
        configuration: Configuration(port: port), router: Router(routes: []))
      #expect {
        try second.start()
      } throws: {
        ($0 as? ServerError)?.message.contains("Port \(port) is taken") == true
      }
      let nowhere = HTTPServer(
        configuration: Configuration(host: "192.0.2.1"), router: Router(routes: []))
      #expect { try nowhere.start() } throws: { ($0 as? ServerError)?.code == EADDRNOTAVAIL }
    }
  }

  @Test func `stopping lets a running handler respond and closes idle connections`() throws {
    let entered = DispatchSemaphore(value: 0)
    let gate = DispatchSemaphore(value: 0)
    let slow = Route(.get, "/api/slow", summary: "x", execution: .worker) { _ in
      entered.signal()
      gate.wait()
      return .text("done")
    }
    try serve([health, slow]) { port, server in
      let idle = try SocketClient(port: port)
      try idle.send("GET /api/health")
      _ = try idle.receive()
      let client = try SocketClient(port: port)
      try client.send("GET /api/slow")
      entered.wait()
      let stopped = DispatchGroup()
      stopped.enter()
      DispatchQueue(label: "stops").async {
        server.stop()
        stopped.leave()
      }
      // New connections are refused first; only then may the handler continue.
      func isWelcome() throws -> Bool {
        let newcomer = try SocketClient(port: port)
        try newcomer.send("GET /api/health")
        return try newcomer.receive().headers["Connection"] != "close"
      }
      while (try? isWelcome()) == true {}
      gate.signal()
      let answer = try client.receive()
      #expect(answer.text == "done")
      #expect(answer.headers["Connection"] == "close")
      stopped.wait()
      #expect(try idle.isClosedByServer())
      #expect(throws: SocketClient.Broken.self) { try SocketClient(port: port) }
    }
  }
}
