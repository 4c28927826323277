// The record types and their fields. Validation, the OpenAPI document and the client's TypeScript
// (`Sources/WireTypes`) are made from this table.

/// The kinds of record in a library.
public enum RecordType: String, CaseIterable, Sendable, Codable {
  case routine, part, move, spot, moveType, track, video, clip, setting
}

/// The kind of a field's values.
public enum FieldKind: Sendable, Equatable {
  /// One line of text; the limit counts user-perceived characters.
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
  /// A text, a number or a truth value: the value of a setting. A text has at most `max` characters.
  case scalar(max: Int)
}

/// One field of a record type.
public struct Field: Sendable {
  public let name: String
  /// The subject of the client's sentences about the field: "The title" in "The title is missing."
  public let label: String
  public let kind: FieldKind
  /// Whether a record is shown only once this field is set.
  public let isRequired: Bool
  /// Whether only the server sets it.
  public let isServers: Bool
  /// The meaning, unit or default, where name and kind do not say it; nil if they do.
  public let note: String?
}

extension RecordType {
  /// The fields of a record of this type, without those that every record has.
  public var fields: [Field] { Schema.table[self] ?? [] }

  /// The parent type and the field with the parent's id; nil for types without a parent. A record
  /// without its parent is not shown.
  public var parent: (type: RecordType, field: String)? {
    switch self {
    case .part: (.routine, "routine")
    case .move, .spot: (.part, "part")
    case .clip: (.track, "track")
    case .routine, .moveType, .track, .video, .setting: nil
    }
  }

  /// Whether `id` is valid for this type: a name for a setting, a UUID for all others.
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
  /// A truth value: 1 or 0.
  static let truth = FieldKind.integer(0...1)
  static let milliseconds = FieldKind.integer(0...9_999_999_999_999)

  static let table: [RecordType: [Field]] = [
    .routine: [
      required("title", "The title", .line(min: 1, max: 60)),
      optional("subtitle", "The subtitle", .line(min: 0, max: 120)),
      optional(
        "lastPractisedAt", "The time of the last practice", milliseconds, "Unix milliseconds."),
    ],
    .part: [
      required("routine", "The routine", .reference),
      optional("track", "The track", .reference),
      optional("startFrame", "The start", frames),
      optional("endFrame", "The end", frames),
      required("title", "The name", .line(min: 1, max: 120)),
      required("position", "The position", .position),
      optional("video", "The video", .reference),
      optional(
        "videoOffset", "The offset",
        .integer(-Timeline.longestTrackFrames...Timeline.longestTrackFrames),
        "The frame of the track at the video's start; negative if the video starts before the track."
      ),
      optional("videoMirrored", "The mirror", truth, "1 if the video is shown mirrored."),
      optional("loopMode", "The loop", .oneOf(["off", "whole", "section"])),
      optional("markerA", "Marker A", frames),
      optional("markerB", "Marker B", frames),
      optional("rate", "The speed", .number(0.25...2)),
      optional("semitones", "The transposition", .integer(-12...12)),
      optional(
        "countdownSeconds", "The countdown", .integer(0...600),
        "Null or absent: the default of the settings."),
      optional(
        "countdownRepeats", "The countdown", .oneOf(["every", "first"]),
        "When the countdown runs. Null or absent: the default of the settings."),
      optional("restSeconds", "The pause", .integer(0...600), "The silence between two repeats."),
      optional(
        "repeatLimit", "The number of repeats", .integer(0...999),
        "How often a loop is heard; 0 or absent is without end."),
      optional("trainerFrom", "The first speed", speed, "Of the speed trainer, in percent."),
      optional("trainerTo", "The last speed", speed),
      optional("trainerStep", "The step", .integer(1...100)),
      optional(
        "trainerEvery", "The number of repeats", .integer(0...99),
        "How many times each speed is heard; 0 or absent: the trainer is off."),
    ],
    .move: [
      required("part", "The part", .reference),
      optional("moveType", "The move type", .reference),
      required("title", "The name", .line(min: 1, max: 60)),
      optional("notes", "The notes", .lines(max: 1000)),
      required("position", "The position", .position),
    ],
    .spot: [
      required("part", "The part", .reference),
      required("startFrame", "The start", frames, "A frame of the track, as in the part."),
      required("endFrame", "The end", frames),
      optional("title", "The name", .line(min: 0, max: 40)),
    ],
    .moveType: [
      required("name", "The name", .line(min: 1, max: 25)),
      optional("abbreviation", "The abbreviation", .line(min: 0, max: 4)),
      optional("colour", "The colour", .colour, "\"#rrggbb\"."),
    ],
    .track: media + [
      servers("lengthFrames", frames, "Known once the state is \"ready\"."),
      servers("loudness", .number(-200...100), "Integrated loudness in LUFS; null for silence."),
    ],
    .video: media + [
      servers("length", frames, "In frames at 48,000 Hz; known once the state is \"ready\"."),
      servers("width", pixels, "As shown, after rotation, in pixels."),
      servers("height", pixels),
      servers("framesPerSecond", .number(0...1000)),
      servers("hasSound", truth, "1, or 0 for a silent video."),
      servers("plays", .oneOf(PlayedFile.allCases.map(\.rawValue))),
    ],
    .clip: [
      required("track", "The track", .reference),
      required("startFrame", "The start", frames),
      required("endFrame", "The end", frames),
      optional("title", "The name", .line(min: 0, max: 120)),
      required("position", "The position", .position),
    ],
    .setting: [optional("value", "The setting", .scalar(max: 1000))],
  ]

  static let media = [
    optional("title", "The title", .line(min: 1, max: 200)),
    servers("fileName", .line(min: 0, max: 255)),
    servers("sha256", .line(min: 64, max: 64)),
    servers(
      "state", .oneOf(MediaState.allCases.map(\.rawValue)),
      "How far the server has got with the file."
    ),
    servers("problem", .lines(max: 1000), "A sentence that says why the import failed."),
    servers("size", .integer(0...1 << 50), "Bytes of the uploaded file."),
  ]

  static let byName: [RecordType: [String: Field]] = table.mapValues { fields in
    let all = fields + [optional("deletedAt", "The time of deletion", milliseconds)]
    return Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
  }

  static func required(
    _ name: String, _ label: String, _ kind: FieldKind, _ note: String? = nil
  ) -> Field {
    Field(name: name, label: label, kind: kind, isRequired: true, isServers: false, note: note)
  }

  static func optional(
    _ name: String, _ label: String, _ kind: FieldKind, _ note: String? = nil
  ) -> Field {
    Field(name: name, label: label, kind: kind, isRequired: false, isServers: false, note: note)
  }

  /// A field that only the server sets. The client has no sentence about it.
  static func servers(_ name: String, _ kind: FieldKind, _ note: String? = nil) -> Field {
    Field(name: name, label: name, kind: kind, isRequired: false, isServers: true, note: note)
  }
}
