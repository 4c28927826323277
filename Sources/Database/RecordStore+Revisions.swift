// Earlier versions of what people wrote, so that no text is lost when two devices edit one field.

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

  /// Returns the earlier texts of a record, the latest first, `limit` at most.
  public func earlierVersions(
    _ type: RecordType, _ id: String, limit: Int = 100
  ) throws(DatabaseError) -> [Revision] {
    try database.read { connection throws(DatabaseError) in
      var versions: [Revision] = []
      try connection.query(
        """
        SELECT field, value, stamp FROM earlier WHERE type = ? AND record = ? AND value <> ''
        ORDER BY stamp DESC, field LIMIT ?
        """, [.text(type.rawValue), .text(id), .integer(limit)]
      ) { row throws(DatabaseError) in
        guard let stamp = Stamp(row.text(2)) else {
          throw DatabaseError(.corrupt, "An earlier version in the library can't be read.")
        }
        versions.append(
          Revision(field: row.text(0), value: row.text(1), at: stamp.milliseconds))
      }
      return versions
    }
  }

  /// Forgets texts that went out of sight before `milliseconds` since 1970.
  public func purgeEarlierVersions(keptBefore milliseconds: Int) throws(DatabaseError) {
    try database.write { connection throws(DatabaseError) in
      try connection.run("DELETE FROM earlier WHERE keptAt < ?", [.integer(milliseconds)])
    }
  }

  /// Keeps `text`, unless it is a moment in an act of writing whose beginning is kept already.
  ///
  /// While a device writes, each of its edits replaces the one before: only what stood there when
  /// it began matters. Of texts that came too late, only the last of an act of writing does. What
  /// another device wrote is always kept.
  static func keep(
    _ connection: Connection, _ text: OverwrittenText, of change: Change, now: Int
  ) throws(DatabaseError) {
    let key: [SQLValue] = [
      .text(change.type.rawValue), .text(change.record), .text(text.field),
    ]
    let isOwn = text.stamp.deviceName == text.replaced.deviceName
    if text.isLate {
      // A device sends its own edits in order: an older one that comes again was merged before.
      if isOwn { return }
      let device = SQLValue.text("%-" + text.stamp.deviceName)
      let written = text.stamp.milliseconds
      let later = try connection.integer(
        """
        SELECT 1 FROM earlier WHERE type = ? AND record = ? AND field = ? AND stamp LIKE ?
          AND stamp > ? AND stamp < ? AND value <> ''
        """,
        key + [
          device, .text(text.stamp.description),
          .text(bound(milliseconds: written + writingSpan)),
        ])
      if later != nil { return }
      try connection.run(
        """
        DELETE FROM earlier WHERE type = ? AND record = ? AND field = ? AND stamp LIKE ?
          AND stamp < ? AND stamp > ? AND isLate = 1
        """,
        key + [
          device, .text(text.stamp.description),
          .text(bound(milliseconds: written - writingSpan)),
        ])
    } else if isOwn {
      let began = try connection.integer(
        """
        SELECT 1 FROM earlier WHERE type = ? AND record = ? AND field = ? AND replacer = ?
          AND replacedAt <= ? AND replacedAt > ? AND isLate = 0
        """,
        key + [
          .text(text.replaced.deviceName), .integer(text.replaced.milliseconds),
          .integer(text.replaced.milliseconds - writingSpan),
        ])
      if began != nil { return }
    }
    try connection.run(
      """
      INSERT OR IGNORE INTO earlier
        (type, record, field, stamp, value, replacer, replacedAt, isLate, keptAt)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      key + [
        .text(text.stamp.description), .text(text.value), .text(text.replaced.deviceName),
        .integer(text.replaced.milliseconds), .integer(text.isLate ? 1 : 0), .integer(now),
      ])
  }

  /// The text below every stamp of that moment.
  private static func bound(milliseconds: Int) -> String {
    String(Stamp(milliseconds: milliseconds, counter: 0, device: 0).description.prefix(14))
  }
}
