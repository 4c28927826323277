// People, groups and the spaces of routines over HTTP.

import FoundationEssentials
import HTTPTesting
import Media
import Model
import Storage
import TestSupport
import Testing

@testable import Database
@testable import HTTP
@testable import Server

@Suite struct PeopleRoutesTests {
  private let studio: TestStudio
  private let network: ListenerClient
  private let loopback: ListenerClient

  init() throws {
    studio = try TestStudio()
    network = ListenerClient(.network, of: studio)
    loopback = ListenerClient(.loopback, of: studio)
  }

  private struct Named: Decodable, Equatable {
    let id: String
    let name: String
  }

  private struct GroupAnswer: Decodable {
    struct Member: Decodable, Hashable {
      let person: String
      let role: Role
    }
    let id: String
    let name: String
    let role: Role
    let members: [Member]
  }

  private struct Page: Decodable {
    struct Entry: Decodable {
      let type: RecordType
      let id: String
      let space: String?
      let title: String?
      let rate: Double?
      let track: String?
      let deletedAt: Int?
      let text: String?
      let author: String?
      let arrived: Int?
    }
    struct Space: Decodable, Equatable {
      let id: String
      let name: String
      let role: Role
      let with: [String]?
      let members: Int
      let since: Int
    }
    let seq: Int
    let records: [Entry]
    let purged: Int
    let person: String
    let people: Bool
    let spaces: [Space]
    let rejected: [Rejection]
  }

  /// Sends a request as a device, or without a token as the owner at the machine.
  private func send(
    _ method: HTTP.Method, _ target: String, _ token: String? = nil, _ json: String? = nil
  ) -> Response {
    guard let token else { return loopback.send(method, target, json: json, peer: "127.0.0.1") }
    return network.send(method, target, token: token, json: json)
  }

  private func read<Value: Decodable>(_ type: Value.Type, _ answer: Response) throws -> Value {
    try JSONDecoder().decode(type, from: Data(answer.content))
  }

  private func add(_ name: String) throws -> (id: String, token: String) {
    let answer = send(.post, "/api/people", nil, "{\"name\":\"\(name)\",\"colour\":\"#248f36\"}")
    let person = try read(Named.self, answer)
    return (person.id, try network.pair(name, of: person.id).token)
  }

  private func page(_ token: String? = nil, since: Int = 0) throws -> Page {
    try read(Page.self, send(.post, "/api/sync", token, "{\"since\":\(since)}"))
  }

  // MARK: - People

  @Test func `without people nothing tells of them`() throws {
    let page = try page()
    #expect(page.person == Person.owner && !page.people && page.spaces == [])
    #expect(send(.get, "/api/session").text.contains("\"people\":false"))
    #expect(!page.records.contains { $0.space != nil })
  }

