// Strings as JSON writes them (RFC 8259, section 7).

extension [UInt8] {
  /// Appends `text` as a JSON string in UTF-8, in quotation marks. Everything that has to be escaped is
  /// ASCII, so this works on bytes.
  public mutating func appendJSON(_ text: String) {
    append(UInt8(ascii: "\""))
    if text.utf8.contains(where: isEscaped) {
      for byte in text.utf8 {
        if isEscaped(byte) { self += escape(byte).utf8 } else { append(byte) }
      }
    } else {
      self += text.utf8
    }
    append(UInt8(ascii: "\""))
  }
}

extension String {
  /// Appends `text` as a JSON string, in quotation marks.
  public mutating func appendJSON(_ text: String) {
    if text.utf8.contains(where: isEscaped) {
      var bytes: [UInt8] = []
      bytes.appendJSON(text)
      self += String(decoding: bytes, as: UTF8.self)
    } else {
      self += "\""
      self += text
      self += "\""
    }
  }
}

private func isEscaped(_ byte: UInt8) -> Bool {
  byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
}

private func escape(_ byte: UInt8) -> String {
  switch byte {
  case UInt8(ascii: "\""): "\\\""
  case UInt8(ascii: "\\"): "\\\\"
  case UInt8(ascii: "\n"): "\\n"
  case UInt8(ascii: "\r"): "\\r"
  case UInt8(ascii: "\t"): "\\t"
  default: "\\u" + byte.padded(to: 4, radix: 16)
  }
}
