// The open connections: their number by address, and which of them are too slow.
//
// libmicrohttpd's timeout restarts with every byte, so a slow client could hold a connection for
// ever. Here each connection has a deadline for its next step.

import Glibc
import Synchronization

/// A connection's place in its requests; it changes whenever there is progress.
fileprivate struct Step: Equatable {
  let deadline: Int
  let bodyBytes: Int
}

/// The progress of one connection. Written by the connection's thread, read by the reaper.
final class ConnectionProgress: Sendable {
  let descriptor: Int32
  /// The client's address; nil if the socket is not an internet socket.
  let address: IPAddress?
  /// The deadline of the first header, in milliseconds of `Monotonic`.
  private let firstDeadline: Int
  /// The deadline of the next step, in milliseconds of `Monotonic`.
  private let deadline: Atomic<Int>
  private let readsBody = Atomic(false)
  private let received = Atomic(0)
  private let receiver = Mutex<Caller?>(nil)

  init(descriptor: Int32, address: IPAddress?, deadline: Int) {
    self.descriptor = descriptor
    self.address = address
    firstDeadline = deadline
    self.deadline = Atomic(deadline)
  }

  /// Expects the rest of a header. The deadline of a connection's first header stays.
  func expectRestOfHeader(by time: Int) {
    if deadline.load(ordering: .relaxed) != firstDeadline { expectHeader(by: time) }
  }

  /// Expects a header.
  func expectHeader(by time: Int) {
    receiver.withLock { $0 = nil }
    deadline.store(time, ordering: .relaxed)
  }

  /// Expects nothing from the client: the server is at work.
  func pause() {
    readsBody.store(false, ordering: .relaxed)
    deadline.store(.max, ordering: .relaxed)
  }

  /// Notes the receiver of a response, which lasts until the next header. The connection is closed if
  /// the receiver loses access.
  func send(to caller: Caller) { receiver.withLock { $0 = caller } }

  /// Expects more of a body.
  func expectBody() {
    deadline.store(.max, ordering: .relaxed)
    readsBody.store(true, ordering: .relaxed)
  }

  /// Counts bytes of a body.
  func receive(_ count: Int) { received.wrappingAdd(count, ordering: .relaxed) }

  func isLate(_ now: Int) -> Bool { now > deadline.load(ordering: .relaxed) }

  /// The current step if the client closed its end while more was expected. libmicrohttpd may miss
  /// this: its edge-triggered epoll reports data and end as one event, and it reads only the data.
  fileprivate var stepAtClosedEnd: Step? {
    let time = deadline.load(ordering: .relaxed)
    guard isReadingBody || time != .max else { return nil }
    var byte: UInt8 = 0
    guard recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0 else { return nil }
    return Step(deadline: time, bodyBytes: bodyBytes)
  }

  /// The caller to whom a response is being sent.
  fileprivate var currentReceiver: Caller? { receiver.withLock { $0 } }

  /// Whether the client's next bytes belong to a body.
  var isReadingBody: Bool { readsBody.load(ordering: .relaxed) }

  /// The bytes of all bodies so far.
  var bodyBytes: Int { received.load(ordering: .relaxed) }
}

/// All open connections.
final class ConnectionTable: Sendable {
  private struct Entry {
    let progress: ConnectionProgress
    var windowStart: Int
    var windowBytes = 0
    /// The step at which the client's end was first found closed.
    var lastStep: Step?

    /// Whether the connection must be shut down; called twice a second.
    mutating func isOver(_ now: Int, _ leastBytes: Int) -> Bool {
      // Closed at the same step twice: otherwise a complete request is still being answered.
      let step = progress.stepAtClosedEnd
      defer { lastStep = step }
      if step != nil, step == lastStep { return true }
      let bytes = progress.bodyBytes
      guard progress.isReadingBody else {
        (windowStart, windowBytes) = (now, bytes)
        return progress.isLate(now)
      }
      guard now - windowStart >= ConnectionTable.windowMilliseconds else { return false }
      defer { (windowStart, windowBytes) = (now, bytes) }
      return bytes - windowBytes < leastBytes
    }
  }

  private struct State {
    var entries: [Int32: Entry] = [:]
    var counts: [IPAddress?: Int] = [:]
    var isClosed = false

    /// Counts a connection in or out.
    mutating func count(_ address: IPAddress?, _ change: Int) {
      let held = counts[address, default: 0] + change
      counts[address] = held > 0 ? held : nil
    }
  }

  private static let windowMilliseconds = 10_000
  private let state = Mutex(State())
  private let configuration: Configuration

  init(_ configuration: Configuration) { self.configuration = configuration }

  /// Whether the address may open one more connection.
  func accepts(_ address: IPAddress?, isProxy: Bool = false) -> Bool {
    let limit =
      address?.isLoopback == true || isProxy
      ? configuration.connectionsPerLoopbackAddress : configuration.connectionsPerAddress
    return state.withLock { $0.counts[address, default: 0] < limit }
  }

  /// Adds a new connection and starts the deadline of its first header.
  func add(descriptor: Int32, address: IPAddress?) -> ConnectionProgress {
    let now = Monotonic.milliseconds
    let progress = ConnectionProgress(
      descriptor: descriptor, address: address,
      deadline: now + configuration.headerTimeoutSeconds * 1000)
    state.withLock { state in
      state.entries[descriptor] = Entry(progress: progress, windowStart: now)
      state.count(address, 1)
      if state.isClosed { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
    return progress
  }

  /// Removes a connection, before its descriptor is closed: the system reuses its number then.
  /// Returns the number of connections left.
  @discardableResult
  func remove(_ progress: ConnectionProgress) -> Int {
    state.withLock { state in
      state.entries[progress.descriptor] = nil
      state.count(progress.address, -1)
      return state.entries.count
    }
  }

  /// Shuts down all connections past their deadline, and those that send to a caller without access.
  /// The server's threads then close them.
  func reap(
    at now: Int = Monotonic.milliseconds, admits: (Caller) -> Bool = { _ in true }
  ) {
    let leastBytes =
      configuration.minimumBodyBytesPerSecond * ConnectionTable.windowMilliseconds / 1000
    state.withLock { state in
      var index = state.entries.startIndex
      while index != state.entries.endIndex {
        defer { state.entries.formIndex(after: &index) }
        // Under the lock: `remove` comes later, so the descriptor still belongs to this connection.
        let progress = state.entries.values[index].progress
        if state.entries.values[index].isOver(now, leastBytes)
          || progress.currentReceiver.map(admits) == false
        {
          shutdown(progress.descriptor, Int32(SHUT_RDWR))
        }
      }
    }
  }

  /// Shuts down all connections, and every one that is added later.
  func shutDownAll() {
    state.withLock { state in
      state.isClosed = true
      for descriptor in state.entries.keys { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }

  /// The number of connections.
  var count: Int { state.withLock { $0.entries.count } }
}

/// A monotonic clock; cheap, with a resolution of a few milliseconds.
enum Monotonic {
  static var milliseconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }

  /// Exact, for measuring.
  static var nanoseconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
