// Bodies that are generated while they are sent, over a real socket.

import Dispatch
import HTTPTesting
import Synchronization
import TestSupport
import Testing

@testable import HTTP

@Suite struct ByteStreamTests {
  private struct Trouble: Error {}

  /// Counts how streams ended.
  private final class Ends: Sendable {
    let count = Mutex(0)
    let failures = Mutex<[String]>([])
    let signal = DispatchSemaphore(value: 0)

    var note: @Sendable ((any Error)?) -> Void {
      { failure in
        self.count.withLock { $0 += 1 }
        if let failure { self.failures.withLock { $0.append("\(type(of: failure))") } }
        self.signal.signal()
      }
    }
  }

  private func serve(
    length: Int?, ends: Ends, produce: @escaping @Sendable (ByteStream) throws -> Void,
    _ test: (Int) throws -> Void
  ) throws {
    let route = Route(.get, "/api/stream", summary: "x") { _ in
      .stream(
        ByteStream(produce: produce, end: ends.note), length: length,
        contentType: "application/x-tar", downloadName: "x.tar")
    }
    let server = HTTPServer(configuration: .patient, router: Router(routes: [route]))
    let port = try server.start()
    defer { server.stop() }
    try test(port)
  }

  private func write(_ stream: ByteStream, pieces: Int) throws {
    for piece in 0..<pieces {
      try [UInt8](repeating: UInt8(truncatingIfNeeded: piece), count: 100_000)
        .withUnsafeBytes { try stream.write($0) }
    }
  }

  @Test(arguments: [3_000_000, nil])
  func `more bytes than the buffer holds arrive in order`(length: Int?) throws {
    let ends = Ends()
    try serve(length: length, ends: ends, produce: { try write($0, pieces: 30) }) { port in
      let client = try SocketClient(port: port)
      try client.send("GET /api/stream")
      let answer = try client.receive()
      #expect(answer.headers["Content-Length"] == length.map { "\($0)" })
      #expect(answer.body.count == 3_000_000)
      let isInOrder = answer.body.enumerated().allSatisfy { $1 == UInt8($0 / 100_000) }
      #expect(isInOrder)
      // The connection can be reused.
      try client.send("GET /api/stream")
      #expect(try client.receive().body.count == 3_000_000)
    }
    #expect(ends.count.withLock { $0 } == 2)
    #expect(ends.failures.withLock { $0 } == [])
  }

  // Half-way, after the last byte, and with an unknown length.
  @Test(arguments: [3_000_000, 500_000, nil])
  func `a stream that fails never looks complete`(length: Int?) throws {
    let ends = Ends()
    try serve(
      length: length, ends: ends,
      produce: {
        try write($0, pieces: 5)
        throw Trouble()
      }
    ) { port in
      let client = try SocketClient(port: port)
      try client.send("GET /api/stream")
      let broken = #expect(throws: SocketClient.Broken.self) { try client.receive() }
      #expect(broken?.isClosed == true)
    }
    #expect(ends.failures.withLock { $0 } == ["Trouble"])
  }

  @Test func `the producer has ended when the last byte was read`() throws {
    let hasEnded = Atomic(false)
    let (ends, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let stream = ByteStream { stream in
      try write(stream, pieces: 3)
    } end: { _ in
      ends.signal()
      mayEnd.wait()
      hasEnded.store(true, ordering: .relaxed)
    }
    defer { mayEnd.signal() }
    let more = DispatchSemaphore(value: 0)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var left = 300_000
    /// Reads until so many bytes are left.
    func read(until rest: Int) throws {
      while left > rest {
        let reading = buffer.withUnsafeMutableBytes { stream.read(into: $0) { { more.signal() } } }
        switch reading {
        case .copied(let count): left -= count
        case .waiting: try #require(more.comes())
        case .ended, .failed:
          Issue.record("It ended with \(left) bytes to come.")
          throw Trouble()
        }
      }
    }
    try read(until: 100_000)
    // The producer is about to end. Until it has, the last piece is held back.
    try #require(ends.comes())
    let reading = buffer.withUnsafeMutableBytes { stream.read(into: $0) { { more.signal() } } }
    #expect(reading == .waiting)
    mayEnd.signal()
    try #require(more.comes())
    try read(until: 0)
    let ended = hasEnded.load(ordering: .relaxed)
    #expect(ended)
  }

  @Test func `a reader that disconnects ends the producer`() throws {
    let ends = Ends()
    try serve(length: nil, ends: ends, produce: { try write($0, pieces: 100_000) }) { port in
      do {
        let client = try SocketClient(port: port)
        try client.send("GET /api/stream")
        _ = try client.receive(toHead: true)
      }
      #expect(ends.signal.comes())
    }
    #expect(ends.failures.withLock { $0 } == ["ReaderIsGone"])
  }

  @Test func `a HEAD request does not start the producer and reports the end`() throws {
    let ends = Ends()
    let hasBegun = Atomic(false)
    try serve(
      length: 10, ends: ends, produce: { _ in hasBegun.store(true, ordering: .relaxed) }
    ) { port in
      let client = try SocketClient(port: port)
      try client.send("HEAD /api/stream")
      #expect(try client.receive(toHead: true).headers["Content-Length"] == "10")
      #expect(ends.signal.comes())
    }
    let began = hasBegun.load(ordering: .relaxed)
    #expect(!began)
    #expect(ends.count.withLock { $0 } == 1)
  }

  @Test func `stopping the server aborts streams`() throws {
    let ends = Ends()
    let goesOn = Atomic(true)
    let begun = DispatchSemaphore(value: 0)
    try serve(
      length: nil, ends: ends,
      produce: { stream in
        begun.signal()
        while goesOn.load(ordering: .relaxed) { try write(stream, pieces: 1) }
      }
    ) { port in
      let client = try SocketClient(port: port)
      try client.send("GET /api/stream")
      _ = try client.receive(toHead: true)
      // The header is sent first: a stop before anybody reads would interrupt nothing.
      #expect(begun.comes())
    }
    #expect(ends.signal.comes())
    goesOn.store(false, ordering: .relaxed)
    #expect(ends.failures.withLock { $0 } == ["ReaderIsGone"])
  }
}
