// Parses a request target once, before routing and access.
//
// Ambiguous targets are refused, not repaired: dot segments,
// encoded slashes, empty segments, control characters, text that is not UTF-8.

/// A checked request target.
struct RequestTarget {
  /// The authority of an absolute target (`GET http://host/path`), or nil.
  let authority: String?
  /// The percent-decoded path.
  let path: String
  let query: Query

  static let lengthLimit = 8192

  /// Checks and decodes a target; throws a 400 that says what is wrong with it.
  init(_ target: String) throws(HTTPError) {
    guard target.utf8.count <= RequestTarget.lengthLimit else {
      throw HTTPError(414, detail: "The address is too long.")
    }
    guard target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }) else {
      throw .badRequest("The address holds a character that must be percent-encoded.")
    }
    var rest = target[...]
    var authority: String?
    // Nearly every target is a path; only others are looked at for a scheme.
    if rest.utf8.first != UInt8(ascii: "/"),
      let scheme = ["http://", "https://"].first(where: { rest.lowercased().hasPrefix($0) })
    {
      rest = rest.dropFirst(scheme.count)
      authority = String(rest.prefix { $0 != "/" && $0 != "?" })
      rest = rest.dropFirst(authority?.count ?? 0)
      if !rest.hasPrefix("/") { rest = "/" + rest }
    }
    self.authority = authority
    let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?"))
    path = try RequestTarget.path(rest[..<(mark ?? rest.endIndex)])
    query =
      try mark.map { mark throws(HTTPError) in
        try RequestTarget.query(rest[rest.index(after: mark)...])
      } ?? Query()
  }

  /// Decodes a path once, and refuses one that is not in normal form.
  private static func path(_ raw: Substring) throws(HTTPError) -> String {
    guard raw.utf8.first == UInt8(ascii: "/") else {
      throw .badRequest("The address must start with a slash.")
    }
    let bytes = Array(raw.utf8)
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let (byte, length) = try unescape(bytes, at: index)
      let isEscaped = length > 1
      if byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\\")
        || (isEscaped && byte == UInt8(ascii: "/"))
      {
        throw .badRequest("The address holds a character that no address here has.")
      }
      decoded.append(byte)
      index += length
    }
    var start = 1
    for end in 1...decoded.count where end == decoded.count || decoded[end] == UInt8(ascii: "/") {
      let segment = decoded[start..<end]
      start = end + 1
      // Only the root's segment may be empty; a trailing slash is refused.
      if segment.isEmpty && end == decoded.count { continue }
      if segment.count <= 2, segment.allSatisfy({ $0 == UInt8(ascii: ".") }) {
        throw .badRequest("The address holds an empty or a dot segment.")
      }
    }
    return try text(decoded)
  }

  private static func query(_ raw: Substring) throws(HTTPError) -> Query {
    var query = Query()
    for item in raw.utf8.split(separator: UInt8(ascii: "&")) {
      let parts = item.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      query.items.append(
        (name: try value(parts[0]), value: parts.count > 1 ? try value(parts[1]) : ""))
    }
    return query
  }

  private static func value(_ raw: Substring.UTF8View) throws(HTTPError) -> String {
    let bytes = Array(raw)
    var decoded: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let (byte, length) = try unescape(bytes, at: index)
      if byte == 0 { throw .badRequest("The query holds a NUL character.") }
      decoded.append(length == 1 && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      index += length
    }
    return try text(decoded)
  }

  /// Reads one byte, plain or percent-encoded, and how many bytes it took.
  private static func unescape(
    _ bytes: [UInt8], at index: Int
  ) throws(HTTPError) -> (byte: UInt8, length: Int) {
    guard bytes[index] == UInt8(ascii: "%") else { return (bytes[index], 1) }
    guard index + 2 < bytes.count, let high = hexadecimal(bytes[index + 1]),
      let low = hexadecimal(bytes[index + 2])
    else { throw .badRequest("The address holds a percent sign without two digits.") }
    return (high << 4 | low, 3)
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private static func text(_ bytes: [UInt8]) throws(HTTPError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .badRequest("The address is not UTF-8.")
    }
    return text
  }
}
