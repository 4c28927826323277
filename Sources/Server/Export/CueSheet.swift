// The cue sheet: a page in large type to hang beside the stage, with one block per part.

import Model

struct CueSheet {
  private let exportModel: ExportModel
  private let printing: Printing

  /// Prepares a cue sheet for a printer.
  init(_ exportModel: ExportModel, _ printing: Printing) {
    self.exportModel = exportModel
    self.printing = printing
  }

  /// Returns the page.
  func text() -> String {
    let only = exportModel.routines.count == 1 ? exportModel.routines[0].routine.title : nil
    var body = exportModel.routines.map(sheet).joined(separator: "\n")
    if body.isEmpty { body = "<p>No routines yet.</p>" }
    let size = printing.paper.map { " size: \($0.name);" } ?? ""
    return HTMLText.page(
      title: only.map { "\($0): cue sheet" } ?? "Cue sheets",
      style: "@page { margin: 14mm;\(size) }\n" + CueSheet.style, body: body,
      printsItself: printing.isAtOnce)
  }

  private func sheet(_ routine: ExportModel.ExportedRoutine) -> String {
    let parts = routine.parts.enumerated().map { index, part in
      let moves = zip(part.moves, exportModel.places(ofMovesIn: part))
        .map { "<li>\(line($0, place: $1))</li>" }.joined(separator: "\n")
      let about = [part.shortTimes, exportModel.counts(of: part)?.text]
        .compactMap(\.self).joined(separator: " · ")
      let times = about.isEmpty ? "" : "<span class=\"times\">\(about)</span>"
      return """
        <section>
        <h2><span class="number">\(index + 1)</span> \
        \(HTMLText.element("bdi", part.title)) \(times)</h2>
        \(moves.isEmpty ? "" : "<ol>\n\(moves)\n</ol>")
        </section>
        """
    }
    return """
      <article>
      <header>\(HTMLText.element("h1", routine.routine.title))\
      \(HTMLText.element("p", routine.routine.subtitle))\
      \(HTMLText.element("p", routine.performance))</header>
      \(parts.joined(separator: "\n"))
      </article>
      """
  }

  private func line(_ move: Move, place: String?) -> String {
    let tag = HTMLText.element("bdi", class: "type", exportModel.typeMark(of: move))
    return HTMLText.element("bdi", move.title) + (tag.isEmpty ? "" : " " + tag)
      + (place.map { " <span class=\"times\">\($0)</span>" } ?? "")
  }

  private static let style = """
    body { margin: 0 auto; max-width: 180mm; background: #fff; color: #000;
      font: 18pt/1.35 system-ui, sans-serif; overflow-wrap: anywhere; }
    article + article { break-before: page; }
    header { border-bottom: 1.5pt solid #000; margin-bottom: 6mm; }
    header p { margin: 0 0 2mm; }
    h1 { margin: 0; font-size: 30pt; line-height: 1.15; }
    section { break-inside: avoid; border: 1pt solid #000; border-radius: 3mm; padding: 3mm 5mm;
      margin-bottom: 5mm; }
    h2 { margin: 0; font-size: 22pt; line-height: 1.2; break-after: avoid; }
    .number { display: inline-block; min-width: 1.4em; }
    .times { font-size: 13pt; font-weight: normal; white-space: nowrap; }
    ol { margin: 2mm 0 0; padding-inline-start: 2em; }
    li { break-inside: avoid; }
    .type { border: 1pt solid #000; border-radius: 1.5mm; padding: 0 1.5mm; font-size: 12pt; }
    @media screen { body { padding: 8mm; } }
    """
}
