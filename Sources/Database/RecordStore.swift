// The records of the library: merging changes in, reading records out.

import FoundationEssentials
import Model

/// The table of records.
public final class RecordStore: Sendable {
  let database: LibraryDatabase

  /// Makes the store on `database`.
  public init(database: LibraryDatabase) {
    self.database = database
  }

  /// What came of a list of changes.
  public struct Outcome: Sendable {
    /// The sequence number after them.
    public var seq: Int
    /// The spaces in which something is different now. Of what a person has of their own in a group's
    /// records, the person's.
    public var spaces: Set<String>
    /// The changes that the author may not make.
    public var rejections: [Rejection]
    /// The ids of the comments that came in, of people and not of the server.
    public var comments: [String]

    /// Whether any record is different now.
    public var hasChanged: Bool { !spaces.isEmpty }
  }

  /// Merges validated `changes` in one transaction, and runs `alongside` in the same one. `viewer` is
  /// the author; nil is the server, which may edit everything.
  ///
  /// Every record that became different gets the next sequence number, once per call. Values of
  /// choreography, and texts, that lose against others are kept as earlier versions from `now` on, in milliseconds since 1970.
  public func apply(
    _ changes: [Change], by viewer: Viewer? = nil,
    now: Int = Int(Date().timeIntervalSince1970 * 1000),
    alongside: (JobWriter) throws(DatabaseError) -> Void = { _ throws(DatabaseError) in }
  ) throws(DatabaseError) -> Outcome {
    try database.write { connection throws(DatabaseError) in
      let before = try RecordStore.seq(connection)
      var merging = Merging(connection: connection, viewer: viewer, now: now, seq: before)
      try merging.take(all: RecordStore.grouped(changes))
      if merging.seq != before {
        let latest = changes.map { $0.at.milliseconds << 16 | Int($0.at.counter) }.max() ?? 0
        try connection.run(
          """
          UPDATE counter SET value = CASE name WHEN 'seq' THEN ?1 ELSE ?2 END
          WHERE name = 'seq' OR (name = 'clock' AND value < ?2)
          """, [.integer(merging.seq), .integer(latest)])
      }
      try alongside(JobWriter(connection: connection))
      return Outcome(
        seq: merging.seq, spaces: merging.spaces, rejections: merging.rejections,
        comments: merging.comments)
    }
  }

  /// The sequence number of the latest change.
  public func latestSeq() throws(DatabaseError) -> Int {
    try database.read { connection throws(DatabaseError) in try RecordStore.seq(connection) }
  }

  /// Returns one record, deleted or not; nil when there never was one.
  public func record(_ type: RecordType, _ id: String) throws(DatabaseError) -> Record? {
    try database.read { connection throws(DatabaseError) in
      try RecordStore.load(connection, type, id)
    }
  }

  /// Returns all records of `type`, deleted ones too, in the order of their ids.
  public func records(_ type: RecordType) throws(DatabaseError) -> [Record] {
    try select("type = ? ORDER BY id", [.text(type.rawValue)])
  }

  /// Returns the records of `type` that are there, in the order of their ids. Where much was deleted
  /// lately, that is far less to read.
  public func present(_ type: RecordType) throws(DatabaseError) -> [Record] {
    try select("type = ? AND deletedAt IS NULL ORDER BY id", [.text(type.rawValue)])
  }

  /// Returns the records of `type` with a value in the field `name`, deleted ones too, in the order of
  /// their ids.
  public func records(_ type: RecordType, having name: String) throws(DatabaseError) -> [Record] {
    guard let field = type.field(name) else { return [] }
    return try select(
      "type = ? AND json_extract(fields, '$.\(field.name)') IS NOT NULL ORDER BY id",
      [.text(type.rawValue)])
  }

  /// Returns the records with this hash in the field `sha256`, deleted ones too.
  func records(withSHA256 sha256: String) throws(DatabaseError) -> [Record] {
    try select(
      """
      json_extract(fields, '$.sha256') IS NOT NULL AND json_extract(fields, '$.sha256') = ?
      ORDER BY id
      """, [.text(sha256)])
  }

