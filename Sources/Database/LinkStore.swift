// The links, which show a part of the library to people without a device.

import Model

/// One link.
public struct LinkRow: Sendable, Equatable {
  /// A UUID.
  public var id: String
  /// The text after the `#` of its address. Kept, so that the address can be shown again.
  public var secret: String
  /// From the secret and this salt the token of the cookie is derived.
  public var salt: String
  /// SHA-256 of the token.
  public var tokenHash: String
  /// The passcode's hash, as `crypt` writes it; nil for a link without a passcode.
  public var passcodeHash: String?
  /// What it shows.
  public var scope: LinkScope
  /// The stretch of the part's track that its page loops; nil for the whole part.
  public var frames: Range<Int>?
  /// When it was made, in milliseconds since 1970.
  public var createdAt: Int
  /// When it ends, in milliseconds since 1970.
  public var expiresAt: Int
  /// Whether it was seen to have ended. It stays so when the clock is set back.
  public var isOver = false
  /// How often it was opened by somebody without access.
  public var openings = 0
  /// When that was last; nil: never.
  public var lastOpenedAt: Int?

  /// Makes a link that nobody opened yet.
  public init(
    id: String, secret: String, salt: String, tokenHash: String, passcodeHash: String?,
    scope: LinkScope, frames: Range<Int>?, createdAt: Int, expiresAt: Int
  ) {
    self.id = id
    self.secret = secret
    self.salt = salt
    self.tokenHash = tokenHash
    self.passcodeHash = passcodeHash
    self.scope = scope
    self.frames = frames
    self.createdAt = createdAt
    self.expiresAt = expiresAt
  }

  fileprivate init(row: Row) {
    id = row.text(0)
    secret = row.text(1)
    salt = row.text(2)
    tokenHash = row.text(3)
    passcodeHash = row.isNull(4) ? nil : row.text(4)
    scope = LinkScope(routine: row.text(5), part: row.isNull(6) ? nil : row.text(6))
    if !row.isNull(7), !row.isNull(8), row.integer(7) < row.integer(8) {
      frames = row.integer(7)..<row.integer(8)
    }
    createdAt = row.integer(9)
    expiresAt = row.integer(10)
    isOver = row.integer(11) != 0
    openings = row.integer(12)
    lastOpenedAt = row.isNull(13) ? nil : row.integer(13)
  }
}

/// What was seen of a link since it was last noted.
public struct LinkVisits: Sendable, Equatable {
  /// How often it was opened by somebody without access.
  public var openings = 0
  /// When that was last, in milliseconds since 1970.
  public var lastOpenedAt: Int?
  /// The end at which it was seen to be over.
  public var overAt: Int?

  /// Nothing was seen yet.
  public init() {}

  /// Adds what was seen at another time.
  public mutating func add(_ other: LinkVisits) {
    openings += other.openings
    lastOpenedAt = [lastOpenedAt, other.lastOpenedAt].compactMap(\.self).max()
    overAt = overAt ?? other.overAt
  }
}

extension LinkRow {
  /// Adds what was seen of it.
  public mutating func add(_ visits: LinkVisits) {
    openings += visits.openings
    lastOpenedAt = [lastOpenedAt, visits.lastOpenedAt].compactMap(\.self).max()
    if visits.overAt == expiresAt { isOver = true }
  }
}

/// The table of links.
public struct LinkStore: Sendable {
  private static let columns = """
    id, secret, salt, tokenHash, passcodeHash, routine, part, startFrame, endFrame, createdAt,
    expiresAt, isOver, openings, lastOpenedAt
    """

  private let database: LibraryDatabase

  /// Makes a store in `database`.
  public init(database: LibraryDatabase) { self.database = database }

  /// Returns all links, the newest first.
  public func all() throws(DatabaseError) -> [LinkRow] {
    try database.read { connection throws(DatabaseError) in
      var links: [LinkRow] = []
      try connection.query(
        "SELECT \(LinkStore.columns) FROM link ORDER BY createdAt DESC, id DESC"
      ) { row throws(DatabaseError) in links.append(LinkRow(row: row)) }
      return links
    }
  }

