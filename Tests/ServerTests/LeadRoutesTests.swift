// Leading a routine: who may, who hears of it, and when it ends.

import FoundationEssentials
import HTTPTesting
import Model
import Synchronization
import TestSupport
import Testing

@testable import Database
@testable import HTTP
@testable import Server

@Suite struct LeadRoutesTests {
  private static let page = "00000000-0000-4000-8000-00000000000a"
  private static let other = "00000000-0000-4000-8000-00000000000b"
  private let studio: TestStudio
  private let network: ListenerClient
  private let loopback: ListenerClient
  private let swan: StagedRoutine
  private let group: Group
  private let ana: (id: String, token: String)
  private let ben: (id: String, token: String)
  private let cyd: (id: String, token: String)

  init() throws {
    let studio = try TestStudio()
    let network = ListenerClient(.network, of: studio)
    func member(_ name: String) throws -> (id: String, token: String) {
      let person = try studio.library.people.add(name: name, colour: "#248f36", now: Library.now())
      return (person.id, try network.pair("\(name)'s phone", of: person.id).token)
    }
    (self.studio, self.network) = (studio, network)
    loopback = ListenerClient(.loopback, of: studio)
    (ana, ben, cyd) = (try member("Ana"), try member("Ben"), try member("Cyd"))
    swan = try studio.stage("swanlake", seed: 1)
    group = try studio.library.people.addGroup(
      name: "Class", members: [ana.id: .teacher, ben.id: .performer],
      by: Person.owner, now: Library.now())
    try studio.library.move(
      routine: swan.routine, to: group.id, by: studio.library.people.viewer(Person.owner))
  }

  private func send(
    _ method: HTTP.Method, _ target: String, _ token: String? = nil, _ json: String? = nil
  ) -> Response {
    guard let token else { return loopback.send(method, target, json: json, peer: "127.0.0.1") }
    return network.send(method, target, token: token, json: json)
  }

  private var target: String { "/api/routines/\(swan.routine)/lead" }

  private func message(
    _ number: Int = 1, client: String = LeadRoutesTests.page, begins: Bool = false,
    note: String = "",
    _ changes: [String: JSONValue] = [:]
  ) -> String {
    var state: [String: JSONValue] = [
      "part": .string(swan.parts[0]), "isRun": false, "state": "playing", "frame": 4_800,
      "at": 1_000.25,
      "framesLeft": 0, "percent": 75, "loopMode": "section", "markerA": 10, "markerB": 90_000,
      "countIn": "four", "countdownSeconds": 3, "countdownRepeats": "every", "restSeconds": 0.5,
    ]
    state.merge(changes) { $1 }
    let body: JSONValue = [
      "client": .string(client), "number": .integer(number), "begins": .bool(begins),
      "note": .string(note), "state": .object(state),
    ]
    return String(decoding: body.serialized(), as: UTF8.self)
  }

  private func listen(_ token: String?) throws -> EventStream {
    try #require(send(.get, "/api/events", token).stream)
  }

  private func heard(_ stream: EventStream) -> String {
    studio.library.leads.waitForAnnouncements()
    return stream.takePending()
  }

