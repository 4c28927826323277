// A record as JSON: two columns in the database (values and stamps), one object over HTTP.

import FoundationEssentials
import Model
import Text

enum RecordJSON {
  /// The columns `fields` (values that are not null, without `deletedAt`) and `stamps` (all).
  static func columns(of record: Record) -> (fields: String, stamps: String) {
    var fields = "{"
    var stamps = "{"
    for (name, cell) in record.cells.sorted(by: { $0.key < $1.key }) {
      // Names of fields and stamps need no escaping.
      stamps += "\(stamps.utf8.count > 1 ? "," : "")\"\(name)\":\"\(cell.stamp)\""
      guard cell.value != .null, name != "deletedAt" else { continue }
      fields += "\(fields.utf8.count > 1 ? "," : "")\"\(name)\":"
      append(cell.value, to: &fields)
    }
    return (fields + "}", stamps + "}")
  }

  /// The object that is sent; `fields` is the column of that name, `space` a group's id or nil.
  static func wire(
    type: String, id: String, seq: Int, createdAt: Int, deletedAt: Int?, fields: String,
    space: String? = nil
  ) -> String {
    let deleted = deletedAt.map(String.init) ?? "null"
    let head =
      "{\"type\":\"\(type)\",\"id\":\"\(id)\",\"seq\":\(seq),\"createdAt\":\(createdAt),"
      + "\"deletedAt\":\(deleted)" + (space.map { ",\"space\":\"\($0)\"" } ?? "")
    return fields == "{}" ? head + "}" : head + "," + fields.dropFirst()
  }

  /// Reads the two columns. They may come from an untrusted backup, and `fields` is sent unchanged, so
  /// they must be as `columns(of:)` writes them.
  static func cells(
    fields: String, stamps: String, deletedAt: Int?
  ) throws(DatabaseError) -> [String: Record.Cell] {
    do {
      let decoder = JSONDecoder()
      let values = try decoder.decode([String: Value].self, from: Data(fields.utf8))
      let times = try decoder.decode([String: String].self, from: Data(stamps.utf8))
      guard fields.utf8.first == UInt8(ascii: "{"), values.keys.allSatisfy(isFieldName),
        times.keys.allSatisfy(isFieldName)
      else { throw unreadable }
      var cells: [String: Record.Cell] = [:]
      for (name, text) in times {
        guard let stamp = Stamp(text) else { throw unreadable }
        let value = name == "deletedAt" ? deletedAt.map(Value.integer) ?? .null : values[name]
        cells[name] = Record.Cell(value: value ?? .null, stamp: stamp)
      }
      return cells
    } catch {
      throw unreadable
    }
  }

  /// Whether a name is valid for a field: letters and digits, and none that `wire` writes itself.
  private static func isFieldName(_ name: String) -> Bool {
    !name.isEmpty && !["type", "id", "seq", "createdAt", "space"].contains(name)
      && name.utf8.allSatisfy {
        (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || (0x30...0x39).contains($0)
      }
  }

  private static let unreadable = DatabaseError(
    .corrupt, "A record in the library can't be read. Run: segmance check")

  private static func append(_ value: Value, to text: inout String) {
    switch value {
    case .null: text += "null"
    case .bool(let bool): text += bool ? "true" : "false"
    case .integer(let integer): text += String(integer)
    case .number(let number): text += String(number)
    case .text(let string): text.appendJSON(string)
    }
  }
}
