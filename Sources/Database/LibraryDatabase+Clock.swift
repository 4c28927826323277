// Whether the clock of this machine can be right, from what it showed before.

extension LibraryDatabase {
  private static let day = 86_400_000

  /// Tells whether the clock, which shows `now` in milliseconds since 1970, is believed: then what is
  /// old by it may be forgotten.
  ///
  /// One that is more than a week ahead of when it was believed last may be wrong, or nobody started
  /// the library for so long: it is believed when it has gone on for half a day.
  public func believes(clock now: Int) throws(DatabaseError) -> Bool {
    let (last, isDoubted) = try read { connection throws(DatabaseError) in
      (
        try LibraryDatabase.counter("clockBelieved", connection),
        try LibraryDatabase.counter("clockDoubted", connection) != nil
      )
    }
    // Noted once a day is enough.
    if let last, !isDoubted, last <= now, now - LibraryDatabase.day < last { return true }
    return try write { connection throws(DatabaseError) in
      let believed = try LibraryDatabase.counter("clockBelieved", connection) ?? now
      if now - 7 * LibraryDatabase.day > believed {
        let doubted = try LibraryDatabase.counter("clockDoubted", connection)
        // It was further ahead before: that was wrong, and this may be, too.
        if doubted ?? .max > now {
          try connection.run(
            "INSERT OR REPLACE INTO counter VALUES ('clockDoubted', ?)", [.integer(now)])
        }
        guard let doubted, now - LibraryDatabase.day / 2 >= doubted else { return false }
      }
      try connection.run("DELETE FROM counter WHERE name = 'clockDoubted'")
      try connection.run(
        "INSERT OR REPLACE INTO counter VALUES ('clockBelieved', ?)", [.integer(now)])
      return true
    }
  }

  private static func counter(
    _ name: String, _ connection: Connection
  ) throws(DatabaseError) -> Int? {
    try connection.integer("SELECT value FROM counter WHERE name = '\(name)'")
  }
}
