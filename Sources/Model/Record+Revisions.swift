// The texts that a merge overwrites, which are stored as earlier versions.

/// A text that a merge overwrites.
public struct OverwrittenText: Hashable, Sendable {
  /// The field's name.
  public var field: String
  /// The text; empty if there was none, which marks the first edit.
  public var value: String
  /// When the text was written.
  public var stamp: Stamp
  /// When the current text was written.
  public var replaced: Stamp
  /// Whether it lost against a later edit, and so was never visible.
  public var isLate: Bool
}

extension RecordType {
  /// The fields whose earlier texts are stored.
  public var fieldsWithHistory: [String] {
    switch self {
    case .routine: ["title", "subtitle"]
    case .part: ["title"]
    case .move: ["title", "notes"]
    case .runThrough: ["notes"]
    case .spot, .moveType, .track, .video, .recording, .clip, .gridCorrection, .practiceEntry,
      .plan, .setting:
      []
    }
  }
}

extension Record {
  /// Returns the texts that merging `change` would overwrite: those that it replaces, and its own that
  /// lose against a later edit. An empty record has none.
  public func overwrittenTexts(by change: Change) -> [OverwrittenText] {
    guard !cells.isEmpty else { return [] }
    return type.fieldsWithHistory.compactMap { field in
      guard let new = change.fields[field] else { return nil }
      guard let cell = cells[field] else {
        let never = Stamp(milliseconds: 0, counter: 0, device: 0)
        return OverwrittenText(
          field: field, value: "", stamp: never, replaced: change.at, isLate: false)
      }
      guard cell.stamp != change.at, cell.value != new else { return nil }
      if cell.stamp < change.at {
        return OverwrittenText(
          field: field, value: cell.value.text ?? "", stamp: cell.stamp, replaced: change.at,
          isLate: false)
      }
      guard let text = new.text, !text.isEmpty else { return nil }
      return OverwrittenText(
        field: field, value: text, stamp: change.at, replaced: cell.stamp, isLate: true)
    }
  }
}
