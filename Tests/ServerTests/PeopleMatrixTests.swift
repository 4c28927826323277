// Every route of the table, and every type of record, × teacher, performer and somebody outside the group.

import FoundationEssentials
import HTTPTesting
import Model
import TestSupport
import Testing

@testable import Database
@testable import HTTP
@testable import Server

@Suite struct PeopleMatrixTests {
  private let studio: TestStudio
  private let network: ListenerClient
  /// The group's routine, and one that is the owner's alone.
  private let swan: StagedRoutine
  private let otter: StagedRoutine
  private let group: Group
  private let teacher: Member
  private let performer: Member
  private let outsider: Member

  /// A person with a device.
  private struct Member {
    let id: String
    let token: String
  }

  init() throws {
    studio = try TestStudio()
    let library = studio.library
    let network = ListenerClient(.network, of: studio)
    func member(_ name: String) throws -> Member {
      let person = try library.people.add(name: name, colour: "#248f36", now: Library.now())
      return Member(id: person.id, token: try network.pair(name, of: person.id).token)
    }
    self.network = network
    (teacher, performer, outsider) = (try member("Ana"), try member("Ben"), try member("Cyd"))
    swan = try studio.stage("swanlake", seed: 1)
    otter = try studio.stage("otterfall", seed: 2)
    group = try library.people.addGroup(
      name: "Class", members: [teacher.id: .teacher, performer.id: .performer],
      by: Person.owner, now: Library.now())
    try library.move(
      routine: swan.routine, to: group.id, by: library.people.viewer(Person.owner))
  }

  private func ask(_ member: Member, _ route: Route, _ target: String) -> Response {
    network.send(
      route.method, target, token: member.token, json: route.method.isWrite ? "{}" : nil)
  }

  private func told(_ answer: Response) -> String {
    answer.headers.pairs.map { "\($0.name): \($0.value)\n" }.joined() + answer.text
  }

  @Test func `each person gets by each route what they may see, and may change what they may`()
    throws
  {
    for route in network.router.routes
    where route.method != .head && route.pattern != "/api/events" && route.access != .everyone {
      let name = "\(route.method.rawValue) \(route.pattern)"
      // The one ends the caller, and the other makes a minute of music.
      if ["DELETE /api/session", "POST /api/sample"].contains(name) { continue }
      for (staged, isGroups) in [(swan, true), (otter, false)] {
        for target in route.targets(staged, link: UUID().uuidString.lowercased()) {
          for (member, role) in [
            (outsider, nil), (performer, Role.performer), (teacher, .teacher),
          ] {
            // What a teacher deletes is gone for the next ones.
            if role == .teacher, isGroups, route.method == .delete { continue }
            let answer = ask(member, route, target)
            let fits = isExpected(answer, route, isGroups ? role : nil)
            #expect(
              fits,
              "\(name) \(role?.rawValue ?? "outside") \(staged.word): \(answer.status) \(answer.text.prefix(200))"
            )
            #expect(!told(answer).contains(otter.word), "\(name)")
            if role == nil { #expect(!told(answer).contains(swan.word), "\(name)") }
          }
        }
      }
    }
  }

  /// Whether somebody with a role in what a route names, or none, gets such an answer.
  private func isExpected(_ answer: Response, _ route: Route, _ role: Role?) -> Bool {
    let isUnseen = answer.status == 404 && answer.text.contains("no such thing here")
    switch route.access {
    case .owner, .device: return answer.status == 403
    case .everyone: return true
    case .person(nil, _): return ![401, 500].contains(answer.status)
    case .person, .visitor:
      guard let (resource, action) = route.access.resource else { return false }
      // The speech program says to everybody what they could have written themselves.
      if resource == .spokenTitle { return answer.status == 200 }
      // Links are the owner's, and no job has this id.
      if resource == .link || resource.kind == Resource.job.kind { return isUnseen }
      guard let role else { return isUnseen }
      if action == .write, !role.mayEdit { return answer.status == 403 }
      return !isUnseen && ![401, 403, 500].contains(answer.status)
    }
  }

  @Test func `a route that is added is closed to other people than the owner`() {
    let route = Route(.get, "/api/new", summary: "x") { _ in .text("x") }
    #expect(route.access == .device)
  }

  // MARK: - Changes

