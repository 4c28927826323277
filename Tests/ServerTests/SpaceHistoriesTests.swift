// Random histories of edits, joins, leaves, roles and moves: what each person's copy holds is compared
// with a plain second definition after each step.

import Database
import FoundationEssentials
import HTTP
import Model
import TestSupport
import Testing

@testable import Database
@testable import Server

@Suite struct SpaceHistoriesTests {
  private static let count =
    Int(ProcessInfo.processInfo.environment["SEGMANCE_SPACE_HISTORIES"] ?? "") ?? 1_000

  @Test func `each copy holds what its person may read and nothing else, over random histories`()
    throws
  {
    let world = try LinkWorld()
    for seed in 0..<Self.count {
      var history = try SpaceHistory(world, seed: UInt64(seed))
      let problem = try history.problem()
      try #require(problem == nil, "seed \(seed): \(problem ?? "")")
    }
  }

  @Test(arguments: SpaceHistory.Fault.allCases)
  func `a wrong decision is noticed`(fault: SpaceHistory.Fault) throws {
    let world = try LinkWorld()
    let isNoticed = try (0..<200).contains { seed in
      var history = try SpaceHistory(world, seed: UInt64(seed), fault: fault)
      return try history.problem() != nil
    }
    #expect(isNoticed)
  }
}

/// One history of four people and two groups.
struct SpaceHistory {
  /// A wrong belief of the second definition, which the comparison must notice.
  enum Fault: CaseIterable, Sendable {
    /// Performers may edit.
    case performersEdit
    /// Who leaves a group keeps what they have.
    case leaversKeep
    /// What is personal is common.
    case sharesMarks
    /// Logs of others are seen in a group.
    case sharesLogs
    /// Performers may not comment.
    case silencesPerformers
    /// Who may edit may edit the comments of others.
    case editsOthersComments
  }

  private struct Key: Hashable {
    var type: RecordType
    var id: String
  }

  /// A record by the second definition.
  private struct Known {
    var space: String
    var fields: [String: Value] = [:]
    /// What people have of their own, by person.
    var own: [String: [String: Value]] = [:]
  }

  /// A client's copy of the library.
  private struct Copy {
    var since = 0
    var records: [Key: [String: Value]] = [:]
    var spaces: [Key: String] = [:]
  }

  private let world: LinkWorld
  private let fault: Fault?
  private var random: SeededGenerator
  private var stamp = 1_700_000_000_000
  private var known: [Key: Known] = [:]
  private var people: [String] = []
  private var groups: [String] = []
  /// Who was ever in a group.
  private var everIn: [String: Set<String>] = [:]
  private var copies: [String: Copy] = [:]

  init(_ world: LinkWorld, seed: UInt64, fault: Fault? = nil) throws {
    self.world = world
    self.fault = fault
    random = SeededGenerator(seed: seed)
    for number in 0..<4 {
      let person = try world.people.add(name: "P\(number)", colour: "#000000", now: 1)
      people.append(person.id)
      copies[person.id] = Copy()
    }
    for leader in people.prefix(2) {
      groups.append(try world.people.addGroup(name: "G", members: [:], by: leader, now: 1).id)
    }
  }

  /// Plays the history; returns what is wrong, or nil.
  mutating func problem() throws -> String? {
    for _ in 0..<Int.random(in: 6...24, using: &random) {
      if let problem = try step() { return problem }
      for person in people where Bool.random(using: &random) { try sync(person) }
    }
    for person in people {
      try sync(person)
      if let problem = difference(person) { return problem }
    }
    return nil
  }

