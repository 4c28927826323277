// Leading: the registry of who leads a routine, and what everybody who follows is told.

import Dispatch
import FoundationEssentials
import HTTP
import Model
import Synchronization
import Timing

/// Keeps what leaders play, one leader for each routine, and publishes it as the event `lead` to those who may
/// read the routine. Nothing of it is stored: after a restart of the server, leaders' next states bring it back.
final class Leads: Sendable {
  /// One leader's message.
  struct Message: Codable, Sendable {
    /// The id of this lead, new each time that a page begins.
    let client: String
    /// Rises with each message of a page; what is overtaken is dropped.
    let number: Int
    /// Whether the page begins to lead, in place of who led before; otherwise it only goes on.
    let begins: Bool?
    /// What the leader has to say, shown to all.
    let note: String?
    let state: LeadState
  }

  /// What a leader, a follower or a server does about the lead of a routine.
  struct Command: Codable, Sendable {
    enum Action: Codable {
      case lead(Message, space: String)
      /// The page leads no more, or may not any more.
      case end(String)
      /// The routine is in this space now.
      case move(String)
      case follow(String)
      case unfollow(String)
      /// Ends the lead if its leader was silent for long.
      case sweep
    }

    let id: String
    let routine: String
    let action: Action
    /// Who does it; whose lead it is where a server does.
    let caller: Caller
    /// When, by the clock of the server that was asked, in milliseconds since 1970.
    let at: Int
  }

  /// What everybody gets.
  struct Told: Encodable, Equatable {
    let routine: String
    let client: String
    let person: String
    /// The name of the person; empty if the owner gave none.
    let name: String
    /// The name of the leader's device; absent for the owner's machine.
    let device: String?
    let number: Int
    let followers: Int
    let note: String
    let state: LeadState
  }

  /// What everybody gets at the end: no state.
  private struct Ended: Encodable {
    let routine: String

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(routine, forKey: .routine)
      try container.encodeNil(forKey: .state)
    }

