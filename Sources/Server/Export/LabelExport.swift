// Audacity's label file: start, end and text of each part, divided by tabs.

import Model

struct LabelExport {
  private let notebook: Notebook

  init(_ notebook: Notebook) { self.notebook = notebook }

  /// Returns a line for each part that has times, in seconds on its track. Where the parts stand on
  /// several tracks, the track's title comes first.
  func text() -> String {
    let names = notebook.tracks.count > 1
    var text = ""
    for part in notebook.routines.flatMap(\.parts) {
      guard let range = part.range else { continue }
      var label = part.title
      if names, let track = part.track?["title"].text { label = "\(track): \(label)" }
      text += LabelExport.seconds(range.lowerBound) + "\t" + LabelExport.seconds(range.upperBound)
      text += "\t" + LabelExport.line(label) + "\n"
    }
    return text
  }

  /// `frame` in seconds with six decimals, rounded to the nearest.
  static func seconds(_ frame: Int) -> String {
    let rate = Timeline.framesPerSecond
    let fraction = (frame % rate * 1_000_000 + rate / 2) / rate
    let digits = String(fraction)
    return "\(frame / rate).\(String(repeating: "0", count: 6 - digits.count))\(digits)"
  }

  /// `text` without tabs, line ends and other control characters.
  static func line(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map {
          $0.value < 32 || (127...159).contains($0.value) || $0 == "\u{2028}" || $0 == "\u{2029}"
            ? " " : $0
        }))
  }
}
