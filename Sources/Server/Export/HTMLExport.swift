// Routines as one self-contained page to read, send and print.

import Model

struct HTMLExport {
  private let exportModel: ExportModel
  private var waveforms: WaveformDrawings

  init(_ exportModel: ExportModel, waveforms: WaveformDrawings) {
    self.exportModel = exportModel
    self.waveforms = waveforms
  }

  /// Returns the page.
  func text() -> String {
    var waveforms = waveforms
    let only = exportModel.routines.count == 1 ? exportModel.routines[0].routine.title : nil
    var body = exportModel.routines.map { section($0, &waveforms) }.joined(separator: "\n")
    if body.isEmpty { body = "<p>No routines yet.</p>" }
    return HTMLText.page(title: only ?? "Routines", style: HTMLExport.style, body: body)
  }

  private func section(
    _ routine: ExportModel.ExportedRoutine, _ waveforms: inout WaveformDrawings
  ) -> String {
    var lines = [
      "<article>", HTMLText.element("h1", routine.routine.title),
      HTMLText.element("p", class: "subtitle", routine.routine.subtitle),
      HTMLText.element("p", class: "subtitle", routine.performance),
    ]
    for (index, part) in routine.parts.enumerated() {
      lines.append("<section>")
      lines.append(
        "<h2><span class=\"number\">\(index + 1)</span> "
          + "\(HTMLText.element("bdi", part.title))</h2>")
      var about = [part.times, exportModel.counts(of: part)?.text].compactMap {
        $0.map { "<span>\($0)</span>" }
      }
      let track = HTMLText.element("bdi", part.track?.title)
      if !track.isEmpty { about.append(track) }
      if !about.isEmpty { lines.append("<p class=\"about\">\(about.joined(separator: " · "))</p>") }
      if let track = part.track, let range = part.range {
        lines.append(waveforms.svg(track: track.id, range))
      }
      if !part.moves.isEmpty {
        lines.append("<ol>")
        lines += zip(part.moves, exportModel.places(ofMovesIn: part)).map(item)
        lines.append("</ol>")
      }
      lines.append("</section>")
    }
    lines.append("</article>")
    return lines.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func item(_ move: Move, place: String?) -> String {
    var text = "<li>" + HTMLText.element("strong", move.title)
    if let type = exportModel.moveType(of: move), let name = type.name {
      // A colour from an imported backup was never validated.
      let colour = type.colour.flatMap {
        Field.isColour($0) ? " style=\"border-color:\($0)\"" : nil
      }
      text +=
        " <span class=\"type\"\(colour ?? "") dir=\"auto\">\(HTMLText.escaped(name))</span>"
    }
    if let place { text += " · \(place)" }
    let notes = move.notes.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    return text + HTMLText.element("p", class: "notes", notes) + "</li>"
  }

  private static let style = """
    body { margin: 0 auto; max-width: 44rem; padding: 1.5rem; background: #fff; color: #17151d;
      font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
    article + article { margin-top: 4rem; }
    h1 { margin: 0; font-size: 2rem; line-height: 1.2; }
    h2 { margin: 0; font-size: 1.25rem; }
    section { margin-top: 2rem; break-inside: avoid-page; }
    .subtitle, .about { margin: 0.25rem 0 0; color: #55505f; }
    .about { font-variant-numeric: tabular-nums; }
    .number { color: #55505f; }
    svg { display: block; width: 100%; height: 3rem; margin: 0.5rem 0; fill: #7a5cff; }
    ol { margin: 0.5rem 0 0; padding-inline-start: 2rem; }
    li { margin-top: 0.35rem; break-inside: avoid; }
    .type { border: 2px solid #55505f; border-radius: 0.4rem; padding: 0 0.35rem;
      font-size: 0.8rem; }
    .notes { margin: 0.1rem 0 0; white-space: pre-wrap; }
    @media print {
      body { max-width: none; padding: 0; font-size: 11pt; print-color-adjust: exact; }
      article + article { margin: 0; break-before: page; }
    }
    @page { margin: 16mm; }
    """
}
