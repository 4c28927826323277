// The eight-count sheet as a table for spreadsheets; docs/FORMATS.md describes it.

import Model

struct CountSheetTable {
  private let exportModel: ExportModel

  init(_ exportModel: ExportModel) { self.exportModel = exportModel }

  /// The columns of counts: as many as the longest eight has.
  private static let counts = 8

  /// Returns a line for each eight, and one for each move that lies in none.
  func text() -> String {
    let head =
      ["Routine", "Part", "Eight", "Time"] + (1...CountSheetTable.counts).map(String.init)
      + ["Notes", "Not on counts"]
    return CSVText.file(
      [head]
        + exportModel.routines.flatMap { routine in routine.parts.flatMap { rows($0, routine) } })
  }

  private func rows(
    _ part: ExportModel.ExportedPart, _ routine: ExportModel.ExportedRoutine
  ) -> [[String]] {
    let sheet = CountSheetPart(part, in: exportModel)
    let place = [routine.routine.title ?? "", part.title]
    let eights = sheet.rows.map { row in
      place + [row.name, Timeline.text(frame: row.frame)] + counts(of: row) + [notes(of: row), ""]
    }
    let free = Array(repeating: "", count: CountSheetTable.counts + 2)
    let rest = (sheet.unlaid + sheet.outside).map { move in
      place + free + [CountSheet.notes(of: move) ?? "", name(of: move)]
    }
    let all = eights + rest
    // A part without counts and moves is a line, too.
    return all.isEmpty ? [place + free + ["", ""]] : all
  }

  /// A text for each count: what begins there, else a mark where a move goes on.
  private func counts(of row: CountSheetPart.Row) -> [String] {
    var cells = Array(repeating: [String](), count: CountSheetTable.counts)
    for block in row.blocks {
      let first = block.halves.lowerBound / 2
      let last = (block.halves.upperBound - 1) / 2
      for count in first...max(first, last) where cells.indices.contains(count) {
        let begins = block.begins && count == first
        cells[count].append(begins ? (block.isOnAnd ? "& " : "") + name(of: block.move) : "…")
      }
    }
    return cells.map { texts in
      let begun = texts.filter { $0 != "…" }
      return begun.isEmpty ? texts.first ?? "" : begun.joined(separator: " / ")
    }
  }

  private func name(of move: Move) -> String {
    (move.title ?? "") + (exportModel.typeMark(of: move).map { " (\($0))" } ?? "")
  }

  private func notes(of row: CountSheetPart.Row) -> String {
    row.begun.compactMap { move in
      CountSheet.notes(of: move).map { "\(move.title ?? ""): \($0)" }
    }.joined(separator: " / ")
  }
}
