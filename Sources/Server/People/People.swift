// The people and groups, cached in memory so that requests are authorized without a database read.

import Database
import HTTP
import Model
import Synchronization
import Text

/// The registry of people and groups.
final class People: Sendable {
  /// The maximum numbers of people, of groups, and of the groups of one person.
  static let peopleLimit = 10_000
  static let groupLimit = 10_000
  static let membershipLimit = 200

  private struct State {
    var people: [String: PersonRow] = [:]
    var groups: [String: Group] = [:]
    /// The ids of the groups of each person.
    var memberships: [String: Set<String>] = [:]
    /// The people as they are listed; nil until they are asked for.
    var listed: [Person]?

    init(_ people: [PersonRow], _ groups: [Group]) {
      for row in people { self.people[row.person.id] = row }
      for group in groups { set(group) }
    }

    mutating func set(_ person: PersonRow?, at id: String) {
      people[id] = person
      listed = nil
    }

    mutating func set(_ group: Group) {
      remove(group.id)
      groups[group.id] = group
      for person in group.members.keys { memberships[person, default: []].insert(group.id) }
    }

    mutating func remove(_ id: String) {
      guard let old = groups.removeValue(forKey: id) else { return }
      for person in old.members.keys { memberships[person]?.remove(id) }
    }
  }

  private let store: PeopleStore
  private let state: Mutex<State>
  /// Held while people and groups are edited, so that memory and the database agree.
  private let editing: EditLock

  /// Reads the people of a library.
  init(store: PeopleStore, sharing: Sharing? = nil) throws(DatabaseError) {
    self.store = store
    editing = EditLock(.people, sharing)
    state = Mutex(State(try store.people(), try store.groups()))
  }

  /// Reads all people and groups again.
  func reload() throws {
    try editing.withLocalLock {
      let new = State(try store.people(), try store.groups())
      state.withLock { $0 = new }
    }
  }

  /// Whether there is nobody but the owner.
  var isAlone: Bool { state.withLock { $0.people.count < 2 } }

  /// All people: the owner, then the others by name.
  var all: [Person] {
    state.withLock { state in
      if let listed = state.listed { return listed }
      let keyed = state.people.values.map(\.person).map {
        (key: ($0.id == Person.owner ? 0 : 1, $0.name.lowercased(), $0.id), person: $0)
      }
      let listed = keyed.sorted { $0.key < $1.key }.map(\.person)
      state.listed = listed
      return listed
    }
  }

  /// The person with this id.
  subscript(_ id: String) -> Person? { state.withLock { $0.people[id]?.person } }

  /// The group with this id.
  func group(_ id: String) -> Group? { state.withLock { $0.groups[id] } }