  @Test func `the owner adds people, renames them and removes them`() throws {
    let (ana, phone) = try add("  Ana ")
    struct People: Decodable { let people: [Named] }
    let all = try read(People.self, send(.get, "/api/people", phone)).people
    #expect(all == [Named(id: "owner", name: ""), Named(id: ana, name: "Ana")])
    #expect(send(.patch, "/api/people/\(ana)", phone, "{\"name\":\"Anna\"}").status == 200)
    #expect(send(.patch, "/api/people/owner", phone, "{\"name\":\"Me\"}").status == 403)
    #expect(send(.patch, "/api/people/owner", nil, "{\"name\":\"Studio\"}").status == 200)
    #expect(studio.library.people[Person.owner]?.name == "Studio")
    #expect(
      send(.post, "/api/people", phone, "{\"name\":\"x\",\"colour\":\"#000000\"}").status == 403)
    for (body, status) in [
      ("{\"name\":\" \",\"colour\":\"#000000\"}", 422),
      ("{\"name\":\"x\",\"colour\":\"red\"}", 422),
      ("{\"name\":\"\(String(repeating: "x", count: 61))\",\"colour\":\"#000000\"}", 422),
      ("{}", 422), ("[", 400),
    ] {
      let answer = send(.post, "/api/people", nil, body)
      #expect([status, 400, 422].contains(answer.status), "\(body): \(answer.status)")
    }
    #expect(send(.delete, "/api/people/owner").status == 409)
    #expect(send(.delete, "/api/people/\(ana)", phone).status == 403)
    #expect(send(.delete, "/api/people/\(ana)").status == 204)
    #expect(send(.delete, "/api/people/\(ana)").status == 404)
    #expect(send(.post, "/api/sync", phone, "{}").status == 401)
    #expect(studio.library.people.isAlone)
  }

  @Test func `what a removed person had alone is deleted, and their groups find a leader`() throws {
    let (ana, phone) = try add("Ana")
    let (ben, other) = try add("Ben")
    _ = try studio.library.addRoutine(title: "Alone", parts: [], space: ana)
    let made = try read(
      GroupAnswer.self,
      send(
        .post, "/api/groups", phone,
        "{\"name\":\"Class\",\"members\":[{\"person\":\"\(ben)\",\"role\":\"performer\"}]}"))
    #expect(send(.delete, "/api/people/\(ana)").status == 204)
    let left = try studio.library.records.records(in: ana, .routine)
    #expect(left.count == 1 && left.allSatisfy { $0.deletedAt != nil })
    #expect(studio.library.people.group(made.id)?.members == ["owner": .owner, ben: .performer])
    #expect(try page(other).spaces.map(\.id) == [made.id])
    #expect(try LibraryCheck(root: studio.folder.path).problems() == [])
  }

  @Test func `a code is for one person, and says so before it is used`() throws {
    let (ana, phone) = try add("Ana")
    struct Code: Decodable {
      let token: String
      let person: Named?
    }
    let code = try read(Code.self, send(.post, "/api/pairings", nil, "{\"person\":\"\(ana)\"}"))
    #expect(code.person?.id == ana)
    struct Whose: Decodable { let person: Named? }
    let whose = try read(Whose.self, send(.get, "/api/pairings/\(code.token)"))
    #expect(whose.person == Named(id: ana, name: "Ana"))
    let owners = try read(Code.self, send(.post, "/api/pairings"))
    #expect(owners.person == nil)
    #expect(try read(Whose.self, send(.get, "/api/pairings/\(owners.token)")).person == nil)
    // A person's device makes codes for them alone.
    let own = try read(Code.self, send(.post, "/api/pairings", phone))
    #expect(own.person?.id == ana)
    let stranger = try read(Whose.self, network.send(.get, "/api/pairings/\(own.token)"))
    #expect(stranger.person?.name == "Ana")
    let claimed = network.send(
      .post, "/api/pairings/\(own.token)/claim", json: "{\"name\":\"Tablet\"}")
    #expect(claimed.status == 201)
    #expect(network.send(.get, "/api/pairings/\(own.token)").status == 410)
    #expect(network.send(.get, "/api/pairings/unknown").status == 404)
    #expect(send(.post, "/api/pairings", phone, "{\"person\":\"owner\"}").status == 403)
    #expect(send(.post, "/api/pairings", nil, "{\"person\":\"nobody\"}").status == 404)
    // They see and remove their own devices, and no other.
    let mine = try network.pair("Laptop")
    struct Devices: Decodable { let devices: [Named] }
    #expect(
      try Set(read(Devices.self, send(.get, "/api/devices", phone)).devices.map(\.name)) == [
        "Ana", "Tablet",
      ])
    #expect(send(.delete, "/api/devices/\(mine.id)", phone).status == 403)
    #expect(try read(Devices.self, send(.get, "/api/devices")).devices.count == 3)
    let tablet = try read(Devices.self, send(.get, "/api/devices", phone)).devices
      .first { $0.name == "Tablet" }
    #expect(send(.delete, "/api/devices/\(tablet?.id ?? "")", phone).status == 204)
  }

  // MARK: - Links

  @Test func `who may edit a routine makes links to it, sees them and ends them`() throws {
    let (ana, teacher) = try add("Ana")
    let (ben, performer) = try add("Ben")
    let (_, outsider) = try add("Cyd")
    let swan = try studio.stage("swanlake", seed: 1)
    let otter = try studio.stage("otterfall", seed: 2)
    let group = try studio.library.people.addGroup(
      name: "Class", members: [ana: .teacher, ben: .performer], by: Person.owner,
      now: Library.now())
    try studio.library.move(
      routine: swan.routine, to: group.id, by: studio.library.people.viewer(Person.owner))
    func make(_ routine: String, _ token: String?) -> Response {
      let end = Library.now() + 86_400_000
      return send(.post, "/api/links", token, "{\"routine\":\"\(routine)\",\"expiresAt\":\(end)}")
    }
    let made = make(swan.routine, teacher)
    #expect(made.status == 201)
    let id = try #require(made.json?["id"]?.string)
    #expect(make(swan.routine, performer).status == 403)
    let missing = make(Identifier.make(milliseconds: 1), outsider)
    for (routine, token) in [(swan.routine, outsider), (otter.routine, teacher)] {
      let answer = make(routine, token)
      #expect(answer.status == 404 && answer.text == missing.text)
    }
    let owners = try #require(make(otter.routine, nil).json?["id"]?.string)
    struct Links: Decodable { let links: [Link] }
    struct Link: Decodable { let id: String }
    func listed(_ token: String?) throws -> Set<String> {
      Set(try read(Links.self, send(.get, "/api/links", token)).links.map(\.id))
    }
    #expect(try listed(teacher) == [id])
    #expect(try listed(nil) == [id, owners])
    for token in [performer, outsider] {
      #expect(try listed(token) == [])
      #expect(send(.delete, "/api/links/\(id)", token).status == 404)
      #expect(send(.get, "/api/links/\(id)/code", token).status == 404)
      #expect(send(.patch, "/api/links/\(id)", token, "{}").status == 404)
    }
    #expect(send(.delete, "/api/links/\(owners)", teacher).status == 404)
    #expect(send(.patch, "/api/links/\(id)", teacher, "{}").status == 200)
    #expect(send(.delete, "/api/links/\(id)", teacher).status == 204)
    #expect(try listed(nil) == [owners])
  }

  // MARK: - Groups

  @Test func `those who lead a group decide who is in it, and somebody always leads`() throws {
    let (ana, phone) = try add("Ana")
    let (ben, other) = try add("Ben")
    let group = try read(
      GroupAnswer.self, send(.post, "/api/groups", phone, "{\"name\":\"Class\"}"))
    #expect(group.role == .owner && group.members == [.init(person: ana, role: .owner)])
    let member = "/api/groups/\(group.id)/members/\(ben)"
    #expect(send(.put, member, other, "{\"role\":\"performer\"}").status == 404)
    #expect(send(.put, member, nil, "{\"role\":\"performer\"}").status == 404)
    #expect(send(.put, member, phone, "{\"role\":\"king\"}").status >= 400)
    #expect(send(.put, member, phone, "{\"role\":\"teacher\"}").status == 200)
    #expect(send(.put, member, other, "{\"role\":\"owner\"}").status == 403)
    #expect(send(.patch, "/api/groups/\(group.id)", other, "{\"name\":\"Mine\"}").status == 403)
    #expect(send(.delete, "/api/groups/\(group.id)", other).status == 403)
    #expect(send(.delete, "/api/groups/\(group.id)/members/\(ana)", phone).status == 409)
    #expect(
      send(.put, "/api/groups/\(group.id)/members/\(ana)", phone, "{\"role\":\"teacher\"}").status
        == 409)
    #expect(
      send(.put, "/api/groups/\(group.id)/members/nobody", phone, "{\"role\":\"teacher\"}").status
        == 404)
    #expect(send(.patch, "/api/groups/\(group.id)", phone, "{\"name\":\"Class A\"}").status == 200)
    #expect(try page(other).spaces.map(\.name) == ["Class A"])
    #expect(send(.delete, member, other).status == 204)
    #expect(try page(other).spaces == [])
    #expect(send(.delete, member, phone).status == 404)
  }

  @Test func `a group without a name says with whom`() throws {
    let (ben, other) = try add("Ben")
    let body = "{\"name\":\"\",\"members\":[{\"person\":\"\(ben)\",\"role\":\"performer\"}]}"
    #expect(send(.post, "/api/groups", nil, body).status == 201)
    #expect(try page().spaces.map(\.with) == [["Ben"]])
    #expect(try page(other).spaces.map(\.with) == [[""]])
  }

  // MARK: - Routines

  /// A group of Ana, who teaches, and Ben, with a routine of the owner's in it.
  private func classWithRoutine() throws -> (
    id: String, ana: (id: String, token: String), ben: (id: String, token: String),
    swan: StagedRoutine
  ) {
    let (ana, ben) = (try add("Ana"), try add("Ben"))
    let swan = try studio.stage("swanlake", seed: 1)
    let group = try read(
      GroupAnswer.self,
      send(
        .post, "/api/groups", nil,
        """
        {"name":"Class","members":[{"person":"\(ana.id)","role":"teacher"},
        {"person":"\(ben.id)","role":"performer"}]}
        """))
    #expect(
      send(.post, "/api/routines/\(swan.routine)/space", nil, "{\"space\":\"\(group.id)\"}").status
        == 200)
    return (group.id, ana, ben, swan)
  }

  @Test func `a routine that moves to a group reaches its people with its sound`() throws {
    let before = try page().seq
    let (id, ana, ben, swan) = try classWithRoutine()
    for token in [ana.token, ben.token] {
      let page = try page(token)
      #expect(Set(page.records.compactMap(\.space)) == [id])
      #expect(page.records.contains { $0.id == swan.routine && $0.title == "swanlake routine" })
      #expect(page.records.contains { $0.id == swan.track })
      #expect(send(.get, "/api/tracks/\(swan.track)/chunks/0", token).status == 200)
      #expect(!page.records.contains { $0.rate != nil })
    }
    // To its owner it is the same, with the marks that they had.
    let own = try page(since: before)
    #expect(own.records.contains { $0.id == swan.parts[0] && $0.rate == 0.5 && $0.space == id })
  }

  @Test func `who is taken out of a group begins anew without it`() throws {
    let (id, _, ben, swan) = try classWithRoutine()
    let seq = try page(ben.token).seq
    #expect(send(.delete, "/api/groups/\(id)/members/\(ben.id)").status == 204)
    let after = try page(ben.token, since: seq)
    #expect(after.purged > seq && after.records.isEmpty)
    #expect(try page(ben.token).records.isEmpty)
    #expect(send(.get, "/api/tracks/\(swan.track)/chunks/0", ben.token).status == 404)
  }

  @Test func `comments reach the group with their authors, and go along with their routine`() throws
  {
    let (ana, phone) = try add("Ana")
    let (ben, other) = try add("Ben")
    let routine = try studio.library.addRoutine(title: "Swan", parts: [])
    let made = try read(
      GroupAnswer.self,
      send(
        .post, "/api/groups", nil,
        "{\"name\":\"Class\",\"members\":[{\"person\":\"\(ana)\",\"role\":\"performer\"}]}"))
    #expect(
      send(.post, "/api/routines/\(routine)/space", nil, "{\"space\":\"\(made.id)\"}").status == 200
    )
    func write(_ token: String?, _ fields: String) throws -> Page {
      let id = Identifier.make(milliseconds: 1)
      let stamp = Stamp(milliseconds: Library.now(), counter: 0, device: 7)
      let answer = send(
        .post, "/api/sync", token,
        """
        {"since":0,"changes":[{"id":"\(Identifier.make(milliseconds: 1))","type":"comment",\
        "record":"\(id)","fields":{"routine":"\(routine)",\(fields)},"at":"\(stamp)"}]}
        """)
      return try read(Page.self, answer)
    }
    let sent = try write(phone, "\"text\":\"Arms!\",\"mentions\":\"owner\"")
    let comment = try #require(sent.records.first { $0.type == .comment })
    #expect(comment.author == ana && comment.text == "Arms!" && comment.space == made.id)
    #expect(try page().records.contains { $0.id == comment.id && $0.author == ana })
    #expect(try !page(other).records.contains { $0.type == .comment })
    // A forged author and an empty text are refused, and nothing else is.
    #expect(try write(phone, "\"text\":\"x\",\"author\":\"owner\"").rejected.count == 1)
    #expect(try write(phone, "\"text\":\" \"").rejected.count == 1)
    #expect(try write(other, "\"text\":\"x\"").rejected.map(\.code) == [.forbidden])
    // Who joins later knows since when.
    let space = try #require(try page(phone).spaces.first)
    #expect(space.members == 2 && space.since < (comment.arrived ?? 0))
    #expect(
      send(
        .put, "/api/groups/\(made.id)/members/\(ben)", nil, "{\"role\":\"performer\"}"
      ).status == 200)
    #expect(try page(other).spaces.first?.since ?? 0 >= comment.arrived ?? .max)
    #expect(try page(other).records.contains { $0.id == comment.id })
    // Who takes the routine back has its comments; the others have them no more.
    #expect(send(.post, "/api/routines/\(routine)/space", nil, "{\"space\":null}").status == 200)
    #expect(try page().records.contains { $0.id == comment.id && $0.author == ana })
    #expect(try !page(phone).records.contains { $0.type == .comment })
    #expect(send(.get, "/api/export?format=json").text.contains("Arms!") == false)
  }

  @Test func `a routine goes back to whom it is taken by, with their marks`() throws {
    let (_, ana, ben, swan) = try classWithRoutine()
    let target = "/api/routines/\(swan.routine)/space"
    let change = """
      {"changes":[{"id":"\(UUID().uuidString.lowercased())","type":"part","record":"\(swan.parts[0])",
      "fields":{"rate":0.75},"at":"\(Stamp(milliseconds: Library.now(), counter: 0, device: 3))"}]}
      """
    #expect(try read(Page.self, send(.post, "/api/sync", ana.token, change)).rejected == [])
    #expect(send(.post, target, ben.token, "{\"space\":null}").status == 403)
    #expect(send(.post, target, ana.token, "{\"space\":null}").status == 200)
    let page = try page(ana.token)
    #expect(page.records.contains { $0.id == swan.parts[0] && $0.rate == 0.75 && $0.space == nil })
    #expect(try self.page(ben.token).records.isEmpty)
    #expect(!(try self.page().records.contains { $0.id == swan.routine }))
    #expect(send(.post, target, nil, "{\"space\":null}").status == 404)
  }

  @Test func `a routine moves only where the request says, and only one that is there`() throws {
    let (id, _, _, swan) = try classWithRoutine()
    let target = "/api/routines/\(swan.routine)/space"
    for body in ["{}", "[]", "{\"space\":1}", "{\"space\":\"nobody\"}"] {
      #expect([400, 404, 422].contains(send(.post, target, nil, body).status), "\(body)")
    }
    #expect(try studio.library.records.space(of: .routine, swan.routine) == id)
    for unknown in ["chunks", UUID().uuidString.lowercased()] {
      #expect(
        send(.post, "/api/routines/\(unknown)/space", nil, "{\"space\":null}").status == 404)
    }
    let alone = try TestStudio()
    #expect(alone.post("/api/routines/chunks/space", "{\"space\":null}").status == 404)
  }

  @Test func `what another routine needs stays, and a copy goes along`() throws {
    let (id, _, _, swan) = try classWithRoutine()
    let records = studio.library.records
    let other = try studio.stage("otterfall", seed: 2)
    // A second routine on the same song.
    let twin = Identifier.make(milliseconds: 1)
    let part = Identifier.make(milliseconds: 1)
    try studio.library.commit([
      .init(.routine, twin, ["title": "Twin"]),
      .init(
        .part, part,
        [
          "routine": .text(twin), "title": "x", "position": "a", "track": .text(other.track),
          "startFrame": 0, "endFrame": 9,
        ]),
    ])
    #expect(
      send(.post, "/api/routines/\(twin)/space", nil, "{\"space\":\"\(id)\"}").status == 200)
    let moved = try #require(try records.record(.part, part))
    let copy = try #require(moved["track"].text)
    #expect(copy != other.track)
    #expect(try records.space(of: .track, copy) == id)
    #expect(try records.space(of: .track, other.track) == Person.owner)
    #expect(
      try records.track(copy)?.sha256 == records.track(other.track)?.sha256)
    #expect(send(.get, "/api/tracks/\(copy)/chunks/0").status == 200)
    #expect(
      try records.records(.gridCorrection, whose: "track", is: copy).map(\.space) == [id])
    // The original goes, the copy stays whole.
    #expect(send(.delete, "/api/routines/\(other.routine)/space").status == 405)
    try studio.library.commit([.init(.routine, other.routine, ["deletedAt": 1])])
    #expect(send(.delete, "/api/tracks/\(other.track)").status == 409)
    try studio.library.commit([.init(.clip, try #require(other.own[.clip]), ["deletedAt": 1])])
    #expect(send(.delete, "/api/tracks/\(other.track)").status == 204)
    #expect(send(.get, "/api/tracks/\(copy)/chunks/0").status == 200)
    #expect(send(.get, "/api/tracks/\(copy)/original").status == 200)
    _ = swan
  }

  @Test func `a file that is known in one space is new in another`() throws {
    let (id, ana, ben, _) = try classWithRoutine()
    let wav = WAV.impulses([7], frames: 1_000)
    func upload(_ token: String?, space: String?) throws -> Response {
      let upload = studio.upload(wav)
      let space = space.map { ",\"space\":\"\($0)\"" } ?? ""
      return send(.post, "/api/tracks", token, "{\"upload\":\"\(upload)\"\(space)}")
    }
    struct Added: Decodable { let id: String }
    let mine = try read(Added.self, try upload(nil, space: nil)).id
    let hers = try read(Added.self, try upload(ana.token, space: nil)).id
    let ours = try read(Added.self, try upload(ana.token, space: id)).id
    #expect(Set([mine, hers, ours]).count == 3)
    #expect(try read(Added.self, try upload(nil, space: nil)).id == mine)
    #expect(try studio.library.records.space(of: .track, ours) == id)
    #expect(try upload(ben.token, space: id).status == 403)
    #expect(try upload(ben.token, space: Person.owner).status == 404)
  }

  @Test func `a dissolved group gives its routines to who leads it`() throws {
    let (id, ana, ben, swan) = try classWithRoutine()
    #expect(send(.delete, "/api/groups/\(id)", ana.token).status == 403)
    #expect(send(.delete, "/api/groups/\(id)").status == 204)
    #expect(try page().spaces == [])
    #expect(try page().records.contains { $0.id == swan.routine && $0.space == nil })
    #expect(try studio.library.records.records(in: id, .track) == [])
    for token in [ana.token, ben.token] { #expect(try page(token).records.isEmpty) }
  }

  @Test func `changes of a copy that was somebody else's are not taken`() throws {
    let (_, _, ben, _) = try classWithRoutine()
    let id = UUID().uuidString.lowercased()
    let body = """
      {"person":"owner","changes":[{"id":"\(id)","type":"routine","record":"\(id)",
      "fields":{"title":"x"},"at":"\(Stamp(milliseconds: Library.now(), counter: 0, device: 3))"}]}
      """
    let page = try read(Page.self, send(.post, "/api/sync", ben.token, body))
    #expect(page.person == ben.id && page.rejected == [])
    #expect(try studio.library.records.record(.routine, id) == nil)
  }

  // MARK: - Events, players, jobs

  @Test func `events reach those alone whom they concern`() throws {
    let (_, ana, ben, swan) = try classWithRoutine()
    func listen(_ token: String?) throws -> EventStream {
      let answer = send(.get, "/api/events?client=\(UUID().uuidString.lowercased())", token)
      studio.library.players.waitForAnnouncements()
      return try #require(answer.stream)
    }
    let (owner, teacher, performer) = (
      try listen(nil), try listen(ana.token), try listen(ben.token)
    )
    func heard(_ stream: EventStream) -> String {
      studio.library.players.waitForAnnouncements()
      return stream.takePending()
    }
    for stream in [owner, teacher, performer] { _ = heard(stream) }
    try studio.library.commit([.init(.setting, "theme", ["value": "dark"])])
    #expect(heard(owner).contains("event: changed"))
    #expect(heard(teacher).isEmpty && heard(performer).isEmpty)
    try studio.library.commit([.init(.routine, swan.routine, ["title": "new"])])
    for stream in [owner, teacher, performer] { #expect(heard(stream).contains("event: changed")) }
    struct Players: Decodable {
      struct Client: Decodable { let id: String }
      let clients: [Client]
    }
    let mine = try read(Players.self, send(.get, "/api/remote", ben.token)).clients
    let others = try read(Players.self, send(.get, "/api/remote")).clients
    #expect(mine.count == 1 && others.count == 1)
    let command = "{\"to\":\"\(others[0].id)\",\"command\":{\"kind\":\"pause\"}}"
    #expect(send(.post, "/api/remote", ben.token, command).status == 404)
    #expect(
      send(.post, "/api/remote", ben.token, "{\"command\":{\"kind\":\"pause\"}}").status == 204)
    #expect(heard(performer).contains("event: remote"))
    #expect(!heard(owner).contains("event: remote"))
  }

  // MARK: - Backups

  @Test func `a backup carries people and groups, and a restore keeps who left since`() throws {
    let (id, ana, ben, swan) = try classWithRoutine()
    let written = try TemporaryFolder()
    let file = try written.write("backup.tar", studio.send(.get, "/api/backup").body)
    #expect(send(.delete, "/api/groups/\(id)/members/\(ben.id)").status == 204)
    let restore = LibraryRestore(folder: studio.library.folder)
    let summary = try restore.prepare(
      backup: file, job: Identifier.make(milliseconds: 1), progress: { _ in },
      isCancelled: { false })
    try restore.commit(summary)
    let other = try TemporaryFolder()
    _ = try LibraryRestore.run(root: other.path, backup: file)
    // Elsewhere it is as it was.
    let elsewhere = try LibraryDatabase(readingAt: DataDirectory(root: other.path).database)
    let store = PeopleStore(database: elsewhere)
    #expect(try Set(store.people().map(\.person.name)) == ["", "Ana", "Ben"])
    #expect(
      try store.groups().map(\.members) == [
        ["owner": .owner, ana.id: .teacher, ben.id: .performer]
      ])
    #expect(
      try RecordStore(database: elsewhere).space(of: .routine, swan.routine) == id)
    #expect(try DeviceStore(database: elsewhere).all() == [])
    // Here Ben stays out, and the devices stay.
    let here = try LibraryDatabase(
      readingAt: studio.library.folder.root + "/restored/segmance.sqlite")
    #expect(
      try PeopleStore(database: here).groups().map(\.members) == [
        ["owner": .owner, ana.id: .teacher]
      ])
    #expect(try Set(DeviceStore(database: here).all().map(\.person)) == [ana.id, ben.id])
  }
}