  /// Adds links, or replaces those with the same ids.
  public func save(_ links: [LinkRow]) throws(DatabaseError) {
    guard !links.isEmpty else { return }
    try database.write { connection throws(DatabaseError) in
      try LinkStore.save(links, connection)
    }
  }

  /// Gives a link another end; it is not over.
  public func setEnd(of id: String, to expiresAt: Int) throws(DatabaseError) {
    try database.write { connection throws(DatabaseError) in
      try connection.run(
        "UPDATE link SET expiresAt = ?, isOver = 0 WHERE id = ?", [.integer(expiresAt), .text(id)])
    }
  }

  /// Adds to links, by their ids, what was seen of them.
  public func note(_ visits: [String: LinkVisits]) throws(DatabaseError) {
    guard !visits.isEmpty else { return }
    try database.write { connection throws(DatabaseError) in
      for (id, seen) in visits {
        try connection.run(
          """
          UPDATE link SET openings = openings + ?1,
            lastOpenedAt = CASE WHEN coalesce(lastOpenedAt, 0) < ?2 THEN ?2 ELSE lastOpenedAt END,
            isOver = CASE WHEN expiresAt = ?3 THEN 1 ELSE isOver END
          WHERE id = ?4
          """,
          [
            .integer(seen.openings), .integer(seen.lastOpenedAt ?? 0), .integer(seen.overAt ?? 0),
            .text(id),
          ])
      }
    }
  }

  /// Removes links.
  public func remove(_ ids: some Collection<String>) throws(DatabaseError) {
    guard !ids.isEmpty else { return }
    try database.write { connection throws(DatabaseError) in
      for id in ids { try connection.run("DELETE FROM link WHERE id = ?", [.text(id)]) }
    }
  }

  /// Replaces all links by those of `links` whose routine, and part, is there.
  public func replaceAll(with links: [LinkRow]) throws(DatabaseError) {
    try database.write { connection throws(DatabaseError) in
      try connection.run("DELETE FROM link")
      var kept: [LinkRow] = []
      for link in links where try link.scope.isThere(connection) { kept.append(link) }
      try LinkStore.save(kept, connection)
    }
  }

  /// Describes every link that can't be one; empty if all are valid.
  public func problems() throws(DatabaseError) -> [String] {
    var problems: [String] = []
    for link in try all() {
      let ids = [link.id, link.scope.routine] + [link.scope.part].compactMap(\.self)
      let isWhole =
        ids.allSatisfy(Identifier.isValid) && link.secret.utf8.count == 43
        && link.salt.utf8.count == 43 && link.tokenHash.utf8.count == 64
        && link.passcodeHash.map { $0.hasPrefix("$y$") } ?? true
        && (link.frames == nil || link.scope.part != nil) && link.createdAt < link.expiresAt
        && link.openings >= 0
      if !isWhole { problems.append("The link \(link.id) is damaged. Revoke it.") }
    }
    return problems
  }

  private static func save(
    _ links: [LinkRow], _ connection: any Connection
  ) throws(DatabaseError) {
    for link in links {
      try connection.run(
        """
        INSERT INTO link (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET secret = excluded.secret, salt = excluded.salt,
          tokenHash = excluded.tokenHash, passcodeHash = excluded.passcodeHash,
          routine = excluded.routine, part = excluded.part, startFrame = excluded.startFrame,
          endFrame = excluded.endFrame, createdAt = excluded.createdAt,
          expiresAt = excluded.expiresAt, isOver = excluded.isOver, openings = excluded.openings,
          lastOpenedAt = excluded.lastOpenedAt
        """,
        [
          .text(link.id), .text(link.secret), .text(link.salt), .text(link.tokenHash),
          link.passcodeHash.map(SQLValue.text) ?? .null, .text(link.scope.routine),
          link.scope.part.map(SQLValue.text) ?? .null,
          (link.frames?.lowerBound).map(SQLValue.integer) ?? .null,
          (link.frames?.upperBound).map(SQLValue.integer) ?? .null, .integer(link.createdAt),
          .integer(link.expiresAt), .integer(link.isOver ? 1 : 0), .integer(link.openings),
          link.lastOpenedAt.map(SQLValue.integer) ?? .null,
        ])
    }
  }
}
