// Moments as calendar and clock show them in UTC.

#if canImport(Glibc)
  import Glibc
#endif

/// The calendar date and the time of day in UTC.
public struct UTCTime: Sendable {
  public let year: Int
  /// 1 to 12.
  public let month: Int
  /// 1 to 31.
  public let day: Int
  /// 0 is Sunday.
  public let weekday: Int
  public let hour: Int
  public let minute: Int
  public let second: Int

  /// Reads a moment in seconds since 1970.
  public init(_ seconds: Int) {
    var time = time_t(seconds)
    var parts = tm()
    gmtime_r(&time, &parts)
    (year, month, day) = (Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday))
    (hour, minute, second) = (Int(parts.tm_hour), Int(parts.tm_min), Int(parts.tm_sec))
    weekday = Int(parts.tm_wday)
  }
}
