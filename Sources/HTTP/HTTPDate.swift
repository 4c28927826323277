// Times as HTTP writes them: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).

import Text

/// Writes times for header fields.
public enum HTTPDate {
  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Writes a moment in seconds since 1970.
  public static func text(_ seconds: Int) -> String {
    let time = UTCTime(seconds)
    let clock = [time.hour, time.minute, time.second].map { $0.padded(to: 2) }
    return
      "\(days[time.weekday]), \(time.day.padded(to: 2)) \(months[time.month - 1]) \(time.year) "
      + "\(clock.joined(separator: ":")) GMT"
  }
}
