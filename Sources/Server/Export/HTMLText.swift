// What the two HTML exports share: escaping, and the frame of a page.

/// Writes HTML of which no character that a person typed is markup.
enum HTMLText {
  /// `text` for the inside of an element or of an attribute in quotes.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      // No character of HTML: nothing that stands for it either.
      case _ where scalar.value < 32 && scalar != "\n" && scalar != "\t": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// An element around a typed text, which keeps its own direction; nothing for an empty text.
  static func element(_ name: String, class: String? = nil, _ text: String?) -> String {
    guard let text, !text.isEmpty else { return "" }
    let attribute = `class`.map { " class=\"\($0)\"" } ?? ""
    return "<\(name)\(attribute) dir=\"auto\">\(escaped(text))</\(name)>"
  }

  /// What a page that prints itself may do: show itself, and run these bytes of script alone.
  static let printingPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; "
    + "script-src 'sha256-jU9MAAT9vbWWAuIru1dmUF6oIRQGTBJx4I6mjdBmv+g='"
  private static let printingScript = "addEventListener('load', () => print());"

  /// A whole page. Its policy forbids scripts and everything from elsewhere, should it be opened
  /// from a file. Where it `printsItself`, it asks for a printer as soon as it stands.
  static func page(title: String, style: String, body: String, printsItself: Bool = false)
    -> String
  {
    let policy = printsItself ? printingPolicy : "default-src 'none'; style-src 'unsafe-inline'"
    let script = printsItself ? "\n<script>\(printingScript)</script>" : ""
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="generator" content="Segmance \(SegmanceServer.version)">
      <title>\(escaped(title))</title>
      <style>
      \(style)
      </style>\(script)
      </head>
      <body>
      <main>
      \(body)
      </main>
      </body>
      </html>

      """
  }
}
