// Random histories of edits, links, revocations and ends: what a visitor may read is compared with a
// plain second definition after each step.

import Database
import FoundationEssentials
import HTTP
import Model
import Storage
import TestSupport
import Testing

@testable import Server

@Suite struct LinkHistoriesTests {
  private static let count =
    Int(ProcessInfo.processInfo.environment["SEGMANCE_LINK_HISTORIES"] ?? "") ?? 1_000

  @Test func `no visitor reads a record outside the link, over random histories`() throws {
    let world = try LinkWorld()
    for seed in 0..<Self.count {
      var history = LinkHistory(world, seed: UInt64(seed))
      let problem = try history.problem()
      try #require(problem == nil, "seed \(seed): \(problem ?? "")")
    }
  }

  @Test(arguments: LinkHistory.Fault.allCases)
  func `a wrong decision is noticed`(fault: LinkHistory.Fault) throws {
    let world = try LinkWorld()
    let isNoticed = try (0..<200).contains { seed in
      var history = LinkHistory(world, seed: UInt64(seed), fault: fault)
      return try history.problem() != nil
    }
    #expect(isNoticed)
  }
}

/// The library in which the histories take place. Each has records of its own.
final class LinkWorld {
  let folder: TemporaryFolder
  let clock = TestClock()
  let records: RecordStore
  let people: People
  let links: Links

  init() throws {
    folder = try TemporaryFolder()
    try TestDatabase.prepare(folder)
    let database = try LibraryDatabase(of: DataDirectory(root: folder.path))
    records = RecordStore(database: database)
    people = try People(store: PeopleStore(database: database))
    links = try Links(store: LinkStore(database: database), now: clock.now)
  }
}

/// One history.
struct LinkHistory {
  /// A wrong belief of the second definition, which the comparison must notice.
  enum Fault: CaseIterable, Sendable {
    /// Deleted records are still shown.
    case showsDeleted
    /// A part's link shows the whole routine.
    case ignoresParts
    /// A revoked link still counts.
    case forgetsRevocations
    /// A link never ends.
    case neverEnds
    /// The songs of all routines are shown.
    case showsAllTracks
  }

  private struct Key: Hashable {
    var type: RecordType
    var id: String
  }

  private struct Made {
    var row: LinkRow
    var isRevoked = false
  }

  private let world: LinkWorld
  private let fault: Fault?
  private var random: SeededGenerator
  private var stamp = 1_700_000_000_000
  private var state: [Key: [String: Value]] = [:]
  private var made: [Made] = []
  private static let types: [RecordType] = [
    .routine, .part, .move, .spot, .moveType, .track, .video, .recording, .gridCorrection, .clip,
    .plan, .practiceEntry, .runThrough, .comment,
  ]

  init(_ world: LinkWorld, seed: UInt64, fault: Fault? = nil) {
    self.world = world
    self.fault = fault
    random = SeededGenerator(seed: seed)
  }

