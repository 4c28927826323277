// Tables of text for spreadsheets (RFC 4180), in which typed text never becomes a formula.

import Text

/// Writes CSV.
enum CSVText {
  /// A file of these rows: UTF-8, lines that end in CR LF. It begins with a byte order mark, without which
  /// Excel takes it for another encoding.
  static func file(_ rows: [[String]]) -> String {
    "\u{FEFF}" + rows.map { $0.map(field).joined(separator: ",") + "\r\n" }.joined()
  }

  /// A text as a field in quotes.
  ///
  /// Excel and LibreOffice read a field as a formula if it begins with one of `= + - @`; an apostrophe
  /// before it makes it text. Line ends become " / " and tabs spaces, and a sign after a semicolon gets an
  /// apostrophe, too: where the system's separator of lists is the semicolon, Excel splits fields there, and
  /// at line ends, even inside quotes.
  static func field(_ text: String) -> String {
    var result = ""
    var isStart = true
    for line in text.split(whereSeparator: \.isNewline) {
      if !result.isEmpty { result += " / " }
      for scalar in line.unicodeScalars {
        if isStart, signs.contains(scalar) { result += "'" }
        switch scalar {
        case "\"": result += "\"\""
        case _ where scalar.isControl: result += " "
        default: result.unicodeScalars.append(scalar)
        }
        if scalar == ";" {
          isStart = true
        } else if !scalar.isControl, !scalar.properties.isWhitespace, !ignored.contains(scalar) {
          isStart = false
        }
      }
    }
    return "\"\(result)\""
  }

  /// What begins a formula, also in the wide forms of East Asian text.
  private static let signs = Set("=+-@＝＋－＠".unicodeScalars)
  /// Invisible marks that a program may drop before it looks at what follows; and the quote, which may
  /// end a field.
  private static let ignored = Set("\"\u{FEFF}\u{200B}\u{200E}\u{200F}".unicodeScalars)
}
