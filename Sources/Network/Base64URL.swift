// Base64 with the URL-safe alphabet and without padding (RFC 4648, section 5).

import FoundationEssentials

/// The text form of binary values in JSON and headers.
public enum Base64URL {
  /// Encodes bytes.
  public static func encode(_ bytes: some Sequence<UInt8>) -> String {
    let characters = Data(bytes).base64EncodedString().compactMap { character -> Character? in
      switch character {
      case "+": "-"
      case "/": "_"
      case "=": nil
      default: character
      }
    }
    return String(characters)
  }

  /// Decodes a text; nil if it is not base64url without padding.
  public static func decode(_ text: String) -> [UInt8]? {
    var standard: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "-"): standard.append(UInt8(ascii: "+"))
      case UInt8(ascii: "_"): standard.append(UInt8(ascii: "/"))
      case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
      default: standard.append(byte)
      }
    }
    standard += repeatElement(UInt8(ascii: "="), count: (4 - standard.count % 4) % 4)
    return Data(base64Encoded: Data(standard)).map { Array($0) }
  }
}