  /// Plays the history; returns what is wrong, or nil.
  mutating func problem() throws -> String? {
    // The library has room for a number of links only.
    defer { for link in made { _ = try? world.links.revoke(link.row.id) } }
    for type in Self.types {
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        state[Key(type: type, id: newId())] = [:]
      }
    }
    try edit(state.keys.sorted { ($0.type.rawValue, $0.id) < ($1.type.rawValue, $1.id) })
    for _ in 0..<Int.random(in: 2...5, using: &random) {
      try step()
      if let problem = try difference() { return problem }
    }
    return nil
  }

  private mutating func newId() -> String {
    let bytes = (0..<2).map { _ in random.next() }
    let digits = bytes.map {
      String(repeating: "0", count: 16 - String($0, radix: 16).count) + String($0, radix: 16)
    }.joined()
    let d = Array(digits)
    return String(d[0..<8]) + "-" + String(d[8..<12]) + "-7" + String(d[13..<16]) + "-8"
      + String(d[17..<20]) + "-" + String(d[20..<32])
  }

  private mutating func step() throws {
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1:
      let keys = state.keys.sorted { ($0.type.rawValue, $0.id) < ($1.type.rawValue, $1.id) }
      try edit((0..<4).map { _ in keys.randomElement(using: &random)! })
    case 2, 3:
      guard let routine = pick(.routine) else { return }
      let part = Bool.random(using: &random) ? pick(.part) : nil
      let row = try world.links.add(
        LinkScope(routine: routine, part: part), frames: nil,
        expiresAt: world.clock.now() + Int.random(in: 1...1_000, using: &random),
        passcodeHash: nil)
      made.append(Made(row: row))
    case 4:
      guard let index = made.indices.randomElement(using: &random), !made[index].isRevoked
      else { return }
      made[index].isRevoked = try world.links.revoke(made[index].row.id)
    default: world.clock.advance(Int.random(in: 0...400, using: &random))
    }
  }

  private mutating func pick(_ type: RecordType) -> String? {
    state.keys.filter { $0.type == type }.map(\.id).sorted().randomElement(using: &random)
  }

  /// Gives records random fields, parents and neighbours, deletes some and brings others back.
  private mutating func edit(_ keys: [Key]) throws {
    var changes: [Change] = []
    for key in keys {
      var fields: [String: Value] = [:]
      for field in key.type.fields where Int.random(in: 0..<4, using: &random) > 0 {
        switch field.kind {
        case .reference:
          let type = field.name == "routine" ? RecordType.routine : RecordType(rawValue: field.name)
          let value = type.flatMap { pick($0) }
          if let value { fields[field.name] = .text(value) }
        case .line, .lines:
          if ["title", "name", "notes"].contains(field.name) {
            fields[field.name] = .text("of \(key.id)".prefix(25).description)
          }
        case .position: fields[field.name] = "V"
        default: break
        }
      }
      switch Int.random(in: 0..<5, using: &random) {
      case 0: fields["deletedAt"] = 1
      case 1, 2: fields["deletedAt"] = .null
      default: break
      }
      guard !fields.isEmpty else { continue }
      stamp += 1
      changes.append(
        Change(
          id: newId(), type: key.type, record: key.id, fields: fields,
          at: Stamp(milliseconds: stamp, counter: 0, device: 1)))
      state[key, default: [:]].merge(fields) { $1 }
    }
    _ = try world.records.apply(changes)
  }

  /// Whether a record is there.
  private func isThere(_ type: RecordType, _ id: String?) -> Bool {
    guard let id, let fields = state[Key(type: type, id: id)], !fields.isEmpty else { return false }
    if fault == .showsDeleted { return true }
    return fields["deletedAt"] ?? .null == .null
  }

  /// What a link shows, by walking from each record upwards.
  private func shown(by scope: LinkScope) -> Set<Key> {
    func field(_ key: Key, _ name: String) -> String? { state[key]?[name]?.text }
    func isShownPart(_ id: String?) -> Bool {
      guard let id, isThere(.part, id), isThere(.routine, scope.routine) else { return false }
      return field(Key(type: .part, id: id), "routine") == scope.routine
        && (scope.part == nil || scope.part == id || fault == .ignoresParts)
    }
    let parts = state.keys.filter { $0.type == .part && isShownPart($0.id) }
    let moves = state.keys.filter {
      $0.type == .move && isThere(.move, $0.id) && isShownPart(field($0, "part"))
    }
    func isNamed(_ key: Key, by name: String, in owners: [Key]) -> Bool {
      owners.contains { field($0, name) == key.id }
    }
    return Set(
      state.keys.filter { key in
        guard isThere(key.type, key.id) else { return false }
        switch key.type {
        case .routine: return key.id == scope.routine && (scope.part == nil || !parts.isEmpty)
        case .part: return parts.contains(key)
        case .move: return moves.contains(key)
        case .spot: return isShownPart(field(key, "part"))
        case .moveType: return isNamed(key, by: "moveType", in: moves)
        case .track: return fault == .showsAllTracks || isNamed(key, by: "track", in: parts)
        case .video: return isNamed(key, by: "video", in: parts)
        case .recording: return isNamed(key, by: "recording", in: moves)
        case .gridCorrection:
          guard let track = field(key, "track"), isThere(.track, track) else { return false }
          return isNamed(Key(type: .track, id: track), by: "track", in: parts)
        case .clip, .comment, .plan, .practiceEntry, .runThrough, .setting: return false
        }
      })
  }

  /// Compares what each link's visitor may read, and is sent, with the second definition.
  private func difference() throws -> String? {
    let permissions = Permissions(
      people: world.people, links: world.links, records: world.records, spacesOfJob: { _ in nil })
    for link in made {
      let id = link.row.id
      let isValid =
        (!link.isRevoked || fault == .forgetsRevocations)
        && (world.clock.now() < link.row.expiresAt || fault == .neverEnds)
      guard world.links.isValid(id) == isValid else { return "the link \(id) itself" }
      let expected = isValid ? shown(by: link.row.scope) : []
      let visitor = Caller.visitor([id])
      for key in state.keys {
        let may = try permissions.allows(visitor, to: .read, .record(key.type, key.id))
        guard may == expected.contains(key) else { return "\(key.type) \(key.id)" }
        if try permissions.allows(visitor, to: .write, .record(key.type, key.id)) {
          return "writes \(key.type) \(key.id)"
        }
      }
      guard isValid else { continue }
      struct Entry: Decodable, Hashable {
        let type: RecordType
        let id: String
      }
      let sent = try world.records.records(of: link.row.scope).map {
        try JSONDecoder().decode(Entry.self, from: Data($0.utf8))
      }
      guard Set(sent.map { Key(type: $0.type, id: $0.id) }) == expected,
        sent.count == expected.count
      else { return "the records of \(id)" }
      func titles(_ keys: some Collection<Key>) -> Set<String> {
        Set(
          keys.filter { [.part, .move].contains($0.type) }
            .compactMap { state[$0]?["title"]?.text })
      }
      let spoken = titles(expected)
      for title in titles(state.keys) {
        let may = try permissions.allows(visitor, to: .read, .title(title))
        guard may == spoken.contains(title) else { return "the title “\(title)”" }
      }
    }
    let ids = Set(made.map(\.row.id))
    if try permissions.allows(.stranger, to: .read, .link(ids.first ?? "")) { return "strangers" }
    return nil
  }
}

extension Permissions {
  /// Whether a caller may do something with a thing.
  func allows(_ caller: Caller, to action: ResourceAction, _ thing: Thing) throws -> Bool {
    try answer(caller, to: action, thing) == .yes
  }
}
