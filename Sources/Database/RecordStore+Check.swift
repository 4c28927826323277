// Checks of the records for `segmance check` and for a restore.

import Model

extension RecordStore {
  /// Describes every record that can't be read or breaks a rule; empty if all are valid.
  public func problems() throws(DatabaseError) -> [String] {
    var problems: [String] = []
    for type in RecordType.allCases {
      for record in try records(type) + personal(type) {
        for (name, cell) in record.cells {
          guard let field = type.field(name) else {
            problems.append("\(type.rawValue) \(record.id) has an unknown field \(name).")
            continue
          }
          if cell.value != .null, let problem = field.problem(with: cell.value) {
            problems.append("\(type.rawValue) \(record.id), \(name): \(problem)")
          }
        }
      }
    }
    return problems + (try earlierProblems())
  }

  private func earlierProblems() throws(DatabaseError) -> [String] {
    try database.read { connection throws(DatabaseError) in
      var problems: [String] = []
      try connection.query(
        "SELECT type, record, field, value, stamp FROM earlier ORDER BY type, record, field, stamp"
      ) { row in
        let field = RecordType(rawValue: row.text(0))?.field(row.text(2))
        let isReadable = field.map {
          RecordStore.value(of: row.text(3), in: $0.kind) != .null || row.text(3).isEmpty
        }
        if isReadable != true || Stamp(row.text(4)) == nil {
          problems.append("An earlier value of \(row.text(0)) \(row.text(1)) can't be read.")
        }
      }
      return problems
    }
  }

  /// Rewrites the records of an imported database as this program writes them, or describes the first
  /// one that it can't use: an unknown type, an invalid id, a number out of range. Every record is read.
  ///
  /// Texts are not checked: one that is too long for today's rules was accepted once, and stays.
  public func normalizeImported() throws(DatabaseError) -> String? {
    if let problem = try typeProblem() { return problem }
    for type in RecordType.allCases {
      for record in try records(type) + personal(type) {
        guard type.isValidId(record.id), RecordStore.isSpace(record.space) else {
          return "A \(type.rawValue) has an id that can't be one."
        }
        for (name, cell) in record.cells {
          guard let field = type.field(name), cell.value.number != nil,
            let problem = field.problem(with: cell.value)
          else { continue }
          return "\(type.rawValue) \(record.id), \(name): \(problem)"
        }
      }
    }
    if let problem = try counterProblem() { return problem }
    if let problem = try people.problems().first { return problem }
    try writeAnew()
    return nil
  }

  /// What people have of their own of records of a type, deleted ones too.
  private func personal(_ type: RecordType) throws(DatabaseError) -> [Record] {
    try database.read { connection throws(DatabaseError) in
      try PersonalRows.select(connection, "type = ?", [.text(type.rawValue)])
    }
  }

  private static func isSpace(_ id: String) -> Bool {
    id == Person.owner || Identifier.isValid(id)
  }

  private func typeProblem() throws(DatabaseError) -> String? {
    try database.read { connection throws(DatabaseError) in
      var isKnown = true
      try connection.query(
        "SELECT DISTINCT type FROM record UNION SELECT DISTINCT type FROM personal"
      ) { row in
        if RecordType(rawValue: row.text(0)) == nil { isKnown = false }
      }
      return isKnown ? nil : "It holds records of an unknown type."
    }
  }

  private func counterProblem() throws(DatabaseError) -> String? {
    try database.read { connection throws(DatabaseError) in
      let least =
        try connection.integer(
          """
          SELECT max(seq) FROM (SELECT seq FROM record UNION ALL SELECT seq FROM personal
            UNION ALL SELECT anewFrom FROM person) AS used
          """) ?? 0
      let seq = try RecordStore.seq(connection)
      guard least <= seq, (0...RecordStore.mostSeq).contains(seq) else {
        return "The sequence number \(seq) is not one that can follow \(least)."
      }
      let purged = try RecordStore.purged(connection)
      guard (0...seq).contains(purged) else {
        return "The sequence number \(purged) can't be that of a forgotten deletion."
      }
      let clock = try Counter.value("clock", connection) ?? 0
      guard (0...RecordStore.latestClock).contains(clock) else {
        return "The clock \(clock) shows no time."
      }
      let since = try RecordStore.storedSince(connection)
      guard (0...RecordStore.latestTime).contains(since) else {
        return "Earlier values can't be stored since \(since)."
      }
      return nil
    }
  }

  /// The decoder accepts more than JSON allows, and one of the columns is sent unchanged.
  private func writeAnew() throws(DatabaseError) {
    try database.write { connection throws(DatabaseError) in
      for type in RecordType.allCases {
        for record in try RecordStore.select(connection, "type = ?", [.text(type.rawValue)]) {
          let (fields, stamps) = RecordJSON.columns(of: record)
          try connection.run(
            "UPDATE record SET fields = ?, stamps = ? WHERE type = ? AND id = ?",
            [.text(fields), .text(stamps), .text(type.rawValue), .text(record.id)])
        }
        for record in try PersonalRows.select(connection, "type = ?", [.text(type.rawValue)]) {
          let (fields, stamps) = RecordJSON.columns(of: record)
          try connection.run(
            """
            UPDATE personal SET fields = ?, stamps = ? WHERE person = ? AND type = ? AND id = ?
            """,
            [
              .text(fields), .text(stamps), .text(record.space), .text(type.rawValue),
              .text(record.id),
            ])
        }
      }
    }
  }

  /// The largest integer that JavaScript represents exactly.
  private static let mostSeq = 1 << 53
  /// A second before the last time that a stamp can hold, in the year 2286.
  private static let latestClock = latestTime << 16
  private static let latestTime = 9_999_999_998_999
}
