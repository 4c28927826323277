// Who is notified of a comment, of what, and when again if a push service does not take it.

import FoundationEssentials
import HTTP
import HTTPClient
import Logging
import Media
import Model
import Network
import Storage
import TestSupport
import Testing

@testable import Database
@testable import Server

/// A group with its routine, whose members' devices are notified through a stub.
final class NotifiedTroupe {
  let studio: TestStudio
  let library: Library
  let service = StubPushService()
  let clock = TestClock(0)
  let wall: TestClock
  let notifier: Notifier
  /// Ana leads, Ben and Eva are in the group, Zoe is not.
  let ana, ben, eva, zoe: String
  let group: String
  let routine = Identifier.make(milliseconds: 1)
  let part = Identifier.make(milliseconds: 1)
  let move = Identifier.make(milliseconds: 1)
  private var stamp = 1_700_000_000_000

  init() throws {
    wall = TestClock(Library.now())
    studio = try TestStudio(now: wall.now)
    library = studio.library
    notifier = try Notifier(library: library, options: try service.options, clock: clock.now)
    let people = library.people
    func add(_ name: String) throws -> String {
      try people.add(name: name, colour: "#000000", now: 1).id
    }
    (ana, ben, eva, zoe) = (try add("Ana"), try add("Ben"), try add("Eva"), try add("Zoe"))
    group =
      try people.addGroup(
        name: "Class", members: [ben: .performer, eva: .performer], by: ana, now: 1
      ).id
    library.commentRelay.connect(notifier)
    try take(by: ana, .routine, routine, ["title": "Swan"], in: group)
    try take(by: ana, .part, part, ["routine": .text(routine), "title": "Part 1", "position": "V"])
    try take(by: ana, .move, move, ["part": .text(part), "title": "Arabesque", "position": "V"])
  }

  func take(
    by person: String, _ type: RecordType, _ id: String, _ fields: [String: Value],
    in space: String? = nil
  ) throws {
    stamp += 1
    let change = Change(
      id: Identifier.make(milliseconds: 1), type: type, record: id, fields: fields,
      at: Stamp(milliseconds: stamp, counter: 0, device: 1), space: space)
    let rejected = try library.take([.change(change)], by: library.people.viewer(person))
    try #require(rejected.isEmpty)
  }

  /// Lets somebody comment on the move. Returns the comment's id.
  @discardableResult
  func comment(
    by person: String, _ text: String = "Arms!", mentioning mentioned: [String] = [],
    on place: [String: Value]? = nil
  ) throws -> String {
    let id = Identifier.make(milliseconds: 1)
    var fields: [String: Value] = place ?? ["move": .text(move)]
    fields["routine"] = .text(routine)
    fields["text"] = .text(text)
    if !mentioned.isEmpty { fields["mentions"] = .text(mentioned.joined(separator: "\n")) }
    try take(by: person, .comment, id, fields)
    return id
  }

  /// Adds a device that is notified.
  @discardableResult
  func device(
    of person: String, _ browser: String, _ level: PushSubscription.Level = .mentions,
    language: String = "en", until endsAt: Int? = nil
  ) throws -> String {
    let row = try library.devices.pair(
      name: "Phone", person: person, replacing: nil, until: endsAt
    ).row
    let push = service.subscribe(browser, level: level, language: language)
    try #require(try library.devices.subscribe(row.id, push))
    return row.id
  }

  /// Sends what is due. Returns the browsers that got a message, in order.
  func sent() -> [String] {
    _ = notifier.step()
    return service.taken().map(\.browser).sorted()
  }
}

@Suite struct NotifierTests {
  private let troupe: NotifiedTroupe

  init() throws { troupe = try NotifiedTroupe() }

  @Test func `a mention reaches who is mentioned, and other comments those who want all`() throws {
    try troupe.device(of: troupe.ben, "ben")
    try troupe.device(of: troupe.eva, "eva", .all)
    try troupe.comment(by: troupe.ana)
    #expect(troupe.sent() == ["eva"])
    try troupe.comment(by: troupe.ana, mentioning: [troupe.ben])
    #expect(troupe.sent() == ["ben", "eva"])
  }