  @Test func `a teacher leads, and the group hears it, nobody else`() throws {
    let (owner, performer, outsider) = (
      try listen(nil), try listen(ben.token), try listen(cyd.token)
    )
    _ = (heard(owner), heard(performer), heard(outsider))
    let answer = send(.put, target, ana.token, message(begins: true, note: "from the top"))
    #expect(answer.status == 200 && answer.text == "{\"followers\":0}")
    for stream in [owner, performer] {
      let text = heard(stream)
      #expect(text.contains("event: lead\n"))
      for part in [
        "\"name\":\"Ana\"", "\"device\":\"Ana's phone\"", "\"note\":\"from the top\"",
        "\"percent\":75",
        "\"at\":1000.25", "\"markerB\":90000", "\"followers\":0",
      ] { #expect(text.contains(part), "\(part)") }
    }
    #expect(heard(outsider).isEmpty)
  }

  @Test func `who listens later hears what is led, if they may read it`() throws {
    #expect(heard(try listen(ben.token)).contains("event: leads\ndata: {\"leads\":[]}"))
    _ = send(.put, target, ana.token, message(begins: true))
    #expect(heard(try listen(ben.token)).contains(swan.routine))
    #expect(heard(try listen(nil)).contains(swan.routine))
    #expect(heard(try listen(cyd.token)).contains("event: leads\ndata: {\"leads\":[]}"))
  }

  @Test func `performers and others may not lead, performers may follow`() throws {
    #expect(send(.put, target, ben.token, message(begins: true)).status == 403)
    #expect(send(.put, target, cyd.token, message(begins: true)).status == 404)
    let follower = "{\"client\":\"\(LeadRoutesTests.other)\"}"
    #expect(send(.put, target + "/followers", ben.token, follower).status == 404)
    _ = send(.put, target, ana.token, message(begins: true))
    #expect(send(.put, target + "/followers", cyd.token, follower).status == 404)
    #expect(send(.put, target + "/followers", ben.token, follower).status == 204)
    #expect(send(.put, target, ana.token, message(2)).text == "{\"followers\":1}")
    #expect(send(.put, target + "/followers", ben.token, follower).status == 204)
    let client = "?client=\(LeadRoutesTests.other)"
    #expect(send(.delete, target + "/followers" + client, ana.token).status == 204)
    #expect(send(.put, target, ana.token, message(3)).text == "{\"followers\":1}")
    #expect(send(.delete, target + client, ben.token).status == 403)
    let missing = "/api/routines/\(Identifier.make(milliseconds: 1))/lead"
    for ending in ["", "/followers"] {
      #expect(send(.delete, missing + ending + client).status == 404)
      #expect(send(.delete, target + ending + "?client=nobody").status == 400)
      #expect(send(.delete, target + ending).status == 400)
    }
    #expect(send(.delete, target + "/followers" + client, ben.token).status == 204)
    #expect(send(.put, target, ana.token, message(4)).text == "{\"followers\":0}")
  }

  @Test func `another teacher takes over, and the first is told so`() throws {
    _ = send(.put, target, ana.token, message(7, begins: true))
    let owner = LeadRoutesTests.other
    #expect(send(.put, target, nil, message(1, client: owner)).status == 409)
    #expect(send(.put, target, nil, message(1, client: owner, begins: true)).status == 200)
    #expect(send(.put, target, ana.token, message(8)).status == 409)
    // Nor under the page's id.
    #expect(send(.put, target, ana.token, message(8, client: owner)).status == 409)
    #expect(
      send(.delete, target + "?client=\(owner)", ana.token).status == 204)
    #expect(send(.put, target, nil, message(2, client: owner)).status == 200)
    #expect(send(.delete, target + "?client=\(owner)").status == 204)
    #expect(heard(try listen(ben.token)).contains("{\"leads\":[]}"))
    // After a restart of the server, or when nobody leads, a leader goes on who has not ended it.
    #expect(send(.put, target, ana.token, message(9)).status == 200)
  }

  @Test func `a message that was overtaken changes nothing`() throws {
    _ = send(.put, target, ana.token, message(5, begins: true, ["percent": 50]))
    #expect(send(.put, target, ana.token, message(4, ["percent": 60])).status == 200)
    let text = heard(try listen(ben.token))
    #expect(text.contains("\"percent\":50") && !text.contains("\"percent\":60"))
  }

  @Test func `values that can't be are refused in words`() throws {
    let cases: [[String: JSONValue]] = [
      ["percent": 20], ["percent": 201], ["frame": -1], ["frame": 99_999_999_999],
      ["framesLeft": -1],
      ["part": "x"], ["state": "dancing"], ["loopMode": "x"], ["countIn": "x"], ["restSeconds": -1],
      ["countdownSeconds": 1e9], ["markerA": -5], ["at": "x"], ["countdownRepeats": 1],
      ["isRun": 1],
    ]
    for changes in cases {
      let answer = send(.put, target, ana.token, message(begins: true, changes))
      #expect(answer.status == 400, "\(changes): \(answer.status)")
      #expect(answer.headers["Content-Type"] == "application/problem+json")
    }
    let long = String(repeating: "x", count: Leads.noteLimit + 1)
    #expect(send(.put, target, ana.token, message(begins: true, note: long)).status == 400)
    #expect(send(.put, target, ana.token, message(client: "x", begins: true)).status == 400)
    #expect(send(.put, target, ana.token, "{}").status == 400)
    let huge = String(repeating: " ", count: 5_000)
    #expect(send(.put, target, ana.token, message(begins: true) + huge).status == 413)
    #expect(heard(try listen(ben.token)).contains("{\"leads\":[]}"))
  }

