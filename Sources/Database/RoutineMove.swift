// Moving a routine with all that hangs on it from one space to another.

import Model

/// A routine on its way from one space to another.
public struct RoutineMove: Sendable {
  /// A track, video, recording or move type that other routines need where it is.
  public struct Copy: Sendable, Hashable {
    public var type: RecordType
    public var from: String
    public var to: String
  }

  /// The id of the routine.
  public var routine: String
  /// The id of the person or group that it goes to.
  public var space: String
  /// Who moves it.
  public var viewer: Viewer

  /// Describes a move.
  public init(routine: String, to space: String, by viewer: Viewer) {
    self.routine = routine
    self.space = space
    self.viewer = viewer
  }
}

extension RecordStore {
  /// Moves a routine in one transaction. Does nothing if it is not there, or there already.
  ///
  /// Parts, moves, spots and comments go along. So do media and move types that nothing else uses where they are;
  /// of the others a copy goes along. What a person has of their own of the routine becomes apart
  /// from it when it goes to a group, and part of it again when it comes back to them.
  /// - Parameters:
  ///   - leaving: the people who may no longer read it when it has moved. Their copies begin anew.
  ///   - stamp: makes the stamps of references to copies.
  ///   - makeId: makes the ids of copies; for a medium it gets the id of the original.
  ///   - copyFiles: copies the files of a medium, before the transaction ends.
  public func carryOut(
    _ move: RoutineMove, leaving: [String], stamp: () -> Stamp,
    makeId: (_ medium: String?) -> String,
    copyFiles: (RoutineMove.Copy, Record) throws -> Void
  ) throws {
    var failure: (any Error)?
    try database.write { connection throws(DatabaseError) in
      var moving = Moving(
        connection: connection, move: move, seq: try RecordStore.seq(connection))
      guard try moving.gather() else { return }
      for copy in try moving.takeMediaAlong(stamp: stamp, makeId: makeId) {
        do {
          try copyFiles(copy.copy, copy.original)
        } catch {
          failure = error
          throw DatabaseError(.other, "The files of the routine could not be copied.")
        }
      }
      try moving.save()
      try RecordStore.setSeq(moving.seq, connection)
      try RecordStore.beginAnew(leaving, connection)
    } orThrow: {
      failure
    }
  }
}

extension RecordStore {
  /// Returns the records of a type in a space, deleted ones too, in the order of their ids.
  public func records(in space: String, _ type: RecordType) throws(DatabaseError) -> [Record] {
    try database.read { connection throws(DatabaseError) in
      try RecordStore.select(
        connection, "type || '' = ? AND space = ? ORDER BY id",
        [.text(type.rawValue), .text(space)])
    }
  }
}

extension LibraryDatabase {
  /// As `write`, but throws the error of `other` instead, if there is one.
  fileprivate func write<Result: Sendable>(
    _ body: (any Connection) throws(DatabaseError) -> Result, orThrow other: () -> (any Error)?
  ) throws -> Result {
    do {
      return try write(body)
    } catch {
      throw other() ?? error
    }
  }
}

/// The work of a move, in a transaction.
private struct Moving {
  let connection: any Connection
  let move: RoutineMove
  var seq: Int
  private var from = ""
  /// The routine with its comments, its parts, their moves and spots, and what goes along, deleted ones too.
  private var records: [Record] = []

  init(connection: any Connection, move: RoutineMove, seq: Int) {
    self.connection = connection
    self.move = move
    self.seq = seq
  }

  /// Reads the routine with its parts, moves, spots and comments. False if there is nothing to move.
  mutating func gather() throws(DatabaseError) -> Bool {
    guard let routine = try RecordStore.load(connection, .routine, move.routine),
      routine.deletedAt == nil, routine.space != move.space
    else { return false }
    from = routine.space
    records = [routine] + (try children(.comment, by: "routine", of: routine.id))
    for part in try children(.part, by: "routine", of: routine.id) {
      records.append(part)
      records += try children(.move, by: "part", of: part.id)
      records += try children(.spot, by: "part", of: part.id)
    }
    return true
  }

  /// The records of a type that hang on another in the routine's space, deleted ones too.
  private func children(
    _ type: RecordType, by field: String, of parent: String
  ) throws(DatabaseError) -> [Record] {
    // The empty texts leave one index as the way in: that of the field, or else that of the space.
    let isIndexed = ["track", "routine", "part"].contains(field)
    return try RecordStore.select(
      connection,
      """
      json_extract(fields, '$.\(field)') IS NOT NULL AND json_extract(fields, '$.\(field)') = ?
      AND type || '' = ? AND space\(isIndexed ? " || ''" : "") = ? ORDER BY id
      """, [.text(parent), .text(type.rawValue), .text(from)])
  }

