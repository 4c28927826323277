// Slow connections are closed in time, and no address occupies all connections.

import Glibc
import Testing

@testable import HTTP

@Suite struct ConnectionTableTests {
  /// Two ends of a connection.
  private final class Pair {
    let server: Int32
    let client: Int32
    init() throws {
      var ends: [Int32] = [0, 0]
      let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
      try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
      server = ends[0]
      client = ends[1]
    }
    deinit {
      close(server)
      close(client)
    }
    /// Whether the server's end was shut down.
    var isShutDown: Bool {
      var byte: UInt8 = 0
      return recv(client, &byte, 1, Int32(MSG_DONTWAIT)) == 0
    }
  }

  private let phone = IPAddress("192.168.1.9")
  private let now = Monotonic.milliseconds

  @Test func `a header that is not complete in time closes the connection`() throws {
    let table = ConnectionTable(Configuration())
    let pair = try Pair()
    _ = table.add(descriptor: pair.server, address: phone)
    table.reap(at: now + 9_000)
    #expect(!pair.isShutDown)
    table.reap(at: Monotonic.milliseconds + 10_500)
    #expect(pair.isShutDown)
  }

  @Test func `a request in progress never times out`() throws {
    let table = ConnectionTable(Configuration())
    let pair = try Pair()
    table.add(descriptor: pair.server, address: phone).pause()
    table.reap(at: now + 3_600_000)
    #expect(!pair.isShutDown)
  }

  @Test func `a response to a caller whose access was revoked is aborted`() throws {
    let table = ConnectionTable(Configuration())
    let (revoked, paired, quiet) = (try Pair(), try Pair(), try Pair())
    let progresses = [revoked, paired, quiet].map { pair in
      table.add(descriptor: pair.server, address: phone)
    }
    progresses[0].send(to: .device("revoked"))
    progresses[1].send(to: .device("paired"))
    // Its response is sent, so the next request is authenticated again.
    progresses[2].send(to: .device("revoked"))
    progresses[2].expectHeader(by: .max)
    table.reap { $0 != .device("revoked") }
    #expect(revoked.isShutDown)
    #expect(!paired.isShutDown && !quiet.isShutDown)
  }

  @Test func `the header timeout starts at the connection and later at the first line`()
    throws
  {
    let table = ConnectionTable(Configuration())
    let (dripping, later) = (try Pair(), try Pair())
    let begun = Monotonic.milliseconds
    let progresses = [dripping, later].map { pair in
      table.add(descriptor: pair.server, address: phone)
    }
    // The second one's first request is over.
    progresses[1].pause()
    progresses[1].expectHeader(by: begun + 75_000)
    for progress in progresses { progress.expectRestOfHeader(by: begun + 19_000) }
    table.reap(at: begun + 11_000)
    #expect(dripping.isShutDown && !later.isShutDown)
    table.reap(at: begun + 19_001)
    #expect(later.isShutDown)
  }

  @Test func `a slow body closes the connection and a fast one does not`() throws {
    let table = ConnectionTable(Configuration())
    let slow = try Pair()
    let steady = try Pair()
    let slowProgress = table.add(descriptor: slow.server, address: phone)
    let steadyProgress = table.add(descriptor: steady.server, address: phone)
    slowProgress.expectBody()
    steadyProgress.expectBody()
    for second in 1...60 {
      slowProgress.receive(10)
      steadyProgress.receive(1000)
      table.reap(at: now + second * 1000)
    }
    #expect(slow.isShutDown)
    #expect(!steady.isShutDown)
  }

  @Test func `a disconnected client is noticed before its timeout`() throws {
    let table = ConnectionTable(Configuration())
    let body = try Pair()
    let idle = try Pair()
    let busy = try Pair()
    table.add(descriptor: body.server, address: phone).expectBody()
    _ = table.add(descriptor: idle.server, address: phone)
    table.add(descriptor: busy.server, address: phone).pause()
    for pair in [body, idle, busy] { shutdown(pair.client, Int32(SHUT_WR)) }
    table.reap(at: now + 500)
    #expect(!body.isShutDown && !idle.isShutDown)
    table.reap(at: now + 1000)
    #expect(body.isShutDown && idle.isShutDown)
    #expect(!busy.isShutDown)
  }

  @Test func `the server's processing time does not count against a body`() throws {
    let table = ConnectionTable(Configuration())
    let pair = try Pair()
    let progress = table.add(descriptor: pair.server, address: phone)
    progress.expectBody()
    progress.receive(100_000)
    progress.pause()
    table.reap(at: now + 60_000)
    progress.expectBody()
    table.reap(at: now + 69_000)
    #expect(!pair.isShutDown)
    table.reap(at: now + 70_500)
    #expect(pair.isShutDown)
  }

  @Test func `each address has a connection limit, with a larger one for this machine`() throws {
    var configuration = Configuration()
    configuration.connectionsPerAddress = 2
    configuration.connectionsPerLoopbackAddress = 3
    let table = ConnectionTable(configuration)
    let own = IPAddress("::1")
    var kept: [ConnectionProgress] = []
    for number in Int32(1000)..<1002 { kept.append(table.add(descriptor: number, address: phone)) }
    for number in Int32(2000)..<2002 { kept.append(table.add(descriptor: number, address: own)) }
    #expect(!table.accepts(phone))
    #expect(table.accepts(own))
    kept.append(table.add(descriptor: 2002, address: own))
    #expect(!table.accepts(own))
    table.remove(kept[0])
    #expect(table.accepts(phone))
    for progress in kept.dropFirst() { table.remove(progress) }
    #expect(table.count == 0)
  }

  @Test func `addresses of one IPv6 network have separate limits`() throws {
    var configuration = Configuration()
    configuration.connectionsPerAddress = 1
    let table = ConnectionTable(configuration)
    let kept = table.add(descriptor: 1000, address: IPAddress("fd00::1"))
    #expect(!table.accepts(IPAddress("fd00::1")))
    #expect(table.accepts(IPAddress("fd00::2")))
    #expect(table.accepts(IPAddress("fd00::1"), isProxy: true))
    table.remove(kept)
    #expect(table.accepts(IPAddress("fd00::1")))
  }
}
