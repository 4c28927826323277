// What servers that share a bucket of blobs agree about: which blobs are about to be deleted, and which ones
// may not be.

/// The tables of blobs that are about to be deleted, and of those that somebody needs who has no record of
/// them yet. No blob is in both.
public struct DeletionStore: Sendable {
  private let database: LibraryDatabase

  /// Makes a store in `database`.
  public init(database: LibraryDatabase) { self.database = database }

  /// Announces that the blob with this hash is deleted, unless a server needs it that is one of `servers`, or a
  /// record does: one may have been made since the caller looked, if the caller's lock was lost.
  public func announce(_ sha256: String, servers: Set<Int>) throws(DatabaseError) {
    let numbers = servers.sorted().map(String.init).joined(separator: ", ")
    try database.write { connection throws(DatabaseError) in
      try connection.run(
        "DELETE FROM hold WHERE server NOT IN (\(numbers.isEmpty ? "0" : numbers))")
      try connection.run(
        """
        INSERT INTO deletion (sha256)
          SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM hold WHERE coalesce(sha256, ?1) = ?1)
            AND NOT EXISTS (
              SELECT 1 FROM record WHERE deletedAt IS NULL AND json_extract(fields, '$.state') <> 'failed'
                AND json_extract(fields, '$.sha256') IS NOT NULL AND json_extract(fields, '$.sha256') = ?1)
          ON CONFLICT DO NOTHING
        """, [.text(sha256)])
    }
  }

  /// Takes over what is announced, so that `server` deletes it.
  ///
  /// - Parameter all: whether also that which another server may still be deleting.
  /// - Returns: the hashes.
  public func claim(at server: Int, all: Bool) throws(DatabaseError) -> [String] {
    try database.write { connection throws(DatabaseError) in
      try connection.run(
        "UPDATE deletion SET server = ?1 WHERE server IS NULL OR ?2 = 1",
        [.integer(server), .integer(all ? 1 : 0)])
      return try Self.hashes(connection, "WHERE server = ?", [.integer(server)])
    }
  }

  /// Whether `claim` would return any.
  public func isAnyDue(at server: Int, all: Bool) throws(DatabaseError) -> Bool {
    try database.read { connection throws(DatabaseError) in
      try connection.integer(
        "SELECT 1 FROM deletion WHERE coalesce(server, ?1) = ?1 OR ?2 = 1 LIMIT 1",
        [.integer(server), .integer(all ? 1 : 0)]) != nil
    }
  }

  /// Forgets one that is deleted.
  public func end(_ sha256: String) throws(DatabaseError) {
    try database.write { connection throws(DatabaseError) in
      try connection.run("DELETE FROM deletion WHERE sha256 = ?", [.text(sha256)])
    }
  }

  /// Keeps the blob with this hash, which a server needs, from being deleted. nil stands for all blobs.
  ///
  /// - Parameter id: a new name, by which `release` ends that.
  /// - Returns: the hashes of those that are deleted all the same. If the one is among them, it is not kept.
  public func hold(
    _ id: String, _ sha256: String?, at server: Int
  ) throws(DatabaseError) -> [String] {
    try database.write { connection throws(DatabaseError) in
      let leaving = try Self.hashes(
        connection, "WHERE sha256 = coalesce(?1, sha256)", [sha256.map { .text($0) } ?? .null])
      if sha256 == nil || leaving.isEmpty {
        try connection.run(
          "INSERT INTO hold (id, sha256, server) VALUES (?, ?, ?)",
          [.text(id), sha256.map { .text($0) } ?? .null, .integer(server)])
      }
      return leaving
    }
  }

  /// Whether what `hold` began lasts.
  static func holds(_ connection: any Connection, _ id: String) throws(DatabaseError) -> Bool {
    try connection.integer("SELECT 1 FROM hold WHERE id = ?", [.text(id)]) != nil
  }

  /// Ends what `hold` began.
  public func release(_ ids: [String]) throws(DatabaseError) {
    try database.write { connection throws(DatabaseError) in
      for id in ids { try connection.run("DELETE FROM hold WHERE id = ?", [.text(id)]) }
    }
  }

  private static func hashes(
    _ connection: any Connection, _ condition: String, _ values: [SQLValue]
  ) throws(DatabaseError) -> [String] {
    var hashes: [String] = []
    try connection.query(
      "SELECT sha256 FROM deletion \(condition) ORDER BY sha256", values
    ) { row in hashes.append(row.text(0)) }
    return hashes
  }
}
