// Header fields in the order they came, found by name in any case.

/// Holds the header fields of a request or a response.
public struct Headers: Sendable {
  private var fields: [(name: String, value: String)]

  /// Makes headers from pairs of name and value, keeping their order and repeats.
  public init(_ pairs: [(String, String)] = []) {
    fields = pairs.map { (name: $0.0, value: $0.1) }
  }

  /// Reads a field, repeats joined by commas (RFC 9110, 5.3); or sets it in place of all of its name.
  public subscript(_ name: String) -> String? {
    get {
      var found: String?
      for field in fields where Headers.equal(field.name, name) {
        found = found.map { "\($0), \(field.value)" } ?? field.value
      }
      return found
    }
    set {
      guard let position = fields.firstIndex(where: { Headers.equal($0.name, name) }) else {
        if let newValue { fields.append((name: name, value: newValue)) }
        return
      }
      guard let newValue else {
        fields.removeAll { Headers.equal($0.name, name) }
        return
      }
      fields[position].value = newValue
      for other in fields.indices.reversed()
      where other > position && Headers.equal(fields[other].name, name) {
        fields.remove(at: other)
      }
    }
  }

  /// Adds a field beside those of the same name.
  public mutating func add(_ name: String, _ value: String) {
    fields.append((name: name, value: value))
  }

  /// Returns each value of the fields of a name, unjoined.
  public func values(of name: String) -> [String] {
    fields.compactMap { Headers.equal($0.name, name) ? $0.value : nil }
  }

  /// Returns all fields in order.
  public var pairs: [(name: String, value: String)] { fields }

  mutating func reserveCapacity(_ count: Int) { fields.reserveCapacity(count) }

  /// Compares two names without regard to the case of ASCII letters.
  static func equal(_ first: String, _ second: String) -> Bool {
    let left = first.utf8
    let right = second.utf8
    guard left.count == right.count else { return false }
    return zip(left, right).allSatisfy { lowercase($0) == lowercase($1) }
  }

  /// Tells whether a name begins with a text in lower case, without regard to the case of its own.
  static func begins(_ name: String, with prefix: String) -> Bool {
    name.utf8.count >= prefix.utf8.count
      && zip(name.utf8, prefix.utf8).allSatisfy { lowercase($0) == $1 }
  }

  /// A text with its ASCII letters in lower case, and no other letter taken for one of those.
  static func lowercased(_ text: String) -> String {
    String(decoding: text.utf8.map(lowercase), as: UTF8.self)
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }
}

extension Headers: ExpressibleByDictionaryLiteral {
  /// Makes headers from a literal, in its order.
  public init(dictionaryLiteral elements: (String, String)...) { self.init(elements) }
}
