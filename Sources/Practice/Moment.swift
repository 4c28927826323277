// When something was practised, on the clock of the device that says so.

/// A time and the offset of the place where it was taken.
public struct Moment: Sendable, Hashable, Comparable {
  /// Milliseconds since 1970 in UTC.
  public var milliseconds: Int64
  /// Minutes that the local time is ahead of UTC.
  public var utcOffset: Int

  /// The earliest time that is believed: 2020-01-01.
  public static let earliest: Int64 = 1_577_836_800_000
  /// The latest one: about the year 5138. Beyond it, days no longer fit into 32 bits.
  static let latest: Int64 = 100_000_000_000_000
  /// Local times differ from UTC by at most so many minutes.
  static let mostOffset = 14 * 60

  /// Makes a moment; an offset that no place has is clamped.
  public init(milliseconds: Int64, utcOffset: Int) {
    self.milliseconds = min(max(milliseconds, 0), Moment.latest)
    self.utcOffset = min(max(utcOffset, -Moment.mostOffset), Moment.mostOffset)
  }

  /// The local day, counted from 1970-01-01. Wrong clocks are mended: a time after `now` counts as now,
  /// one before 2020 as the start of 2020.
  func day(now: Moment) -> Int {
    let known = min(max(milliseconds, Moment.earliest), max(now.milliseconds, Moment.earliest))
    return min(Moment.day(known, utcOffset), Moment.day(now.milliseconds, now.utcOffset))
  }

  /// The local day of this moment, as it is.
  var day: Int { Moment.day(milliseconds, utcOffset) }

  private static func day(_ milliseconds: Int64, _ utcOffset: Int) -> Int {
    // WebAssembly has no multiplication of 64 bits that would notice an overflow; there is none.
    // Never negative: offsets are below a day, and times are not before 2020 where it matters.
    Int(max(milliseconds + Int64(utcOffset) &* 60_000, 0) / 86_400_000)
  }

  public static func < (left: Moment, right: Moment) -> Bool {
    left.milliseconds != right.milliseconds
      ? left.milliseconds < right.milliseconds : left.utcOffset < right.utcOffset
  }
}
