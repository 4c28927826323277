// The people, the groups, and who is in which.

import Model

/// A stored person.
public struct PersonRow: Sendable, Equatable {
  public var person: Person
  /// When the person was added, in milliseconds since 1970.
  public var createdAt: Int

  /// Makes a row.
  public init(_ person: Person, createdAt: Int) {
    self.person = person
    self.createdAt = createdAt
  }
}

/// The tables of people and groups.
public struct PeopleStore: Sendable {
  private let database: LibraryDatabase

  /// Makes a store in `database`.
  public init(database: LibraryDatabase) { self.database = database }

  /// Returns all people, the owner too.
  public func people() throws(DatabaseError) -> [PersonRow] {
    try database.read { connection throws(DatabaseError) in
      var people: [PersonRow] = []
      try connection.query("SELECT id, name, colour, createdAt FROM person ORDER BY id") { row in
        people.append(
          PersonRow(
            Person(id: row.text(0), name: row.text(1), colour: row.text(2)),
            createdAt: row.integer(3)))
      }
      return people
    }
  }

  /// Returns all groups with their members.
  public func groups() throws(DatabaseError) -> [Group] {
    try database.read { connection throws(DatabaseError) in
      var groups: [String: Group] = [:]
      try connection.query("SELECT id, name FROM troupe") { row in
        groups[row.text(0)] = Group(id: row.text(0), name: row.text(1), members: [:])
      }
      try connection.query("SELECT troupe, person, role FROM member") { row throws(DatabaseError) in
        guard let role = Role(rawValue: row.text(2)) else {
          throw DatabaseError(.corrupt, "A member of a group has no role that is known.")
        }
        groups[row.text(0)]?.members[row.text(1)] = role
      }
      return groups.values.sorted { $0.id < $1.id }
    }
  }

  /// Returns the sequence number at which a person joined each of their groups, by the groups' ids.
  public func joined(_ person: String) throws(DatabaseError) -> [String: Int] {
    try database.read { connection throws(DatabaseError) in
      var joined: [String: Int] = [:]
      try connection.query("SELECT troupe, since FROM member WHERE person = ?", [.text(person)]) {
        row in joined[row.text(0)] = row.integer(1)
      }
      return joined
    }
  }

  /// Adds a person, or changes their name and colour.
  public func save(_ row: PersonRow) throws(DatabaseError) {
    try database.write { connection throws(DatabaseError) in
      try connection.run(
        """
        INSERT INTO person (id, name, colour, createdAt) VALUES (?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET name = excluded.name, colour = excluded.colour
        """,
        [
          .text(row.person.id), .text(row.person.name), .text(row.person.colour),
          .integer(row.createdAt),
        ])
    }
  }

  /// Removes a person with their settings, password, passkeys and accounts, and saves the groups that they were in without them.
  public func remove(
    _ person: String, from groups: [Group], now: Int
  ) throws(DatabaseError) {
    try database.write { connection throws(DatabaseError) in
      for group in groups { try PeopleStore.save(group, connection, now: now) }
      try connection.run("DELETE FROM personal WHERE person = ?", [.text(person)])
      try connection.run("DELETE FROM member WHERE person = ?", [.text(person)])
      try connection.run("DELETE FROM password WHERE person = ?", [.text(person)])
      try connection.run("DELETE FROM passkey WHERE person = ?", [.text(person)])
      try connection.run("DELETE FROM account WHERE person = ?", [.text(person)])
      try connection.run("DELETE FROM person WHERE id = ?", [.text(person)])
      try RecordStore.beginAnew(groups.flatMap(\.members.keys), connection)
    }
  }

  /// Saves a group. The copies of those in `anew`, whose view has changed, begin anew.
  public func save(
    _ group: Group, anew: some Collection<String>, now: Int
  ) throws(DatabaseError) {
    try database.write { connection throws(DatabaseError) in
      try PeopleStore.save(group, connection, now: now)
      try RecordStore.beginAnew(anew, connection)
    }
  }

  /// Removes a group. What is left in its space, such as tracks that no routine uses, goes to a
  /// person's.
  public func remove(_ group: Group, leavingTo person: String) throws(DatabaseError) {
    try database.write { connection throws(DatabaseError) in
      var seq = try RecordStore.seq(connection)
      for var record in try RecordStore.select(connection, "space = ?", [.text(group.id)]) {
        record.space = person
        seq += 1
        try RecordStore.save(connection, record, seq: seq)
      }
      try RecordStore.setSeq(seq, connection)
      try connection.run("DELETE FROM member WHERE troupe = ?", [.text(group.id)])
      try connection.run("DELETE FROM troupe WHERE id = ?", [.text(group.id)])
      try RecordStore.beginAnew(group.members.keys, connection)
    }
  }

  /// Describes every person, group and member that can't be one; empty if all are valid.
  public func problems() throws(DatabaseError) -> [String] {
    var problems: [String] = []
    let people = try people().map(\.person)
    for person in people {
      let isWhole =
        (person.id == Person.owner || Identifier.isValid(person.id))
        && (person.id == Person.owner || !person.name.isEmpty) && Field.isColour(person.colour)
      if !isWhole { problems.append("The person \(person.id) is damaged.") }
    }
    let ids = Set(people.map(\.id))
    if !ids.contains(Person.owner) { problems.append("The owner is missing among the people.") }
    for group in try groups() {
      if !Identifier.isValid(group.id) || !group.members.keys.allSatisfy(ids.contains)
        || !group.members.values.contains(.owner)
      {
        problems.append("The group \(group.id) is damaged.")
      }
    }
    return problems
  }

  private static func save(
    _ group: Group, _ connection: any Connection, now: Int
  ) throws(DatabaseError) {
    try connection.run(
      """
      INSERT INTO troupe (id, name, createdAt) VALUES (?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET name = excluded.name
      """, [.text(group.id), .text(group.name), .integer(now)])
    let members = group.members.sorted { $0.key < $1.key }
    // Who stays in the group keeps the number with which they joined.
    let places = members.map { _ in ", ?" }.joined()
    try connection.run(
      "DELETE FROM member WHERE troupe = ? AND person NOT IN (''\(places))",
      [.text(group.id)] + members.map { .text($0.key) })
    let seq = try RecordStore.seq(connection)
    for (person, role) in members {
      try connection.run(
        """
        INSERT INTO member (troupe, person, role, since) VALUES (?, ?, ?, ?)
        ON CONFLICT (troupe, person) DO UPDATE SET role = excluded.role
        """, [.text(group.id), .text(person), .text(role.rawValue), .integer(seq)])
    }
  }
}

extension RecordStore {
  /// The people whose the records are.
  public var people: PeopleStore { PeopleStore(database: database) }

  /// Lets the copies of some people begin anew: what they may read has changed.
  static func beginAnew(
    _ people: some Collection<String>, _ connection: any Connection
  ) throws(DatabaseError) {
    guard !people.isEmpty else { return }
    let seq = try RecordStore.seq(connection) + 1
    try setSeq(seq, connection)
    for person in people {
      try connection.run(
        "UPDATE person SET anewFrom = ? WHERE id = ?", [.integer(seq), .text(person)])
    }
  }
}