  @Test func `nobody hears of their own comment, on any device`() throws {
    try troupe.device(of: troupe.ben, "phone", .all)
    try troupe.device(of: troupe.ben, "tablet", .all)
    try troupe.comment(by: troupe.ben, mentioning: [troupe.ben])
    #expect(troupe.sent().isEmpty)
    try troupe.comment(by: troupe.eva)
    #expect(troupe.sent() == ["phone", "tablet"])
  }

  @Test func `a message says who, where and what, and how long it is kept`() throws {
    try troupe.device(of: troupe.ben, "ben", language: "es")
    let comment = try troupe.comment(by: troupe.ana, "Arms up, @Ben!", mentioning: [troupe.ben])
    _ = troupe.notifier.step()
    let message = try #require(troupe.service.messages.first)
    #expect(
      message.text
        == StubPushService.Notice(
          language: "es", routine: troupe.routine, part: troupe.part, comment: comment, who: "Ana",
          where: ["Swan", "Part 1", "Arabesque"], text: "Arms up, @Ben!", isMention: true))
    #expect(message.headers["TTL"] == "259200")
    #expect(message.headers["Urgency"] == "normal")
    #expect(message.headers["Content-Encoding"] == "aes128gcm")
    #expect(message.headers["Topic"]?.wholeMatch(of: /[A-Za-z0-9_-]{32}/) != nil)
    #expect(
      message.headers["Authorization"]?.hasSuffix(", k=\(troupe.notifier.publicKey)") == true)
  }

  @Test func `a comment on a moment names the part, and texts without end are cut`() throws {
    try troupe.device(of: troupe.ben, "ben", .all)
    let text = String(repeating: "🩰\"", count: 400)
    let title = String(repeating: "🩰", count: 60)
    try troupe.take(by: troupe.ana, .routine, troupe.routine, ["title": .text(title)])
    try troupe.comment(by: troupe.ana, text, on: ["part": .text(troupe.part), "startFrame": 9])
    _ = troupe.notifier.step()
    let notice = try #require(troupe.service.messages.first).text
    #expect(notice.where == [String(repeating: "🩰", count: 19) + "…", "Part 1"])
    #expect(notice.text.hasPrefix("🩰\"🩰\"") && notice.text.hasSuffix("…"))
    #expect((390...400).contains(notice.text.utf8.count))
  }

  @Test func `messages about one routine replace each other at the service, mentions apart`() throws
  {
    try troupe.device(of: troupe.ben, "ben", .all)
    try troupe.device(of: troupe.eva, "eva", .all)
    func topics(_ mentioned: [String]) throws -> [String: String] {
      try troupe.comment(by: troupe.ana, mentioning: mentioned)
      _ = troupe.notifier.step()
      return Dictionary(
        uniqueKeysWithValues: troupe.service.taken().map { ($0.browser, $0.headers["Topic"] ?? "") }
      )
    }
    let (first, second) = (try topics([]), try topics([]))
    let mention = try topics([troupe.ben, troupe.eva])
    #expect(first == second)
    #expect(Set([first, mention].flatMap(\.values)).count == 4)
  }

  @Test func `of several comments that wait, the last one about a routine is sent`() throws {
    try troupe.device(of: troupe.ben, "ben", .all)
    for text in ["one", "two", "three"] { try troupe.comment(by: troupe.ana, text) }
    try troupe.comment(by: troupe.ana, "four", mentioning: [troupe.ben])
    _ = troupe.notifier.step()
    #expect(troupe.service.taken().map(\.text.text) == ["three", "four"])
  }

  @Test func `what is deleted before it is sent is told to nobody, nor what is on it`() throws {
    try troupe.device(of: troupe.ben, "ben", .all)
    let gone: [(RecordType, String?)] = [
      (.comment, nil), (.move, troupe.move), (.part, troupe.part), (.routine, troupe.routine),
    ]
    for (type, id) in gone {
      let comment = try troupe.comment(by: troupe.ana)
      try troupe.take(by: troupe.ana, type, id ?? comment, ["deletedAt": 5])
      #expect(troupe.sent().isEmpty, "\(type)")
      if let id { try troupe.take(by: troupe.ana, type, id, ["deletedAt": .null]) }
    }
    try troupe.comment(by: troupe.ana)
    #expect(troupe.sent() == ["ben"])
  }

  @Test func `a comment that is edited, deleted or back again sends nothing anew`() throws {
    try troupe.device(of: troupe.ben, "ben", .all)
    let comment = try troupe.comment(by: troupe.ana)
    #expect(troupe.sent() == ["ben"])
    let edits: [[String: Value]] = [
      ["text": "Legs!"], ["mentions": .text(troupe.ben)], ["deletedAt": 7], ["deletedAt": .null],
    ]
    for fields in edits {
      try troupe.take(by: troupe.ana, .comment, comment, fields)
      #expect(troupe.sent().isEmpty, "\(fields)")
    }
  }

  @Test func `who is taken out of the group, or is not in it, hears nothing`() throws {
    try troupe.device(of: troupe.ben, "ben", .all)
    try troupe.device(of: troupe.zoe, "zoe", .all)
    try troupe.comment(by: troupe.ana, mentioning: [troupe.ben, troupe.zoe])
    _ = try troupe.library.people.set(nil, of: troupe.ben, in: troupe.group, now: 1)
    #expect(troupe.sent().isEmpty)
    // Who comes back later does not hear of what came in meanwhile.
    try troupe.comment(by: troupe.ana, mentioning: [troupe.ben, troupe.zoe])
    _ = try troupe.library.people.set(.performer, of: troupe.ben, in: troupe.group, now: 1)
    #expect(troupe.sent().isEmpty)
    try troupe.comment(by: troupe.ana)
    #expect(troupe.sent() == ["ben"])
  }

  @Test func `a device that is revoked, signed out or at its end hears nothing`() throws {
    let revoked = try troupe.device(of: troupe.ben, "revoked", .all)
    let end = troupe.wall.now() + 1_000
    try troupe.device(of: troupe.ben, "ended", .all, until: end)
    try troupe.device(of: troupe.ben, "stays", .all)
    try troupe.comment(by: troupe.ana)
    #expect(troupe.sent() == ["ended", "revoked", "stays"])
    try troupe.comment(by: troupe.ana)
    try troupe.library.revoke(revoked)
    troupe.wall.advance(1_000)
    #expect(troupe.sent() == ["stays"])
    try troupe.library.remove(person: troupe.ben)
    try troupe.comment(by: troupe.ana, mentioning: [troupe.ben])
    #expect(troupe.sent().isEmpty)
    #expect(try pushRows() == 0)
  }

  @Test func `what somebody has looked at elsewhere is not sent any more`() throws {
    try troupe.device(of: troupe.ben, "ben", .all)
    let comment = try troupe.comment(by: troupe.ana)
    let arrived = try #require(
      try troupe.library.records.record(.comment, comment)?["arrived"].integer)
    try troupe.take(
      by: troupe.ben, .routine, troupe.routine, ["commentsSeen": .integer(arrived)])
    #expect(troupe.sent().isEmpty)
  }

  @Test func `what the server edits itself, and what moves, notifies nobody`() throws {
    try troupe.device(of: troupe.ben, "ben", .all)
    try troupe.library.commit([
      Library.Edit(
        .comment, Identifier.make(milliseconds: 1),
        ["routine": .text(troupe.routine), "move": .text(troupe.move), "text": "imported"])
    ])
    #expect(troupe.sent().isEmpty)
    try troupe.comment(by: troupe.ana)
    #expect(troupe.sent() == ["ben"])
    try troupe.library.move(
      routine: troupe.routine, to: nil, by: troupe.library.people.viewer(troupe.ana))
    try troupe.library.move(
      routine: troupe.routine, to: troupe.group, by: troupe.library.people.viewer(troupe.ana))
    #expect(troupe.sent().isEmpty)
  }

  @Test(arguments: [404, 410]) func `an address that has ended is forgotten`(status: Int) throws {
    let device = try troupe.device(of: troupe.ben, "ben", .all)
    troupe.service.answer { _ in HTTPClient.Response(status: status) }
    try troupe.comment(by: troupe.ana)
    #expect(troupe.notifier.step() == nil)
    #expect(troupe.library.devices[device]?.push == nil)
    #expect(try pushRows() == 0)
  }

  @Test func `a subscription that was renewed meanwhile is not forgotten for the old one's end`()
    throws
  {
    let device = try troupe.device(of: troupe.ben, "old", .all)
    let renewed = troupe.service.subscribe("new", level: .all)
    let library = troupe.library
    troupe.service.answer { _ in
      _ = try library.devices.subscribe(device, renewed)
      return HTTPClient.Response(status: 410)
    }
    try troupe.comment(by: troupe.ana)
    _ = troupe.notifier.step()
    #expect(troupe.library.devices[device]?.push == renewed)
  }

  @Test(arguments: [400, 401, 403, 413, 301])
  func `a message that the service refuses is not sent again`(status: Int) throws {
    let device = try troupe.device(of: troupe.ben, "ben", .all)
    troupe.service.answer { _ in HTTPClient.Response(status: status) }
    try troupe.comment(by: troupe.ana)
    #expect(troupe.notifier.step() == nil)
    #expect(troupe.library.devices[device]?.push != nil)
    #expect(troupe.studio.log.all.contains { $0.contains("push.refused") })
  }

  @Test func `what fails is tried again after ever longer times, and dropped after the last`()
    throws
  {
    try troupe.device(of: troupe.ben, "ben", .all)
    troupe.service.answer { _ in throw HTTPClient.Failure(.timeout, "late") }
    try troupe.comment(by: troupe.ana)
    for (index, delay) in Notifier.delays.enumerated() {
      let due = try #require(troupe.notifier.step())
      #expect(due == troupe.clock.now() + delay)
      #expect(troupe.service.attempts == index + 1)
      troupe.clock.advance(delay - 1)
      #expect(troupe.notifier.step() == due)
      #expect(troupe.service.attempts == index + 1)
      troupe.clock.advance(1)
    }
    #expect(troupe.notifier.step() == nil)
    #expect(troupe.service.attempts == Notifier.delays.count + 1)
    #expect(troupe.studio.log.all.contains { $0.contains("push.dropped") })
  }

  @Test func `a service says how long to wait, within reason`() throws {
    try troupe.device(of: troupe.ben, "ben", .all)
    for (field, delay) in [
      ("120", 120_000), ("1", 30_000), ("99999999999999999999", 30_000), ("-5", 30_000),
      ("9000000", 30_000), ("Wed, 21 Oct 2026 07:28:00 GMT", 30_000),
    ] {
      troupe.service.answer { _ in
        HTTPClient.Response(status: 429, headers: ["retry-after": field])
      }
      try troupe.comment(by: troupe.ana)
      #expect(troupe.notifier.step() == troupe.clock.now() + delay, "\(field)")
      troupe.clock.advance(delay)
      // Another comment takes the place of the one that waits.
    }
    troupe.service.answer { _ in HTTPClient.Response(status: 201) }
    #expect(troupe.sent() == ["ben"])
  }

  @Test func `a device that is to be left alone gets no other comment meanwhile either`() throws {
    try troupe.device(of: troupe.ben, "ben", .all)
    troupe.service.answer { _ in
      HTTPClient.Response(status: 429, headers: ["retry-after": "120"])
    }
    try troupe.comment(by: troupe.ana, "first")
    #expect(troupe.notifier.step() == 120_000)
    troupe.service.answer { _ in HTTPClient.Response(status: 201) }
    troupe.clock.advance(60_000)
    try troupe.comment(by: troupe.ana, "second")
    try troupe.comment(by: troupe.ana, "third", mentioning: [troupe.ben])
    #expect(troupe.notifier.step() == 120_000)
    #expect(troupe.service.attempts == 1)
    troupe.clock.advance(60_000)
    #expect(troupe.sent() == ["ben", "ben"])
  }

  @Test func `a service that is out of reach is left alone for a while, for all devices`() throws {
    try troupe.device(of: troupe.ben, "ben", .all)
    try troupe.device(of: troupe.eva, "eva", .all)
    troupe.service.answer { _ in throw HTTPClient.Failure(.failed, "no route") }
    try troupe.comment(by: troupe.ana)
    #expect(troupe.notifier.step() == 30_000)
    #expect(troupe.service.attempts == 1)
    troupe.service.answer { _ in HTTPClient.Response(status: 201) }
    troupe.clock.advance(30_000)
    #expect(troupe.sent() == ["ben", "eva"])
  }

  @Test func `no more than a thousand comments and messages wait`() throws {
    let device = try troupe.device(of: troupe.ben, "ben", .all)
    try troupe.library.commit(
      (0..<Notifier.limit + 5).flatMap { number in
        let (routine, part) = ("\(Self.id(number, 1))", Self.id(number, 2))
        return [
          Library.Edit(.routine, routine, ["title": "R"], space: troupe.group),
          Library.Edit(
            .part, part, ["routine": .text(routine), "title": "P", "position": "V"]),
          Library.Edit(
            .comment, Self.id(number, 3),
            [
              "routine": .text(routine), "part": .text(part), "startFrame": 1, "text": "C",
              "author": .text(troupe.ana), "arrived": 1_000_000,
            ]),
        ]
      })
    let comments = (0..<Notifier.limit + 5).map { Self.id($0, 3) }
    troupe.service.answer { _ in throw HTTPClient.Failure(.failed, "no route") }
    troupe.notifier.announce(comments)
    #expect(troupe.studio.log.all.contains { $0.contains("push.dropped comments=5") })
    _ = troupe.notifier.step()
    troupe.notifier.announce(comments.suffix(5))
    _ = troupe.notifier.step()
    #expect(troupe.studio.log.all.count { $0.contains("push.dropped device=\(device)") } == 5)
    troupe.service.answer { _ in HTTPClient.Response(status: 201) }
    troupe.clock.advance(30_000)
    #expect(troupe.sent().count == Notifier.limit)
  }

  @Test func `what a subscription says that is no longer allowed is removed unsent`() throws {
    let device = try troupe.device(of: troupe.ben, "ben", .all)
    var push = troupe.service.subscribe("ben", level: .all)
    push.endpoint = "https://push.before.example/x"
    try #require(try troupe.library.devices.subscribe(device, push))
    try troupe.comment(by: troupe.ana)
    #expect(troupe.sent().isEmpty)
    #expect(troupe.service.attempts == 0)
    #expect(troupe.library.devices[device]?.push == nil)
  }

  @Test func `the key of an installation is made once`() throws {
    let again = try Notifier(library: troupe.library, options: try troupe.service.options)
    #expect(again.publicKey == troupe.notifier.publicKey)
    for damaged in ["", "x", String(repeating: "A", count: 43)] {
      try troupe.library.secrets.replaceAll(with: [PushKeyStore.name: damaged])
      #expect(throws: LibraryError.self) {
        try Notifier(library: troupe.library, options: try troupe.service.options)
      }
    }
  }

  @Test func `subscriptions outlast a restart`() throws {
    let device = try troupe.device(of: troupe.ben, "ben", .all, language: "es")
    let before = troupe.library.devices[device]?.push
    #expect(before?.language == "es")
    let anew = try Devices(store: DeviceStore(database: troupe.library.database))
    #expect(anew[device]?.push == before)
  }

  @Test func `a started notifier sends by itself, and a stopped one no more`() async throws {
    try troupe.device(of: troupe.ben, "ben", .all)
    let arrivals = AsyncStream<String>.makeStream()
    troupe.service.onArrival { arrivals.continuation.yield($0.text.text) }
    troupe.notifier.start()
    try troupe.comment(by: troupe.ana, "first")
    var texts = arrivals.stream.makeAsyncIterator()
    #expect(await texts.next() == "first")
    troupe.notifier.stop()
    try troupe.comment(by: troupe.ana, "second")
    #expect(troupe.service.attempts == 1)
  }

  private func pushRows() throws -> Int? {
    try troupe.library.database.read { connection throws(DatabaseError) in
      try connection.integer("SELECT count(*) FROM push")
    }
  }

  private static func id(_ number: Int, _ kind: Int) -> String {
    let digits = String(number, radix: 16)
    return "0000000\(kind)-0000-7000-8000-"
      + String(repeating: "0", count: 12 - digits.count) + digits
  }
}
