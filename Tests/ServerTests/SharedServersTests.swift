// Two servers that share a library on PostgreSQL: whichever is asked, the answer is the same.

import Dispatch
import FoundationEssentials
import HTTPTesting
import Model
import Synchronization
import TestSupport
import Testing

@testable import Database
@testable import HTTP
@testable import Server
@testable import Storage

@Suite(.enabled(if: TestDatabase.isServer, "the family postgresql runs it"))
struct SharedServersTests {
  private static let laptop = "00000000-0000-4000-8000-00000000000a"
  private static let phone = "00000000-0000-4000-8000-00000000000b"
  private let address: String
  private let studios: [TestStudio]
  private let clients: [ListenerClient]

  init() throws {
    let address = try #require(TestDatabase.newAddress())
    self.address = address
    studios = try (0..<2).map { _ in try Self.studio(at: address) }
    clients = studios.map { ListenerClient(.network, of: $0) }
    for studio in studios { try studio.library.startSharing() }
    try settle()
  }

  private static func studio(at address: String) throws -> TestStudio {
    let folder = try TemporaryFolder()
    _ = try folder.write("database.address", Array(address.utf8))
    return try TestStudio(in: folder, isShared: true)
  }

  /// Returns when every server has taken what any of them has announced so far, and what others have answered to
  /// that. Nothing is on its way then.
  private func settle() throws {
    // In each round every server sends what waits to be sent, and takes what was sent before. A message that orders
    // nothing comes after both, and nobody answers it. The longest way has four rounds: a question is sent and taken,
    // and its answer is; one more is for a server that has just begun to listen, and asks.
    for _ in 0..<5 {
      for studio in studios { try studio.library.sharing?.order(.fresh(id: "")) }
      for studio in studios {
        studio.library.players.waitForAnnouncements()
        studio.library.leads.waitForAnnouncements()
      }
    }
  }

  private func person(_ name: String, at server: Int = 0) throws -> String {
    try studios[server].library.people
      .add(name: name, colour: "#248f36", now: Library.now()).id
  }

