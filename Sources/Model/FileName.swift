// File names from text that a person typed, valid on every file system.

import Text

/// Makes names of files.
public enum FileName {
  /// Returns `text` as a part of a file's name: any script, but no separator of paths, no control or
  /// direction mark, no name that Windows keeps for itself, neither dots nor spaces at the ends, and
  /// at most `limit` bytes of UTF-8. `fallback` is taken when nothing is left.
  public static func safe(_ text: String, limit: Int = 120, fallback: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "/", "\\", ":", "*", "?", "\"", "<", ">", "|": scalars.append("-")
      case "\u{200E}", "\u{200F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}", "\u{FEFF}":
        break
      case _ where scalar.isControl: scalars.append(" ")
      case _ where scalar.properties.isWhitespace: scalars.append(" ")
      default: scalars.append(scalar)
      }
    }
    var name = trimmed(shortened(trimmed(String(scalars)[...]), to: limit))
    if isReserved(name) { name = "_" + name }
    return name.isEmpty ? fallback : String(name)
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var rest = text.drop { $0 == " " || $0 == "." }
    while let last = rest.last, last == " " || last == "." { rest.removeLast() }
    return rest
  }

  /// The longest prefix of whole characters that fits. If the first one is too large, its longest prefix
  /// of scalars.
  private static func shortened(_ text: Substring, to limit: Int) -> Substring {
    var end = text.startIndex
    while end < text.endIndex {
      let next = text.index(after: end)
      if text[..<next].utf8.count > limit { break }
      end = next
    }
    if end > text.startIndex || text.isEmpty { return text[..<end] }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if String(scalars).utf8.count + UTF8.width(scalar) > limit { break }
      scalars.append(scalar)
    }
    return String(scalars)[...]
  }

  /// Whether it is a device name on Windows, with any extension.
  private static func isReserved(_ name: Substring) -> Bool {
    let stem = name.prefix { $0 != "." }.uppercased()
    if ["CON", "PRN", "AUX", "NUL"].contains(stem) { return true }
    return stem.count == 4 && (stem.hasPrefix("COM") || stem.hasPrefix("LPT"))
      && "0123456789¹²³".contains(stem.suffix(1))
  }
}
