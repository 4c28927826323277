// The record types and their fields: the one table that validation, the interface description and
// the glossary of fields stand on.

/// The kinds of record in a library.
public enum RecordType: String, CaseIterable, Sendable, Codable {
  case routine, part, move, moveType, track, video, clip, setting
}

/// What may stand in a field.
public enum FieldKind: Sendable, Equatable {
  /// One line of text, counted in characters as a person sees them.
  case line(min: Int, max: Int)
  /// Text that may have several lines.
  case lines(max: Int)
  case integer(ClosedRange<Int>)
  case number(ClosedRange<Double>)
  case oneOf([String])
  /// The id of another record.
  case reference
  case position
  /// `#rrggbb` in lower case.
  case colour
  /// A text, a number or a truth value: what settings hold.
  case scalar
}

/// One field of a record type.
public struct Field: Sendable {
  public let name: String
  public let kind: FieldKind
  /// Whether a record is shown only once this field is set.
  public let isRequired: Bool
  /// Whether only the server sets it.
  public let isServers: Bool
}

extension RecordType {
  /// The fields of a record of this type, without those that every record has.
  public var fields: [Field] { Schema.table[self] ?? [] }

  /// The type of record without which one of this type is not shown, and the field that names it; nil
  /// for what stands by itself.
  public var parent: (type: RecordType, field: String)? {
    switch self {
    case .part: (.routine, "routine")
    case .move: (.part, "part")
    case .clip: (.track, "track")
    case .routine, .moveType, .track, .video, .setting: nil
    }
  }

  /// Whether `id` may be a record's of this type: a setting has a name, all others a UUID.
  public func isValidId(_ id: String) -> Bool {
    self == .setting ? Identifier.isValidSettingName(id) : Identifier.isValid(id)
  }

  /// The field called `name`, `deletedAt` included.
  public func field(_ name: String) -> Field? { Schema.byName[self]?[name] }
}

private enum Schema {
  static let frames = FieldKind.integer(0...Timeline.longestTrackFrames)
  static let pixels = FieldKind.integer(0...16_384)
  /// A speed in percent.
  static let speed = FieldKind.integer(25...200)
  /// Whether something holds: 1, or 0 for not.
  static let truth = FieldKind.integer(0...1)
  static let milliseconds = FieldKind.integer(0...9_999_999_999_999)

  static let table: [RecordType: [Field]] = [
    .routine: [
      required("title", .line(min: 1, max: 60)),
      optional("subtitle", .line(min: 0, max: 120)),
      optional("lastPractisedAt", milliseconds),
    ],
    .part: [
      required("routine", .reference),
      optional("track", .reference),
      optional("startFrame", frames),
      optional("endFrame", frames),
      required("title", .line(min: 1, max: 120)),
      required("position", .position),
      optional("video", .reference),
      optional("videoOffset", .integer(-Timeline.longestTrackFrames...Timeline.longestTrackFrames)),
      optional("videoMirrored", truth),
      optional("loopMode", .oneOf(["off", "whole", "section"])),
      optional("markerA", frames),
      optional("markerB", frames),
      optional("rate", .number(0.25...2)),
      optional("semitones", .integer(-12...12)),
      optional("countdownSeconds", .integer(0...600)),
      optional("countdownRepeats", .oneOf(["every", "first"])),
      optional("restSeconds", .integer(0...600)),
      optional("repeatLimit", .integer(0...999)),
      optional("trainerFrom", speed),
      optional("trainerTo", speed),
      optional("trainerStep", .integer(1...100)),
      optional("trainerEvery", .integer(0...99)),
    ],
    .move: [
      required("part", .reference),
      optional("moveType", .reference),
      required("title", .line(min: 1, max: 60)),
      optional("notes", .lines(max: 1000)),
      required("position", .position),
    ],
    .moveType: [
      required("name", .line(min: 1, max: 25)),
      optional("abbreviation", .line(min: 0, max: 4)),
      optional("colour", .colour),
    ],
    .track: media + [servers("lengthFrames", frames), servers("loudness", .number(-200...100))],
    .video: media + [
      servers("length", frames),
      servers("width", pixels), servers("height", pixels),
      servers("framesPerSecond", .number(0...1000)),
      servers("hasSound", truth),
      servers("plays", .oneOf(["original", "conversion"])),
    ],
    .clip: [
      required("track", .reference),
      required("startFrame", frames),
      required("endFrame", frames),
      optional("title", .line(min: 0, max: 120)),
      required("position", .position),
    ],
    .setting: [optional("value", .scalar)],
  ]

  static let media = [
    optional("title", .line(min: 1, max: 200)),
    servers("fileName", .line(min: 0, max: 255)),
    servers("sha256", .line(min: 64, max: 64)),
    servers("state", .oneOf(["importing", "ready", "failed"])),
    servers("problem", .lines(max: 1000)),
    servers("size", .integer(0...1 << 50)),
  ]

  static let byName: [RecordType: [String: Field]] = table.mapValues { fields in
    let all = fields + [optional("deletedAt", milliseconds)]
    return Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
  }

  static func required(_ name: String, _ kind: FieldKind) -> Field {
    Field(name: name, kind: kind, isRequired: true, isServers: false)
  }

  static func optional(_ name: String, _ kind: FieldKind) -> Field {
    Field(name: name, kind: kind, isRequired: false, isServers: false)
  }

  static func servers(_ name: String, _ kind: FieldKind) -> Field {
    Field(name: name, kind: kind, isRequired: false, isServers: true)
  }
}
