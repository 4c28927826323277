// The table of an eight-count sheet: what the sheet of a routine and the empty one share.

import Model

extension CountSheet {
  /// A table of eights. On a screen it scrolls by itself, so that the page does not.
  func table(_ head: String, rows: String, width: Int = 8) -> String {
    CountSheet.table(head, rows: rows, width: width)
  }

  /// A table with `head` repeated on each printed page; each column is half a count.
  static func table(_ head: String, rows: String, width: Int) -> String {
    """
    <div class="scroll" tabindex="0" role="group" aria-label="Eights"><table>
    <colgroup><col class="eight"><col class="clock"><col span="\(2 * width)"><col class="notes"></colgroup>
    <thead>
    \(head)
    </thead>
    \(rows)
    </table></div>
    """
  }

  /// The row of column headings for so many counts.
  static func columns(_ width: Int) -> String {
    let counts = (1...width).map { "<th scope=\"col\" colspan=\"2\">\($0)</th>" }.joined()
    return "<tr class=\"counts\"><th scope=\"col\">Eight</th><th scope=\"col\">Time</th>\(counts)"
      + "<th scope=\"col\">Notes, lyrics</th></tr>"
  }

  /// Rows to write in, without numbers and times.
  static func emptyRows(_ number: Int, width: Int) -> String {
    let row =
      "<tr><td></td><td></td>\(free(0..<2 * width))"
      + "<td class=\"notes\"><div class=\"line\"></div></td></tr>"
    return "<tbody class=\"empty\">\n"
      + Array(repeating: row, count: number).joined(separator: "\n") + "\n</tbody>"
  }

  /// Cells for halves of counts without a move: one for each count.
  static func free(_ halves: Range<Int>) -> String {
    var text = ""
    var half = halves.lowerBound
    while half < halves.upperBound {
      let next = min(halves.upperBound, (half / 2 + 1) * 2)
      let form = half % 2 == 1 ? " class=\"half\"" : ""
      text += "<td\(form)\(next - half == 2 ? " colspan=\"2\"" : "")></td>"
      half = next
    }
    return text
  }

  /// One cell in place of counts that the part does not have, crossed out.
  static func absent(_ counts: Int, _ span: String) -> String {
    guard counts > 0 else { return "" }
    return "<td class=\"absent\" colspan=\"\(2 * counts)\"\(span)><svg viewBox=\"0 0 1 1\" "
      + "preserveAspectRatio=\"none\" aria-hidden=\"true\"><path d=\"M0 1L1 0\"/></svg></td>"
  }

  /// A time of the song to the tenth of a second: `0:03.2`. Rounded down, so that who starts there misses
  /// nothing.
  static func time(_ frame: Int) -> String {
    "\(Timeline.clock(frame: frame)).\(frame % Timeline.framesPerSecond * 10 / Timeline.framesPerSecond)"
  }

  /// The rule for the paper.
  static func page(_ paper: Paper?) -> String {
    "@page { margin: 10mm; size: \(paper.map { "\($0.name) " } ?? "")landscape; }\n"
  }

  // A count has 23 mm on A4: room for a word by hand. Typed text never makes a column wider.
  static let style = """
    body { margin: 0; background: #fff; color: #000; font: 10pt/1.25 system-ui, sans-serif;
      overflow-wrap: anywhere; }
    h1, h2, h3, p, ol { margin: 0; }
    h1 { font-size: 18pt; line-height: 1.15; }
    h2 { font-size: 13pt; line-height: 1.2; }
    h3 { font-size: 10pt; }
    article + article { break-before: page; }
    header { margin-bottom: 3mm; }
    section { margin-bottom: 6mm; }
    .head { break-after: avoid; }
    .number { display: inline-block; min-width: 1em; }
    table { border-collapse: collapse; table-layout: fixed; width: 100%; }
    thead { display: table-header-group; break-inside: avoid; }
    tbody, tr { break-inside: avoid; }
    col.eight { width: 14mm; }
    col.clock { width: 16mm; }
    col.notes { width: 62mm; }
    th, td { border: 0.25mm solid #666; padding: 0.7mm 1mm; vertical-align: top; text-align: start; }
    td { height: 12.5mm; }
    .lane td { height: 8mm; }
    .narrow { font-size: 8pt; }
    .counts th { padding-block: 0.3mm; text-align: center; font-weight: normal; }
    .part { height: auto; border: 0; padding: 0 0 1.5mm; }
    tbody th, .time { text-align: center; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
    tbody th { font-size: 9pt; }
    .time { font-size: 9pt; }
    .half { border-left-style: dashed; }
    .move { border-left: 0.7mm solid #000; }
    .typed { border-left-width: 1.4mm; }
    .absent { position: relative; }
    .absent svg { position: absolute; inset: 0; width: 100%; height: 100%; }
    .absent path { stroke: #666; stroke-width: 0.25mm; vector-effect: non-scaling-stroke; }
    .type { border: 0.25mm solid #000; border-radius: 1mm; padding: 0 0.8mm; font-size: 8pt; }
    .notes { font-size: 9pt; }
    .notes span, .note { white-space: pre-line; }
    .line { height: 6.2mm; border-bottom: 0.2mm solid #aaa; }
    .rest { margin-top: 2mm; }
    .rest ol { padding-inline-start: 1.6em; }
    .rest li { break-inside: avoid; }
    .rest + .scroll { margin-top: 3mm; }
    .note { font-size: 9pt; }
    @media screen {
      body { padding: 4mm; }
      .scroll { overflow-x: auto; }
      table { min-width: 190mm; }
      col.notes { width: 45mm; }
      tbody th { position: sticky; inset-inline-start: 0; background: #fff; }
      .part > .head { position: sticky; inset-inline-start: 0; max-width: calc(100vw - 8mm); }
    }
    """
}
