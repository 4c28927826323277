// Earlier values of fields, so that no text is lost when two devices edit one field, and so that a
// routine can be compared with what it was.

import Model

/// A text that stood in a field, or came too late for it.
public struct Revision: Sendable, Equatable, Encodable {
  /// The field's name.
  public var field: String
  /// The text.
  public var value: String
  /// When it was written, in milliseconds since 1970.
  public var at: Int

  /// Makes a version.
  public init(field: String, value: String, at: Int) {
    self.field = field
    self.value = value
    self.at = at
  }
}

extension RecordStore {
  /// Edits of one device this close together, in milliseconds, are one act of writing.
  static let writingSpan = 300_000

  /// Returns the earlier texts of a record, the latest first, `limit` at most. A text that was written
  /// again is listed once.
  public func earlierVersions(
    _ type: RecordType, _ id: String, limit: Int = 100
  ) throws(DatabaseError) -> [Revision] {
    try database.read { connection throws(DatabaseError) in
      guard let record = try RecordStore.load(connection, type, id) else { return [] }
      let texts = type.fieldsWithTexts
      var following = Dictionary(
        uniqueKeysWithValues: texts.map { ($0, record[$0].text ?? "") })
      var versions: [Revision] = []
      for earlier in try RecordStore.earlierValues(connection, type, id)
        .sorted(by: { ($1.stamp, $0.field) < ($0.stamp, $1.field) })
      where texts.contains(earlier.field) && versions.count < limit {
        let text = earlier.value.text ?? ""
        if !text.isEmpty, text != following[earlier.field] {
          versions.append(
            Revision(field: earlier.field, value: text, at: earlier.stamp.milliseconds))
        }
        following[earlier.field] = text
      }
      return versions
    }
  }

  /// Returns all earlier values of a record, in no order.
  static func earlierValues(
    _ connection: any Connection, _ type: RecordType, _ id: String
  ) throws(DatabaseError) -> [EarlierValue] {
    var values: [EarlierValue] = []
    try connection.query(
      "SELECT field, value, stamp FROM earlier WHERE type = ? AND record = ?",
      [.text(type.rawValue), .text(id)]
    ) { row throws(DatabaseError) in
      guard let stamp = Stamp(row.text(2)), let field = type.field(row.text(0)) else {
        throw DatabaseError(.corrupt, "An earlier version in the library can't be read.")
      }
      values.append(
        EarlierValue(
          field: field.name, value: value(of: row.text(1), in: field.kind), stamp: stamp))
    }
    return values
  }

  /// A value as the column of earlier values holds it: a text as it is, a number in digits, and nothing
  /// for null.
  private static func column(of value: Value) -> String {
    switch value {
    case .null: ""
    case .bool(let bool): bool ? "1" : "0"
    case .integer(let integer): String(integer)
    case .number(let number): String(number)
    case .text(let text): text
    }
  }

  /// The value of such a column; null as well if it is none of this kind.
  static func value(of column: String, in kind: FieldKind) -> Value {
    guard !column.isEmpty else { return .null }
    switch kind {
    case .integer, .number:
      if let integer = Int(column) { return .integer(integer) }
      return Double(column).map(Value.number) ?? .null
    case .line, .lines, .oneOf, .reference, .position, .colour, .scalar: return .text(column)
    }
  }

  /// Forgets values that went out of sight before `milliseconds` since 1970.
  public func purgeEarlierVersions(keptBefore milliseconds: Int) throws(DatabaseError) {
    try database.write { connection throws(DatabaseError) in
      try connection.run("DELETE FROM earlier WHERE keptAt < ?", [.integer(milliseconds)])
    }
  }

  /// Keeps `overwritten`, unless it is a moment in an act of writing whose beginning is kept already.
  ///
  /// While a device writes, each of its edits replaces the one before: only what stood there when
  /// it began matters. Of values that came too late, only the last of an act of writing does. What
  /// another device wrote is always kept.
  static func keep(
    _ connection: any Connection, _ overwritten: OverwrittenValue, of change: Change, now: Int
  ) throws(DatabaseError) {
    let key: [SQLValue] = [
      .text(change.type.rawValue), .text(change.record), .text(overwritten.field),
    ]
    let isOwn = overwritten.stamp.deviceName == overwritten.replaced.deviceName
    if overwritten.isLate {
      // A device sends its own edits in order: an older one that comes again was merged before.
      if isOwn { return }
      let device = SQLValue.text("%-" + overwritten.stamp.deviceName)
      let written = overwritten.stamp.milliseconds
      let later = try connection.integer(
        """
        SELECT 1 FROM earlier WHERE type = ? AND record = ? AND field = ? AND stamp LIKE ?
          AND stamp > ? AND stamp < ? AND value <> ''
        """,
        key + [
          device, .text(overwritten.stamp.description),
          .text(bound(milliseconds: written + writingSpan)),
        ])
      if later != nil { return }
      // A text that was emptied at last is kept, as the last text.
      if overwritten.value != .null {
        try connection.run(
          """
          DELETE FROM earlier WHERE type = ? AND record = ? AND field = ? AND stamp LIKE ?
            AND stamp < ? AND stamp > ? AND isLate = 1
          """,
          key + [
            device, .text(overwritten.stamp.description),
            .text(bound(milliseconds: written - writingSpan)),
          ])
      }
    } else if isOwn {
      let began = try connection.integer(
        """
        SELECT 1 FROM earlier WHERE type = ? AND record = ? AND field = ? AND replacer = ?
          AND replacedAt <= ? AND replacedAt > ? AND isLate = 0
        """,
        key + [
          .text(overwritten.replaced.deviceName), .integer(overwritten.replaced.milliseconds),
          .integer(overwritten.replaced.milliseconds - writingSpan),
        ])
      if began != nil { return }
    }
    try connection.run(
      """
      INSERT INTO earlier
        (type, record, field, stamp, value, replacer, replacedAt, isLate, keptAt)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
      """,
      key + [
        .text(overwritten.stamp.description), .text(column(of: overwritten.value)),
        .text(overwritten.replaced.deviceName), .integer(overwritten.replaced.milliseconds),
        .integer(overwritten.isLate ? 1 : 0), .integer(now),
      ])
  }

  /// The text below every stamp of that moment.
  private static func bound(milliseconds: Int) -> String {
    String(Stamp(milliseconds: milliseconds, counter: 0, device: 0).description.prefix(14))
  }
}
