// What a link shows: which records, and which of their fields. The one definition, which the list of
// records and the look-up of a single one share.

import Model

/// A routine, or one of its parts, with all that hangs on it.
public struct LinkScope: Hashable, Sendable {
  /// The id of the routine.
  public var routine: String
  /// The id of the one part that is shown; nil for the whole routine.
  public var part: String?

  /// Makes a scope.
  public init(routine: String, part: String? = nil) {
    self.routine = routine
    self.part = part
  }

  /// The fields that are shown, by the types that are. What practice remembers, what belongs to the
  /// performer, and what tells of uploaded files stays out.
  public static let shownFields: [RecordType: Set<String>] = [
    .routine: ["title", "subtitle", "evenLoudness"],
    .part: [
      "routine", "track", "startFrame", "endFrame", "title", "position", "video", "videoOffset",
      "videoMirrored",
    ],
    .move: [
      "part", "moveType", "title", "notes", "position", "startCount", "countLength", "recording",
    ],
    .spot: ["part", "startFrame", "endFrame", "title"],
    .moveType: ["name", "abbreviation", "colour"],
    .track: ["title", "state", "lengthFrames", "loudness"],
    .video: [
      "title", "state", "length", "width", "height", "framesPerSecond", "hasSound", "plays",
    ],
    .recording: ["state", "lengthFrames"],
    .gridCorrection: ["track", "kind", "order", "startFrame", "endFrame", "value", "taps"],
  ]

  /// The records of the scope as the table `scope` of types and ids; `?1` is the routine, `?2` the
  /// part or NULL. Nothing is there that is deleted, or whose routine is.
  private static let table: String = {
    func children(of parents: String, _ type: RecordType, by field: String) -> String {
      // The empty texts leave the index of the field as the only way in.
      """
      \(parents) JOIN record ON json_extract(record.fields, '$.\(field)') IS NOT NULL
        AND json_extract(record.fields, '$.\(field)') = \(parents).id || ''
        AND record.type || '' = '\(type.rawValue)' AND record.deletedAt IS NULL
        AND record.space || '' = (SELECT space FROM home)
      """
    }
    func named(_ type: RecordType, by field: String, in owners: String) -> String {
      """
      SELECT '\(type.rawValue)', id FROM record WHERE type = '\(type.rawValue)'
        AND deletedAt IS NULL AND id IN (SELECT \(field) FROM \(owners))
        AND space || '' = (SELECT space FROM home)
      """
    }
    return """
      WITH
      home AS MATERIALIZED (
        SELECT id, space FROM record
        WHERE type = 'routine' AND id = ?1 AND deletedAt IS NULL
      ),
      part AS MATERIALIZED (
        SELECT record.id AS id, json_extract(record.fields, '$.track') AS track,
          json_extract(record.fields, '$.video') AS video,
          json_extract(record.fields, '$.title') AS title
        FROM \(children(of: "home", .part, by: "routine"))
        WHERE CAST(?2 AS TEXT) IS NULL OR record.id = ?2
      ),
      move AS MATERIALIZED (
        SELECT record.id AS id, json_extract(record.fields, '$.moveType') AS moveType,
          json_extract(record.fields, '$.recording') AS recording,
          json_extract(record.fields, '$.title') AS title
        FROM \(children(of: "part", .move, by: "part"))
      ),
      track AS MATERIALIZED (\(named(.track, by: "track", in: "part"))),
      scope(type, id) AS (
        SELECT 'routine', id FROM home WHERE CAST(?2 AS TEXT) IS NULL OR EXISTS (SELECT 1 FROM part)
        UNION ALL SELECT 'part', id FROM part
        UNION ALL SELECT 'move', id FROM move
        UNION ALL SELECT 'spot', record.id FROM \(children(of: "part", .spot, by: "part"))
        UNION ALL \(named(.moveType, by: "moveType", in: "move"))
        UNION ALL SELECT * FROM track
        UNION ALL \(named(.video, by: "video", in: "part"))
        UNION ALL \(named(.recording, by: "recording", in: "move"))
        UNION ALL SELECT 'gridCorrection', record.id
          FROM \(children(of: "track", .gridCorrection, by: "track"))
      )
      """
  }()

