import TestSupport
import Testing

@testable import Database

@Suite struct ClockTests {
  let folder: TemporaryFolder
  let database: LibraryDatabase
  let now = 1_700_000_000_000
  let day = 86_400_000

  init() throws {
    folder = try TemporaryFolder()
    database = try LibraryDatabase(in: folder)
  }

  @Test func `a clock that advanced or went back is trusted`() throws {
    for time in [now, now + 7 * day, now + 14 * day, now - 900 * day, now - 893 * day] {
      #expect(try database.isClockTrusted(at: time), "\(time)")
    }
  }

  @Test func `a clock that is far ahead is trusted after half a day`() throws {
    #expect(try database.isClockTrusted(at: now))
    let year = now + 365 * day
    #expect(try !database.isClockTrusted(at: year))
    #expect(try !database.isClockTrusted(at: year + day / 2 - 1))
    // A clock that is less far ahead can be as wrong.
    #expect(try !database.isClockTrusted(at: year - day))
    #expect(try !database.isClockTrusted(at: year - day / 2 - 1))
    #expect(try database.isClockTrusted(at: year - day / 2))
    // After a correction, the clock has to advance again.
    #expect(try database.isClockTrusted(at: now))
    #expect(try !database.isClockTrusted(at: year + day))
  }

  @Test(arguments: [Int.min, -1, 0, .max])
  func `a clock becomes trusted for any value from another backup`(_ value: Int)
    throws
  {
    try database.write { connection throws(DatabaseError) in
      try connection.run(
        "INSERT INTO counter VALUES ('clockBelieved', ?1), ('clockDoubted', ?1)",
        [.integer(value)])
    }
    _ = try database.isClockTrusted(at: now)
    #expect(try database.isClockTrusted(at: now + day))
  }
}
