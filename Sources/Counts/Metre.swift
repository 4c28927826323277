// What a metre means for dancers' counts, and the limits of a tempo.

/// The rules of bars and eights.
public enum Metre {
  /// The metres that a grid can have, in beats a bar.
  public static let all = 2...7
  /// The metre of a grid of which nothing is known.
  static let common = 4

  /// Returns how many counts an eight (a dancer's phrase) has: 8 in metres 2 and 4, 6 in 3 and 6, and
  /// one bar in 5 and 7.
  public static func countsPerEight(_ metre: Int) -> Int {
    switch metre {
    case 3, 6: 6
    case 5, 7: metre
    default: 8
    }
  }
}

/// The limits of a tempo. They bound the number of beats in a track.
enum Tempo {
  /// The frames in a minute.
  static let framesPerMinute = 2_880_000.0
  /// The shortest distance of two beats in frames: 400 beats a minute, 150 ms.
  static let shortestPeriod = 7_200.0
  /// The longest distance of two beats in frames: 20 beats a minute.
  static let longestPeriod = 144_000.0

  /// Returns the distance of two beats in frames, with the tempo clamped to 20…400 beats a minute;
  /// nil for a tempo that is no positive number.
  static func period(beatsPerMinute: Double) -> Double? {
    guard beatsPerMinute > 0, beatsPerMinute.isFinite else { return nil }
    return clamped(framesPerMinute / beatsPerMinute)
  }

  /// Returns `period`, at least the shortest and at most the longest.
  static func clamped(_ period: Double) -> Double {
    min(max(period, shortestPeriod), longestPeriod)
  }
}

/// Returns `value` rounded to the nearest whole number, halves upwards. From operations that native
/// and WebAssembly builds have as instructions, so that both agree.
func rounded(_ value: Double) -> Double { (value + 0.5).rounded(.down) }

/// Returns the remainder of a division that rounds down: 0 ..< `divisor`.
func remainder(_ value: Int, _ divisor: Int) -> Int {
  let rest = value % divisor
  return rest < 0 ? rest + divisor : rest
}

extension Int {
  /// Makes the whole number nearest to zero from `value`, clamped to 32 bits; 0 of NaN. All that comes
  /// from outside as a Double goes through it, so that builds with another size of Int agree.
  public init(bounding value: Double) {
    self = value.isNaN ? 0 : Int(Swift.min(Swift.max(value, -2_147_483_648), 2_147_483_647))
  }
}

extension Int64 {
  /// Makes the whole number nearest to zero from `value`, clamped to what a Double tells apart.
  public init(bounding value: Double) {
    self =
      value.isNaN
      ? 0 : Int64(Swift.min(Swift.max(value, -9_007_199_254_740_992), 9_007_199_254_740_992))
  }
}
