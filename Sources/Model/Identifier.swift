// Identifiers of records and changes: UUID version 7 (RFC 9562, section 5.7), made by the creator of
// the record.

import Synchronization
import Text

/// Makes and checks record identifiers.
public enum Identifier {
  /// Tells identifiers of one millisecond apart so that they are in the order in which they were
  /// made (RFC 9562, section 6.2, method 1): by 12 bits that begin anywhere in their lower half.
  struct Counter {
    private var time: UInt64 = 0
    private var count: UInt64 = 0

    /// Returns the 12 bits of the next identifier of a millisecond; after the last value they restart.
    /// They also continue for an earlier millisecond: threads may arrive in another order than they read
    /// the clock.
    mutating func next(at now: UInt64) -> UInt64 {
      count = now <= time && count < 0xFFF ? count + 1 : .random(in: 0..<0x800)
      time = max(time, now)
      return count
    }
  }

  private static let counter = Mutex(Counter())

  /// Returns a new UUIDv7 in its canonical lower-case form: 48 bits of `milliseconds` since 1970,
  /// a count of 12 bits, 62 random bits. Those that follow each other in one millisecond are in order.
  public static func make(milliseconds: Int) -> String {
    let time = UInt64(max(0, milliseconds)) & 0xFFFF_FFFF_FFFF
    let count = counter.withLock { $0.next(at: time) }
    var random = SystemRandomNumberGenerator()
    return text(time: time, count: count, using: &random)
  }

  /// Returns a new UUIDv7 whose random bits, all 74, come from `random`.
  public static func make(
    milliseconds: Int, using random: inout some RandomNumberGenerator
  ) -> String {
    let time = UInt64(max(0, milliseconds)) & 0xFFFF_FFFF_FFFF
    let count = UInt64.random(in: 0...0xFFF, using: &random)
    return text(time: time, count: count, using: &random)
  }

  private static func text(
    time: UInt64, count: UInt64, using random: inout some RandomNumberGenerator
  ) -> String {
    let high = time << 16 | 0x7000 | count
    let low = 1 << 63 | UInt64.random(in: 0..<(1 << 62), using: &random)
    let text = high.padded(to: 16, radix: 16) + low.padded(to: 16, radix: 16)
    var groups: [Substring] = []
    var rest = text[...]
    for length in [8, 4, 4, 4, 12] {
      groups.append(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    return groups.joined(separator: "-")
  }

  /// Tells whether `text` is a UUID in canonical lower-case form.
  public static func isValid(_ text: String) -> Bool {
    guard text.utf8.count == 36 else { return false }
    for (index, byte) in text.utf8.enumerated() {
      switch index {
      case 8, 13, 18, 23: guard byte == UInt8(ascii: "-") else { return false }
      default: guard isLowerHex(byte) else { return false }
      }
    }
    return true
  }

  /// Tells whether `text` may name a setting: a letter, then letters, digits, `.`, `_`, `-`; at
  /// most 64 bytes.
  public static func isValidSettingName(_ text: String) -> Bool {
    guard let first = text.utf8.first, isLetter(first), text.utf8.count <= 64 else { return false }
    return text.utf8.allSatisfy { byte in
      isLetter(byte) || (48...57).contains(byte) || byte == UInt8(ascii: ".")
        || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
  }

  static func isLowerHex(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (97...102).contains(byte)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (65...90).contains(byte) || (97...122).contains(byte)
  }
}
