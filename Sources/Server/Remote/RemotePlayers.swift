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

  /// A page that listens at another server.
  struct Connected: Codable, Equatable {
    let id: String
    let caller: Caller
    let name: String
    /// When it connected, in milliseconds since 1970.
    let since: Int
  }

  private struct Page {
    let caller: Caller
    var name: String
    /// When it connected, in milliseconds since 1970, and the number of its first connection.
    let since: (time: Int, number: Int)
    /// By connection: whether its event stream is open. A page that reconnects may have two
    /// connections for a moment.
    var connections: [Int: Bool] = [:]

    /// Whether at least one event stream is open, so that messages arrive.
    var isListening: Bool { connections.values.contains(true) }
  }

  private struct State {
    var pages: [String: Page] = [:]
    var counter = 0
    /// The pages of people at other servers, by the numbers of those.
    var elsewhere: [Int: [String: [Connected]]] = [:]
    /// The people of whose pages the other servers know.
    var told: Set<String> = []

    /// The listening pages of a person, here and elsewhere, in the order in which they connected.
    func connected(of person: String) -> [Connected] {
      let here = pages.filter { $0.value.isListening && $0.value.caller.person == person }
        .sorted { $0.value.since < $1.value.since }
        .map {
          Connected(
            id: $0.key, caller: $0.value.caller, name: $0.value.name, since: $0.value.since.time)
        }
      let others = elsewhere.values.flatMap { $0[person] ?? [] }
      if others.isEmpty { return here }
      // A page that has just gone over to another server is in both lists for a moment.
      let ids = Set(here.map(\.id))
      return (here + others.filter { !ids.contains($0.id) }).sorted {
        ($0.since, $0.id) < ($1.since, $1.id)
      }
    }
  }

  private let events: Events
  private let devices: Devices
  private let sharing: Sharing?
  private let now: @Sendable () -> Int
  private let limit: RateLimit
  private let state = Mutex(State())
  /// Serial, so that the list sent last is the current one.
  private let announcements = DispatchQueue(label: "segmance.players")

  /// Makes an empty registry; `now` returns milliseconds since 1970.
  init(
    events: Events, devices: Devices, sharing: Sharing? = nil,
    now: @escaping @Sendable () -> Int = Library.now
  ) {
    self.events = events
    self.devices = devices
    self.sharing = sharing
    self.now = now
    limit = RateLimit(30, per: 1_000, now: now)
  }

  /// The listening pages of a person, in the order in which they connected.
  func all(of person: String) -> [Player] {
    state.withLock { $0.connected(of: person) }.map { page in
      let device = page.caller.device.map {
        Player.Device(id: $0, name: devices[$0]?.name ?? "")
      }
      return Player(id: page.id, name: page.name, device: device)
    }
  }

  /// Sends each person's pages the list of them, asynchronously.
  func announce() { announcements.async { self.tell() } }

  /// Returns when every announcement so far has been sent.
  func waitForAnnouncements() { announcements.sync {} }

  private func tell() {
    let people = Set(state.withLock { $0.pages.values.compactMap(\.caller.person) })
    for person in people { tell(person) }
    guard let sharing else { return }
    let concerned = state.withLock { state in
      defer { state.told = people }
      return people.union(state.told)
    }
    for person in concerned.sorted() {
      let pages = state.withLock { state in
        state.pages.filter { $0.value.isListening && $0.value.caller.person == person }
          .map {
            Connected(
              id: $0.key, caller: $0.value.caller, name: $0.value.name,
              since: $0.value.since.time)
          }
      }
      sharing.announce(.pages(of: person, pages))
    }
  }

  /// Sends the pages of a person that are connected here the list of all.
  private func tell(_ person: String) {
    guard let data = try? JSONEncoder().encode(["clients": all(of: person)]) else { return }
    events.deliver(
      "players", data: String(decoding: data, as: UTF8.self), to: .people([person]))
  }

  /// Takes the list of a person's pages that are connected to another server.
  func take(_ pages: [Connected], of person: String, at server: Int) {
    state.withLock { $0.elsewhere[server, default: [:]][person] = pages.isEmpty ? nil : pages }
    announcements.async { self.tell(person) }
  }

  /// Forgets the pages that were connected to servers that are gone.
  func forget(_ servers: Set<Int>) {
    let people = state.withLock { state in
      Set(servers.flatMap { state.elsewhere.removeValue(forKey: $0)?.keys.map(\.self) ?? [] })
    }
    announcements.async { for person in people { self.tell(person) } }
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
      stream = try events.hub.subscribe(
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
      events.hub.close { $0.device == device }
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
    let time = now()
    return try state.withLock { state throws(LibraryError) in
      state.counter += 1
      var page =
        state.pages[client]
        ?? Page(caller: caller, name: name, since: (time, state.counter))
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
    let person = caller.person
    let (isSender, pages) = state.withLock { state in
      let pages = state.connected(of: person ?? Person.owner)
      // Its stream may be about to open.
      let isHere = sender.map { state.pages[$0]?.caller == caller } ?? true
      return (isHere || pages.contains { $0.id == sender && $0.caller == caller }, pages)
    }
    guard isSender else {
      throw LibraryError(.unusable, "No page of this device listens under the id in “from”.")
    }
    guard receiver == nil || pages.contains(where: { $0.id == receiver }) else {
      throw LibraryError(.notFound, "That player is not open any more.")
    }
    let event: JSONValue = [
      "from": sender.map { .string($0) } ?? .null, "to": receiver.map { .string($0) } ?? .null,
      "command": command,
    ]
    events.publish(
      "remote", data: String(decoding: event.serialized(), as: UTF8.self),
      to: .pages(of: person ?? Person.owner, only: receiver, except: sender))
  }
}
