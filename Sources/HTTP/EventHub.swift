// Server-sent events: everything published goes to every subscriber, with a heartbeat between.

import Dispatch
import Synchronization
import Timing

/// Who listens to events.
public struct Subscriber: Sendable, Hashable {
  /// The id of the paired device, if it is one.
  public var device: String?
  /// The id of the person whose page it is; nil for the owner.
  public var person: String?
  /// The id that the page gave itself, if it did.
  public var client: String?

  /// Describes a listener.
  public init(device: String? = nil, person: String? = nil, client: String? = nil) {
    self.device = device
    self.person = person
    self.client = client
  }
}

/// Sends server-sent events to all subscribers.
///
/// A subscriber that does not keep up is dropped (its browser connects again and asks for what it
/// missed); nothing is buffered without bound.
public final class EventHub: Sendable {
  private struct Entry {
    let stream: EventStream
    let subscriber: Subscriber
    let onEnd: @Sendable () -> Void
  }

  private struct State {
    var entries: [ObjectIdentifier: Entry] = [:]
    var isClosed = false
    var heartbeatIsScheduled = false
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "segmance.http.events")
  private let subscriberLimit: Int
  private let bufferLimit: Int
  private let heartbeatSeconds: Int
  private let timers: any Timers

  /// Makes a hub without subscribers.
  public init(
    subscriberLimit: Int = 1_024, bufferLimit: Int = 256 * 1024, heartbeatSeconds: Int = 15,
    timers: any Timers = SystemTimers()
  ) {
    self.subscriberLimit = subscriberLimit
    self.bufferLimit = bufferLimit
    self.heartbeatSeconds = heartbeatSeconds
    self.timers = timers
  }

  /// Sends an event to all subscribers, or to those that a condition chooses.
  public func publish(
    _ event: String, data: String, to isMeant: (Subscriber) -> Bool = { _ in true }
  ) {
    send(EventHub.encode(event: event, data: data), to: isMeant)
  }

  /// Makes the stream of a new subscriber, who first gets the `initial` events.
  ///
  /// `onEnd` runs once when the subscriber is gone, but not at `close()`. Throws a 503 when there are
  /// too many, or after `close()`.
  public func subscribe(
    initial: [(event: String, data: String)] = [], as subscriber: Subscriber = Subscriber(),
    onEnd: @escaping @Sendable () -> Void = {}
  ) throws(HTTPError) -> EventStream {
    let greeting = Array("retry: 2000\n\n".utf8)
    let first = initial.reduce(into: greeting) {
      $0 += EventHub.encode(event: $1.event, data: $1.data)
    }
    let stream = EventStream(initial: first, limit: max(bufferLimit, first.count)) {
      [weak self] in self?.remove($0)
    }
    let (accepted, startsHeartbeat) = state.withLock { state -> (Bool, Bool) in
      guard !state.isClosed, state.entries.count < subscriberLimit else { return (false, false) }
      state.entries[ObjectIdentifier(stream)] = Entry(
        stream: stream, subscriber: subscriber, onEnd: onEnd)
      defer { state.heartbeatIsScheduled = true }
      return (true, !state.heartbeatIsScheduled)
    }
    guard accepted else {
      throw .unavailable("Too many pages listen already. Close some and try again.")
    }
    if startsHeartbeat { scheduleHeartbeat() }
    return stream
  }

  /// Ends all subscriptions, and refuses new ones.
  public func close() {
    let streams = state.withLock { state in
      state.isClosed = true
      defer { state.entries = [:] }
      return state.entries.values.map(\.stream)
    }
    for stream in streams { stream.close() }
  }

  /// Ends the subscriptions that a condition chooses.
  public func close(where isMeant: (Subscriber) -> Bool) {
    for stream in streams(isMeant) {
      remove(stream)
      stream.close()
    }
  }

  /// The number of subscribers.
  public var subscriberCount: Int { state.withLock { $0.entries.count } }

  /// Sends a comment, which keeps proxies from closing and finds out who is gone.
  func beat() { send(Array(":\n\n".utf8)) }

  private func send(_ bytes: [UInt8], to isMeant: (Subscriber) -> Bool = { _ in true }) {
    for stream in streams(isMeant) where !stream.append(bytes) { remove(stream) }
  }

  private func streams(_ isMeant: (Subscriber) -> Bool) -> [EventStream] {
    state.withLock { state in
      state.entries.values.filter { isMeant($0.subscriber) }.map(\.stream)
    }
  }

  private func remove(_ stream: EventStream) {
    state.withLock { $0.entries.removeValue(forKey: ObjectIdentifier(stream)) }?.onEnd()
  }

  private func scheduleHeartbeat() {
    timers.after(heartbeatSeconds * 1_000, on: queue) { [weak self] in
      guard let self else { return }
      self.beat()
      let goesOn = self.state.withLock { state in
        state.heartbeatIsScheduled = !state.entries.isEmpty
        return state.heartbeatIsScheduled
      }
      if goesOn { self.scheduleHeartbeat() }
    }
  }

  /// Writes an event in the format of the HTML standard, 9.2; a line break in the data makes a
  /// further data line, and none can stand in the name.
  static func encode(event: String, data: String) -> [UInt8] {
    var text = "event: "
    text.unicodeScalars.append(contentsOf: event.unicodeScalars.filter { $0 != "\n" && $0 != "\r" })
    let scalars = data.unicodeScalars.split(omittingEmptySubsequences: false) {
      $0 == "\n" || $0 == "\r"
    }
    for line in scalars { text += "\ndata: \(String(line))" }
    return Array((text + "\n\n").utf8)
  }
}
