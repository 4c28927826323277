// The secrets of an installation, and which of the challenges made with one were answered.

/// The tables of secrets and of answered challenges.
public struct SecretStore: Sendable {
  private let database: LibraryDatabase

  /// Makes a store in `database`.
  public init(database: LibraryDatabase) { self.database = database }

  /// Returns the secret of this name; nil if it was never made.
  public func secret(_ name: String) throws(DatabaseError) -> String? {
    try database.read { connection throws(DatabaseError) in
      try SecretStore.secret(name, connection)
    }
  }

  /// Returns the secret of this name, which is `new` if there was none.
  public func secret(_ name: String, orNew new: String) throws(DatabaseError) -> String {
    if let known = try secret(name) { return known }
    return try database.write { connection throws(DatabaseError) in
      // Another thread may have made it meanwhile.
      if let known = try SecretStore.secret(name, connection) { return known }
      try connection.run(
        "INSERT INTO secret (name, value) VALUES (?, ?)", [.text(name), .text(new)])
      return new
    }
  }

  private static func secret(
    _ name: String, _ connection: any Connection
  ) throws(DatabaseError) -> String? {
    var value: String?
    try connection.query("SELECT value FROM secret WHERE name = ?", [.text(name)]) { row in
      value = row.text(0)
    }
    return value
  }

  /// Returns all secrets by name.
  public func all() throws(DatabaseError) -> [String: String] {
    try database.read { connection throws(DatabaseError) in
      var secrets: [String: String] = [:]
      try connection.query("SELECT name, value FROM secret") { row in
        secrets[row.text(0)] = row.text(1)
      }
      return secrets
    }
  }

  /// Replaces all secrets.
  public func replaceAll(with secrets: [String: String]) throws(DatabaseError) {
    try database.write { connection throws(DatabaseError) in
      try connection.run("DELETE FROM secret")
      for (name, value) in secrets {
        try connection.run(
          "INSERT INTO secret (name, value) VALUES (?, ?)", [.text(name), .text(value)])
      }
    }
  }

  /// Notes that a challenge was answered, and forgets those that ended before `now`; times are in
  /// milliseconds since 1970.
  ///
  /// - Returns: false if it was answered before.
  public func noteAnswer(
    to challenge: String, endingAt end: Int, now: Int
  ) throws(DatabaseError) -> Bool {
    try database.write { connection throws(DatabaseError) in
      try connection.run("DELETE FROM answered WHERE endsAt < ?", [.integer(now)])
      return try connection.integer(
        """
        INSERT INTO answered (challenge, endsAt) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING 1
        """, [.text(challenge), .integer(end)]) != nil
    }
  }
}
