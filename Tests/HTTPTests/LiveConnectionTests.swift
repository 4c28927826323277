// Long connections: event streams and slow clients, beside other requests.

import Glibc
import HTTPTesting
import TestSupport
import Testing

@testable import HTTP

@Suite struct LiveConnectionTests {
  /// A hub without a heartbeat during a test.
  private static func quietHub() -> EventHub { EventHub(timers: TestClock()) }

  private func serve(
    _ hub: EventHub = LiveConnectionTests.quietHub(),
    configure: (inout Configuration) -> Void = { _ in },
    _ test: (Int, HTTPServer) throws -> Void
  ) throws {
    var configuration = Configuration.patient
    configure(&configuration)
    let router = Router(routes: [
      Route(.get, "/api/health", summary: "x", execution: .inline) { _ in .text("ok") },
      Route(.get, "/api/events", summary: "x") { _ in
        .events(try hub.subscribe(initial: [("changed", "0")]))
      },
    ])
    let server = HTTPServer(configuration: configuration, router: router)
    let port = try server.start()
    defer { server.stop() }
    try test(port, server)
  }

  private func subscribe(_ port: Int) throws -> SocketClient {
    let client = try SocketClient(port: port)
    try client.send("GET /api/events")
    let head = try client.receiveHead()
    try #require(head.status == 200)
    #expect(head.headers["Content-Type"] == "text/event-stream")
    #expect(
      String(decoding: try client.receiveChunk(), as: UTF8.self)
        == "retry: 2000\n\nevent: changed\ndata: 0\n\n")
    return client
  }

  @Test func `events arrive as they are published, whole and in order`() throws {
    let hub = LiveConnectionTests.quietHub()
    try serve(hub) { port, _ in
      let clients = try (0..<20).map { _ in try subscribe(port) }
      for number in 1...50 {
        hub.publish("changed", data: "\(number)")
        for client in clients {
          let event = String(decoding: try client.receiveChunk(), as: UTF8.self)
          #expect(event == "event: changed\ndata: \(number)\n\n")
        }
      }
    }
  }

  @Test func `a burst of events loses none`() throws {
    let hub = LiveConnectionTests.quietHub()
    try serve(hub) { port, _ in
      let client = try subscribe(port)
      let expected = (0..<2000).map { "event: job\ndata: \($0)\n\n" }.joined()
      for number in 0..<2000 { hub.publish("job", data: "\(number)") }
      var received: [UInt8] = []
      while received.count < expected.utf8.count { received += try client.receiveChunk() }
      #expect(String(decoding: received, as: UTF8.self) == expected)
    }
  }

  @Test func `a subscriber that disconnects frees its slot`() throws {
    let hub = LiveConnectionTests.quietHub()
    try serve(hub) { port, _ in
      for _ in 0..<5 { _ = try subscribe(port) }
      // The first write after a close may still seem to succeed, so several are needed. They are
      // far fewer than fill a stream's buffer, which would also drop it.
      #expect(
        eventually {
          hub.beat()
          return hub.subscriberCount == 0
        })
    }
  }

  @Test func `stopping ends the streams in order`() throws {
    try serve { port, server in
      let clients = try (0..<5).map { _ in try subscribe(port) }
      server.stop()
      for client in clients { #expect(try client.receiveChunk().isEmpty) }
    }
  }

  @Test func `a server stops at any moment while clients connect`() throws {
    for round in 0..<300 {
      try serve { port, server in
        let clients = try (0..<4).map { _ in try SocketClient(port: port) }
        if round % 2 == 0 {
          for client in clients { try client.send("GET /api/health") }
        }
        server.stop()
        for client in clients { while try !client.isClosedByServer() { _ = try client.receive() } }
        #expect(throws: SocketClient.Broken.self) { try SocketClient(port: port) }
      }
    }
  }

  @Test func `four hundred slow clients do not delay others`() throws {
    // No connection is closed meanwhile: a request that they delayed would get no response within
    // the minute of `SocketClient`. The trial `slow_clients` measures the latency.
    try serve { port, _ in
      let slow = try (0..<400).map { number in
        let client = try SocketClient(port: port)
        switch number % 4 {
        case 0: try client.send(raw: "G")
        case 1: try client.send(raw: "GET /api/health HTTP/1.1\r\nHost: localhost:\(port)\r\nX-A: ")
        case 2: try client.send(raw: "POST /api/health HTTP/1.1\r\nContent-Length: 9\r\n")
        default: break
        }
        return client
      }
      for _ in 0..<64 {
        let client = try SocketClient(port: port)
        try client.send("GET /api/health")
        #expect(try client.receive().text == "ok")
      }
      withExtendedLifetime(slow) {}
    }
  }

  @Test func `a slow header times out and a complete request does not`() throws {
    try serve(configure: { $0.headerTimeoutSeconds = 8 }) { port, _ in
      let done = try SocketClient(port: port)
      try done.send("GET /api/health")
      _ = try done.receive()
      let silent = try SocketClient(port: port)
      let slow = try SocketClient(port: port)
      try slow.send(raw: "GET /api/health HTTP/1.1\r\nX-Slow: ")
      // Each byte restarts libmicrohttpd's own timeout, so only the reaper ends this, after eight real seconds: the
      // time of a socket is the system's. It is slow enough that its buffer does not fill first.
      var dripped = 0
      while (try? slow.send(raw: "a")) != nil, dripped < 20_000 {
        dripped += 1
        usleep(2_000)
      }
      #expect(dripped < 20_000)
      #expect(try slow.isClosedByServer())
      #expect(try silent.isClosedByServer())
      try done.send("GET /api/health")
      #expect(try done.receive().text == "ok")
    }
  }

  @Test func `one address can't take all connections`() throws {
    try serve(configure: { $0.connectionsPerLoopbackAddress = 3 }) { port, _ in
      let first = try (0..<3).map { _ in
        let client = try SocketClient(port: port)
        try client.send("GET /api/health")
        #expect(try client.receive().status == 200)
        return client
      }
      let refused = try SocketClient(port: port)
      // This may fail if the connection is closed by then.
      try? refused.send("GET /api/health")
      #expect(try refused.isClosedByServer())
      try first[0].send("GET /api/health")
      #expect(try first[0].receive().status == 200)
    }
  }
}
