// Merging the changes of one author into the records: where each goes, and whether the author may.

import Model

/// The merging of a list of changes, in a transaction.
struct Merging {
  let connection: any Connection
  /// The author; nil for the server, which may edit everything.
  let viewer: Viewer?
  /// The time, in milliseconds since 1970.
  let now: Int
  /// The last sequence number that was given.
  var seq: Int
  /// The spaces in which something is different now.
  private(set) var spaces: Set<String> = []
  /// The changes that the author may not make.
  private(set) var rejections: [Rejection] = []
  /// The ids of the comments that came in.
  private(set) var comments: [String] = []
  /// The records as they are stored, of those that changes are known to come for.
  private var loaded: [RecordKey: Record]?
  /// What is not stored yet.
  private var unsaved: [RecordKey: (record: Record, seq: Int)] = [:]
  /// The spaces of the records that were asked for or changed so far, nil for those that are not known.
  /// Many changes name the same few, and each question is a way to the database and back.
  private var knownSpaces: [RecordKey: String?] = [:]

  init(connection: any Connection, viewer: Viewer?, now: Int, seq: Int) {
    self.connection = connection
    self.viewer = viewer
    self.now = now
    self.seq = seq
  }

  /// Merges the changes of many records, each record's together, and stores the result. Records are read
  /// and stored many at once.
  mutating func take(all groups: [[Change]]) throws(DatabaseError) {
    let batch = RecordStore.batch
    for start in stride(from: 0, to: groups.count, by: batch) {
      let some = groups[start..<min(start + batch, groups.count)]
      if some.count == batch {
        loaded = try RecordStore.load(connection, some.map { RecordKey($0[0].type, $0[0].record) })
      }
      for group in some { try take(group) }
      loaded = nil
      try save()
    }
  }

  private mutating func save() throws(DatabaseError) {
    try RecordStore.save(connection, unsaved.values.sorted { $0.seq < $1.seq })
    unsaved = [:]
  }

  private func stored(_ type: RecordType, _ id: String) throws(DatabaseError) -> Record? {
    if let loaded { return loaded[RecordKey(type, id)] }
    return try RecordStore.load(connection, type, id)
  }

  /// Whose a record is; nil if it is not known.
  private mutating func space(
    of type: RecordType, _ id: String
  ) throws(DatabaseError) -> String? {
    let key = RecordKey(type, id)
    if let known = knownSpaces[key] { return known }
    let space = try RecordStore.space(of: type, id, connection)
    knownSpaces.updateValue(space, forKey: key)
    return space
  }

  /// Merges the changes of one record.
  private mutating func take(_ changes: [Change]) throws(DatabaseError) {
    let (type, id) = (changes[0].type, changes[0].record)
    // Settings have names, which everybody's have in common.
    if let viewer, type == .setting, viewer.person != Person.owner {
      return try mergePersonal(changes, of: viewer.person)
    }
    let stored = try stored(type, id)
    let space = if let stored { stored.space } else { try self.space(ofNew: changes[0]) }
    guard let viewer else {
      return try merge(changes, into: stored ?? Record(before: changes[0], space: space))
    }
    let author = stored == nil && type.hasAuthor ? viewer.person : nil
    var shared: [Change] = []
    var personal: [Change] = []
    for change in changes {
      let (common, own) = Merging.split(change, in: space, for: viewer)
      if let reason = try refusal(of: change, common, to: stored, in: space, viewer) {
        rejections.append(Rejection(id: change.id, reason: reason, code: .forbidden))
        continue
      }
      if !common.fields.isEmpty { shared.append(common) }
      if !own.fields.isEmpty { personal.append(own) }
    }
    if !shared.isEmpty {
      try merge(shared, into: stored ?? Record(before: shared[0], space: space), by: author)
    }
    if !personal.isEmpty { try mergePersonal(personal, of: viewer.person) }
  }

  /// The space of a record that a change makes: its parent's, or the one that the change names.
  private mutating func space(ofNew change: Change) throws(DatabaseError) -> String {
    let own = viewer?.person ?? Person.owner
    if change.type.isPersonal { return change.space ?? own }
    if let (type, field) = change.type.parent, let id = change.fields[field]?.text {
      return try self.space(of: type, id) ?? own
    }
    return change.space ?? own
  }

  /// A change as what it does to the common record, and to what the viewer has of their own of it.
  private static func split(
    _ change: Change, in space: String, for viewer: Viewer
  ) -> (common: Change, own: Change) {
    var (common, own) = (change, change)
    own.fields = [:]
    if space != viewer.person, !change.type.isPersonal {
      own.fields = change.fields.filter { change.type.field($0.key)?.isPersonal ?? false }
      common.fields = change.fields.filter { own.fields[$0.key] == nil }
    }
    return (common, own)
  }

