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

  /// Describes the first number with which the program can't reckon, in a database that came from
  /// elsewhere; nil when there is none. Every record is read.
  ///
  /// Texts are no matter here: what is too long to be written today was taken once, and comes back.
  public func numberProblem() throws(DatabaseError) -> String? {
    for type in RecordType.allCases {
      for record in try records(type) {
        for (name, cell) in record.cells {
          guard let field = type.field(name), cell.value.number != nil,
            let problem = field.problem(with: cell.value)
          else { continue }
          return "\(type.rawValue) \(record.id), \(name): \(problem)"
        }
      }
    }
    return try database.read { connection throws(DatabaseError) in
      let least = try connection.integer("SELECT max(seq) FROM record") ?? 0
      let seq = try RecordStore.seq(connection)
      guard least <= seq, (0...RecordStore.mostSeq).contains(seq) else {
        return "The sequence number \(seq) is not one that can follow \(least)."
      }
      let clock = try connection.integer("SELECT value FROM counter WHERE name = 'clock'") ?? 0
      guard (0...RecordStore.latestClock).contains(clock) else {
        return "The clock \(clock) shows no time."
      }
      return nil
    }
  }

  /// What a browser can count to.
  private static let mostSeq = 1 << 53
  /// In the year 5138, shifted as stamps are.
  private static let latestClock = 99_999_999_999_999 << 16
}
