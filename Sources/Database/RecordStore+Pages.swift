// The records that a person may read, in the order in which they changed.

import Model

extension RecordStore {
  /// A page of records as they go over the wire.
  public struct Page: Sendable {
    /// One JSON object per record.
    public var records: [String]
    /// The sequence number up to which this page reaches.
    public var seq: Int
    /// Whether there are records beyond it.
    public var hasMore: Bool
    /// A copy that reaches less far may hold what was deleted, or what the person may no longer read,
    /// and may lack what they may read since.
    public var purged: Int
  }

  private typealias Line = (seq: Int, text: String)

  /// Returns the records that `viewer` may read whose sequence number is above `since`, in its order,
  /// `limit` at most. A record that changed both for all and for the viewer may be there twice.
  ///
  /// A `since` from the future belongs to another life of this library, before it was restored:
  /// then all records are new.
  public func page(
    since: Int, limit: Int, for viewer: Viewer = .owner
  ) throws(DatabaseError) -> Page {
    try database.read { connection throws(DatabaseError) in
      var (latest, purged) = (0, 0)
      // One way to the database and back.
      try connection.query(
        """
        SELECT (SELECT value FROM counter WHERE name = 'seq'),
          (SELECT value FROM counter WHERE name = 'purged'),
          (SELECT anewFrom FROM person WHERE id = ?)
        """, [.text(viewer.person)]
      ) { row in (latest, purged) = (row.integer(0), max(row.integer(1), row.integer(2))) }
      let since = since > latest ? 0 : since
      var lines = try RecordStore.own(connection, viewer, since, limit)
      if viewer != .owner {
        for group in viewer.roles.keys.sorted() {
          lines += try RecordStore.shared(connection, viewer, group, since, limit)
        }
        lines += try RecordStore.personal(connection, viewer, since, limit)
        lines.sort { $0.seq < $1.seq }
      }
      let hasMore = lines.count > limit
      lines = Array(lines.prefix(limit))
      return Page(
        records: lines.map(\.text), seq: hasMore ? lines.last?.seq ?? since : latest,
        hasMore: hasMore, purged: purged)
    }
  }

  /// The records of the person's own space, at most one more than `limit`.
  private static func own(
    _ connection: any Connection, _ viewer: Viewer, _ since: Int, _ limit: Int
  ) throws(DatabaseError) -> [Line] {
    var lines: [Line] = []
    try connection.query(
      """
      SELECT type, id, seq, createdAt, deletedAt, fields FROM record
      WHERE space = ? AND seq > ? ORDER BY seq LIMIT ?
      """, [.text(viewer.person), .integer(since), .integer(limit + 1)]
    ) { row in lines.append(line(row, fields: row.text(5))) }
    return lines
  }

  /// The records of a group, with what the person has of their own of them.
  private static func shared(
    _ connection: any Connection, _ viewer: Viewer, _ group: String, _ since: Int, _ limit: Int
  ) throws(DatabaseError) -> [Line] {
    var lines: [Line] = []
    try connection.query(
      """
      SELECT record.type, record.id, record.seq, record.createdAt, record.deletedAt, record.fields,
        personal.fields
      FROM record LEFT JOIN personal ON personal.person = ?1 AND personal.type = record.type
        AND personal.id = record.id
      WHERE space = ?2 AND record.seq > ?3 ORDER BY record.seq LIMIT ?4
      """,
      [.text(viewer.person), .text(group), .integer(since), .integer(limit + 1)]
    ) { row in
      lines.append(
        line(
          row, fields: joined(row.text(5), row.isNull(6) ? "{}" : row.text(6)), space: group))
    }
    return lines
  }

  /// The person's settings, and the records of groups of which their own fields changed.
  private static func personal(
    _ connection: any Connection, _ viewer: Viewer, _ since: Int, _ limit: Int
  ) throws(DatabaseError) -> [Line] {
    var lines: [Line] = []
    try connection.query(
      """
      SELECT personal.type, personal.id, personal.seq, personal.createdAt, personal.deletedAt,
        personal.fields, record.space, record.createdAt, record.deletedAt, record.fields
      FROM personal LEFT JOIN record ON personal.type <> 'setting' AND record.type = personal.type
        AND record.id = personal.id
      WHERE person = ? AND personal.seq > ? ORDER BY personal.seq
      """, [.text(viewer.person), .integer(since)]
    ) { row in
      guard lines.count <= limit else { return }
      if row.text(0) == RecordType.setting.rawValue {
        lines.append(line(row, fields: row.text(5)))
      } else if !row.isNull(6), viewer.roles[row.text(6)] != nil {
        let seq = row.integer(2)
        lines.append(
          (
            seq,
            RecordJSON.wire(
              type: row.text(0), id: row.text(1), seq: seq, createdAt: row.integer(7),
              deletedAt: row.isNull(8) ? nil : row.integer(8),
              fields: joined(row.text(9), row.text(5)), space: row.text(6))
          ))
      }
    }
    return lines
  }

  private static func line(_ row: Row, fields: String, space: String? = nil) -> Line {
    let seq = row.integer(2)
    return (
      seq,
      RecordJSON.wire(
        type: row.text(0), id: row.text(1), seq: seq, createdAt: row.integer(3),
        deletedAt: row.isNull(4) ? nil : row.integer(4), fields: fields, space: space)
    )
  }

  /// Two columns of fields, which have none in common, as one.
  private static func joined(_ fields: String, _ others: String) -> String {
    if others == "{}" { return fields }
    if fields == "{}" { return others }
    return fields.dropLast() + "," + others.dropFirst()
  }
}
