// Numbers and bytes as text.

extension BinaryInteger {
  /// Returns the number with zeros in front until it has `width` digits; it must not be negative.
  @inlinable public func padded(to width: Int, radix: Int = 10) -> String {
    let digits = String(self, radix: radix)
    return String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
  }
}

extension Sequence<UInt8> {
  /// The bytes in lower-case hexadecimal, two digits each.
  @inlinable public var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
