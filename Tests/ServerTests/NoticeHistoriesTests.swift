// Random histories of comments, groups, devices, moves and deletions: who is notified of what is compared
// with a plain second definition at the moment of each message.

import FoundationEssentials
import HTTPClient
import Model
import Synchronization
import TestSupport
import Testing

@testable import Database
@testable import Server

@Suite struct NoticeHistoriesTests {
  private static let count =
    Int(ProcessInfo.processInfo.environment["SEGMANCE_NOTICE_HISTORIES"] ?? "") ?? 150

  @Test func `who may see a comment hears of it, and nobody else, over random histories`() throws {
    let world = try NoticeWorld()
    for seed in 0..<Self.count {
      var history = try NoticeHistory(world, seed: UInt64(seed))
      let problem = try history.problem()
      try #require(problem == nil, "seed \(seed): \(problem ?? "")")
    }
  }

  @Test(arguments: NoticeHistory.Fault.allCases)
  func `a wrong decision is noticed`(fault: NoticeHistory.Fault) throws {
    let world = try NoticeWorld()
    let isNoticed = try (0..<100).contains { seed in
      var history = try NoticeHistory(world, seed: UInt64(seed), fault: fault)
      return try history.problem() != nil
    }
    #expect(isNoticed)
  }
}

/// The library in which the histories take place. Each has people and groups of its own.
final class NoticeWorld {
  let studio: TestStudio
  let library: Library
  let service = StubPushService()
  let clock = TestClock(0)
  let wall = TestClock(Library.now())
  let notifier: Notifier

  init() throws {
    studio = try TestStudio(now: wall.now)
    library = studio.library
    notifier = try Notifier(library: library, options: try service.options, clock: clock.now)
    library.commentRelay.connect(notifier)
  }
}

/// One history of four people with five devices, and two groups with a routine each.
struct NoticeHistory {
  /// A wrong belief of the second definition, which the comparison must notice.
  enum Fault: CaseIterable, Sendable {
    /// Who has left a group still hears of it.
    case leaversHear
    /// One hears of one's own comments.
    case authorsHear
    /// Everybody hears of everything.
    case levelsAreNothing
    /// A mention reaches people outside the group.
    case mentionsReachAnybody
    /// Revoked devices hear.
    case revokedHear
    /// What was deleted is told.
    case deletedIsTold
    /// Who has come late hears of what was there before.
    case lateComersHear
  }

  private struct Device {
    let id: String
    let browser: String
    let person: String
    let level: PushSubscription.Level
    var isRevoked = false
  }

  private struct Said {
    let author: String
    let mentions: Set<String>
    let routine: Int
    /// On the move of the routine; else on a moment of its part.
    let isOnMove: Bool
    /// Who was in the group when it came in.
    let wereThere: Set<String>
    var isDeleted = false
  }

  private struct Staged {
    let id: String
    let part: String
    let move: String
    /// A group, or the person who took it.
    var space: String
    var isMoveDeleted = false
    var isPartDeleted = false
    var isDeleted = false
  }

  private let world: NoticeWorld
  private let fault: Fault?
  private var random: SeededGenerator
  private var stamp = 1_700_000_000_000
  private var people: [String] = []
  private var groups: [String] = []
  private var members: [String: [String: Role]] = [:]
  /// Who was ever in a group.
  private var everIn: [String: Set<String>] = [:]
  private var devices: [Device] = []
  private var routines: [Staged] = []
  private var comments: [String: Said] = [:]
  /// The comments that came in since messages were last sent.
  private var fresh: [String] = []
  private let name: String

  init(_ world: NoticeWorld, seed: UInt64, fault: Fault? = nil) throws {
    self.world = world
    self.fault = fault
    random = SeededGenerator(seed: seed)
    name = "\(seed)\(fault.map { "\($0)" } ?? "")"
    let registry = world.library.people
    for number in 0..<4 {
      people.append(try registry.add(name: "P\(number)", colour: "#000000", now: 1).id)
    }
    for (number, person) in (people + [people[1]]).enumerated() {
      let level = PushSubscription.Level.allCases.randomElement(using: &random)!
      let row = try world.library.devices.pair(
        name: "Phone", person: person, replacing: nil
      ).row
      let browser = "\(name)-\(number)"
      let push = world.service.subscribe(browser, level: level)
      try #require(try world.library.devices.subscribe(row.id, push))
      devices.append(Device(id: row.id, browser: browser, person: person, level: level))
    }
    for leader in people.prefix(2) {
      let group = try registry.addGroup(name: "G", members: [:], by: leader, now: 1).id
      groups.append(group)
      members[group] = [leader: .owner]
      everIn[group] = [leader]
      let staged = Staged(id: id(), part: id(), move: id(), space: group)
      routines.append(staged)
      try edit(.routine, staged.id, ["title": "R"], by: leader, in: group)
      try edit(
        .part, staged.part, ["routine": .text(staged.id), "title": "P", "position": "V"],
        by: leader)
      try edit(
        .move, staged.move, ["part": .text(staged.part), "title": "M", "position": "V"],
        by: leader)
    }
  }