  private func change(
    _ member: Member, _ type: RecordType, _ id: String, _ fields: [String: Value],
    space: String? = nil
  ) throws -> Rejection? {
    let change = Change(
      id: Identifier.make(milliseconds: 1), type: type, record: id, fields: fields,
      at: Stamp(milliseconds: Library.now(), counter: 0, device: 7), space: space)
    let body = try JSONEncoder().encode(["changes": [change]])
    let answer = network.send(
      .post, "/api/sync", token: member.token, json: String(decoding: body, as: UTF8.self))
    struct Outcome: Decodable { let rejected: [Rejection] }
    return try JSONDecoder().decode(Outcome.self, from: Data(answer.content)).rejected.first
  }

  /// A field of a type that is shared, with a value, and the id of a record of the routine.
  private func shared(_ type: RecordType, _ staged: StagedRoutine) throws -> (
    id: String, fields: [String: Value]
  )? {
    func first(_ type: RecordType, _ field: String, _ parent: String) throws -> String? {
      try studio.library.records.records(type, whose: field, is: parent).first?.id
    }
    switch type {
    case .routine: return (staged.routine, ["title": "new"])
    case .part: return (staged.parts[0], ["title": "new"])
    case .move: return (staged.moves[0], ["title": "new"])
    case .moveType: return (staged.moveType, ["name": "new"])
    case .track: return (staged.track, ["title": "new"])
    case .video: return (staged.video, ["title": "new"])
    case .recording: return (staged.recording, ["title": "new"])
    case .spot:
      return try first(.spot, "part", staged.parts[0]).map { ($0, ["title": "new"]) }
    case .clip:
      return try first(.clip, "track", staged.track).map { ($0, ["title": "new"]) }
    case .gridCorrection:
      return try first(.gridCorrection, "track", staged.track).map { ($0, ["order": 5]) }
    case .comment, .practiceEntry, .runThrough, .plan, .setting: return nil
    }
  }