  private func listen(
    _ token: String, _ page: String, at server: Int
  ) throws -> EventStream {
    try #require(
      clients[server].send(.get, "/api/events?client=\(page)&name=Page", token: token).stream)
  }

  @Test func `a device that one pairs the other knows at once, until one revokes it`() throws {
    let ana = try person("Ana")
    #expect(studios[1].library.people[ana]?.name == "Ana")
    let phone = try clients[0].pair("Phone", of: ana)
    #expect(clients[1].send(.get, "/api/session", token: phone.token).json?["role"] == "person")
    let stream = try listen(phone.token, Self.phone, at: 1)
    try studios[0].library.revoke(phone.id)
    #expect(clients[1].send(.get, "/api/people", token: phone.token).status == 401)
    #expect(stream.isClosed)
    // A code of one is used up at the other.
    let pairings = studios.map {
      Pairings(
        store: PairingStore(database: $0.library.database), devices: $0.library.devices,
        now: Library.now)
    }
    let code = try pairings[0].make(by: nil, for: ana).token
    _ = try pairings[1].claim(code, name: "Tablet", from: nil, replacing: nil)
    #expect(throws: LibraryError.self) {
      try pairings[0].claim(code, name: "Tablet", from: nil, replacing: nil)
    }
    #expect(studios[0].library.devices.all.map(\.name) == ["Tablet"])
  }

  @Test func `an edit that its own server has read again meanwhile is told the others`() throws {
    let phone = try clients[0].pair("Phone")
    let (library, sharing) = (studios[0].library, try #require(studios[0].library.sharing))
    try sharing.edit(.devices) {
      try DeviceStore(database: library.database).remove(phone.id)
      // As it does every second, whatever is edited.
      sharing.refreshAll()
    }
    #expect(clients[1].send(.get, "/api/people", token: phone.token).status == 401)
  }

  @Test func `what nobody has told is read within a second`() throws {
    let phone = try clients[0].pair("Phone")
    try settle()
    try DeviceStore(database: studios[1].library.database).remove(phone.id)
    #expect(clients[0].send(.get, "/api/people", token: phone.token).status == 200)
    studios[0].timers.advance(999)
    #expect(clients[0].send(.get, "/api/people", token: phone.token).status == 200)
    studios[0].timers.advance(1)
    #expect(clients[0].send(.get, "/api/people", token: phone.token).status == 401)
  }

  @Test func `what another one writes during an edit is read all the same`() throws {
    // An edit whose connection was reset has lost its lock, and goes on over the next one.
    let phone = try clients[0].pair("Phone")
    let sharing = try #require(studios[0].library.sharing)
    try sharing.edit(.devices) {
      try DeviceStore(database: studios[1].library.database).remove(phone.id)
    }
    sharing.refreshAll()
    #expect(clients[0].send(.get, "/api/people", token: phone.token).status == 401)
  }

  @Test func `an edit waits no longer for a server that starts than until it listens`() throws {
    // It has the library open, so it is there, but does not listen yet.
    let third = try Self.studio(at: address)
    let told = DispatchSemaphore(value: 0)
    let isOver = Atomic(false)
    defer { isOver.store(true, ordering: .relaxed) }
    let shared = try #require(studios[1].library.sharing).shared
    try shared.listen(until: { isOver.load(ordering: .relaxed) }, onGap: {}) { text in
      if text.contains("stale") { told.signal() }
    }
    let editing = DispatchGroup()
    DispatchQueue.global().async(group: editing) {
      #expect(throws: Never.self) { try person("Ana") }
    }
    told.wait()
    try third.library.startSharing()
    editing.wait()
    #expect(studios[0].log.all.allSatisfy { !$0.contains("edit.unread") })
    #expect(third.library.people.all.contains { $0.name == "Ana" })
  }

  @Test func `nobody waits for a server that has stopped`() throws {
    let other = try #require(studios[1].library.sharing)
    other.stop()
    try studios[0].library.sharing?.order(.whoIsThere)
    _ = try person("Ana")
    #expect(studios[0].log.all.allSatisfy { !$0.contains("edit.unread") })
  }

  @Test func `no record is made of bytes that are no longer held`() throws {
    let library = studios[0].library
    let holds = Holds(
      library.deletions, server: 1, log: library.log, timers: studios[0].timers)
    func add(_ meanwhile: () throws -> Void) throws -> AddedMedia {
      let staged = try library.blobs.stage(contentsOf: [1, 2, 3])
      let sent = SentBlob(staged.reference, hold: try holds.hold(staged.reference.sha256))
      return try library.media.add(.video, fileName: "swan.mp4", title: nil, sent: sent) {
        try meanwhile()
        return staged
      }
    }
    // All its connections are reset, and the keeper deletes the same bytes.
    #expect(throws: DatabaseError.self) {
      try add { try studios[1].library.deletions.announce("other", servers: [2]) }
    }
    #expect(try library.records.media() == [])
    _ = try add {}
    #expect(try library.records.media().map(\.type) == [.video])
  }

  @Test func `edits of one group at both servers lose nothing`() throws {
    let members = try (0..<12).map { try person("Person \($0)", at: $0 % 2) }
    let group = try studios[0].library.people.addGroup(
      name: "Class", members: [:], by: Person.owner, now: Library.now())
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: members.count) { index in
      do {
        _ = try studios[index % 2].library.people.set(
          .performer, of: members[index], in: group.id, now: Library.now())
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    for studio in studios {
      #expect(studio.library.people.group(group.id)?.members.count == members.count + 1)
    }
    #expect(throws: LibraryError.self) {
      try studios[1].library.people.set(nil, of: Person.owner, in: group.id, now: Library.now())
    }
  }

  @Test func `a page at one hears what is edited at the other`() throws {
    let phone = try clients[1].pair("Phone")
    let stream = try listen(phone.token, Self.phone, at: 1)
    _ = stream.takePending()
    let routine = Identifier.make(milliseconds: 1)
    try studios[0].library.commit([.init(.routine, routine, ["title": "Swan"])])
    try settle()
    #expect(stream.takePending().contains("event: changed\ndata: {\"seq\":"))
    #expect(try studios[1].library.records.record(.routine, routine) != nil)
    // The stamp of an edit is later than that of the one before, wherever that was.
    try studios[1].library.commit([.init(.routine, routine, ["title": "Lake"])])
    #expect(try studios[0].library.records.record(.routine, routine)?["title"].text == "Lake")
  }

  @Test func `pages at both are listed at both, and take commands from both`() throws {
    let (phone, tablet) = (try clients[0].pair("Phone"), try clients[1].pair("Tablet"))
    let here = try listen(phone.token, Self.phone, at: 0)
    let there = try listen(tablet.token, Self.laptop, at: 1)
    try settle()
    for (index, token) in [(0, phone.token), (1, tablet.token)] {
      let list = clients[index].send(.get, "/api/remote", token: token).text
      #expect(list.contains(Self.phone) && list.contains(Self.laptop))
    }
    #expect(here.takePending().contains("\"name\":\"Tablet\""))
    _ = there.takePending()
    let command = "{\"from\":\"\(Self.phone)\",\"to\":\"\(Self.laptop)\",\"command\":{\"play\":1}}"
    #expect(clients[0].send(.post, "/api/remote", token: phone.token, json: command).status == 204)
    // The proxy may send the phone's next request to the other server.
    #expect(clients[1].send(.post, "/api/remote", token: phone.token, json: command).status == 204)
    try settle()
    #expect(there.takePending().components(separatedBy: "\"play\":1").count == 3)
    #expect(!here.takePending().contains("\"play\":1"))
    here.abandon()
    try settle()
    #expect(
      clients[1].send(.get, "/api/remote", token: tablet.token).text.contains(Self.phone) == false)
    // A server that dies says nothing any more.
    let number = try #require(studios[1].library.sharing?.shared.number)
    studios[0].library.players.forget([number])
    #expect(studios[0].library.players.all(of: Person.owner) == [])
  }

  @Test func `who leads at one is followed at the other`() throws {
    let (phone, tablet) = (try clients[0].pair("Phone"), try clients[1].pair("Tablet"))
    let swan = try studios[0].stage("swanlake", seed: 1)
    let target = "/api/routines/\(swan.routine)/lead"
    func message(_ number: Int, _ client: String, begins: Bool = false) -> String {
      let state: JSONValue = [
        "part": .string(swan.parts[0]), "isRun": false, "state": "playing", "frame": 4_800,
        "at": 1_000.25, "framesLeft": 0, "percent": 75, "loopMode": "off", "countIn": "four",
        "countdownSeconds": 3, "countdownRepeats": "every", "restSeconds": 0.5,
      ]
      let body: JSONValue = [
        "client": .string(client), "number": .integer(number), "begins": .bool(begins),
        "note": "", "state": state,
      ]
      return String(decoding: body.serialized(), as: UTF8.self)
    }
    let stream = try listen(tablet.token, Self.laptop, at: 1)
    _ = stream.takePending()
    let begun = clients[0].send(
      .put, target, token: phone.token, json: message(1, Self.phone, begins: true))
    #expect(begun.status == 200)
    let follower = "{\"client\":\"\(Self.laptop)\"}"
    #expect(
      clients[1].send(.put, "\(target)/followers", token: tablet.token, json: follower).status
        == 204)
    try settle()
    #expect(stream.takePending().contains("event: lead\n"))
    // The leader's next message goes to the other server.
    #expect(
      clients[1].send(.put, target, token: phone.token, json: message(2, Self.phone)).text
        == "{\"followers\":1}")
    #expect(
      clients[1].send(.put, target, token: tablet.token, json: message(1, Self.laptop)).status
        == 409)
    #expect(
      clients[0].send(.delete, "\(target)?client=\(Self.phone)", token: phone.token).status == 204)
    try settle()
    #expect(stream.takePending().contains("\"state\":null"))
    // A message that arrives late begins it again at neither.
    let late = message(3, Self.phone, begins: true)
    for client in clients {
      #expect(client.send(.put, target, token: phone.token, json: late).status == 409)
    }
    #expect(
      clients[0].send(.put, "\(target)/followers", token: tablet.token, json: follower).status
        == 404)
  }

  @Test func `a job of a kind that only a later version knows waits for its server`() throws {
    let library = studios[0].library
    let job = JobRow(id: Identifier.make(milliseconds: 1), kind: "rehearse", parameters: "{}")
    try library.jobs.write { writer throws(DatabaseError) in try writer.add(job, now: 1) }
    for studio in studios {
      try studio.runner.resume()
      studio.runner.enqueue(job)
      studio.runner.waitUntilIdle()
    }
    #expect(try library.jobs.job(job.id) == job)
    #expect(studios.allSatisfy { studio in studio.log.all.allSatisfy { !$0.contains(" job.") } })
  }

  /// Opens the library with a schema of a later version, as the first server of that does.
  private func openLater() throws -> PostgreSQLEngine {
    let steps = PostgreSQLSchema.current.steps + ["ALTER TABLE record ADD tempo bigint"]
    let address = try #require(try studios[0].library.folder.databaseAddress)
    return try PostgreSQLEngine(
      address: address, isShared: true, schema: PostgreSQLSchema(steps: steps))
  }

  @Test func `beside a later version's server, a backup and unknown changes are to come again`()
    throws
  {
    let change = """
      {"id":"\(Identifier.make(milliseconds: 1))","type":"rehearsal","fields":{"tempo":1},
      "record":"\(Identifier.make(milliseconds: 1))","at":"1700000000000-0000-0000beef"}
      """
    func sync() -> TestStudio.Answer {
      studios[0].post("/api/sync", "{\"since\":0,\"changes\":[\(change)]}")
    }
    #expect(sync().text.contains("There is no record type"))
    let later = try openLater()
    for answer in [sync(), studios[0].send(.get, "/api/backup")] {
      #expect(answer.status == 503)
      #expect(answer.headers["Retry-After"] != nil)
    }
    #expect(studios[0].post("/api/sync", "{\"since\":0,\"changes\":[]}").status == 200)
    #expect(later.number != nil)
  }

  @Test func `a backup job waits beside a later version's server, until that one runs it`() throws {
    let folder = try TemporaryFolder()
    let data = try TemporaryFolder()
    let address = try #require(try studios[0].library.folder.databaseAddress)
    _ = try data.write("database.address", Array(address.utf8))
    let studio = try TestStudio(
      in: data, backupPlan: BackupPlan(path: folder.path, everyHours: nil, keep: 2), isShared: true)
    let later = try openLater()
    let job = try studio.library.backups.add()
    try studio.runner.enqueue(#require(try studio.library.jobs.job(job)))
    studio.runner.waitUntilIdle()
    let status = try #require(try studio.runner.status(job))
    #expect(status.state == .queued)
    #expect(status.message?.contains("Update this server") == true)
    #expect(later.number != nil)
  }
}
