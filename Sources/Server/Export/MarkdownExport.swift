// Routines as Markdown (CommonMark 0.31), with all typed text escaped.

import Model

struct MarkdownExport {
  private let exportModel: ExportModel

  init(_ exportModel: ExportModel) { self.exportModel = exportModel }

  /// Returns a section per routine: its parts with times, and their moves with notes.
  func text() -> String {
    let sections = exportModel.routines.map(section)
    return sections.isEmpty ? "No routines yet.\n" : sections.joined(separator: "\n")
  }

  private func section(_ routine: ExportModel.ExportedRoutine) -> String {
    var text = "# \(MarkdownExport.escaped(routine.routine.title ?? ""))\n"
    if let subtitle = routine.routine.subtitle, !subtitle.isEmpty {
      text += "\n\(MarkdownExport.escaped(subtitle))\n"
    }
    if let performance = routine.performance { text += "\n\(performance)\n" }
    for (index, part) in routine.parts.enumerated() {
      text += "\n## \(index + 1). \(MarkdownExport.escaped(part.title))\n"
      var about = [part.times, exportModel.counts(of: part)?.text].compactMap(\.self)
      if let track = part.track?.title { about.append(MarkdownExport.escaped(track)) }
      if !about.isEmpty { text += "\n\(about.joined(separator: " · "))\n" }
      if !part.moves.isEmpty { text += "\n" }
      let places = exportModel.places(ofMovesIn: part)
      for (index, move) in part.moves.enumerated() {
        text += item(move, number: index + 1, place: places[index])
      }
    }
    return text
  }

  private func item(_ move: Move, number: Int, place: String?) -> String {
    let head = "\(number). "
    var text = head + "**\(MarkdownExport.escaped(move.title ?? ""))**"
    if let type = exportModel.moveType(of: move)?.name {
      text += " (\(MarkdownExport.escaped(type)))"
    }
    if let place { text += " · \(place)" }
    text += "\n"
    guard let notes = move.notes, !notes.allSatisfy(\.isWhitespace) else { return text }
    let indent = String(repeating: " ", count: head.count)
    let lines = notes.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    text += "\n"
    for (index, line) in lines.enumerated() {
      guard !line.allSatisfy(\.isWhitespace) else {
        text += "\n"
        continue
      }
      // A backslash before the line end is a hard line break.
      let isFollowed =
        index + 1 < lines.count && !lines[index + 1].allSatisfy(\.isWhitespace)
      text += indent + MarkdownExport.escaped(String(line)) + (isFollowed ? "\\" : "") + "\n"
    }
    return text + "\n"
  }

  /// Escapes `text` as one line that Markdown shows as typed.
  ///
  /// A backslash escapes every character that can begin inline markup or a link, and those that
  /// begin a block at the start of a line. Leading and trailing spaces become entities; otherwise
  /// they would be dropped, start a code block, or prevent `**` from closing.
  static func escaped(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    let start = scalars.prefix { isSpace($0) }.count
    let end = scalars.count - scalars.reversed().prefix { isSpace($0) }.count
    var result = ""
    var isStart = true
    var digits = 0
    for (index, scalar) in scalars.enumerated() {
      if isSpace(scalar), index < start || index >= end {
        result += "&#\(scalar.value);"
        continue
      }
      switch scalar {
      case _ where MarkdownExport.marks.contains(scalar): result += "\\"
      case "+", "-", "=": if isStart { result += "\\" }
      case ")": if isStart, digits > 0 { result += "\\" }
      case ".": if isStart && digits > 0 || endsInThreeW(scalars[..<index]) { result += "\\" }
      default: break
      }
      if isStart, ("0"..."9").contains(scalar) {
        digits += 1
      } else {
        isStart = false
      }
      result.unicodeScalars.append(isSpace(scalar) && scalar != "\u{3000}" ? " " : scalar)
    }
    return result
  }

  /// Whether a link could begin after these characters: `www`.
  private static func endsInThreeW(_ scalars: ArraySlice<Unicode.Scalar>) -> Bool {
    scalars.count >= 3 && scalars.suffix(3).allSatisfy { $0 == "w" || $0 == "W" }
  }

  private static let marks = Set("\\`*_{}[]<>|~&$^!#:@".unicodeScalars)

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace
  }
}
