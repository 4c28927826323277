// Leading: the registry of who leads a routine, and what everybody who follows is told.

import Dispatch
import FoundationEssentials
import HTTP
import Model
import Synchronization

/// Keeps what leaders play, one leader for each routine, and publishes it as the event `lead` to those who may
/// read the routine. Nothing of it is stored: after a restart of the server, leaders' next states bring it back.
final class Leads: Sendable {
  /// One leader's message.
  struct Message: Decodable, Sendable {
    /// The id that the leader's page gave itself.
    let client: String
    /// Rises with each message of a page; what is overtaken is dropped.
    let number: Int
    /// Whether the page begins to lead, in place of who led before; otherwise it only goes on.
    let begins: Bool?
    /// What the leader has to say, shown to all.
    let note: String?
    let state: LeadState
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

  private struct Follower: Hashable {
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
    var followers: [Follower: Int] = [:]
    /// Those who were told of it.
    var readers: Set<String> = []
  }

  private struct State {
    var leads: [String: Lead] = [:]
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

  private let hub: EventHub
  private let devices: Devices
  private let people: People
  private let limit: RateLimit
  private let now: @Sendable () -> Int
  private let state = Mutex(State())
  /// Serial, so that what is sent last is the latest.
  private let queue = DispatchQueue(label: "segmance.leads")

  /// Makes an empty registry; `now` returns milliseconds since 1970.
  init(
    hub: EventHub, devices: Devices, people: People,
    now: @escaping @Sendable () -> Int = Library.now
  ) {
    (self.hub, self.devices, self.people, self.now) = (hub, devices, people, now)
    limit = RateLimit(30, per: 1_000, now: now)
  }

  /// Takes a leader's message about a routine of a space. Returns the number of followers.
  ///
  /// - Throws: `LibraryError` `conflict` if another page leads and this one does not begin; `invalidValue`;
  ///   `tooOften`.
  func lead(
    _ routine: String, in space: String, _ message: Message, by caller: Caller
  ) throws(LibraryError) -> Int {
    try limit.take("\(caller)", "At most 30 messages a second. Send fewer.")
    guard Identifier.isValid(message.client), Identifier.isValid(message.state.part) else {
      throw LibraryError(.invalidValue, "The fields client and part must be UUIDs.")
    }
    if let problem = message.state.problem { throw LibraryError(.invalidValue, problem) }
    guard (message.note ?? "").count <= Leads.noteLimit else {
      throw LibraryError(.invalidValue, "A note has at most \(Leads.noteLimit) characters.")
    }
    let time = now()
    let count = try state.withLock { state throws(LibraryError) -> Int in
      var lead: Lead
      if let known = state.leads[routine], known.client == message.client, known.caller == caller {
        lead = known
        guard message.number > lead.number else { return lead.followers.count }
      } else {
        if state.leads[routine] != nil, message.begins != true {
          throw LibraryError(.conflict, "Somebody else leads this routine now.")
        }
        guard state.leads.count < Leads.leadLimit else {
          throw LibraryError(.busy(retryAfterSeconds: 30), "Too many routines are led already.")
        }
        lead = Lead(
          caller: caller, client: message.client, number: message.number, note: "",
          state: message.state, space: space, heardAt: time)
        lead.followers = state.leads[routine]?.followers ?? [:]
        lead.readers = state.leads[routine]?.readers ?? []
      }
      lead.number = message.number
      lead.state = message.state
      lead.note = message.note ?? ""
      lead.space = space
      lead.heardAt = time
      lead.followers = lead.followers.filter { time - $0.value < Leads.followerMilliseconds }
      state.leads[routine] = lead
      return lead.followers.count
    }
    announce(routine)
    scheduleSweep()
    return count
  }

  /// Ends what a page leads. Does nothing if it does not lead, or no more.
  func end(_ routine: String, client: String, by caller: Caller) {
    remove(routine) { $0.client == client && $0.caller == caller }
  }

  /// A page follows, or goes on following.
  ///
  /// - Throws: `LibraryError` `notFound` if nobody leads; `tooOften`.
  func follow(_ routine: String, client: String, by caller: Caller) throws(LibraryError) {
    try limit.take("\(caller)", "At most 30 messages a second. Send fewer.")
    guard Identifier.isValid(client) else {
      throw LibraryError(.invalidValue, "The field client must be a UUID.")
    }
    let time = now()
    let follower = Follower(client: client, caller: caller)
    let isNew = try state.withLock { state throws(LibraryError) -> Bool in
      guard let lead = state.leads[routine] else {
        throw LibraryError(.notFound, "Nobody leads this routine now.")
      }
      let isNew = lead.followers[follower] == nil
      guard !isNew || lead.followers.count < Leads.followerLimit else { return false }
      state.leads[routine]?.followers[follower] = time
      return isNew
    }
    if isNew { announce(routine) }
  }

  /// A page follows no more.
  func unfollow(_ routine: String, client: String, by caller: Caller) {
    let wasThere = state.withLock {
      $0.leads[routine]?.followers.removeValue(forKey: Follower(client: client, caller: caller))
        != nil
    }
    if wasThere { announce(routine) }
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
  func review(_ place: (String) -> String?) {
    for (routine, lead) in state.withLock({ $0.leads }) {
      let viewer = lead.caller.person.map(people.viewer)
      let isPaired = lead.caller.device.map { devices.isPaired($0) } ?? true
      guard let space = place(routine), isPaired, viewer?.mayEdit(space) == true else {
        remove(routine) { $0.client == lead.client }
        continue
      }
      state.withLock { $0.leads[routine]?.space = space }
      announce(routine)
    }
  }

  /// Ends what leaders lead who were silent for long.
  func sweep() {
    let time = now()
    for (routine, lead) in state.withLock({ $0.leads })
    where time - lead.heardAt >= Leads.silenceMilliseconds {
      remove(routine) { $0.heardAt == lead.heardAt }
    }
  }

  /// Returns when all announcements so far have been sent.
  func waitForAnnouncements() { queue.sync {} }

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
    hub.publish("lead", data: data) { readers.contains($0.person ?? Person.owner) }
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
    queue.asyncAfter(deadline: .now() + .seconds(5)) { [weak self] in
      guard let self else { return }
      self.sweep()
      let goesOn = self.state.withLock { state in
        state.sweepIsScheduled = false
        return !state.leads.isEmpty
      }
      if goesOn { self.scheduleSweep() }
    }
  }
}