  /// Why the viewer may not make a change, whose common part is `common`, to a stored record; nil if
  /// they may.
  private mutating func refusal(
    of change: Change, _ common: Change, to stored: Record?, in space: String, _ viewer: Viewer
  ) throws(DatabaseError) -> String? {
    guard viewer.mayRead(space), !change.type.isPersonal || space == viewer.person else {
      return "This belongs to somebody else."
    }
    if change.type.hasAuthor {
      if let reason = Merging.refusal(ofAuthors: change, to: stored, viewer) { return reason }
    } else if !common.fields.isEmpty, !viewer.mayEdit(space) {
      return "Only the teachers of the group may change this."
    }
    // What practice remembers may tell of anything; all else stays within its space.
    if change.type.isPersonal { return nil }
    for (name, value) in common.fields where change.type.field(name)?.kind == .reference {
      guard let id = value.text, let type = RecordType(rawValue: name),
        let other = try self.space(of: type, id), other != space
      else { continue }
      return "The \(type.rawValue) belongs to another library than this."
    }
    return nil
  }

  /// Why the viewer, who may read a record that has an author, may not make a change to it; nil if they
  /// may. Everybody makes their own. Who may edit what is around it may delete it, and undo that.
  private static func refusal(
    ofAuthors change: Change, to stored: Record?, _ viewer: Viewer
  ) -> String? {
    guard let stored, stored["author"].text != viewer.person else { return nil }
    guard change.fields.keys.allSatisfy({ $0 == "deletedAt" }) else {
      return "Only who wrote this may change it."
    }
    return viewer.mayEdit(stored.space)
      ? nil : "Only who wrote this and the teachers of the group may delete it."
  }

  /// Merges changes into a record. Of one that is new to the library, stores its author, if there is one.
  private mutating func merge(
    _ changes: [Change], into stored: Record, by author: String? = nil
  ) throws(DatabaseError) {
    var record = stored
    var hasChanged = false
    for change in changes {
      for value in record.overwrittenValues(by: change) {
        try RecordStore.keep(connection, value, of: change, now: now)
      }
      if record.merge(change) { hasChanged = true }
    }
    guard hasChanged else { return }
    seq += 1
    if let author {
      let stamp = changes[0].at
      record.cells["author"] = Record.Cell(value: .text(author), stamp: stamp)
      record.cells["arrived"] = Record.Cell(value: .integer(seq), stamp: stamp)
      if record.type == .comment { comments.append(record.id) }
    }
    spaces.insert(record.space)
    let key = RecordKey(record.type, record.id)
    unsaved[key] = (record, seq)
    knownSpaces[key] = record.space
  }

  private mutating func mergePersonal(
    _ changes: [Change], of person: String
  ) throws(DatabaseError) {
    let (type, id) = (changes[0].type, changes[0].record)
    var record =
      try PersonalRows.load(connection, person, type, id)
      ?? Record(before: changes[0], space: person)
    var hasChanged = false
    for change in changes where record.merge(change) { hasChanged = true }
    guard hasChanged else { return }
    seq += 1
    spaces.insert(person)
    try PersonalRows.save(connection, record, seq: seq)
  }
}

/// What names a record.
struct RecordKey: Hashable {
  var type: RecordType
  var id: String

  init(_ type: RecordType, _ id: String) {
    self.type = type
    self.id = id
  }
}

extension RecordStore {
  /// How many records one statement reads or stores.
  static let batch = 100

  /// Returns the records with these keys, deleted ones too.
  static func load(
    _ connection: any Connection, _ keys: [RecordKey]
  ) throws(DatabaseError) -> [RecordKey: Record] {
    var found: [RecordKey: Record] = [:]
    let places = keys.map { _ in "(?, ?)" }.joined(separator: ", ")
    let values = keys.flatMap { [SQLValue.text($0.type.rawValue), .text($0.id)] }
    try connection.query(
      """
      WITH wanted(type, id) AS (VALUES \(places))
      SELECT record.type, record.id, createdAt, deletedAt, fields, stamps, space
      FROM wanted CROSS JOIN record WHERE record.type = wanted.type AND record.id = wanted.id
      """, values
    ) { row throws(DatabaseError) in
      let record = try record(from: row)
      found[RecordKey(record.type, record.id)] = record
    }
    return found
  }

  /// Whose a record is; nil if it is not known.
  static func space(
    of type: RecordType, _ id: String, _ connection: any Connection
  ) throws(DatabaseError) -> String? {
    var space: String?
    try connection.query(
      "SELECT space FROM record WHERE type = ? AND id = ?", [.text(type.rawValue), .text(id)]
    ) { row in space = row.text(0) }
    return space
  }

  /// Whose a record is, deleted or not; nil if it is not known.
  public func space(of type: RecordType, _ id: String) throws(DatabaseError) -> String? {
    try database.read { connection throws(DatabaseError) in
      try RecordStore.space(of: type, id, connection)
    }
  }
}
