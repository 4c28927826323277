// Formats and parses amounts of bytes.

/// Formats and parses amounts such as `4 GB`; a kilobyte is 1,000 bytes.
public enum ByteCount {
  private static let units: [(name: String, bytes: Int)] = [
    ("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000),
  ]

  /// Formats an amount with at most one decimal, rounded down.
  public static func text(_ bytes: Int) -> String {
    guard let unit = units.first(where: { bytes >= $0.bytes }) else { return "\(bytes) bytes" }
    let tenths = bytes / (unit.bytes / 10)
    let rest = tenths % 10
    return "\(tenths / 10)\(rest == 0 ? "" : ".\(rest)") \(unit.name)"
  }

  /// Parses an amount: `500MB`, `1.5 TB`, `123456`; nil for anything else, and for an empty text.
  public static func parse(_ text: String) -> Int? {
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let unit = text.dropFirst(number.count).drop { $0 == " " }.lowercased()
    let factor =
      unit.isEmpty || unit == "b" ? 1 : units.first { $0.name.lowercased() == unit }?.bytes
    guard let factor, let value = Double(number), !number.hasPrefix("."), !number.hasSuffix(".")
    else { return nil }
    let bytes = (value * Double(factor)).rounded()
    return bytes >= 1 && bytes < 1e18 ? Int(bytes) : nil
  }
}
