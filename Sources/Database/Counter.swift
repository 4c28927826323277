// The numbers that a library counts and remembers, by name.

/// The table of counters.
enum Counter {
  /// Returns a counter; nil if it was never set.
  static func value(_ name: String, _ connection: any Connection) throws(DatabaseError) -> Int? {
    try connection.integer("SELECT value FROM counter WHERE name = ?", [.text(name)])
  }

  /// Sets a counter.
  static func set(
    _ name: String, _ value: Int, _ connection: any Connection
  ) throws(DatabaseError) {
    try connection.run(
      """
      INSERT INTO counter (name, value) VALUES (?, ?)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value
      """, [.text(name), .integer(value)])
  }

  /// Raises a counter that is there to `value`, if it is lower.
  static func raise(
    _ name: String, to value: Int, _ connection: any Connection
  ) throws(DatabaseError) {
    try connection.run(
      "UPDATE counter SET value = ?1 WHERE name = ?2 AND value < ?1",
      [.integer(value), .text(name)])
  }
}
