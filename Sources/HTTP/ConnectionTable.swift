// The connections that are open: how many from where, and which of them are too slow.
//
// libmicrohttpd's own timeout starts anew with every byte, so a client that drips them holds a
// connection for ever. Here each connection has a time by which it must have got further.

import Glibc
import Synchronization

/// A connection's place in its requests; it changes whenever there is progress.
fileprivate struct Step: Equatable {
  let deadline: Int
  let bodyBytes: Int
}

/// How far one connection is. Threads: set by the connection's own, read by the reaper.
final class ConnectionProgress: Sendable {
  let descriptor: Int32
  /// Where the client is; nil where the socket is not of the internet protocol.
  let address: IPAddress?
  /// When the first header must be complete; milliseconds of `Monotonic`.
  private let firstDeadline: Int
  /// When the connection is closed unless it got further; milliseconds of `Monotonic`.
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

  /// Waits for the rest of a header. The first of a connection gets no more time than it had.
  func expectRestOfHeader(by time: Int) {
    if deadline.load(ordering: .relaxed) != firstDeadline { expectHeader(by: time) }
  }

  /// Waits for a header.
  func expectHeader(by time: Int) {
    receiver.withLock { $0 = nil }
    deadline.store(time, ordering: .relaxed)
  }

  /// The rest is up to this server.
  func pause() {
    readsBody.store(false, ordering: .relaxed)
    deadline.store(.max, ordering: .relaxed)
  }

  /// Sends something until the next header, for as long as its receiver may come in.
  func send(to caller: Caller) { receiver.withLock { $0 = caller } }

  /// Waits for more of a body.
  func expectBody() {
    deadline.store(.max, ordering: .relaxed)
    readsBody.store(true, ordering: .relaxed)
  }

  /// Counts bytes of a body.
  func receive(_ count: Int) { received.wrappingAdd(count, ordering: .relaxed) }

  func isLate(_ now: Int) -> Bool { now > deadline.load(ordering: .relaxed) }

  /// Tells whether the client went away while more was expected of it. libmicrohttpd may not see
  /// this: its edge-triggered epoll reports data and end as one event, and it only reads the data.
  fileprivate var stepAtClosedEnd: Step? {
    let time = deadline.load(ordering: .relaxed)
    guard isReadingBody || time != .max else { return nil }
    var byte: UInt8 = 0
    guard recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0 else { return nil }
    return Step(deadline: time, bodyBytes: bodyBytes)
  }

  /// Who is being sent something.
  fileprivate var currentReceiver: Caller? { receiver.withLock { $0 } }

  /// Tells whether the client's next bytes are what is waited for.
  var isReadingBody: Bool { readsBody.load(ordering: .relaxed) }

  /// The bytes of all bodies so far.
  var bodyBytes: Int { received.load(ordering: .relaxed) }
}

/// Knows all connections. Threads: any.
final class ConnectionTable: Sendable {
  private struct Entry {
    let progress: ConnectionProgress
    var windowStart: Int
    var windowBytes = 0
    /// Where the client stood when its end of the connection was first found closed.
    var lastStep: Step?

    /// Tells whether the connection must be shut down at a time; called twice a second.
    mutating func isOver(_ now: Int, _ leastBytes: Int) -> Bool {
      // Twice the same: a request that was complete with its end is being answered otherwise.
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

  /// Tells whether one more connection from an address is welcome.
  func accepts(_ address: IPAddress?, isProxy: Bool = false) -> Bool {
    let limit =
      address?.isLoopback == true || isProxy
      ? configuration.connectionsPerLoopbackAddress : configuration.connectionsPerAddress
    return state.withLock { $0.counts[address, default: 0] < limit }
  }

  /// Takes in a new connection, whose first header must be complete in time.
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

  /// Forgets a connection; it must not be closed before this, as its number is used anew then.
  /// Returns how many are left.
  @discardableResult
  func remove(_ progress: ConnectionProgress) -> Int {
    state.withLock { state in
      state.entries[progress.descriptor] = nil
      state.count(progress.address, -1)
      return state.entries.count
    }
  }

  /// Shuts down all connections that are late at a time, and those that send to somebody who may
  /// not come in any more; the server's threads then close them.
  func reap(
    at now: Int = Monotonic.milliseconds, admits: (Caller) -> Bool = { _ in true }
  ) {
    let leastBytes =
      configuration.minimumBodyBytesPerSecond * ConnectionTable.windowMilliseconds / 1000
    state.withLock { state in
      var index = state.entries.startIndex
      while index != state.entries.endIndex {
        defer { state.entries.formIndex(after: &index) }
        // Under the lock, so that `remove` comes after and the descriptor is still this one's.
        let progress = state.entries.values[index].progress
        if state.entries.values[index].isOver(now, leastBytes)
          || progress.currentReceiver.map(admits) == false
        {
          shutdown(progress.descriptor, Int32(SHUT_RDWR))
        }
      }
    }
  }

  /// Shuts down all connections, and those that were accepted but come in only now.
  func shutDownAll() {
    state.withLock { state in
      state.isClosed = true
      for descriptor in state.entries.keys { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }

  /// The number of connections.
  var count: Int { state.withLock { $0.entries.count } }
}

/// A clock that never jumps; cheap, and good to a few milliseconds.
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
