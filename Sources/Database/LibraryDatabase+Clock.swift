// Whether the system clock is plausible, judged by earlier readings.

extension LibraryDatabase {
  private static let day = 86_400_000

  /// Whether the clock, which shows `now` in milliseconds since 1970, is trusted. If so, data that is
  /// old by it may be deleted.
  ///
  /// A clock more than a week ahead of the last trusted reading may be wrong, or the server did not
  /// run for that long. It is trusted after it has advanced for half a day.
  public func isClockTrusted(at now: Int) throws(DatabaseError) -> Bool {
    let (last, isDoubted) = try read { connection throws(DatabaseError) in
      (
        try Counter.value("clockBelieved", connection),
        try Counter.value("clockDoubted", connection) != nil
      )
    }
    // Storing it once a day is enough.
    if let last, !isDoubted, last <= now, now - LibraryDatabase.day < last { return true }
    return try write { connection throws(DatabaseError) in
      let believed = try Counter.value("clockBelieved", connection) ?? now
      if now - 7 * LibraryDatabase.day > believed {
        let doubted = try Counter.value("clockDoubted", connection)
        // It was further ahead before. That was wrong, and this may be wrong too.
        if doubted ?? .max > now {
          try Counter.set("clockDoubted", now, connection)
        }
        guard let doubted, now - LibraryDatabase.day / 2 >= doubted else { return false }
      }
      try connection.run("DELETE FROM counter WHERE name = 'clockDoubted'")
      try Counter.set("clockBelieved", now, connection)
      return true
    }
  }
}
