// What `segmance check` and a restore ask of the records.

import Model

extension RecordStore {
  /// Describes every record that can't be read or breaks a rule of its own; empty when all is well.
  public func problems() throws(DatabaseError) -> [String] {
    var problems: [String] = []
    for type in RecordType.allCases {
      for record in try records(type) {
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
    return problems
  }

  /// Makes the records of a database that came from elsewhere such as this program writes, or
  /// describes the first with which it can't work: an unknown type, an id that is none, a number
  /// that nobody can reckon with. Every record is read.
  ///
  /// Texts are no matter here: what is too long to be written today was taken once, and comes back.
  public func adopt() throws(DatabaseError) -> String? {
    if let problem = try typeProblem() { return problem }
    for type in RecordType.allCases {
      for record in try records(type) {
        guard type.isValidId(record.id) else {
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
    try writeAnew()
    return nil
  }

  private func typeProblem() throws(DatabaseError) -> String? {
    try database.read { connection throws(DatabaseError) in
      var isKnown = true
      try connection.query("SELECT DISTINCT type FROM record") { row in
        if RecordType(rawValue: row.text(0)) == nil { isKnown = false }
      }
      return isKnown ? nil : "It holds records of an unknown type."
    }
  }

  private func counterProblem() throws(DatabaseError) -> String? {
    try database.read { connection throws(DatabaseError) in
      let least = try connection.integer("SELECT max(seq) FROM record") ?? 0
      let seq = try RecordStore.seq(connection)
      guard least <= seq, (0...RecordStore.mostSeq).contains(seq) else {
        return "The sequence number \(seq) is not one that can follow \(least)."
      }
      let purged = try RecordStore.purged(connection)
      guard (0...seq).contains(purged) else {
        return "The sequence number \(purged) can't be that of a forgotten deletion."
      }
      let clock = try connection.integer("SELECT value FROM counter WHERE name = 'clock'") ?? 0
      guard (0...RecordStore.latestClock).contains(clock) else {
        return "The clock \(clock) shows no time."
      }
      return nil
    }
  }

  /// The columns are read by a decoder that takes more than JSON allows, and one of them goes over
  /// the wire as it is.
  private func writeAnew() throws(DatabaseError) {
    try database.write { connection throws(DatabaseError) in
      for type in RecordType.allCases {
        for record in try RecordStore.select(connection, "type = ?", [.text(type.rawValue)]) {
          let (fields, stamps) = RecordJSON.columns(of: record)
          try connection.run(
            "UPDATE record SET fields = ?, stamps = ? WHERE type = ? AND id = ?",
            [.text(fields), .text(stamps), .text(type.rawValue), .text(record.id)])
        }
      }
    }
  }

  /// What a browser can count to.
  private static let mostSeq = 1 << 53
  /// A second before the last time that a stamp can tell, in the year 2286, shifted as stamps are.
  private static let latestClock = 9_999_999_998_999 << 16
}
