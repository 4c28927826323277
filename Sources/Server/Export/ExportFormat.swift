// The formats that routines can be exported in.

import Model

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
    // A title of 60 characters fits, in any script but the rarest, with all endings.
    let name =
      title.map { FileName.safe($0, limit: 200, fallback: "Routine") } ?? "Segmance routines"
    return switch self {
    case .html: name + ".html"
    case .markdown: name + ".md"
    case .json: name + ".json"
    case .labels: name + " labels.txt"
    case .cuesheet: name + " cue sheet.html"
    }
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
