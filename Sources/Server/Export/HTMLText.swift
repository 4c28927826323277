// Shared code of the two HTML exports: escaping and the page frame.

/// Writes HTML in which typed text never becomes markup.
enum HTMLText {
  /// Escapes `text` for an element's content or a quoted attribute.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      // HTML does not allow this character, not even as a character reference.
      case _ where scalar.value < 32 && scalar != "\n" && scalar != "\t": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// An element with typed text, which keeps its own direction. Returns an empty string for empty
  /// text.
  static func element(_ name: String, class: String? = nil, _ text: String?) -> String {
    guard let text, !text.isEmpty else { return "" }
    let attribute = `class`.map { " class=\"\($0)\"" } ?? ""
    return "<\(name)\(attribute) dir=\"auto\">\(escaped(text))</\(name)>"
  }

  /// The Content-Security-Policy of a page that prints itself: it may run only this script.
  static let printingPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; "
    + "script-src 'sha256-jU9MAAT9vbWWAuIru1dmUF6oIRQGTBJx4I6mjdBmv+g='"
  private static let printingScript = "addEventListener('load', () => print());"

  /// A complete page. Its policy forbids scripts and external resources, in case it is opened from
  /// a file. If it `printsItself`, it opens the print dialogue when it has loaded.
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
