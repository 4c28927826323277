// The id of a record, as the lines of the log hold it.

/// A UUID in two halves: compared and stored as numbers.
public struct RecordID: Sendable, Hashable, Comparable {
  /// The first 16 hexadecimal digits.
  public var high: UInt64
  /// The last 16.
  public var low: UInt64

  /// Bytes of a UUID's canonical text.
  public static let textLength = 36

  /// Makes an id of the halves of a UUID.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Reads a UUID in its canonical lower-case form; nil if `text` has another one.
  public init?(_ text: ArraySlice<UInt8>) {
    guard text.count == RecordID.textLength else { return nil }
    high = 0
    low = 0
    var place = 0
    for byte in text {
      let isDash = place == 8 || place == 13 || place == 18 || place == 23
      place += 1
      if isDash {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      default: return nil
      }
      high = high << 4 | low >> 60
      low = low << 4 | UInt64(digit)
    }
  }

  /// Appends the canonical text to `text`.
  public func write(to text: inout [UInt8]) {
    for place in 0..<32 {
      if place == 8 || place == 12 || place == 16 || place == 20 { text.append(UInt8(ascii: "-")) }
      let half = place < 16 ? high : low
      let digit = UInt8(truncatingIfNeeded: half >> UInt64(60 - 4 * (place % 16))) & 15
      text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }

  public static func < (left: RecordID, right: RecordID) -> Bool {
    left.high != right.high ? left.high < right.high : left.low < right.low
  }
}
