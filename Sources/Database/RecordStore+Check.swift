// What `segmance check` asks of the records.

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
}
