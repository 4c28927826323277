// Range requests (RFC 9110, 14): one range is served, a list is answered with the whole.

/// What a Range header asks of a representation.
enum ByteRange: Equatable {
  case whole
  /// The offsets from the first byte to the one past the last.
  case part(Range<Int>)
  case unsatisfiable

  /// Reads a Range header for a representation of `size` bytes. What is not understood is ignored,
  /// as the standard says.
  static func parse(_ field: String, size: Int) -> ByteRange {
    guard field.utf8.count <= 128, let equals = field.utf8.firstIndex(of: UInt8(ascii: "=")),
      field[..<equals].lowercased() == "bytes"
    else { return .whole }
    let specification = field[field.index(after: equals)...].trimmingSpaces()
    guard !specification.utf8.contains(UInt8(ascii: ",")) else { return .whole }
    let parts = specification.utf8.split(
      separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count == 2 else { return .whole }
    switch (number(parts[0]), number(parts[1])) {
    case (.value(let first), .none):
      return first < size ? .part(first..<size) : .unsatisfiable
    case (.value(let first), .value(let last)):
      guard first <= last else { return .whole }
      return first < size ? .part(first..<min(last, size - 1) + 1) : .unsatisfiable
    case (.none, .value(let length)):
      guard length > 0, size > 0 else { return .unsatisfiable }
      return .part(max(0, size - length)..<size)
    default:
      return .whole
    }
  }

  private enum Number {
    case none
    case value(Int)
    case invalid
  }

  /// Reads digits; what no file can have as a length counts as the largest number below that.
  private static func number(_ digits: Substring.UTF8View) -> Number {
    if digits.isEmpty { return .none }
    var value = 0
    for byte in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return .invalid }
      value = min(value, Int.max / 100) * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return .value(value)
  }
}
