// The formats that routines can be exported in.

/// What `format=` may say.
enum ExportFormat: String, CaseIterable, Sendable {
  /// A page of its own, with waveforms, to read and print.
  case html
  case markdown
  /// What `segmance import` reads back.
  case json
  /// Audacity's label file.
  case labels
  /// A page to print in large type.
  case cuesheet

  var mediaType: String {
    switch self {
    case .html, .cuesheet: "text/html; charset=utf-8"
    case .markdown: "text/markdown; charset=utf-8"
    case .json: "application/json"
    case .labels: "text/plain; charset=utf-8"
    }
  }

  /// A good name for the file of a routine of this title; nil: of all routines.
  func fileName(title: String?) -> String {
    let name = title.map(ExportFormat.fileName) ?? "Segmance routines"
    return switch self {
    case .html: name + ".html"
    case .markdown: name + ".md"
    case .json: name + ".json"
    case .labels: name + " labels.txt"
    case .cuesheet: name + " cue sheet.html"
    }
  }

  /// `title` without what file systems refuse, and without marks that would turn the name around.
  private static func fileName(_ title: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in title.unicodeScalars.prefix(60) {
      switch scalar {
      case "/", "\\", ":", "*", "?", "\"", "<", ">", "|": scalars.append("-")
      case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}", "\u{200E}", "\u{200F}": break
      case _ where scalar.value < 32 || scalar.value == 127: break
      default: scalars.append(scalar)
      }
    }
    let name = String(scalars).trimmingPrefix { $0 == "." || $0.isWhitespace }
    return name.allSatisfy(\.isWhitespace) ? "Routine" : String(name)
  }
}

/// How a cue sheet meets its printer.
struct Printing: Sendable {
  /// nil: whatever lies in the printer.
  var paper: Paper?
  /// Whether it is shown as a page that opens the print dialogue, instead of being downloaded.
  var isAtOnce = false
}

/// The paper of a cue sheet.
enum Paper: String, CaseIterable, Sendable {
  case a4, letter

  /// Its name in CSS.
  var name: String { self == .a4 ? "A4" : "letter" }
}
