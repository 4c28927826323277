// The eight-count sheet: a page in landscape with a table for each part, a row for each eight and a cell
// for each count. It is printed, and read on a screen.

import Counts
import Model

struct CountSheet {
  private let exportModel: ExportModel
  private let printing: Printing

  /// Prepares a sheet for a printer.
  init(_ exportModel: ExportModel, _ printing: Printing) {
    self.exportModel = exportModel
    self.printing = printing
  }

  /// Returns the page.
  func text() -> String {
    let only = exportModel.routines.count == 1 ? exportModel.routines[0].routine.title : nil
    var body = exportModel.routines.map(article).joined(separator: "\n")
    if body.isEmpty { body = "<p>No routines yet.</p>" }
    return HTMLText.page(
      title: only.map { "\($0): eight-count sheet" } ?? "Eight-count sheets",
      style: CountSheet.page(printing.paper) + CountSheet.style, body: body,
      printsItself: printing.isAtOnce)
  }

  private func article(_ routine: ExportModel.ExportedRoutine) -> String {
    let parts = routine.parts.enumerated().map { section($1, number: $0 + 1) }
    return """
      <article>
      <header>\(HTMLText.element("h1", routine.routine.title))\
      \(HTMLText.element("p", routine.routine.subtitle))\
      \(HTMLText.element("p", routine.performance))</header>
      \(parts.joined(separator: "\n"))
      </article>
      """
  }

  private func section(_ part: ExportModel.ExportedPart, number: Int) -> String {
    let sheet = CountSheetPart(part, in: exportModel)
    let heading = heading(of: part, number: number)
    guard !sheet.rows.isEmpty else {
      // Without counts: the moves as a list, and rows to count by hand.
      let why =
        part.track == nil ? "This part has no music." : "No counts are known for this music."
      return """
        <section>
        \(heading)
        <p class="none">\(why)</p>
        \(list(sheet.unlaid, title: nil))
        \(table(CountSheet.columns(8), rows: CountSheet.emptyRows(4, width: 8)))
        </section>
        """
    }
    let rows = sheet.rows.map { row($0, width: sheet.width) }.joined(separator: "\n")
    let head = "<tr><td class=\"part\" colspan=\"\(2 * sheet.width + 3)\">\(heading)</td></tr>\n"
    let long = sheet.rows.flatMap(\.begun).filter { CountSheet.isLong(CountSheet.notes(of: $0)) }
    return """
      <section>
      \(table(head + CountSheet.columns(sheet.width), rows: rows, width: sheet.width))
      \(list(long, title: "Notes"))
      \(list(sheet.unlaid, title: "Not on counts yet"))
      \(list(sheet.outside, title: "On counts outside this part"))
      </section>
      """
  }

  private func heading(of part: ExportModel.ExportedPart, number: Int) -> String {
    var about = [exportModel.counts(of: part)?.text, part.shortTimes].compactMap(\.self)
    let track = HTMLText.element("bdi", part.track?.title)
    if !track.isEmpty { about.append(track) }
    let text =
      about.isEmpty ? "" : " <span class=\"about\">\(about.joined(separator: " · "))</span>"
    return "<div class=\"head\"><h2><span class=\"number\">\(number)</span> "
      + "\(HTMLText.element("bdi", part.title))</h2>\(text)</div>"
  }

  private func row(_ row: CountSheetPart.Row, width: Int) -> String {
    let lanes = row.lanes
    let span = lanes.count > 1 ? " rowspan=\"\(lanes.count)\"" : ""
    var text = "<tbody>\n"
    for (index, lane) in lanes.enumerated() {
      text += "<tr\(lanes.count > 1 ? " class=\"lane\"" : "")>"
      if index == 0 {
        text += "<th scope=\"row\"\(span)>\(row.name)</th>"
        text += "<td class=\"time\"\(span)>\(CountSheet.time(row.frame))</td>"
        text += CountSheet.absent(row.indent, span)
      }
      var half = 2 * row.indent
      for block in lane {
        text += CountSheet.free(half..<block.halves.lowerBound) + cell(block)
        half = block.halves.upperBound
      }
      text += CountSheet.free(half..<2 * (row.indent + row.length))
      if index == 0 {
        text += CountSheet.absent(width - row.indent - row.length, span)
        text += "<td class=\"notes\"\(span)>\(notes(of: row))</td>"
      }
      text += "</tr>\n"
    }
    return text + "</tbody>"
  }

  private func cell(_ block: CountSheetPart.Block) -> String {
    // A colour from an imported backup was never validated.
    let colour = exportModel.moveType(of: block.move)?.colour.flatMap {
      Field.isColour($0) ? " style=\"border-left-color:\($0)\"" : nil
    }
    var classes = colour == nil ? "move" : "move typed"
    if block.halves.count <= 2 { classes += " narrow" }
    var text = block.begins ? "" : "… "
    if block.isOnAnd { text += "<b class=\"and\">&amp;</b> " }
    text += HTMLText.element("bdi", block.move.title)
    if block.begins { text += mark(of: block.move) }
    if !block.ends { text += " …" }
    return "<td class=\"\(classes)\" colspan=\"\(block.halves.count)\"\(colour ?? "")>\(text)</td>"
  }

  private func mark(of move: Move) -> String {
    let mark = HTMLText.element("bdi", class: "type", exportModel.typeMark(of: move))
    return mark.isEmpty ? "" : " " + mark
  }

  /// The notes of the moves that begin in a row; a line to write on without any. Long ones stand below the
  /// table, because they would make the row as high as half a page.
  private func notes(of row: CountSheetPart.Row) -> String {
    let texts = row.begun.compactMap { move -> String? in
      guard let notes = CountSheet.notes(of: move) else { return nil }
      let isLong = CountSheet.isLong(notes)
      // Only where it is not clear whose they are.
      let title = row.begun.count > 1 || isLong ? HTMLText.element("b", move.title) + " " : ""
      return "<p>\(title)\(isLong ? "see below" : HTMLText.element("span", notes))</p>"
    }
    return texts.isEmpty ? "<div class=\"line\"></div>" : texts.joined()
  }

  private func list(_ moves: [Move], title: String?) -> String {
    guard !moves.isEmpty else { return "" }
    let items = moves.map { move in
      let notes = HTMLText.element("span", class: "note", CountSheet.notes(of: move))
      return "<li>\(HTMLText.element("b", move.title))\(mark(of: move))"
        + "\(notes.isEmpty ? "" : " ")\(notes)</li>"
    }
    let heading = title.map { "<h3>\($0)</h3>\n" } ?? ""
    return "<div class=\"rest\">\n\(heading)<ol>\n\(items.joined(separator: "\n"))\n</ol>\n</div>"
  }

  /// Whether notes are too long for the column beside a row.
  private static func isLong(_ notes: String?) -> Bool {
    notes.map { $0.count > 160 || $0.count { $0.isNewline } > 4 } ?? false
  }

  /// The notes without white space around them; nil if nothing is left.
  static func notes(of move: Move) -> String? {
    guard let notes = move.notes, let first = notes.firstIndex(where: { !$0.isWhitespace }),
      let last = notes.lastIndex(where: { !$0.isWhitespace })
    else { return nil }
    return String(notes[first...last])
  }
}
