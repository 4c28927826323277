// The remote control: the registry of open pages, and the commands that pages send each other.

import Dispatch
import FoundationEssentials
import HTTP
import Model
import Synchronization

/// Keeps the list of listening pages and forwards commands between them.
final class RemotePlayers: Sendable {
  /// A page with an open event stream.
  struct Player: Encodable, Equatable {
    /// The device that shows the page; absent for the owner's machine.
    struct Device: Encodable, Equatable {
      let id: String
      let name: String
    }
    let id: String
    let name: String
    let device: Device?
  }

  /// The maximum length of a page's name, in characters.
  private static let nameLimit = 60

  private struct Page {
    let caller: Caller
    var name: String
    let since: Int
    /// By connection: whether its event stream is open. A page that reconnects may have two
    /// connections for a moment.
    var connections: [Int: Bool] = [:]

    /// Whether at least one event stream is open, so that messages arrive.
    var isListening: Bool { connections.values.contains(true) }
  }

  private struct State {
    var pages: [String: Page] = [:]
    var counter = 0
  }

  private let hub: EventHub
  private let devices: Devices
  private let limit: RateLimit
  private let state = Mutex(State())
  /// Serial, so that the list sent last is the current one.
  private let announcements = DispatchQueue(label: "segmance.players")

  /// Makes an empty registry; `now` returns milliseconds since 1970.
  init(hub: EventHub, devices: Devices, now: @escaping @Sendable () -> Int = Library.now) {
    self.hub = hub
    self.devices = devices
    limit = RateLimit(30, per: 1_000, now: now)
  }

  /// The listening pages of a person, in the order in which they connected.
  func all(of person: String) -> [Player] {
    let pages = state.withLock { $0.pages }
      .filter { $0.value.isListening && $0.value.caller.person == person }
      .sorted { $0.value.since < $1.value.since }
    return pages.map { id, page in
      let device = page.caller.device.map {
        Player.Device(id: $0, name: devices[$0]?.name ?? "")
      }
      return Player(id: id, name: page.name, device: device)
    }
  }

  /// Sends each person's pages the list of them, asynchronously.
  func announce() { announcements.async { self.tell() } }

  /// Returns when every announcement so far has been sent.
  func waitForAnnouncements() { announcements.sync {} }

  private func tell() {
    let people = Set(state.withLock { $0.pages.values.compactMap(\.caller.person) })
    for person in people {
      guard let data = try? JSONEncoder().encode(["clients": all(of: person)]) else { continue }
      hub.publish("players", data: String(decoding: data, as: UTF8.self)) {
        $0.person ?? Person.owner == person
      }
    }
  }

  /// Opens an event stream for a caller. A page that gives its id, `client`, is listed by its name.
  func listen(
    _ client: String?, name: String, by caller: Caller, initial: [(event: String, data: String)]
  ) throws -> EventStream {
    var device: String?
    var person: String?
    if case .device(let id, let other) = caller { (device, person) = (id, other) }
    let connection = try client.map { try join($0, name: name, caller) } ?? 0
    let stream: EventStream
    do {
      stream = try hub.subscribe(
        initial: initial, as: Subscriber(device: device, person: person, client: client)
      ) { [weak self] in
        if let client { self?.leave(client, connection) }
      }
    } catch {
      if let client { leave(client, connection) }
      throw error
    }
    // The device may have been revoked since authentication. Either this check or the revocation
    // ends the stream.
    if let device, !devices.isPaired(device) {
      hub.close { $0.device == device }
      throw LibraryError.notPaired
    }
    if let client {
      state.withLock { state in
        // The connection may have ended already.
        if state.pages[client]?.connections[connection] != nil {
          state.pages[client]?.connections[connection] = true
        }
      }
      announce()
    }
    return stream
  }

  /// Registers a connection and returns its number.
  private func join(_ client: String, name: String, _ caller: Caller) throws(LibraryError) -> Int {
    guard Identifier.isValid(client) else {
      throw LibraryError(.invalidValue, "The query value client must be a UUID.")
    }
    guard name.utf8.count <= RemotePlayers.nameLimit * 16, name.count <= RemotePlayers.nameLimit
    else {
      throw LibraryError(
        .invalidValue, "The query value name has at most \(RemotePlayers.nameLimit) characters.")
    }
    return try state.withLock { state throws(LibraryError) in
      state.counter += 1
      var page = state.pages[client] ?? Page(caller: caller, name: name, since: state.counter)
      guard page.caller == caller else {
        throw LibraryError(.conflict, "Another device's page has this id. Reload the page.")
      }
      page.name = name
      page.connections[state.counter] = false
      state.pages[client] = page
      return state.counter
    }
  }

  private func leave(_ client: String, _ connection: Int) {
    let isChange = state.withLock { state in
      guard var page = state.pages[client] else { return false }
      let wasListening = page.isListening
      page.connections[connection] = nil
      state.pages[client] = page.connections.isEmpty ? nil : page
      return page.isListening != wasListening
    }
    if isChange { announce() }
  }

  /// Forwards a command to one page of the same person, or to all of them but the sender.
  func send(
    _ command: JSONValue, from sender: String?, to receiver: String?, by caller: Caller
  ) throws(LibraryError) {
    try limit.take("\(caller)", "At most 30 commands a second. Send fewer.")
    let pages = state.withLock { $0.pages }
    if let sender, pages[sender]?.caller != caller {
      throw LibraryError(.unusable, "No page of this device listens under the id in “from”.")
    }
    let person = caller.person
    let target = receiver.flatMap { pages[$0] }
    if receiver != nil, target?.isListening != true || target?.caller.person != person {
      throw LibraryError(.notFound, "That player is not open any more.")
    }
    let event: JSONValue = [
      "from": sender.map { .string($0) } ?? .null, "to": receiver.map { .string($0) } ?? .null,
      "command": command,
    ]
    hub.publish("remote", data: String(decoding: event.serialized(), as: UTF8.self)) { subscriber in
      guard subscriber.person ?? Person.owner == person else { return false }
      return receiver.map { $0 == subscriber.client }
        ?? (sender == nil || subscriber.client != sender)
    }
  }
}