  /// The groups of a person, in the order of their names.
  func groups(of person: String) -> [Group] {
    state.withLock { state in
      (state.memberships[person] ?? []).compactMap { state.groups[$0] }
    }.sorted { ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id) }
  }

  /// What a person may read.
  func viewer(_ person: String) -> Viewer {
    state.withLock { state in
      var roles: [String: Role] = [:]
      for id in state.memberships[person] ?? [] { roles[id] = state.groups[id]?.members[person] }
      return Viewer(person: person, roles: roles)
    }
  }

  /// The people who may read what is in these spaces.
  func readers(of spaces: some Collection<String>) -> Set<String> {
    state.withLock { state in
      var readers: Set<String> = []
      for space in spaces {
        if let group = state.groups[space] {
          readers.formUnion(group.members.keys)
        } else {
          readers.insert(space)
        }
      }
      return readers
    }
  }

  /// Adds a person.
  func add(name: String, colour: String, now: Int) throws -> Person {
    try editing.withLock {
      guard state.withLock({ $0.people.count }) < People.peopleLimit else {
        throw LibraryError(.conflict, "There are \(People.peopleLimit) people already.")
      }
      let person = Person(id: Identifier.make(milliseconds: now), name: name, colour: colour)
      try save(PersonRow(person, createdAt: now))
      return person
    }
  }

  /// Gives a person another name or colour.
  func change(_ id: String, name: String?, colour: String?) throws -> Person {
    try editing.withLock {
      guard var row = state.withLock({ $0.people[id] }) else { throw LibraryError.unknownPerson }
      row.person.name = name ?? row.person.name
      row.person.colour = colour ?? row.person.colour
      try save(row)
      return row.person
    }
  }

  private func save(_ row: PersonRow) throws {
    try store.save(row)
    state.withLock { $0.set(row, at: row.person.id) }
  }

  /// Removes a person, who leaves all groups. The owner takes over groups that nobody else leads.
  func remove(_ id: String, now: Int) throws {
    try editing.withLock {
      guard self[id] != nil else { throw LibraryError.unknownPerson }
      let groups = groups(of: id).map { group in
        var group = group
        group.members[id] = nil
        if !group.members.values.contains(.owner) { group.members[Person.owner] = .owner }
        return group
      }
      try store.remove(id, from: groups, now: now)
      state.withLock { state in
        for group in groups { state.set(group) }
        state.set(nil, at: id)
        state.memberships[id] = nil
      }
    }
  }

  /// Makes a group of people, the first of whom leads it.
  func addGroup(name: String, members: [String: Role], by maker: String, now: Int) throws -> Group {
    try editing.withLock {
      var members = members
      members[maker] = .owner
      guard state.withLock({ $0.groups.count }) < People.groupLimit else {
        throw LibraryError(.conflict, "There are \(People.groupLimit) groups already.")
      }
      for person in members.keys { try requireRoom(for: person) }
      let group = Group(id: Identifier.make(milliseconds: now), name: name, members: members)
      // Nobody's copy begins anew: nothing is in the group yet.
      try save(group, anew: [], now: now)
      return group
    }
  }

  /// Renames a group.
  func rename(_ id: String, to name: String, now: Int) throws -> Group {
    try edit(id, now: now) { group throws(LibraryError) in group.name = name }
  }

  /// Gives a person a role in a group; nil takes them out.
  func set(_ role: Role?, of person: String, in id: String, now: Int) throws -> Group {
    try edit(id, now: now) { group throws(LibraryError) in
      if role != nil, group.members[person] == nil { try requireRoom(for: person) }
      if role == nil, group.members[person] == nil { throw LibraryError.unknownPerson }
      group.members[person] = role
      guard group.members.values.contains(.owner) else {
        throw LibraryError(
          .conflict, "Somebody has to lead the group. Let another member lead it first.")
      }
    }
  }

  private func edit(
    _ id: String, now: Int, _ change: (inout Group) throws(LibraryError) -> Void
  ) throws -> Group {
    try editing.withLock {
      guard let before = group(id) else { throw LibraryError.unknownGroup }
      var group = before
      try change(&group)
      let (old, new) = (Set(before.members.keys), Set(group.members.keys))
      try save(group, anew: Array(old.symmetricDifference(new)), now: now)
      return group
    }
  }

  private func save(_ group: Group, anew: [String], now: Int) throws {
    try store.save(group, anew: anew, now: now)
    state.withLock { $0.set(group) }
  }

  /// Removes a group. What is left in its space goes to a person's.
  func removeGroup(_ id: String, leavingTo person: String) throws {
    try editing.withLock {
      guard let group = group(id) else { throw LibraryError.unknownGroup }
      try store.remove(group, leavingTo: person)
      state.withLock { $0.remove(id) }
    }
  }

  /// Throws unless a person is known and may join one more group.
  private func requireRoom(for person: String) throws(LibraryError) {
    guard self[person] != nil else { throw LibraryError.unknownPerson }
    guard state.withLock({ $0.memberships[person]?.count ?? 0 }) < People.membershipLimit else {
      throw LibraryError(
        .conflict, "A person can be in at most \(People.membershipLimit) groups.")
    }
  }

  /// Validates the name of a person or group. Returns it without surrounding whitespace.
  static func name(_ text: String, isRequired: Bool = true) throws(LibraryError) -> String {
    let name = text.asName
    guard !isRequired || !name.isEmpty else { throw LibraryError(.unusable, "A name is missing.") }
    guard name.count <= Person.nameLimit, name.utf8.count <= Person.nameLimit * 16 else {
      throw LibraryError(.unusable, "A name has at most \(Person.nameLimit) characters.")
    }
    return name
  }

  /// Validates a colour.
  static func colour(_ text: String) throws(LibraryError) -> String {
    guard Field.isColour(text) else {
      throw LibraryError(.unusable, "A colour is a text such as #ff4f8b.")
    }
    return text
  }
}

extension LibraryError {
  static let unknownPerson = LibraryError(.notFound, "There is no such person.")
  static let unknownGroup = LibraryError(.notFound, "There is no such group.")
}
