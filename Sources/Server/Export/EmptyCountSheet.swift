// The empty eight-count sheet, to be filled in by hand: exactly one page.

import Model

/// A sheet without a routine.
struct EmptyCountSheet {
  private let counts: Int
  private let printing: Printing

  /// The counts that a row can have: those of an eight in any metre.
  static let counts = 5...8
  /// The rows of a page, which both papers have room for.
  private static let rows = 12

  /// Prepares a sheet of rows of so many counts; without a paper it is for A4.
  init(counts: Int, _ printing: Printing) {
    self.counts = counts
    self.printing = Printing(paper: printing.paper ?? .a4, isAtOnce: printing.isAtOnce)
  }

  /// The name of its file.
  static let fileName = "Eight-count sheet.html"

  /// Returns the page.
  func text() -> String {
    let fields = ["Title", "Part", "Music", "Date"].map { "<span>\($0)</span>" }.joined()
    let table = CountSheet.table(
      CountSheet.columns(counts),
      rows: CountSheet.emptyRows(EmptyCountSheet.rows, width: counts), width: counts)
    return HTMLText.page(
      title: "Eight-count sheet",
      style: CountSheet.page(printing.paper) + CountSheet.style + "\n" + style,
      body:
        "<h1 class=\"spoken\">Eight-count sheet</h1>\n<p class=\"fields\">\(fields)</p>\n\(table)",
      printsItself: printing.isAtOnce)
  }

  private var style: String {
    // Twelve rows, the line of fields and the headings fill the 190 mm (of Letter 195.9 mm) between the margins
    // but for three: no printer's rounding makes a second page.
    let height = printing.paper == .letter ? "14.5mm" : "14mm"
    return """
      .spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
      .fields { display: flex; gap: 6mm; height: 9mm; align-items: end; margin-bottom: 3mm; }
      .fields span { flex: 2; border-bottom: 0.3mm solid #000; }
      .fields span:last-child { flex: 1; }
      .empty tr { height: \(height); }
      .empty td { height: auto; }
      """
  }
}