  /// Takes along what parts and moves refer to, or a copy of it. Returns the copies of media.
  mutating func takeMediaAlong(
    stamp: () -> Stamp, makeId: (_ medium: String?) -> String
  ) throws(DatabaseError) -> [(copy: RoutineMove.Copy, original: Record)] {
    var copies: [(copy: RoutineMove.Copy, original: Record)] = []
    for (field, user) in [
      (RecordType.track, RecordType.part), (.video, .part), (.moveType, .move), (.recording, .move),
    ] {
      let users = records.filter { $0.type == user && $0.space == from }
      for id in Set(users.compactMap { $0[field.rawValue].text }).sorted() {
        guard let used = try RecordStore.load(connection, field, id), used.space == from,
          used.deletedAt == nil
        else { continue }
        if let alike = try moveTypeLike(used) {
          refer(user, field.rawValue, from: id, to: alike, stamp())
        } else if try isUsedElsewhere(used, by: user, Set(users.map(\.id))) {
          let copy = RoutineMove.Copy(type: field, from: id, to: makeId(id))
          if field != .moveType { copies.append((copy, used)) }
          try append(used, copiedTo: copy.to, makeId)
          refer(user, field.rawValue, from: id, to: copy.to, stamp())
        } else {
          records.append(used)
          records += try hanging(on: used)
        }
      }
    }
    return copies
  }

  /// Whether something that stays refers to a record.
  private func isUsedElsewhere(
    _ used: Record, by user: RecordType, _ going: Set<String>
  ) throws(DatabaseError) -> Bool {
    for record in try children(user, by: used.type.rawValue, of: used.id)
    where record.deletedAt == nil && !going.contains(record.id) {
      return true
    }
    return false
  }

  /// The clips and corrections of a track.
  private func hanging(on used: Record) throws(DatabaseError) -> [Record] {
    guard used.type == .track else { return [] }
    return try children(.clip, by: "track", of: used.id)
      + children(.gridCorrection, by: "track", of: used.id)
  }

  private mutating func append(
    _ original: Record, copiedTo id: String, _ makeId: (_ medium: String?) -> String
  ) throws(DatabaseError) {
    records.append(
      Record(
        type: original.type, id: id, space: from, createdAt: original.createdAt,
        cells: original.cells))
    for child in try hanging(on: original)
    where child.type == .gridCorrection && child.deletedAt == nil {
      var cells = child.cells
      cells["track"]?.value = .text(id)
      records.append(
        Record(
          type: child.type, id: makeId(nil), space: from, createdAt: child.createdAt, cells: cells))
    }
  }

  /// The move type of the other space that looks like one of this.
  private func moveTypeLike(_ used: Record) throws(DatabaseError) -> String? {
    guard used.type == .moveType else { return nil }
    return try RecordStore.select(
      connection, "type || '' = 'moveType' AND space = ? AND deletedAt IS NULL ORDER BY id",
      [.text(move.space)]
    ).first { other in used.type.fields.allSatisfy { used[$0.name] == other[$0.name] } }?.id
  }

  /// Lets what refers to one record refer to another.
  private mutating func refer(
    _ user: RecordType, _ field: String, from: String, to: String, _ stamp: Stamp
  ) {
    for index in records.indices
    where records[index].type == user && records[index][field].text == from {
      records[index].cells[field] = Record.Cell(value: .text(to), stamp: stamp)
    }
  }

  /// Saves everything in its new space.
  mutating func save() throws(DatabaseError) {
    let person = move.viewer.person
    for var record in records {
      let fields = Set(record.type.fields.filter(\.isPersonal).map(\.name))
      if !fields.isEmpty, from == person {
        try setApart(&record, fields)
      } else if !fields.isEmpty, move.space == person,
        let own = try PersonalRows.load(connection, person, record.type, record.id)
      {
        record.cells.merge(own.cells) { _, own in own }
        try PersonalRows.remove(connection, person, record.type, record.id)
      }
      record.space = move.space
      seq += 1
      try RecordStore.save(connection, record, seq: seq)
    }
  }

  /// Takes what is the person's own out of a record.
  private mutating func setApart(
    _ record: inout Record, _ fields: Set<String>
  ) throws(DatabaseError) {
    let cells = record.cells.filter { fields.contains($0.key) }
    if cells.isEmpty { return }
    let person = move.viewer.person
    var own =
      try PersonalRows.load(connection, person, record.type, record.id)
      ?? Record(
        type: record.type, id: record.id, space: person, createdAt: record.createdAt, cells: [:])
    own.cells.merge(cells) { old, new in old.stamp > new.stamp ? old : new }
    for field in fields { record.cells[field] = nil }
    seq += 1
    try PersonalRows.save(connection, own, seq: seq)
  }
}
