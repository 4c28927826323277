// The export formats of routines.

import Model

/// The values of `format=`.
enum ExportFormat: String, CaseIterable, Sendable {
  /// A self-contained page with waveforms, for reading and printing.
  case html
  case markdown
  /// The format that `segmance import` reads.
  case json
  /// Audacity's label file.
  case labels
  /// Audacity's label file of the counts of a routine's only track.
  case counts
  /// A page in large type for printing.
  case cuesheet
  /// A page with a row for each eight, for printing.
  case countsheet
  /// The same as a table for spreadsheets.
  case countsheetTable = "countsheet-csv"

  var mediaType: String {
    switch self {
    case .html, .cuesheet, .countsheet: "text/html; charset=utf-8"
    case .markdown: "text/markdown; charset=utf-8"
    case .json: "application/json"
    case .labels, .counts: "text/plain; charset=utf-8"
    case .countsheetTable: "text/csv; charset=utf-8"
    }
  }

  /// Whether it can be a page that opens the print dialogue.
  var isPrinted: Bool { self == .cuesheet || self == .countsheet }

  /// The file name for a routine of this title; a nil title means all routines.
  func fileName(title: String?) -> String {
    // A title of 60 characters fits with all endings, in all but the rarest scripts.
    let name =
      title.map { FileName.safe($0, limit: 200, fallback: "Routine") } ?? "Segmance routines"
    return switch self {
    case .html: name + ".html"
    case .markdown: name + ".md"
    case .json: name + ".json"
    case .labels: name + " labels.txt"
    case .counts: name + " counts.txt"
    case .cuesheet: name + " cue sheet.html"
    case .countsheet: name + " eight-count sheet.html"
    case .countsheetTable: name + " eight-count sheet.csv"
    }
  }
}

/// The print options of a cue sheet or eight-count sheet.
struct Printing: Sendable {
  /// Nil: the paper in the printer.
  var paper: Paper?
  /// Whether the page opens the print dialogue instead of being downloaded.
  var isAtOnce = false
}

/// The paper of a sheet.
enum Paper: String, CaseIterable, Sendable {
  case a4, letter

  /// The CSS name.
  var name: String { self == .a4 ? "A4" : "letter" }
}
