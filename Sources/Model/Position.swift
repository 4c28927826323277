// Order among siblings: fractional positions, so that a reorder changes one record and two devices
// can reorder at once (the idea of Evan Wallace, "Realtime editing of ordered sequences",
// 2017). A position is read as the digits of a fraction in base 62.

/// Makes and checks fractional positions: texts over `0-9A-Za-z`, compared bytewise, never ending
/// in `0`.
public enum Position {
  private static let digits = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

  /// Tells whether `text` is a position.
  public static func isValid(_ text: String) -> Bool {
    guard let last = text.utf8.last, last != digits[0], text.utf8.count <= 1000 else {
      return false
    }
    return text.utf8.allSatisfy { digits.contains($0) }
  }

  /// Returns a position between `low` and `high`; nil stands for the very start or end.
  ///
  /// If they are not in order (two devices may have chosen the same one), or `high` is not a position,
  /// the result follows `low`.
  public static func between(_ low: String?, _ high: String?) -> String {
    let lower = low.map { Array($0.utf8) } ?? []
    guard let high, isValid(high), lower.isEmpty || bytewise(low ?? "", high) else {
      return String(decoding: after(lower), as: UTF8.self)
    }
    return String(decoding: middle(lower, Array(high.utf8)), as: UTF8.self)
  }

  /// Returns `count` positions in order between `low` and `high`.
  public static func between(_ low: String?, _ high: String?, count: Int) -> [String] {
    guard count > 0 else { return [] }
    if high == nil {
      var result: [String] = []
      for _ in 0..<count { result.append(between(result.last ?? low, nil)) }
      return result
    }
    let centre = between(low, high)
    let left = between(low, centre, count: (count - 1) / 2)
    let right = between(centre, high, count: count / 2)
    return left + [centre] + right
  }

  /// Tells whether `left` comes before `right`, byte by byte.
  public static func bytewise(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  private static func value(_ digit: UInt8) -> Int { digits.firstIndex(of: digit) ?? 0 }

  /// A short position after `low`: the first digit below the maximum is incremented.
  private static func after(_ low: [UInt8]) -> [UInt8] {
    for (index, digit) in low.enumerated() where value(digit) < 61 {
      return Array(low[..<index]) + [digits[value(digit) + 1]]
    }
    return low + [digits[31]]
  }

  /// The middle of two fractions that are in order.
  private static func middle(_ low: [UInt8], _ high: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var index = 0
    var bounded = true
    while true {
      let lower = index < low.count ? value(low[index]) : 0
      let upper = bounded ? (index < high.count ? value(high[index]) : 0) : 62
      if upper - lower > 1 {
        return result + [digits[(lower + upper) / 2]]
      }
      result.append(digits[lower])
      if upper > lower { bounded = false }
      index += 1
    }
  }
}