  @Test func `too many messages are refused for a moment`() throws {
    let answers = (1...40).map { send(.put, target, ana.token, message($0, begins: true)).status }
    #expect(answers.contains(429) && answers.first == 200)
  }

  @Test func `who is taken out of the group hears that it is over, and nothing more`() throws {
    _ = send(.put, target, ana.token, message(1, begins: true))
    let (performer, owner) = (try listen(ben.token), try listen(nil))
    _ = (heard(performer), heard(owner))
    #expect(send(.delete, "/api/groups/\(group.id)/members/\(ben.id)").status == 204)
    #expect(
      heard(performer).contains(
        "event: lead\ndata: {\"routine\":\"\(swan.routine)\",\"state\":null}"))
    _ = send(.put, target, ana.token, message(2))
    #expect(heard(performer).isEmpty)
    #expect(heard(owner).contains("\"number\":2"))
    // Who comes in hears it at once.
    let newcomer = try listen(cyd.token)
    _ = heard(newcomer)
    #expect(
      send(.put, "/api/groups/\(group.id)/members/\(cyd.id)", nil, "{\"role\":\"performer\"}")
        .status == 200)
    #expect(heard(newcomer).contains("\"number\":2"))
  }

  @Test func `who may not edit any more leads no more`() throws {
    let performer = try listen(ben.token)
    let ended = "data: {\"routine\":\"\(swan.routine)\",\"state\":null}"
    let member = "/api/groups/\(group.id)/members/\(ana.id)"
    _ = send(.put, target, ana.token, message(1, begins: true))
    #expect(!heard(performer).contains(ended))
    _ = send(.put, member, nil, "{\"role\":\"performer\"}")
    #expect(heard(performer).contains(ended))
    #expect(send(.put, target, ana.token, message(2)).status == 403)
    _ = send(.put, member, nil, "{\"role\":\"teacher\"}")
    _ = send(.put, target, ana.token, message(3, client: LeadRoutesTests.other))
    #expect(heard(performer).contains("\"number\":3"))
    let device = try #require(studio.library.devices.all.first { $0.person == ana.id })
    try studio.library.revoke(device.id)
    #expect(heard(performer).contains(ended))
  }

  @Test func `a routine that leaves the group is led for its people no more`() throws {
    _ = send(.put, target, nil, message(1, begins: true))
    let performer = try listen(ben.token)
    _ = heard(performer)
    #expect(
      send(.post, "/api/routines/\(swan.routine)/space", nil, "{\"space\":null}").status == 200)
    #expect(heard(performer).contains("\"state\":null"))
    #expect(heard(try listen(nil)).contains(swan.routine))
    try studio.library.commit([.init(.routine, swan.routine, ["deletedAt": 5])])
    #expect(send(.put, target, nil, message(2)).status == 404)
  }

  /// The registry of the library's people, by a clock that the test sets.
  private func leads(by time: @escaping @Sendable () -> Int) -> Leads {
    let library = studio.library
    return Leads(
      events: library.events, devices: library.devices, people: library.people,
      timers: studio.timers, now: time)
  }

  private func decoded(
    _ number: Int = 1, client: String = LeadRoutesTests.page, begins: Bool = false
  ) throws -> Leads.Message {
    try JSONDecoder().decode(
      Leads.Message.self, from: Data(message(number, client: client, begins: begins).utf8))
  }

  @Test func `a leader who is silent for half a minute leads no more`() throws {
    let time = Mutex(0)
    let leads = leads { time.withLock { $0 } }
    _ = try leads.lead(swan.routine, in: group.id, decoded(begins: true), by: .owner)
    try leads.follow(swan.routine, client: LeadRoutesTests.other, by: .owner)
    time.withLock { $0 = Leads.silenceMilliseconds - 1 }
    try leads.sweep()
    #expect(leads.all(for: ben.id).contains(swan.routine))
    // The follower was silent for long, too.
    #expect(try leads.lead(swan.routine, in: group.id, decoded(2), by: .owner) == 0)
    time.withLock { $0 = 2 * Leads.silenceMilliseconds - 2 }
    try leads.sweep()
    #expect(leads.all(for: ben.id).contains(swan.routine))
    time.withLock { $0 = 2 * Leads.silenceMilliseconds - 1 }
    try leads.sweep()
    #expect(leads.all(for: ben.id) == "{\"leads\":[]}")
    // A leader who was only cut off goes on.
    _ = try leads.lead(swan.routine, in: group.id, decoded(3), by: .owner)
    #expect(leads.all(for: ben.id).contains(swan.routine))
  }

  @Test func `who is silent is looked for every five seconds while somebody leads`() throws {
    let leads = leads(by: studio.timers.now)
    _ = try leads.lead(swan.routine, in: group.id, decoded(begins: true), by: .owner)
    studio.timers.advance(Leads.silenceMilliseconds - 1)
    #expect(leads.all(for: ben.id).contains(swan.routine))
    studio.timers.advance(1)
    #expect(leads.all(for: ben.id) == "{\"leads\":[]}")
    _ = try leads.lead(swan.routine, in: group.id, decoded(3), by: .owner)
    studio.timers.advance(Leads.silenceMilliseconds)
    #expect(leads.all(for: ben.id) == "{\"leads\":[]}")
  }

  @Test func `a message that arrives after its lead's end leads nothing`() throws {
    // The end overtakes the first message.
    #expect(send(.delete, target + "?client=\(LeadRoutesTests.page)", ana.token).status == 204)
    #expect(send(.put, target, ana.token, message(1, begins: true)).status == 409)
    #expect(heard(try listen(ben.token)).contains("{\"leads\":[]}"))
    // The end overtakes a later one.
    let next = LeadRoutesTests.other
    #expect(send(.put, target, ana.token, message(1, client: next, begins: true)).status == 200)
    #expect(send(.delete, target + "?client=\(next)", ana.token).status == 204)
    #expect(send(.put, target, ana.token, message(2, client: next)).status == 409)
    #expect(send(.put, target, ana.token, message(2, client: next, begins: true)).status == 409)
    #expect(heard(try listen(ben.token)).contains("{\"leads\":[]}"))
  }

  @Test func `nobody ends another's lead, nor before it begins`() throws {
    #expect(send(.delete, target + "?client=\(LeadRoutesTests.page)").status == 204)
    #expect(send(.put, target, ana.token, message(1, begins: true)).status == 200)
    #expect(send(.delete, target + "?client=\(LeadRoutesTests.page)").status == 204)
    #expect(send(.put, target, ana.token, message(2)).status == 200)
  }

  @Test func `an end is remembered for half a minute`() throws {
    let time = Mutex(0)
    let leads = leads { time.withLock { $0 } }
    try leads.end(swan.routine, client: LeadRoutesTests.page, by: .owner)
    time.withLock { $0 = Leads.silenceMilliseconds - 1 }
    // Another end leaves it as it is.
    try leads.end(swan.routine, client: LeadRoutesTests.other, by: .owner)
    #expect {
      try leads.lead(swan.routine, in: group.id, decoded(begins: true), by: .owner)
    } throws: { ($0 as? LibraryError)?.code == .conflict }
    time.withLock { $0 = Leads.silenceMilliseconds }
    _ = try leads.lead(swan.routine, in: group.id, decoded(begins: true), by: .owner)
    #expect(leads.all(for: ben.id).contains(swan.routine))
  }

  @Test func `too many ends are refused for a moment`() throws {
    let leads = leads { 0 }
    func end() throws { try leads.end(swan.routine, client: LeadRoutesTests.page, by: .owner) }
    for _ in 1...30 { try end() }
    #expect { try end() } throws: { ($0 as? LibraryError)?.httpError?.status == 429 }
  }

  @Test func `the clock goes on, in milliseconds with fractions`() throws {
    struct Time: Decodable { let now: Double }
    func time() throws -> Double {
      try JSONDecoder().decode(Time.self, from: Data(send(.get, "/api/clock", ben.token).content))
        .now
    }
    let times = try (0..<20).map { _ in try time() }
    #expect(times == times.sorted())
    #expect(abs(times[0] - Double(Library.now())) < 60_000)
    #expect(send(.get, "/api/clock", "x").status == 401)
  }
}
