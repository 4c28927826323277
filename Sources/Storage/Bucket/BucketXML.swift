// The XML of S3's responses: elements and text. It comes from another server, so it is bounded, and
// whatever else XML knows is refused.

/// An element of a response.
struct BucketXML {
  /// Elements within elements, and elements in all, that a response may have.
  private static let depthLimit = 8
  private static let countLimit = 50_000

  let name: String
  private(set) var text = ""
  private(set) var children: [BucketXML] = []

  private init(name: String) { self.name = name }

  /// Parses a response; nil if it is no such document.
  init?(_ bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self), let root = Self.root(of: text) else {
      return nil
    }
    self = root
  }

  /// The text of the first child of this name; nil without one.
  subscript(_ name: String) -> String? { children.first { $0.name == name }?.text }

  private static func root(of text: String) -> BucketXML? {
    var rest = Array(text.utf8)[...]
    var open: [BucketXML] = []
    var count = 0
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      guard let words = Self.unescaped(rest[..<start]) else { return nil }
      if open.isEmpty {
        guard words.allSatisfy(\.isWhitespace) else { return nil }
      } else {
        open[open.count - 1].text += words
      }
      guard let end = rest[start...].firstIndex(of: UInt8(ascii: ">")) else { return nil }
      let tag = String(decoding: rest[(start + 1)..<end], as: UTF8.self)
      rest = rest[(end + 1)...]
      if tag.hasPrefix("?") {
        guard open.isEmpty, count == 0, tag.hasSuffix("?") else { return nil }
        continue
      }
      let isEnd = tag.hasPrefix("/")
      let isEmpty = tag.hasSuffix("/")
      let name = String(
        (isEnd ? tag.dropFirst() : tag[...]).prefix { !$0.isWhitespace && $0 != "/" })
      // This refuses comments, document types and sections of plain text too: they begin with "!".
      guard let first = name.utf8.first, (first | 0x20) >= 0x61, (first | 0x20) <= 0x7A else {
        return nil
      }
      if isEnd {
        guard let last = open.popLast(), last.name == name else { return nil }
        guard close(last, &open) else { return rest.allSatisfy(isSpace) ? last : nil }
      } else {
        count += 1
        guard count <= countLimit, open.count < depthLimit else { return nil }
        let element = BucketXML(name: name)
        if !isEmpty {
          open.append(element)
        } else if !close(element, &open) {
          return rest.allSatisfy(isSpace) ? element : nil
        }
      }
    }
    return nil
  }

  /// Puts a complete element into the one around it; false if that is the document.
  private static func close(_ element: BucketXML, _ open: inout [BucketXML]) -> Bool {
    guard !open.isEmpty else { return false }
    open[open.count - 1].children.append(element)
    return true
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// A text with its five named and its numbered characters in place; nil if it has others.
  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String? {
    guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self) }
    let named = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
    let pieces = bytes.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
    var result = String(decoding: pieces[0], as: UTF8.self)
    for piece in pieces.dropFirst() {
      guard let end = piece.firstIndex(of: UInt8(ascii: ";")) else { return nil }
      let name = String(decoding: piece[..<end], as: UTF8.self)
      if let character = named[name] {
        result += character
      } else {
        let number =
          name.hasPrefix("#x")
          ? UInt32(name.dropFirst(2), radix: 16)
          : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
        guard let scalar = number.flatMap(Unicode.Scalar.init) else { return nil }
        result.unicodeScalars.append(scalar)
      }
      result += String(decoding: piece[(end + 1)...], as: UTF8.self)
    }
    return result
  }
}
