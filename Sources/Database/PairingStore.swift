// The codes that pair devices.

/// A code that pairs one device.
public struct PairingRow: Sendable, Equatable {
  /// SHA-256 of the code; the code itself is not stored.
  public var hash: String
  /// The id of the device that made it; nil for the owner.
  public var maker: String?
  /// The id of the person whose device it makes; nil for the owner's.
  public var person: String?
  /// When it ends, in milliseconds since 1970.
  public var expiresAt: Int
  /// Whether it has paired a device.
  public var isUsed: Bool

  /// Makes a code that was not used yet.
  public init(hash: String, maker: String?, person: String?, expiresAt: Int) {
    self.hash = hash
    self.maker = maker
    self.person = person
    self.expiresAt = expiresAt
    isUsed = false
  }

  fileprivate init(row: Row) {
    hash = row.text(0)
    maker = row.isNull(1) ? nil : row.text(1)
    person = row.isNull(2) ? nil : row.text(2)
    expiresAt = row.integer(3)
    isUsed = row.integer(4) != 0
  }
}

/// The table of pairing codes.
public struct PairingStore: Sendable {
  private let database: LibraryDatabase

  /// Makes a store in `database`.
  public init(database: LibraryDatabase) { self.database = database }

  /// Adds a code, and removes all that ended before `oldest`, in milliseconds since 1970. Of those that its
  /// maker made and nobody used, only the latest `limit` stay.
  public func add(
    _ pairing: PairingRow, limit: Int, removingBefore oldest: Int
  ) throws(DatabaseError) {
    try database.write { connection throws(DatabaseError) in
      try connection.run("DELETE FROM pairing WHERE expiresAt <= ?", [.integer(oldest)])
      try connection.run(
        "INSERT INTO pairing (hash, maker, person, expiresAt, isUsed) VALUES (?, ?, ?, ?, 0)",
        [
          .text(pairing.hash), pairing.maker.map(SQLValue.text) ?? .null,
          pairing.person.map(SQLValue.text) ?? .null, .integer(pairing.expiresAt),
        ])
      try connection.run(
        """
        DELETE FROM pairing WHERE hash IN (
          SELECT hash FROM pairing WHERE isUsed = 0 AND coalesce(maker, '') = ?
          ORDER BY expiresAt DESC, hash <> ? LIMIT 1000 OFFSET ?)
        """,
        [.text(pairing.maker ?? ""), .text(pairing.hash), .integer(limit)])
    }
  }

  /// Removes all codes.
  public func removeAll() throws(DatabaseError) {
    try database.write { connection throws(DatabaseError) in
      try connection.run("DELETE FROM pairing")
    }
  }

  /// Returns the code with this hash; nil if there is none.
  public func pairing(_ hash: String) throws(DatabaseError) -> PairingRow? {
    try database.read { connection throws(DatabaseError) in
      var pairing: PairingRow?
      try connection.query(
        "SELECT hash, maker, person, expiresAt, isUsed FROM pairing WHERE hash = ?", [.text(hash)]
      ) { row in pairing = PairingRow(row: row) }
      return pairing
    }
  }
}
