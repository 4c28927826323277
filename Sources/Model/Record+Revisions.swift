// The values that a merge overwrites, which are stored as earlier versions.

/// A value that a merge overwrites.
public struct OverwrittenValue: Hashable, Sendable {
  /// The field's name.
  public var field: String
  /// The value; null if there was none, which marks the first edit.
  public var value: Value
  /// When the value was written.
  public var stamp: Stamp
  /// When the current value was written.
  public var replaced: Stamp
  /// Whether it lost against a later edit, and so was never visible.
  public var isLate: Bool
}

/// A value that a field had, and when it was written.
public struct EarlierValue: Hashable, Sendable {
  /// The field's name.
  public var field: String
  public var value: Value
  public var stamp: Stamp

  /// Makes an earlier value.
  public init(field: String, value: Value, stamp: Stamp) {
    self.field = field
    self.value = value
    self.stamp = stamp
  }
}

extension RecordType {
  /// The fields whose earlier texts are listed for a record.
  public var fieldsWithTexts: [String] {
    switch self {
    case .routine: ["title", "subtitle"]
    case .part: ["title"]
    case .move: ["title", "notes"]
    case .runThrough: ["notes"]
    case .spot, .moveType, .track, .video, .recording, .clip, .gridCorrection, .comment,
      .practiceEntry, .plan, .setting:
      []
    }
  }

  /// The fields that are choreography. How something is practised is none of it.
  public var choreography: [String] {
    switch self {
    case .routine: ["title", "subtitle"]
    case .part:
      [
        "title", "position", "track", "startFrame", "endFrame", "video", "videoOffset",
        "deletedAt",
      ]
    case .move:
      [
        "title", "notes", "position", "part", "moveType", "startCount", "countLength",
        "deletedAt",
      ]
    case .spot, .moveType, .track, .video, .recording, .clip, .gridCorrection, .comment,
      .practiceEntry, .runThrough, .plan, .setting:
      []
    }
  }

  /// The fields whose earlier values are stored.
  public var fieldsWithHistory: [String] { self == .runThrough ? fieldsWithTexts : choreography }
}

extension Record {
  /// Returns the values that merging `change` would overwrite: those that it replaces, and its own that
  /// lose against a later edit. An empty record has none.
  ///
  /// A value that is written again is one too: it stood there before the later edit as well.
  public func overwrittenValues(by change: Change) -> [OverwrittenValue] {
    guard !cells.isEmpty else { return [] }
    return type.fieldsWithHistory.compactMap { field in
      guard let new = change.fields[field] else { return nil }
      guard let cell = cells[field] else {
        let never = Stamp(milliseconds: 0, counter: 0, device: 0)
        return OverwrittenValue(
          field: field, value: .null, stamp: never, replaced: change.at, isLate: false)
      }
      guard cell.stamp != change.at else { return nil }
      if cell.stamp < change.at {
        return OverwrittenValue(
          field: field, value: cell.value, stamp: cell.stamp, replaced: change.at, isLate: false)
      }
      return OverwrittenValue(
        field: field, value: new, stamp: change.at, replaced: cell.stamp, isLate: true)
    }
  }

  /// Returns the record with each field as it was at `milliseconds` since 1970, by the stamps of its
  /// edits: the latest of the present and the `earlier` values that was written by then.
  public func asItWas(at milliseconds: Int, earlier: [EarlierValue]) -> Record {
    var then = Record(type: type, id: id, createdAt: createdAt, cells: [:])
    let end = Stamp(milliseconds: milliseconds + 1, counter: 0, device: 0)
    for (name, cell) in cells where cell.stamp < end { then.cells[name] = cell }
    for value in earlier where value.stamp < end {
      guard then.cells[value.field].map({ $0.stamp < value.stamp }) ?? true else { continue }
      then.cells[value.field] = Cell(value: value.value, stamp: value.stamp)
    }
    return then
  }
}