  /// Whether `record`, or what holds it, is known to be deleted. What it hangs on may still come in
  /// when it is not known at all.
  public func isDeleted(_ record: Record) throws(DatabaseError) -> Bool {
    if record.deletedAt != nil { return true }
    guard let (type, field) = record.type.parent, let id = record[field].text,
      let parent = try self.record(type, id)
    else { return false }
    return try isDeleted(parent)
  }

  /// Returns the parts and clips that are there and stand on `track`.
  public func users(ofTrack track: String) throws(DatabaseError) -> [Record] {
    try select(
      """
      json_extract(fields, '$.track') IS NOT NULL AND json_extract(fields, '$.track') = ?
      AND type || '' IN ('part', 'clip') AND deletedAt IS NULL ORDER BY id
      """, [.text(track)])
  }

  /// Returns the records of `type` that are there and whose reference `field` is `parent`.
  public func records(
    _ type: RecordType, whose field: String, is parent: String
  ) throws(DatabaseError) -> [Record] {
    guard type.field(field)?.kind == .reference else { return [] }
    // The name comes from the schema, and stands in the text for the index to be found.
    return try select(
      """
      json_extract(fields, '$.\(field)') IS NOT NULL AND json_extract(fields, '$.\(field)') = ?
      AND type || '' = ? AND deletedAt IS NULL ORDER BY id
      """, [.text(parent), .text(type.rawValue)])
  }

  /// The time and counter of the latest stamp that was ever merged; nil in an empty library.
  public func latestStamp() throws(DatabaseError) -> Stamp? {
    try database.read { connection throws(DatabaseError) in
      let value = try Counter.value("clock", connection) ?? 0
      guard value > 0 else { return nil }
      return Stamp(
        milliseconds: value >> 16, counter: UInt16(truncatingIfNeeded: value), device: .max)
    }
  }

  /// Forgets records whose `deletionTime` by the clock, which shows `now`, is before `milliseconds`
  /// since 1970, with what hangs on them, and returns their number.
  ///
  /// What hangs on a record that never came in stays: the record may still come.
  @discardableResult
  public func purgeTombstones(
    deletedBefore milliseconds: Int, now: Int = Int(Date().timeIntervalSince1970 * 1000)
  ) throws(DatabaseError) -> Int {
    try database.write { connection throws(DatabaseError) in
      let gone = RecordStore.gone
      let times: [SQLValue] = [.integer(milliseconds), .integer(now)]
      let last = try connection.integer("\(gone) SELECT max(seq) FROM gone", times)
      try Counter.raise("purged", to: last ?? 0, connection)
      var count = 0
      try connection.query(
        "\(gone) DELETE FROM record WHERE seq IN (SELECT seq FROM gone) RETURNING seq", times
      ) { _ in count += 1 }
      if count > 0 { try PersonalRows.removeOrphans(connection) }
      return count
    }
  }

  /// What goes when the deletions from before `?1` are forgotten at `?2`, as the table `gone`.
  private static let gone: String = {
    let children = RecordType.allCases.flatMap { type in
      (type.places + [type.parent].compactMap { $0 }).map { parent in
        // The empty texts leave the index of the field as the only way in.
        """
        (gone.type = '\(parent.type.rawValue)' AND record.type || '' = '\(type.rawValue)'
          AND json_extract(record.fields, '$.\(parent.field)') IS NOT NULL
          AND json_extract(record.fields, '$.\(parent.field)') = gone.id || '')
        """
      }
    }
    // A stamp begins with its milliseconds, in 13 digits. As `Record.deletionTime`.
    let stamp = "CAST(substr(json_extract(stamps, '$.deletedAt'), 1, 13) AS BIGINT)"
    return """
      WITH RECURSIVE gone(type, id, seq) AS (
        SELECT type, id, seq FROM record WHERE deletedAt IS NOT NULL
          AND CASE WHEN \(stamp) > ?2 + \(Record.stampTolerance) AND deletedAt <= ?2
            THEN deletedAt ELSE \(stamp) END < ?1
        UNION SELECT record.type, record.id, record.seq FROM gone JOIN record
          ON \(children.joined(separator: "\n OR "))
      )
      """
  }()

