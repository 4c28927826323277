// The place of a request in a trace, as its sender says it: https://www.w3.org/TR/trace-context/

import Text

/// The id of a trace: 128 random bits, not all zero.
struct TraceID: Hashable, Sendable {
  let high: UInt64
  let low: UInt64

  /// 32 digits, in lower-case hexadecimal.
  var hexadecimal: String { high.padded(to: 16, radix: 16) + low.padded(to: 16, radix: 16) }
}

/// A span that others can be part of.
struct TraceContext: Equatable, Sendable {
  let trace: TraceID
  let span: UInt64
  /// Whether its spans are recorded.
  let isSampled: Bool

  /// Makes a context.
  init(trace: TraceID, span: UInt64, isSampled: Bool) {
    self.trace = trace
    self.span = span
    self.isSampled = isSampled
  }

  /// Reads a `traceparent`; nil if it is none. Of a later version than 00, what 00 has is read, and what
  /// follows is left alone. Two fields of the name come joined by a comma, which is none either.
  init?(traceparent field: String) {
    var text = Array(field.utf8)[...]
    while let last = text.last, Self.isSpace(last) { text.removeLast() }
    text = text.drop(while: Self.isSpace)
    let bytes = Array(text)
    let dash = UInt8(ascii: "-")
    guard bytes.count >= 55, [2, 35, 52].allSatisfy({ bytes[$0] == dash }),
      let version = Self.number(bytes[0..<2]), version != 0xFF,
      bytes.count == 55 || (version > 0 && bytes[55] == dash),
      let high = Self.number(bytes[3..<19]), let low = Self.number(bytes[19..<35]),
      high != 0 || low != 0,
      let span = Self.number(bytes[36..<52]), span != 0,
      let flags = Self.number(bytes[53..<55])
    else { return nil }
    self.init(trace: TraceID(high: high, low: low), span: span, isSampled: flags & 1 == 1)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// Reads up to 16 digits of lower-case hexadecimal.
  private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
    var number: UInt64 = 0
    for digit in digits {
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt64(digit - 0x30)
      case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | UInt64(digit - 0x57)
      default: return nil
      }
    }
    return number
  }
}
