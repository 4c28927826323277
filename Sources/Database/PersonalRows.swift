// What a person has of their own beside the common records: the settings of everybody but the owner, and
// the personal fields of records that a group owns.

import Model

/// The table of personal rows. A row is a record whose space is the person's.
enum PersonalRows {
  static func load(
    _ connection: any Connection, _ person: String, _ type: RecordType, _ id: String
  ) throws(DatabaseError) -> Record? {
    try select(
      connection, "person = ? AND type = ? AND id = ?",
      [.text(person), .text(type.rawValue), .text(id)]
    ).first
  }

  static func select(
    _ connection: any Connection, _ clause: String = "TRUE", _ values: [SQLValue] = []
  ) throws(DatabaseError) -> [Record] {
    var records: [Record] = []
    try connection.query(
      """
      SELECT type, id, createdAt, deletedAt, fields, stamps, person FROM personal WHERE \(clause)
      """, values
    ) { row throws(DatabaseError) in records.append(try RecordStore.record(from: row)) }
    return records
  }

  static func save(
    _ connection: any Connection, _ record: Record, seq: Int
  ) throws(DatabaseError) {
    let (fields, stamps) = RecordJSON.columns(of: record)
    try connection.run(
      """
      INSERT INTO personal (person, type, id, seq, createdAt, deletedAt, fields, stamps)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (person, type, id) DO UPDATE SET seq = excluded.seq,
        createdAt = excluded.createdAt, deletedAt = excluded.deletedAt, fields = excluded.fields,
        stamps = excluded.stamps
      """,
      [
        .text(record.space), .text(record.type.rawValue), .text(record.id), .integer(seq),
        .integer(record.createdAt), record.deletedAt.map(SQLValue.integer) ?? .null, .text(fields),
        .text(stamps),
      ])
  }

  static func remove(
    _ connection: any Connection, _ person: String, _ type: RecordType, _ id: String
  ) throws(DatabaseError) {
    try connection.run(
      "DELETE FROM personal WHERE person = ? AND type = ? AND id = ?",
      [.text(person), .text(type.rawValue), .text(id)])
  }

  /// Removes the rows of records that are forgotten.
  static func removeOrphans(_ connection: any Connection) throws(DatabaseError) {
    try connection.run(
      """
      DELETE FROM personal WHERE type <> 'setting' AND NOT EXISTS (
        SELECT 1 FROM record WHERE record.type = personal.type AND record.id = personal.id)
      """)
  }
}

extension RecordStore {
  /// The highest number among the comments of a group's routine that a person has looked at; 0 if none.
  public func commentsSeen(by person: String, in routine: String) throws(DatabaseError) -> Int {
    try database.read { connection throws(DatabaseError) in
      try PersonalRows.load(connection, person, .routine, routine)?["commentsSeen"].integer ?? 0
    }
  }
}