  private var values: [SQLValue] { [.text(routine), part.map(SQLValue.text) ?? .null] }

  /// Whether the routine, and the part if there is one, is there.
  func isThere(_ connection: any Connection) throws(DatabaseError) -> Bool {
    try connection.integer("\(LinkScope.table) SELECT 1 FROM scope LIMIT 1", values) != nil
  }

  /// Whether a record is in the scope.
  func holds(
    _ type: RecordType, _ id: String, _ connection: any Connection
  ) throws(DatabaseError) -> Bool {
    try connection.integer(
      "\(LinkScope.table) SELECT 1 FROM scope WHERE type = ?3 AND id = ?4",
      values + [.text(type.rawValue), .text(id)]) != nil
  }

  /// Whether a part or a move of the scope has this title.
  func holds(title: String, _ connection: any Connection) throws(DatabaseError) -> Bool {
    try connection.integer(
      """
      \(LinkScope.table) SELECT 1 FROM part WHERE title = ?3
      UNION ALL SELECT 1 FROM move WHERE title = ?3 LIMIT 1
      """, values + [.text(title)]) != nil
  }

  /// Returns the records of the scope as they go over the wire, with the fields that are shown. Their
  /// sequence numbers are those of this list: the library's own would tell when something else of it
  /// changed, as when the performer practises.
  fileprivate func records(_ connection: any Connection) throws(DatabaseError) -> [String] {
    var records: [String] = []
    try connection.query(
      """
      \(LinkScope.table) SELECT record.type, record.id, createdAt, fields, stamps
      FROM scope JOIN record ON record.type = scope.type AND record.id = scope.id
      ORDER BY record.type, record.id
      """, values
    ) { row throws(DatabaseError) in
      guard let type = RecordType(rawValue: row.text(0)), let shown = LinkScope.shownFields[type]
      else { return }
      let cells = try RecordJSON.cells(
        fields: row.text(3), stamps: row.text(4), deletedAt: nil)
      let record = Record(
        type: type, id: row.text(1), createdAt: row.integer(2),
        cells: cells.filter { shown.contains($0.key) })
      records.append(
        RecordJSON.wire(
          type: type.rawValue, id: record.id, seq: records.count + 1,
          createdAt: record.createdAt, deletedAt: nil,
          fields: RecordJSON.columns(of: record).fields))
    }
    return records
  }
}

extension RecordStore {
  /// Whether the routine of a scope, and its part if it has one, is there.
  public func isThere(_ scope: LinkScope) throws(DatabaseError) -> Bool {
    try database.read { connection throws(DatabaseError) in try scope.isThere(connection) }
  }

  /// Whether the routine of a scope, and its part if it has one, is there or deleted, but not purged.
  public func exists(_ scope: LinkScope) throws(DatabaseError) -> Bool {
    guard try record(.routine, scope.routine) != nil else { return false }
    guard let part = scope.part else { return true }
    return try record(.part, part) != nil
  }

  /// Whether a scope holds a record that is not deleted.
  public func holds(
    _ scope: LinkScope, _ type: RecordType, _ id: String
  ) throws(DatabaseError) -> Bool {
    try database.read { connection throws(DatabaseError) in
      try scope.holds(type, id, connection)
    }
  }

  /// Whether a scope holds a part or a move with this title.
  public func holds(_ scope: LinkScope, title: String) throws(DatabaseError) -> Bool {
    try database.read { connection throws(DatabaseError) in
      try scope.holds(title: title, connection)
    }
  }

  /// Returns the records of a scope as they go over the wire, with the fields that are shown.
  public func records(of scope: LinkScope) throws(DatabaseError) -> [String] {
    try database.read { connection throws(DatabaseError) in try scope.records(connection) }
  }
}
