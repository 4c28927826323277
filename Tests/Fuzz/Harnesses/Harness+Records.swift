// Records in the database, as columns that a restored backup brings.

import FoundationEssentials

@testable import Database
@testable import Model

extension Harness {
  /// Lines with the columns `fields` and `stamps`, and perhaps a time of deletion.
  static let record = Harness(
    "record", "columns that can be read are written as they were, and go over the wire as JSON",
    texts: [
      #"{"title":"Swan \"Lake\" \u0001","rate":0.75,"n":7,"b":true}"# + "\n"
        + #"{"title":"1700000000000-0000-0000000a","rate":"1700000000001-0001-0000000a","#
        + #""n":"1700000000001-0001-0000000a","b":"1700000000001-0001-0000000a","#
        + #""deletedAt":"1700000000001-0001-0000000a"}"# + "\n5",
      "{}\n{}\n",
      #"{"n":223372036854758070.75}"# + "\n" + #"{"n":"1700000000000-0000-0000000a"}"# + "\n",
      #"{"sha256":"00"}"# + "\n" + #"{"sha256":"1700000000000-0000-0000000a"}"# + "\n",
    ],
    words: [
      "1700000000000-0000-0000000a", "\"title\":", "null", "1e308", "-0.0", "\\u001f", "\\ud83d",
      "\\\"", "\\\\", " ", "5e-324", "9223372036854775807",
    ], shortRounds: 800
  ) {
    // Foundation's decoder takes a comma too many; SQLite's does not.
    let reader = try SQLiteConnection(path: ":memory:", .copy)
    return { bytes in
      let lines = bytes.lines(3)
      let deletedAt = Int(lines[2])
      guard
        let cells = try? RecordJSON.cells(
          fields: lines[0], stamps: lines[1], deletedAt: deletedAt)
      else { return }
      let record = Record(type: .routine, id: "r", createdAt: 1, cells: cells)
      let columns = RecordJSON.columns(of: record)
      let again = try RecordJSON.cells(
        fields: columns.fields, stamps: columns.stamps, deletedAt: record.deletedAt)
      try holds(again == cells, "\(columns) is another record")
      let wire = RecordJSON.wire(
        type: "routine", id: "r", seq: 1, createdAt: 1, deletedAt: deletedAt,
        fields: columns.fields)
      var isJSON = false
      try reader.query("SELECT json_valid(?)", [.text(wire)]) { isJSON = $0.integer(0) == 1 }
      try holds(isJSON, "\(wire) is no JSON")
      let sent = try JSONDecoder().decode([String: Value].self, from: Data(wire.utf8))
      let shown = cells.filter { $0.key != "deletedAt" && $0.value.value != .null }
      try holds(
        Set(sent.keys) == Set(shown.keys).union(["type", "id", "seq", "createdAt", "deletedAt"]),
        "\(wire) has other fields")
      for (name, cell) in shown {
        try holds(sent[name] == cell.value, "\(name) is sent as another value")
      }
    }
  }
}
