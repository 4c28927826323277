// Request bodies over real sockets: streamed, cut off, too large, chunked, with `Expect`.

import Dispatch
import Glibc
import HTTPTesting
import Synchronization
import TestSupport
import Testing

@testable import HTTP

@Suite struct UploadTests {
  private let body = (0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 13 / 5) }

  private func serve(
    _ record: RecordingSink.Record, limit: Int = 50_000_000, _ test: (Int) throws -> Void
  ) throws {
    let routes: [Route] = [
      .streamed(.patch, "/api/uploads/{id}", summary: "x", limit: limit) { request in
        guard request.parameters["id"] == "1" else { throw HTTPError.conflict("Wrong offset.") }
        return RecordingSink(record)
      },
      Route(.post, "/api/small", summary: "x", execution: .inline, body: .buffered(limit: 1000)) {
        .text("\($0.body.count)")
      },
    ]
    let server = HTTPServer(configuration: .patient, router: Router(routes: routes))
    let port = try server.start()
    defer { server.stop() }
    try test(port)
  }

  @Test func `a streamed body arrives whole, in order, in large pieces`() throws {
    let record = RecordingSink.Record()
    try serve(record) { port in
      let client = try SocketClient(port: port)
      try client.send("PATCH /api/uploads/1", ["Content-Length: \(body.count)"], body: body)
      let answer = try client.receive()
      #expect(answer.status == 204)
      #expect(answer.headers["Upload-Offset"] == "\(body.count)")
      #expect(record.holds(body))
      #expect(record.endings.withLock { $0 } == [.finished])
      #expect(record.pieces.withLock { $0.count } <= body.count / (256 * 1024) + 1)
      try client.send("PATCH /api/uploads/1", ["Content-Length: 0"])
      #expect(try client.receive().status == 204)
    }
  }

  @Test func `the bytes of a client that disconnects are kept and the sink is told`() throws {
    let ended = DispatchSemaphore(value: 0)
    let record = RecordingSink.Record { ended.signal() }
    try serve(record) { port in
      do {
        let client = try SocketClient(port: port)
        try client.send(
          "PATCH /api/uploads/1", ["Content-Length: \(body.count)"], body: Array(body[..<1_000_000])
        )
      }
      #expect(ended.comes())
      #expect(record.endings.withLock { $0 } == [.aborted])
      #expect(record.holds(body[..<1_000_000]))
    }
  }

  @Test func `stopping the server half-way through a body aborts the sink first`() throws {
    let record = RecordingSink.Record()
    let server = HTTPServer(
      configuration: {
        var configuration = Configuration.patient
        configuration.drainSeconds = 0
        return configuration
      }(),
      router: Router(routes: [
        .streamed(.patch, "/api/uploads/{id}", summary: "x") { _ in RecordingSink(record) }
      ]))
    let client = try SocketClient(port: try server.start())
    try client.send("PATCH /api/uploads/1", ["Content-Length: 600000", "Expect: 100-continue"])
    #expect(try client.receiveHead().status == 100)
    try client.send(bytes: Array(body[..<300_000]))
    server.stop()
    #expect(record.endings.withLock { $0 } == [.aborted])
    let isBeginning = record.bytes.withLock { body.starts(with: $0) }
    #expect(isBeginning)
  }

  @Test func `a sink that throws is aborted and its message reaches the client`() throws {
    let record = RecordingSink.Record(failsAfter: 300_000)
    try serve(record) { port in
      let client = try SocketClient(port: port)
      try client.send("PATCH /api/uploads/1", ["Content-Length: \(body.count)"], body: body)
      let answer = try client.receive()
      #expect(answer.status == 507)
      #expect(answer.text.contains("The disk is full."))
      #expect(record.endings.withLock { $0 } == [.aborted])
      try client.send("POST /api/small", ["Content-Length: 1"], body: [1])
      #expect(try client.receive().text == "1")
    }
  }

  @Test func `the error of a sink that throws early is sent at the end of the body`() throws {
    let record = RecordingSink.Record(failsAfter: 300_000)
    try serve(record) { port in
      let client = try SocketClient(port: port)
      try client.send("PATCH /api/uploads/1", ["Content-Length: \(body.count * 20)"])
      for _ in 0..<20 { try client.send(bytes: body) }
      let answer = try client.receive()
      #expect(answer.status == 507)
      #expect(answer.text.contains("The disk is full."))
      #expect(record.endings.withLock { $0 } == [.aborted])
      #expect(record.bytes.withLock { $0.count } < 1_000_000)
    }
  }

  @Test func `a started body is not refused while all workers are busy`() throws {
    let record = RecordingSink.Record()
    let begun = DispatchSemaphore(value: 0)
    let goesOn = DispatchSemaphore(value: 0)
    var configuration = Configuration.patient
    configuration.workerThreads = 1
    configuration.queuedRequestLimit = 1
    let server = HTTPServer(
      configuration: configuration,
      router: Router(routes: [
        .streamed(.patch, "/api/uploads/{id}", summary: "x") { _ in RecordingSink(record) },
        Route(.get, "/api/slow", summary: "x") { _ in
          begun.signal()
          goesOn.wait()
          return .text("ok")
        },
      ]))
    let port = try server.start()
    defer { server.stop() }
    defer { for _ in 0..<2 { goesOn.signal() } }
    let client = try SocketClient(port: port)
    try client.send(
      "PATCH /api/uploads/1", ["Content-Length: \(body.count)", "Expect: 100-continue"])
    #expect(try client.receiveHead().status == 100)
    // One request that runs, and one that waits.
    let others = try (0..<2).map { _ in try SocketClient(port: port) }
    try others[0].send("GET /api/slow")
    #expect(begun.comes())
    try others[1].send("GET /api/slow")
    #expect(eventually { server.waitingRequestCount == 1 })
    try client.send(bytes: Array(body[..<600_000]))
    // A piece of the body waits as well, beyond the limit.
    #expect(eventually { server.waitingRequestCount == 2 })
    for _ in 0..<2 { goesOn.signal() }
    try client.send(bytes: Array(body[600_000...]))
    #expect(try client.receive().headers["Upload-Offset"] == "\(body.count)")
    #expect(record.endings.withLock { $0 } == [.finished])
  }

  @Test func `a client that continues sending still receives the refusal`() throws {
    let record = RecordingSink.Record()
    try serve(record) { port in
      let client = try SocketClient(port: port)
      try client.send("PATCH /api/uploads/2", ["Content-Length: \(body.count * 8)"])
      for _ in 0..<8 { try client.send(bytes: body) }
      #expect(try client.receive().status == 409)
      try client.send("POST /api/small", ["Content-Length: 1"], body: [1])
      #expect(try client.receive().text == "1")
    }
  }

  @Test func `a refused sink answers before the body is sent`() throws {
    let record = RecordingSink.Record()
    try serve(record) { port in
      let client = try SocketClient(port: port)
      try client.send("PATCH /api/uploads/2", ["Content-Length: 20000000"])
      #expect(try client.receive().status == 409)
      let asking = try SocketClient(port: port)
      try asking.send("PATCH /api/uploads/2", ["Content-Length: 9", "Expect: 100-continue"])
      #expect(try asking.receive().status == 409)
      let polite = try SocketClient(port: port)
      try polite.send("PATCH /api/uploads/2", ["Content-Length: 3"], body: [1, 2, 3])
      #expect(try polite.receive().status == 409)
      try polite.send("POST /api/small", ["Content-Length: 1"], body: [1])
      #expect(try polite.receive().text == "1")
      #expect(record.endings.withLock { $0 }.isEmpty)
    }
  }

  @Test func `a body over the limit is refused without being read`() throws {
    let record = RecordingSink.Record()
    try serve(record, limit: 2000) { port in
      for line in ["POST /api/small", "PATCH /api/uploads/1"] {
        let client = try SocketClient(port: port)
        try client.send(line, ["Content-Length: 2001"])
        #expect(try client.receive().status == 413)
        #expect(try client.isClosedByServer())
      }
      let expecting = try SocketClient(port: port)
      try expecting.send(
        "POST /api/small", ["Content-Length: 1001", "Expect: 100-continue"])
      #expect(try expecting.receive().status == 413)
      #expect(record.endings.withLock { $0 }.isEmpty)
    }
  }

  @Test func `a chunked body is counted as it arrives`() throws {
    let record = RecordingSink.Record()
    try serve(record, limit: 500_000) { port in
      let client = try SocketClient(port: port)
      let head = ["Transfer-Encoding: chunked"]
      let pieces = (0..<4).map { Array(body[$0 * 100_000..<($0 + 1) * 100_000]) }
      try client.send("PATCH /api/uploads/1", head)
      for piece in pieces + [[]] { try client.send(bytes: piece.chunk) }
      #expect(try client.receive().headers["Upload-Offset"] == "400000")
      #expect(record.holds(body[..<400_000]))
      try client.send("POST /api/small", head)
      for piece in [Array(body[..<900]), []] { try client.send(bytes: piece.chunk) }
      #expect(try client.receive().text == "900")
      try client.send("POST /api/small", head)
      for piece in [Array(body[..<900]), Array(body[..<900]), []] {
        try client.send(bytes: piece.chunk)
      }
      #expect(try client.receive().status == 413)
      try client.send("PATCH /api/uploads/1", head)
      for piece in pieces + [Array(body[..<100_001]), []] { try client.send(bytes: piece.chunk) }
      #expect(try client.receive().status == 413)
      #expect(record.endings.withLock { $0 } == [.finished, .aborted])
    }
  }

  @Test func `chunks that come while a piece is being stored are not lost`() throws {
    let record = RecordingSink.Record()
    try serve(record) { port in
      let client = try SocketClient(port: port)
      try client.send("PATCH /api/uploads/1", ["Transfer-Encoding: chunked"])
      // A piece for the sink ends where one of these does, while the next ones are already in the
      // buffer.
      let chunks = stride(from: 0, to: body.count, by: 8192)
        .flatMap { Array(body[$0..<min($0 + 8192, body.count)]).chunk }
      try client.send(bytes: chunks + [UInt8]().chunk)
      #expect(try client.receive().headers["Upload-Offset"] == "\(body.count)")
      #expect(record.holds(body))
    }
  }

  @Test func `a client that expects 100 gets it`() throws {
    let record = RecordingSink.Record()
    try serve(record) { port in
      let client = try SocketClient(port: port)
      for line in ["POST /api/small", "PATCH /api/uploads/1"] {
        try client.send(line, ["Content-Length: 5", "Expect: 100-continue"])
        #expect(try client.receiveHead().status == 100)
        try client.send(bytes: [1, 2, 3, 4, 5])
        #expect(try client.receive().status < 300)
      }
    }
  }
}