  private func select(_ clause: String, _ values: [SQLValue]) throws(DatabaseError) -> [Record] {
    try database.read { connection throws(DatabaseError) in
      try RecordStore.select(connection, clause, values)
    }
  }

  static func select(
    _ connection: any Connection, _ clause: String, _ values: [SQLValue]
  ) throws(DatabaseError) -> [Record] {
    var records: [Record] = []
    try connection.query(
      "SELECT type, id, createdAt, deletedAt, fields, stamps, space FROM record WHERE \(clause)",
      values
    ) { row throws(DatabaseError) in
      records.append(try RecordStore.record(from: row))
    }
    return records
  }

  static func seq(_ connection: any Connection) throws(DatabaseError) -> Int {
    try Counter.value("seq", connection) ?? 0
  }

  static func purged(_ connection: any Connection) throws(DatabaseError) -> Int {
    try Counter.value("purged", connection) ?? 0
  }

  static func load(
    _ connection: any Connection, _ type: RecordType, _ id: String
  ) throws(DatabaseError) -> Record? {
    try select(connection, "type = ? AND id = ?", [.text(type.rawValue), .text(id)]).first
  }

  static func setSeq(_ seq: Int, _ connection: any Connection) throws(DatabaseError) {
    try Counter.set("seq", seq, connection)
  }

  static func record(from row: Row) throws(DatabaseError) -> Record {
    guard let type = RecordType(rawValue: row.text(0)) else {
      throw DatabaseError(.corrupt, "The library holds a record of an unknown type.")
    }
    return Record(
      type: type, id: row.text(1), space: row.text(6), createdAt: row.integer(2),
      cells: try RecordJSON.cells(
        fields: row.text(4), stamps: row.text(5),
        deletedAt: row.isNull(3) ? nil : row.integer(3)))
  }

  static func save(
    _ connection: any Connection, _ record: Record, seq: Int
  ) throws(DatabaseError) {
    try save(connection, [(record, seq)])
  }

  /// Stores records, each with its sequence number.
  static func save(
    _ connection: any Connection, _ records: [(record: Record, seq: Int)]
  ) throws(DatabaseError) {
    // Whole batches and single ones, so that there are two statements to prepare.
    let rest = records.count % batch
    for start in stride(from: 0, to: records.count - rest, by: batch) {
      try insert(connection, records[start..<start + batch])
    }
    for index in (records.count - rest)..<records.count {
      try insert(connection, records[index...index])
    }
  }

  private static func insert(
    _ connection: any Connection, _ records: ArraySlice<(record: Record, seq: Int)>
  ) throws(DatabaseError) {
    let places = records.map { _ in "(?, ?, ?, ?, ?, ?, ?, ?)" }.joined(separator: ", ")
    try connection.run(
      """
      INSERT INTO record (type, id, space, seq, createdAt, deletedAt, fields, stamps)
      VALUES \(places)
      ON CONFLICT (type, id) DO UPDATE SET space = excluded.space, seq = excluded.seq,
        createdAt = excluded.createdAt, deletedAt = excluded.deletedAt, fields = excluded.fields,
        stamps = excluded.stamps
      """,
      records.flatMap { values(of: $0.record, seq: $0.seq) })
  }

  private static func values(of record: Record, seq: Int) -> [SQLValue] {
    let (fields, stamps) = RecordJSON.columns(of: record)
    return [
      .text(record.type.rawValue), .text(record.id), .text(record.space), .integer(seq),
      .integer(record.createdAt), record.deletedAt.map(SQLValue.integer) ?? .null, .text(fields),
      .text(stamps),
    ]
  }

  /// The changes of each record together, records in the order in which they first occur.
  private static func grouped(_ changes: [Change]) -> [[Change]] {
    var groups: [[Change]] = []
    var indexes: [RecordKey: Int] = [:]
    for change in changes {
      let key = RecordKey(change.type, change.record)
      if let index = indexes[key] {
        groups[index].append(change)
      } else {
        indexes[key] = groups.count
        groups.append([change])
      }
    }
    return groups
  }
}
