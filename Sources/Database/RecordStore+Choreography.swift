// Reading what a routine was: its records with their earlier values.

import Model

/// A routine with its past, and what it refers to.
public struct RoutinePast: Sendable {
  public var history: RoutineHistory
  public var names: ChoreographyNames
  /// Since when earlier values of choreography are stored, in milliseconds since 1970.
  public var storedSince: Int
}

extension RecordStore {
  /// Returns a routine with its past; nil if it is not there.
  public func past(ofRoutine id: String) throws(DatabaseError) -> RoutinePast? {
    try database.read { connection throws(DatabaseError) in
      guard let routine = try RecordStore.load(connection, .routine, id), routine.isComplete else {
        return nil
      }
      let parts = try RecordStore.select(
        connection, RecordStore.children("routine"),
        [
          .text(id), .text(RecordType.part.rawValue),
        ])
      var moves: [Record] = []
      for part in parts {
        moves += try RecordStore.select(
          connection, RecordStore.children("part"),
          [
            .text(part.id), .text(RecordType.move.rawValue),
          ])
      }
      moves += try RecordStore.movesOnceIn(
        connection, Set(parts.map(\.id)), besides: Set(moves.map(\.id)))
      let history = RoutineHistory(
        routine: try RecordStore.history(connection, routine),
        parts: try parts.map { record throws(DatabaseError) in
          try RecordStore.history(connection, record)
        },
        moves: try moves.map { record throws(DatabaseError) in
          try RecordStore.history(connection, record)
        })
      return RoutinePast(
        history: history, names: try RecordStore.names(connection, in: history),
        storedSince: try RecordStore.storedSince(connection))
    }
  }

  /// Since when earlier values of choreography are stored, in milliseconds since 1970.
  static func storedSince(_ connection: any Connection) throws(DatabaseError) -> Int {
    try Counter.value("choreographyFrom", connection) ?? 0
  }

  /// What selects the records of a type that hang on another, deleted ones too.
  private static func children(_ field: String) -> String {
    """
    json_extract(fields, '$.\(field)') IS NOT NULL AND json_extract(fields, '$.\(field)') = ?
    AND type || '' = ? ORDER BY id
    """
  }

  private static func history(
    _ connection: any Connection, _ record: Record
  ) throws(DatabaseError) -> RecordHistory {
    RecordHistory(
      record: record, earlier: try earlierValues(connection, record.type, record.id))
  }

  /// The moves that were in one of `parts` before.
  private static func movesOnceIn(
    _ connection: any Connection, _ parts: Set<String>, besides known: Set<String>
  ) throws(DatabaseError) -> [Record] {
    var ids: Set<String> = []
    for part in parts {
      try connection.query(
        "SELECT record FROM earlier WHERE field = 'part' AND value = ?", [.text(part)]
      ) { row in
        if !known.contains(row.text(0)) { ids.insert(row.text(0)) }
      }
    }
    var moves: [Record] = []
    for id in ids.sorted() {
      if let move = try load(connection, .move, id) { moves.append(move) }
    }
    return moves
  }

  /// The titles of the songs, videos and move types that a routine refers to, or referred to.
  private static func names(
    _ connection: any Connection, in history: RoutineHistory
  ) throws(DatabaseError) -> ChoreographyNames {
    var names = ChoreographyNames(present: [:])
    for (field, type, name) in [
      ("track", RecordType.track, "title"), ("video", .video, "title"),
      ("moveType", .moveType, "name"),
    ] {
      var ids: Set<String> = []
      for each in history.parts + history.moves {
        if let id = each.record[field].text { ids.insert(id) }
        for earlier in each.earlier where earlier.field == field {
          if let id = earlier.value.text { ids.insert(id) }
        }
      }
      for id in ids {
        guard let record = try load(connection, type, id) else { continue }
        let title = record[name].text ?? record["fileName"].text ?? ""
        if record.deletedAt == nil {
          names.present[type, default: [:]][id] = title
        } else {
          names.deleted[id] = title
        }
      }
    }
    return names
  }
}