  @Test func `only teachers change what a group owns, and nobody what is another's`() throws {
    for type in RecordType.allCases {
      if let (id, fields) = try shared(type, swan) {
        #expect(try change(outsider, type, id, fields)?.code == .forbidden, "\(type)")
        #expect(try change(performer, type, id, fields)?.code == .forbidden, "\(type)")
        #expect(try change(teacher, type, id, fields) == nil, "\(type)")
        let (id, fields) = try #require(try shared(type, otter))
        for member in [outsider, performer, teacher] {
          #expect(try change(member, type, id, fields)?.code == .forbidden, "\(type)")
        }
      } else if !type.hasAuthor {
        #expect(type.isPersonal)
        guard let id = otter.own[type] else { continue }
        for member in [outsider, performer, teacher] {
          #expect(
            try change(member, type, id, ["deletedAt": 5])?.code == .forbidden, "\(type)")
        }
      }
    }
  }

  /// Types whose records have an author, with the fields of one about a routine.
  private func authored(_ staged: StagedRoutine) -> [(type: RecordType, fields: [String: Value])] {
    RecordType.allCases.filter(\.hasAuthor).map { type in
      (type, ["routine": .text(staged.routine), "text": .text("said")])
    }
  }

  @Test func `who may read comments, who wrote a comment edits it, and who may edit deletes it`()
    throws
  {
    let members = [outsider, performer, teacher]
    #expect(!authored(swan).isEmpty)
    for (type, fields) in authored(swan) {
      var made: [String: String] = [:]
      for member in members {
        let id = Identifier.make(milliseconds: 1)
        let isReader = member.id != outsider.id
        #expect(try change(member, type, id, fields)?.code == (isReader ? nil : .forbidden))
        #expect(try studio.library.records.space(of: type, id) == (isReader ? group.id : nil))
        if isReader { made[member.id] = id }
        #expect(
          try change(member, type, Identifier.make(milliseconds: 1), authored(otter)[0].fields)?
            .code == .forbidden)
      }
      for (author, id) in made {
        let record = try #require(try studio.library.records.record(type, id))
        #expect(record["author"].text == author && record["arrived"].integer ?? 0 > 0)
        for member in members {
          let isAuthor = member.id == author
          #expect(
            try change(member, type, id, ["text": "other"])?.code == (isAuthor ? nil : .forbidden))
          let deletes = isAuthor || member.id == teacher.id
          for value in [Value.integer(5), .null] {
            #expect(
              try change(member, type, id, ["deletedAt": value])?.code
                == (deletes ? nil : .forbidden))
          }
          // Not together with anything else.
          #expect(
            try change(member, type, id, ["deletedAt": .null, "text": "other"])?.code
              == (isAuthor ? nil : .forbidden))
        }
      }
      // Nobody else's comment becomes one's own, nor goes where others don't see it.
      let id = try #require(made[performer.id])
      let rejection = try change(performer, type, id, ["author": .text(teacher.id)])
      #expect(rejection != nil)
      #expect(
        try change(performer, type, id, ["routine": .text(otter.routine)])?.code == .forbidden)
      #expect(try studio.library.records.record(type, id)?["author"].text == performer.id)
    }
  }

  @Test func `who has left a group edits none of their comments, and nobody else does`() throws {
    for (type, fields) in authored(swan) {
      let id = Identifier.make(milliseconds: 1)
      #expect(try change(performer, type, id, fields) == nil)
      _ = try studio.library.people.set(nil, of: performer.id, in: group.id, now: Library.now())
      #expect(try change(performer, type, id, ["text": "other"])?.code == .forbidden)
      #expect(try change(performer, type, id, ["deletedAt": 5])?.code == .forbidden)
      #expect(try change(teacher, type, id, ["text": "other"])?.code == .forbidden)
      try studio.library.remove(person: performer.id)
      let record = try #require(try studio.library.records.record(type, id))
      #expect(record["author"].text == performer.id && record.isComplete)
      #expect(try change(teacher, type, id, ["deletedAt": 5]) == nil)
    }
  }

  @Test func `new records go where their parents are, or where the author may edit`() throws {
    let records = studio.library.records
    func added(
      _ member: Member, _ type: RecordType, _ fields: [String: Value], space: String? = nil
    ) throws -> String? {
      let id = Identifier.make(milliseconds: 1)
      let rejection = try change(member, type, id, fields, space: space)
      #expect(rejection == nil || rejection?.code == .forbidden)
      return try records.space(of: type, id)
    }
    let part: [String: Value] = [
      "routine": .text(swan.routine), "title": "x", "position": "b",
    ]
    #expect(try added(teacher, .part, part) == group.id)
    #expect(try added(performer, .part, part) == nil)
    #expect(try added(outsider, .part, part) == nil)
    let theirs: [String: Value] = ["routine": .text(otter.routine), "title": "x", "position": "b"]
    for member in [teacher, performer, outsider] {
      #expect(try added(member, .part, theirs) == nil)
    }
    #expect(try added(outsider, .routine, ["title": "x"]) == outsider.id)
    #expect(try added(outsider, .routine, ["title": "x"], space: group.id) == nil)
    #expect(try added(performer, .moveType, ["name": "x"], space: group.id) == nil)
    #expect(try added(teacher, .routine, ["title": "x"], space: group.id) == group.id)
    #expect(try added(teacher, .routine, ["title": "x"], space: Person.owner) == nil)
    #expect(
      try added(performer, .practiceEntry, ["routine": .text(swan.routine), "startedAt": 1])
        == performer.id)
    // Nothing refers to what is in another space.
    let mine = Identifier.make(milliseconds: 1)
    #expect(try change(outsider, .routine, mine, ["title": "x"]) == nil)
    #expect(
      try added(
        outsider, .part,
        ["routine": .text(mine), "title": "x", "position": "b", "track": .text(swan.track)]) == nil)
  }

  @Test func `what people have of their own is seen by nobody else`() throws {
    func seen(_ member: Member?) throws -> String {
      let answer =
        member.map { network.send(.post, "/api/sync", token: $0.token, json: "{\"since\":0}") }
        ?? ListenerClient(.loopback, of: studio).send(
          .post, "/api/sync", json: "{\"since\":0}", peer: "127.0.0.1")
      return answer.text
    }
    #expect(try change(performer, .part, swan.parts[0], ["rate": .number(0.625)]) == nil)
    #expect(try change(performer, .setting, "theme", ["value": "performers"]) == nil)
    #expect(try change(teacher, .setting, "theme", ["value": "teachers"]) == nil)
    #expect(
      try change(
        performer, .runThrough, Identifier.make(milliseconds: 1),
        ["routine": .text(swan.routine), "startedAt": 1, "notes": "mine alone"]) == nil)
    let own = try seen(performer)
    for text in ["0.625", "performers", "mine alone", "swanlake part 1"] {
      #expect(own.contains(text))
    }
    for other in [try seen(teacher), try seen(nil), try seen(outsider)] {
      for text in ["0.625", "performers", "mine alone"] { #expect(!other.contains(text)) }
    }
    // The owner's own marks went along apart when the routine moved.
    let owner = try seen(nil)
    #expect(owner.contains("swanlake tag") && owner.contains("\"markerA\":10"))
    #expect(!own.contains("swanlake tag") && !own.contains("\"markerA\":10"))
    // Nothing that was practised before is seen by others.
    for text in ["swanlake missed", "swanlake plan"] {
      #expect(owner.contains(text) && !own.contains(text))
    }
  }
}