  private mutating func step() throws -> String? {
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1, 2, 3: return try edit()
    case 4, 5:
      let role = [Role.teacher, .performer, .owner].randomElement(using: &random)!
      try setRole(role)
    case 6: try setRole(nil)
    default: try move()
    }
    return nil
  }

  private mutating func setRole(_ role: Role?) throws {
    let (group, person) = (
      groups.randomElement(using: &random)!, people.randomElement(using: &random)!
    )
    do {
      _ = try world.people.set(role, of: person, in: group, now: 1)
      everIn[group, default: []].insert(person)
    } catch let error as LibraryError {
      // The last leader stays, and nobody leaves who isn't there.
      guard [.conflict, .notFound].contains(error.code) else { throw error }
    }
  }

  private func role(of person: String, in space: String) -> Role? {
    space == person ? .owner : world.people.group(space)?.members[person]
  }

  // MARK: - Edits

  private mutating func id() -> String {
    Identifier.make(milliseconds: Int.random(in: 0..<1 << 40, using: &random))
  }

  private mutating func pick(_ type: RecordType, in spaces: [String]? = nil) -> String? {
    known.filter { $0.key.type == type && spaces?.contains($0.value.space) ?? true }
      .map(\.key.id).sorted().randomElement(using: &random)
  }

  /// Lets somebody change a record, or make one.
  private mutating func edit() throws -> String? {
    let author = people.randomElement(using: &random)!
    let type: RecordType = [
      .routine, .part, .move, .moveType, .track, .plan, .practiceEntry, .gridCorrection, .comment,
      .comment,
    ].randomElement(using: &random)!
    let isNew = Bool.random(using: &random)
    let record = (isNew ? nil : type.hasAuthor ? pick(type, in: groups) : pick(type)) ?? id()
    let key = Key(type: type, id: record)
    var fields: [String: Value] = [:]
    for field in type.fields {
      if field.kind == .reference {
        // Comments are about a group's routine if there is one, and seldom on something else, which
        // another space may have.
        let isRare = type.hasAuthor && field.name != type.parent?.field
        if isRare, Int.random(in: 0..<4, using: &random) > 0 { continue }
        if let target = RecordType(rawValue: field.name),
          let id = (type.hasAuthor ? pick(target, in: groups) : nil) ?? pick(target)
        {
          fields[field.name] = .text(id)
        }
      } else if field.isPersonal, Bool.random(using: &random) {
        if case .integer = field.kind { fields[field.name] = 1 }
        if case .lines = field.kind { fields[field.name] = .text("own of \(author)") }
      } else if case .line = field.kind, !field.isServers, Bool.random(using: &random) {
        fields[field.name] = .text(String("of \(record)".prefix(25)))
      } else if case .lines = field.kind, !field.isPersonal, Bool.random(using: &random) {
        fields[field.name] = .text("said by \(author)")
      }
    }
    if Int.random(in: 0..<8, using: &random) == 0 { fields["deletedAt"] = 1 }
    if fields.isEmpty { return nil }
    let group = Bool.random(using: &random) ? groups.randomElement(using: &random) : nil
    stamp += 1
    let change = Change(
      id: id(), type: type, record: record, fields: fields,
      at: Stamp(milliseconds: stamp, counter: 0, device: 1), space: group)
    let may = take(change, key, by: author)
    let outcome = try world.records.apply([change], by: world.people.viewer(author))
    guard outcome.rejections.isEmpty == may else {
      return "\(author) \(may ? "may" : "may not") \(change)"
    }
    return nil
  }

  /// Merges a change by the second definition; false if the author may not make it.
  private mutating func take(_ change: Change, _ key: Key, by author: String) -> Bool {
    let type = change.type
    var space = author
    if let known = known[key] {
      space = known.space
    } else if type.isPersonal {
      space = change.space ?? author
    } else if let (parent, field) = type.parent, let id = change.fields[field]?.text {
      space = known[Key(type: parent, id: id)]?.space ?? author
    } else {
      space = change.space ?? author
    }
    guard let role = role(of: author, in: space), !type.isPersonal || space == author else {
      return false
    }
    let setsApart = space != author && fault != .sharesMarks
    func isOwn(_ name: String) -> Bool { setsApart && type.field(name)?.isPersonal == true }
    let common = change.fields.filter { !isOwn($0.key) }
    guard mayChange(change, key, as: role, by: author, isCommon: !common.isEmpty) else {
      return false
    }
    if !type.isPersonal {
      for (name, value) in common where type.field(name)?.kind == .reference {
        guard let target = RecordType(rawValue: name), let id = value.text,
          let other = known[Key(type: target, id: id)]
        else { continue }
        if other.space != space { return false }
      }
    }
    let own = change.fields.filter { isOwn($0.key) }
    // What somebody has of their own makes no record that others see.
    guard known[key] != nil || !common.isEmpty else { return true }
    var record = known[key] ?? Known(space: space)
    if type.hasAuthor, known[key] == nil { record.fields["author"] = .text(author) }
    record.fields.merge(common) { $1 }
    record.own[author, default: [:]].merge(own) { $1 }
    known[key] = record
    return true
  }

  private func mayChange(
    _ change: Change, _ key: Key, as role: Role, by author: String, isCommon: Bool
  ) -> Bool {
    if change.type == .comment, fault != .silencesPerformers || role.mayEdit {
      guard let comment = known[key], comment.fields["author"] != .text(author) else {
        return true
      }
      return role.mayEdit
        && (Set(change.fields.keys) == ["deletedAt"]
          || fault == .editsOthersComments)
    }
    return !isCommon || role.mayEdit || fault == .performersEdit
  }

  /// Lets somebody move a routine, and takes over where everything is then.
  private mutating func move() throws {
    let author = people.randomElement(using: &random)!
    guard let routine = pick(.routine), let from = known[Key(type: .routine, id: routine)]?.space,
      role(of: author, in: from)?.mayEdit == true
    else { return }
    let target = Bool.random(using: &random) ? author : groups.randomElement(using: &random)!
    guard role(of: author, in: target)?.mayEdit == true else { return }
    let leaving = world.people.readers(of: [from]).subtracting(world.people.readers(of: [target]))
    var counter: UInt16 = 0
    try world.records.carryOut(
      RoutineMove(routine: routine, to: target, by: world.people.viewer(author)),
      leaving: leaving.sorted(),
      stamp: {
        counter += 1
        return Stamp(milliseconds: stamp, counter: counter, device: 1)
      }, makeId: { _ in Identifier.make(milliseconds: 1) }, copyFiles: { _, _ in })
    try takeOver(from: from, to: target, by: author)
  }

  /// Reads anew where everything is. What moved stays what it was to those who may read it.
  private mutating func takeOver(from: String, to target: String, by author: String) throws {
    for space in people + groups {
      let records = try world.records.database.read { connection throws(DatabaseError) in
        try RecordStore.select(connection, "space = ?", [.text(space)])
      }
      for record in records {
        let (type, key) = (record.type, Key(type: record.type, id: record.id))
        let before = known[key]
        var now = before ?? Known(space: record.space)
        now.space = record.space
        now.fields = record.cells.mapValues(\.value)
        now.fields["arrived"] = nil
        if let before, before.space != record.space {
          let personal = Set(type.fields.filter(\.isPersonal).map(\.name))
          if before.space == author {
            now.own[author, default: [:]].merge(before.fields.filter { personal.contains($0.key) })
            {
              $1
            }
          } else if record.space == author {
            now.own[author] = nil
          }
        }
        known[key] = now
      }
    }
  }

  // MARK: - Copies

  /// Brings a person's copy up to date, as a client does.
  private mutating func sync(_ person: String) throws {
    let viewer = world.people.viewer(person)
    var copy = copies[person]!
    var isFirst = copy.since > 0
    while true {
      let page = try world.records.page(since: copy.since, limit: 3, for: viewer)
      // Once it began anew, it goes on to the end.
      defer { isFirst = false }
      if isFirst, copy.since < page.purged {
        copy = Copy()
        continue
      }
      for text in page.records {
        let all = try JSONDecoder().decode([String: Value].self, from: Data(text.utf8))
        let key = Key(
          type: RecordType(rawValue: all["type"]?.text ?? "")!, id: all["id"]?.text ?? "")
        copy.spaces[key] = all["space"]?.text ?? person
        copy.records[key] = all.filter {
          !["type", "id", "seq", "createdAt", "space", "arrived"].contains($0.key)
            && $0.value != .null
        }
      }
      copy.since = page.seq
      if !page.hasMore { break }
    }
    copies[person] = copy
  }

  /// What is different between a person's copy and the second definition; nil if nothing is.
  private func difference(_ person: String) -> String? {
    var expected: [Key: [String: Value]] = [:]
    for (key, record) in known {
      var mayRead = role(of: person, in: record.space) != nil
      if fault == .leaversKeep {
        mayRead = mayRead || everIn[record.space]?.contains(person) == true
      }
      if fault == .sharesLogs, key.type == .practiceEntry {
        mayRead = mayRead || groups.contains { role(of: person, in: $0) != nil }
      }
      guard mayRead else { continue }
      var fields = record.fields
      if record.space != person {
        for (name, value) in record.own[person] ?? [:] { fields[name] = value }
      }
      expected[key] = fields.filter { $0.value != .null }
    }
    let copy = copies[person]!
    for key in Set(expected.keys).union(copy.records.keys) {
      if copy.records[key] != expected[key] {
        return "\(person) \(key): \(String(describing: copy.records[key])) instead of "
          + "\(String(describing: expected[key]))"
      }
      if copy.spaces[key] != known[key]?.space { return "the space of \(key)" }
    }
    return nil
  }
}