    private enum CodingKeys: String, CodingKey { case routine, state }
  }

  private struct Page: Hashable {
    let client: String
    let caller: Caller
  }

  private struct Lead {
    let caller: Caller
    let client: String
    var number: Int
    var note: String
    var state: LeadState
    var space: String
    /// When the leader was heard last, in milliseconds.
    var heardAt: Int
    /// When each follower was heard last.
    var followers: [Page: Int] = [:]
    /// Those who were told of it.
    var readers: Set<String> = []

    func isSilent(at time: Int) -> Bool { time - heardAt >= Leads.silenceMilliseconds }
  }

  private struct State {
    var leads: [String: Lead] = [:]
    /// When leads ended, by the pages that led: a message that arrives later must not begin one anew.
    var ends: [Page: Int] = [:]
    /// What came of commands that this server has announced, by their ids.
    var outcomes: [String: Result<Int, LibraryError>] = [:]
    var sweepIsScheduled = false
  }

  /// A note's limit in characters.
  static let noteLimit = 200
  /// A leader who is silent for this long leads no more.
  static let silenceMilliseconds = 30_000
  /// A follower who is silent for this long does not count.
  static let followerMilliseconds = 25_000
  private static let leadLimit = 500
  private static let followerLimit = 500

  private let events: Events
  private let devices: Devices
  private let people: People
  private let sharing: Sharing?
  private let limit: RateLimit
  private let timers: any Timers
  private let now: @Sendable () -> Int
  private let state = Mutex(State())
  /// Serial, so that what is sent last is the latest.
  private let queue = DispatchQueue(label: "segmance.leads")

  /// Makes an empty registry; `now` returns milliseconds since 1970.
  init(
    events: Events, devices: Devices, people: People, sharing: Sharing? = nil, timers: any Timers,
    now: @escaping @Sendable () -> Int = Library.now
  ) {
    (self.events, self.devices, self.people, self.now) = (events, devices, people, now)
    (self.sharing, self.timers) = (sharing, timers)
    limit = RateLimit(30, per: 1_000, now: now)
  }

  /// Takes a leader's message about a routine of a space. Returns the number of followers.
  ///
  /// - Throws: `LibraryError` `conflict` if another page leads and this one does not begin, or if this lead has
  ///   ended; `invalidValue`; `tooOften`.
  func lead(
    _ routine: String, in space: String, _ message: Message, by caller: Caller
  ) throws(LibraryError) -> Int {
    try takeFromLimit(caller)
    guard Identifier.isValid(message.client), Identifier.isValid(message.state.part) else {
      throw LibraryError(.invalidValue, "The fields client and part must be UUIDs.")
    }
    if let problem = message.state.problem { throw LibraryError(.invalidValue, problem) }
    guard (message.note ?? "").count <= Leads.noteLimit else {
      throw LibraryError(.invalidValue, "A note has at most \(Leads.noteLimit) characters.")
    }
    let count = try perform(.lead(message, space: space), routine, by: caller)
    scheduleSweep()
    return count
  }

  /// Ends what a page leads; its messages that are still on their way are refused.
  ///
  /// - Throws: `LibraryError` `tooOften`.
  func end(_ routine: String, client: String, by caller: Caller) throws(LibraryError) {
    try takeFromLimit(caller)
    _ = try perform(.end(client), routine, by: caller)
  }

  /// A page follows, or goes on following.
  ///
  /// - Throws: `LibraryError` `notFound` if nobody leads; `tooOften`.
  func follow(_ routine: String, client: String, by caller: Caller) throws(LibraryError) {
    try takeFromLimit(caller)
    guard Identifier.isValid(client) else {
      throw LibraryError(.invalidValue, "The field client must be a UUID.")
    }
    _ = try perform(.follow(client), routine, by: caller)
  }

  /// A page follows no more.
  func unfollow(_ routine: String, client: String, by caller: Caller) throws(LibraryError) {
    _ = try perform(.unfollow(client), routine, by: caller)
  }

  /// What a person may follow now, as the data of the event `leads`.
  func all(for person: String) -> String {
    let readable = state.withLock { $0.leads }
      .filter { people.readers(of: [$0.value.space]).contains(person) }
    let told = readable.sorted { $0.key < $1.key }.map { self.told(of: $0.key, $0.value) }
    return text(["leads": told]) ?? "{\"leads\":[]}"
  }

  /// People, groups, devices or the places of routines have changed: who may not read a routine any more hears
  /// nothing more of it, and who may not edit it does not lead it. `place` returns a routine's space, nil
  /// if it is gone.
  func review(_ place: (String) -> String?) throws(LibraryError) {
    for (routine, lead) in state.withLock({ $0.leads }) {
      let viewer = lead.caller.person.map(people.viewer)
      let isPaired = lead.caller.device.map { devices.isPaired($0) } ?? true
      if let space = place(routine), isPaired, viewer?.mayEdit(space) == true {
        _ = try perform(.move(space), routine, by: lead.caller)
      } else {
        _ = try perform(.end(lead.client), routine, by: lead.caller)
      }
    }
  }

  /// Ends what leaders lead who were silent for long.
  func sweep() throws(LibraryError) {
    let time = now()
    for (routine, lead) in state.withLock({ $0.leads }) where lead.isSilent(at: time) {
      _ = try perform(.sweep, routine, by: lead.caller)
    }
  }

  /// Returns when all announcements so far have been sent.
  func waitForAnnouncements() { queue.sync {} }

  // MARK: - What is done

  private func takeFromLimit(_ caller: Caller) throws(LibraryError) {
    try limit.take("\(caller)", "At most 30 messages a second. Send fewer.")
  }

  /// Does something, in all servers that share the library in the same order. Returns the number of followers.
  private func perform(
    _ action: Command.Action, _ routine: String, by caller: Caller
  ) throws(LibraryError) -> Int {
    let command = Command(
      id: UUID().uuidString, routine: routine, action: action, caller: caller, at: now())
    guard let sharing else { return try apply(command) }
    defer { state.withLock { $0.outcomes[command.id] = nil } }
    try sharing.order(.lead(command))
    guard let outcome = state.withLock({ $0.outcomes[command.id] }) else { return 0 }
    return try outcome.get()
  }

  /// Does what a server has announced; `isOwn` if that was this one.
  func take(_ command: Command, isOwn: Bool) {
    let outcome = Result { () throws(LibraryError) in try apply(command) }
    if isOwn { state.withLock { $0.outcomes[command.id] = outcome } }
    scheduleSweep()
  }

  private func apply(_ command: Command) throws(LibraryError) -> Int {
    switch command.action {
    case .lead(let message, let space):
      return try lead(command, message, in: space)
    case .end(let client):
      state.withLock { state in
        state.ends = state.ends.filter { command.at - $0.value < Leads.silenceMilliseconds }
        state.ends[Page(client: client, caller: command.caller)] = command.at
      }
      remove(command.routine) { $0.client == client && $0.caller == command.caller }
    case .sweep:
      remove(command.routine) { $0.isSilent(at: command.at) }
    case .move(let space):
      let isLed = state.withLock { state in
        state.leads[command.routine]?.space = space
        return state.leads[command.routine] != nil
      }
      if isLed { announce(command.routine) }
    case .follow(let client):
      try follow(command, Page(client: client, caller: command.caller))
    case .unfollow(let client):
      let follower = Page(client: client, caller: command.caller)
      let wasThere = state.withLock {
        $0.leads[command.routine]?.followers.removeValue(forKey: follower) != nil
      }
      if wasThere { announce(command.routine) }
    }
    return 0
  }

  private func lead(
    _ command: Command, _ message: Message, in space: String
  ) throws(LibraryError) -> Int {
    let (routine, caller) = (command.routine, command.caller)
    let count = try state.withLock { state throws(LibraryError) -> Int? in
      let endedAt = state.ends[Page(client: message.client, caller: caller)]
      if let endedAt, command.at - endedAt < Leads.silenceMilliseconds {
        throw LibraryError(.conflict, "This lead has ended. Lead again under a new id.")
      }
      var lead: Lead
      if let known = state.leads[routine], known.client == message.client, known.caller == caller {
        lead = known
        guard message.number > lead.number else { return nil }
      } else {
        if state.leads[routine] != nil, message.begins != true {
          throw LibraryError(.conflict, "Somebody else leads this routine now.")
        }
        guard state.leads.count < Leads.leadLimit else {
          throw LibraryError(.busy(retryAfterSeconds: 30), "Too many routines are led already.")
        }
        lead = Lead(
          caller: caller, client: message.client, number: message.number, note: "",
          state: message.state, space: space, heardAt: command.at)
        lead.followers = state.leads[routine]?.followers ?? [:]
        lead.readers = state.leads[routine]?.readers ?? []
      }
      lead.number = message.number
      lead.state = message.state
      lead.note = message.note ?? ""
      lead.space = space
      lead.heardAt = command.at
      lead.followers = lead.followers.filter { command.at - $0.value < Leads.followerMilliseconds }
      state.leads[routine] = lead
      return lead.followers.count
    }
    guard let count else { return state.withLock { $0.leads[routine]?.followers.count } ?? 0 }
    announce(routine)
    return count
  }

  private func follow(_ command: Command, _ follower: Page) throws(LibraryError) {
    let isNew = try state.withLock { state throws(LibraryError) -> Bool in
      guard let lead = state.leads[command.routine] else {
        throw LibraryError(.notFound, "Nobody leads this routine now.")
      }
      let isNew = lead.followers[follower] == nil
      guard !isNew || lead.followers.count < Leads.followerLimit else { return false }
      state.leads[command.routine]?.followers[follower] = command.at
      return isNew
    }
    if isNew { announce(command.routine) }
  }

  // MARK: - Telling

  private func announce(_ routine: String) { queue.async { self.tell(routine) } }

  private func tell(_ routine: String) {
    guard let lead = state.withLock({ $0.leads[routine] }) else { return }
    let readers = people.readers(of: [lead.space])
    publish(Ended(routine: routine), to: lead.readers.subtracting(readers))
    state.withLock { $0.leads[routine]?.readers = readers }
    publish(told(of: routine, lead), to: readers)
  }

  private func remove(_ routine: String, where isMeant: @Sendable (Lead) -> Bool) {
    let removed = state.withLock { state -> Lead? in
      guard let lead = state.leads[routine], isMeant(lead) else { return nil }
      return state.leads.removeValue(forKey: routine)
    }
    guard let removed else { return }
    let readers = removed.readers.union(people.readers(of: [removed.space]))
    queue.async { self.publish(Ended(routine: routine), to: readers) }
  }

  private func told(of routine: String, _ lead: Lead) -> Told {
    let device = lead.caller.device.flatMap { devices[$0]?.name }
    let person = lead.caller.person ?? Person.owner
    return Told(
      routine: routine, client: lead.client, person: person, name: people[person]?.name ?? "",
      device: device, number: lead.number, followers: lead.followers.count, note: lead.note,
      state: lead.state)
  }

  private func publish(_ value: some Encodable, to readers: Set<String>) {
    guard !readers.isEmpty, let data = text(value) else { return }
    // Every server tells its own pages.
    events.deliver("lead", data: data, to: .people(readers))
  }

  private func text(_ value: some Encodable) -> String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) }
  }

  private func scheduleSweep() {
    let starts = state.withLock { state in
      defer { state.sweepIsScheduled = true }
      return !state.sweepIsScheduled
    }
    guard starts else { return }
    timers.after(5_000, on: queue) { [weak self] in
      guard let self else { return }
      // What could not be ended now is next time.
      try? self.sweep()
      let goesOn = self.state.withLock { state in
        state.sweepIsScheduled = false
        return !state.leads.isEmpty
      }
      if goesOn { self.scheduleSweep() }
    }
  }
}
