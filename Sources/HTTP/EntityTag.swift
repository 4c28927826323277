// Entity tags: making, and the two ways of comparing (RFC 9110, 8.8.3).

enum EntityTag {
  /// Puts quotes around a tag that has none.
  static func quoted(_ tag: String) -> String {
    tag.hasSuffix("\"") ? tag : "\"\(tag)\""
  }

  /// Makes a tag weak: equal in meaning, not byte for byte.
  static func weak(_ tag: String) -> String {
    tag.hasPrefix("W/") ? tag : "W/\(tag)"
  }

  /// Tells whether an If-None-Match names the tag.
  static func matches(_ field: String, _ tag: String) -> Bool {
    if field.trimmingSpaces() == "*" { return true }
    let wanted = opaque(tag[...])
    return field.split(separator: ",").contains { opaque($0.trimmingSpaces()) == wanted }
  }

  /// Tells whether an If-Range names the tag, byte for byte the same.
  static func matchesStrongly(_ field: String, _ tag: String) -> Bool {
    !tag.hasPrefix("W/") && field.trimmingSpaces() == tag
  }

  /// Makes a tag from content (FNV-1a, 64 bit, and the length).
  static func of(_ bytes: [UInt8]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return "\"\(String(hash, radix: 36))-\(String(bytes.count, radix: 36))\""
  }

  private static func opaque(_ tag: Substring) -> Substring {
    tag.hasPrefix("W/") ? tag.dropFirst(2) : tag
  }
}