  /// Plays the history; returns what is wrong, or nil.
  mutating func problem() throws -> String? {
    defer {
      for device in devices where !device.isRevoked { try? world.library.revoke(device.id) }
    }
    for _ in 0..<Int.random(in: 10...40, using: &random) {
      try step()
      if Int.random(in: 0..<3, using: &random) == 0, let problem = try send() { return problem }
    }
    return try send()
  }

  private mutating func step() throws {
    let group = groups.randomElement(using: &random)!
    let person = people.randomElement(using: &random)!
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: try setRole([.teacher, .performer].randomElement(using: &random)!, person, group)
    case 2: try setRole(nil, person, group)
    case 3 where Int.random(in: 0..<4, using: &random) == 0:
      let index = devices.indices.randomElement(using: &random)!
      if !devices[index].isRevoked {
        try world.library.revoke(devices[index].id)
        devices[index].isRevoked = true
      }
    case 4: try deleteSomething()
    case 5 where Int.random(in: 0..<3, using: &random) == 0: try move()
    default: try comment(by: person)
    }
  }

  private func readers(_ space: String) -> Set<String> {
    members[space].map { Set($0.keys) } ?? [space]
  }

  private mutating func setRole(_ role: Role?, _ person: String, _ group: String) throws {
    // The leader stays.
    guard members[group]?[person] != .owner, role != nil || members[group]?[person] != nil else {
      return
    }
    _ = try world.library.people.set(role, of: person, in: group, now: 1)
    let wasIn = members[group]?[person] != nil
    members[group]?[person] = role
    if role != nil, !wasIn {
      everIn[group]?.insert(person)
      // Of what was there already, nothing is new to who comes.
      for (id, said) in comments where routines[said.routine].space == group {
        comments[id] = Said(
          author: said.author, mentions: said.mentions, routine: said.routine,
          isOnMove: said.isOnMove, wereThere: said.wereThere.subtracting([person]),
          isDeleted: said.isDeleted)
      }
    }
  }

  private mutating func comment(by person: String) throws {
    let index = routines.indices.randomElement(using: &random)!
    let staged = routines[index]
    guard readers(staged.space).contains(person) else { return }
    let mentions = Set(people.filter { _ in Int.random(in: 0..<3, using: &random) == 0 })
    let isOnMove = Bool.random(using: &random)
    var fields: [String: Value] = ["routine": .text(staged.id), "text": "C"]
    if isOnMove {
      fields["move"] = .text(staged.move)
    } else {
      (fields["part"], fields["startFrame"]) = (.text(staged.part), 5)
    }
    if !mentions.isEmpty { fields["mentions"] = .text(mentions.sorted().joined(separator: "\n")) }
    let comment = id()
    try edit(.comment, comment, fields, by: person)
    comments[comment] = Said(
      author: person, mentions: mentions, routine: index, isOnMove: isOnMove,
      wereThere: Set(people))
    fresh.append(comment)
  }

  /// Deletes a comment, a move, a part or a routine, or brings it back.
  private mutating func deleteSomething() throws {
    let index = routines.indices.randomElement(using: &random)!
    let staged = routines[index]
    let editor = members[staged.space]?.first { $0.value == .owner }?.key ?? staged.space
    switch Int.random(in: 0..<5, using: &random) {
    case 0:
      routines[index].isMoveDeleted.toggle()
      try delete(.move, staged.move, routines[index].isMoveDeleted, by: editor)
    case 1:
      routines[index].isPartDeleted.toggle()
      try delete(.part, staged.part, routines[index].isPartDeleted, by: editor)
    case 2:
      routines[index].isDeleted.toggle()
      try delete(.routine, staged.id, routines[index].isDeleted, by: editor)
    default:
      guard let id = fresh.randomElement(using: &random), let said = comments[id] else { return }
      let space = routines[said.routine].space
      let leader = members[space]?.first { $0.value == .owner }?.key ?? space
      comments[id]?.isDeleted.toggle()
      try delete(.comment, id, !said.isDeleted, by: leader)
    }
  }

  /// Lets the leader of a group take its routine, or give it back.
  private mutating func move() throws {
    let index = routines.indices.randomElement(using: &random)!
    guard !routines[index].isDeleted else { return }
    let (group, leader) = (groups[index], people[index])
    let target = routines[index].space == group ? leader : group
    try world.library.move(
      routine: routines[index].id, to: target == leader ? nil : group,
      by: world.library.people.viewer(leader))
    routines[index].space = target
  }

  // MARK: - Messages

  /// Sends what waits, with the answers of a push service that sometimes fails, and compares.
  private mutating func send() throws -> String? {
    defer { fresh = [] }
    let isFailing = Int.random(in: 0..<4, using: &random) == 0
    let attempted = Mutex<[(browser: String, comment: String)]>([])
    world.service.onArrival { message in
      attempted.withLock { $0.append((message.browser, message.text.comment)) }
    }
    world.service.answer { _ in
      if isFailing { throw HTTPClient.Failure(.failed, "no route") }
      return HTTPClient.Response(status: 201)
    }
    world.clock.advance(Notifier.delays[3])
    _ = world.notifier.step()
    _ = world.service.taken()
    for (browser, comment) in attempted.withLock({ $0 }) {
      guard let device = devices.first(where: { $0.browser == browser }),
        let said = comments[comment], shouldHear(device, said)
      else { return "\(browser) heard of \(comment)" }
    }
    if isFailing { return nil }
    // Of several about one routine, the last one is enough; mentions apart.
    let heard = attempted.withLock { Set($0.map { "\($0.browser) \($0.comment)" }) }
    for device in devices {
      for (routine, isMention) in [(0, false), (0, true), (1, false), (1, true)] {
        let last = fresh.last { id in
          guard let said = comments[id], said.routine == routine else { return false }
          return said.mentions.contains(device.person) == isMention && shouldHear(device, said)
        }
        if let last, !heard.contains("\(device.browser) \(last)") {
          return "\(device.browser) did not hear of \(last)"
        }
      }
    }
    return nil
  }

  /// Whether a device is to hear of a comment now, by the second definition.
  private func shouldHear(_ device: Device, _ said: Said) -> Bool {
    let staged = routines[said.routine]
    let isMention = said.mentions.contains(device.person)
    var mayRead = readers(staged.space).contains(device.person)
    if fault == .leaversHear {
      mayRead = mayRead || everIn[staged.space]?.contains(device.person) == true
    }
    if fault == .mentionsReachAnybody { mayRead = mayRead || isMention }
    let isThere =
      !(said.isDeleted || staged.isDeleted || staged.isPartDeleted
      || (said.isOnMove && staged.isMoveDeleted))
    return mayRead
      && (isThere || fault == .deletedIsTold)
      && (said.wereThere.contains(device.person) || fault == .lateComersHear)
      && (said.author != device.person || fault == .authorsHear)
      && (isMention || device.level == .all || fault == .levelsAreNothing)
      && (!device.isRevoked || fault == .revokedHear)
  }

  // MARK: - Edits

  private mutating func id() -> String {
    Identifier.make(milliseconds: Int.random(in: 0..<1 << 40, using: &random))
  }

  private mutating func delete(
    _ type: RecordType, _ id: String, _ isDeleted: Bool, by person: String
  ) throws {
    try edit(type, id, ["deletedAt": isDeleted ? 5 : .null], by: person)
  }

  private mutating func edit(
    _ type: RecordType, _ record: String, _ fields: [String: Value], by person: String,
    in space: String? = nil
  ) throws {
    stamp += 1
    let change = Change(
      id: id(), type: type, record: record, fields: fields,
      at: Stamp(milliseconds: stamp, counter: 0, device: 1), space: space)
    let rejected = try world.library.take(
      [.change(change)], by: world.library.people.viewer(person))
    try #require(rejected.isEmpty)
  }
}
