// The record types and their fields. Validation, the OpenAPI document and the client's TypeScript
// (`Sources/WireTypes`) are made from this table.

/// The kinds of record in a library.
public enum RecordType: String, CaseIterable, Sendable, Codable {
  case routine, part, move, spot, moveType, track, video, recording, clip, gridCorrection, comment
  case practiceEntry, runThrough, plan, setting
}

/// The kind of a field's values.
public enum FieldKind: Sendable, Equatable {
  /// One line of text; the limit counts user-perceived characters.
  case line(min: Int, max: Int)
  /// Text that may have several lines. With a minimum it is not only white space.
  case lines(min: Int = 0, max: Int)
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
  public let kind: FieldKind
  /// Whether a record is shown only once this field is set.
  public let isRequired: Bool
  /// Whether only the server sets it.
  public let isServers: Bool
  /// Whether each person has a value of their own where a group owns the record.
  public let isPersonal: Bool
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
    case .part, .plan, .comment: (.routine, "routine")
    case .move, .spot: (.part, "part")
    case .clip, .gridCorrection: (.track, "track")
    // What was practised stays in the log when its routine is deleted.
    case .practiceEntry, .runThrough: nil
    case .routine, .moveType, .track, .video, .recording, .setting: nil
    }
  }

  /// What a record may be on below its parent: the types and the fields with the ids. It is forgotten
  /// together with what it is on.
  public var places: [(type: RecordType, field: String)] {
    self == .comment ? [(.part, "part"), (.move, "move")] : []
  }

  /// Whether the server stores who made a record. Everybody who may read where it is may make one, and
  /// only who made it edits it.
  public var hasAuthor: Bool { self == .comment }

  /// Whether records of this type belong to the person who made them, also where they tell of a routine
  /// that a group owns.
  public var isPersonal: Bool {
    switch self {
    case .practiceEntry, .runThrough, .plan, .setting: true
    case .routine, .part, .move, .spot, .moveType, .track, .video, .recording, .clip,
      .gridCorrection, .comment:
      false
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
  /// The largest integer that JavaScript represents exactly.
  static let mostSeq = (1 << 53) - 1
  static let utcOffset = FieldKind.integer(-1_440...1_440)

  static let table: [RecordType: [Field]] = [
    .routine: [
      required("title", .line(min: 1, max: 60)),
      optional("subtitle", .line(min: 0, max: 120)),
      personal("lastPractisedAt", milliseconds, "Unix milliseconds."),
      personal("pinned", truth, "1 if the list shows it above the others."),
      optional("evenLoudness", truth, "1 if its parts are played equally loud."),
      personal(
        "tags", .lines(max: 247),
        "One tag a line: at most 8, of at most 30 characters each."),
      optional(
        "performanceDay", .integer(0...100_000),
        "The date of the performance, in days since 1970-01-01."),
      personal(
        "commentsSeen", .integer(0...Schema.mostSeq),
        "The highest `arrived` among the comments that the person has looked at."),
    ],
    .part: [
      required("routine", .reference),
      optional("track", .reference),
      optional("startFrame", frames),
      optional("endFrame", frames),
      required("title", .line(min: 1, max: 120)),
      required("position", .position),
      optional("video", .reference),
      optional(
        "videoOffset",
        .integer(-Timeline.longestTrackFrames...Timeline.longestTrackFrames),
        "The frame of the track at the video's start; negative if the video starts before the track."
      ),
      optional("videoMirrored", truth, "1 if the video is shown mirrored."),
      personal("loopMode", .oneOf(["off", "whole", "section"])),
      personal("markerA", frames),
      personal("markerB", frames),
      personal("rate", .number(0.25...2)),
      personal("semitones", .integer(-12...12)),
      personal(
        "naturalVoice", truth,
        "1 if transposing keeps the formants, 0 if not. Null or absent: from 3 semitones up or down."
      ),
      personal(
        "countdownSeconds", .integer(0...600),
        "Null or absent: the default of the settings."),
      personal(
        "countdownRepeats", .oneOf(["every", "first"]),
        "When the countdown runs. Null or absent: the default of the settings."),
      personal("restSeconds", .integer(0...600), "The silence between two repeats."),
      personal(
        "repeatLimit", .integer(0...999),
        "How often a loop is heard; 0 or absent is without end."),
      personal("trainerFrom", speed, "Of the speed trainer, in percent."),
      personal("trainerTo", speed),
      personal("trainerStep", .integer(1...100)),
      personal(
        "trainerEvery", .integer(0...99),
        "How many times each speed is heard; 0 or absent: the trainer is off."),
      personal(
        "targetRate", .number(0.25...2), "The speed to be reached. Null or absent: 1, as recorded."),
    ],
    .move: [
      required("part", .reference),
      optional("moveType", .reference),
      required("title", .line(min: 1, max: 60)),
      optional("notes", .lines(max: 1000)),
      required("position", .position),
      optional(
        "startCount", .number(-1_000...300_000),
        "Where it begins: the counts after the first count 1 of the part, negative in its pick-up."),
      optional(
        "countLength", .number(0.25...300_000),
        "How many counts it takes. Null or absent: until the next move."),
      optional("recording", .reference, "Its name in the performer's own voice."),
    ],
    .spot: [
      required("part", .reference),
      required("startFrame", frames, "A frame of the track, as in the part."),
      required("endFrame", frames),
      optional("title", .line(min: 0, max: 40)),
    ],
    .moveType: [
      required("name", .line(min: 1, max: 25)),
      optional("abbreviation", .line(min: 0, max: 4)),
      optional("colour", .colour, "\"#rrggbb\"."),
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
    .recording: media + [
      servers(
        "lengthFrames", frames,
        "At 48,000 Hz, of what is left after trimming; known once the state is \"ready\".")
    ],
    .clip: [
      required("track", .reference),
      required("startFrame", frames),
      required("endFrame", frames),
      optional("title", .line(min: 0, max: 120)),
      required("position", .position),
    ],
    .gridCorrection: [
      required("track", .reference),
      required("kind", .oneOf(GridCorrection.kinds)),
      required(
        "order", milliseconds,
        "The place in the order in which a track's corrections are applied, before the id: Unix "
          + "milliseconds, or one more than the last of the track."),
      optional("startFrame", frames),
      optional("endFrame", frames, "Of taps and noCounts."),
      optional(
        "value", .number(-480_000...480_000),
        "A number of beats or frames, a metre or a tempo, by the kind."),
      optional(
        "taps", .line(min: 0, max: 6_000), "Frames in decimal digits, with spaces between."),
    ],
    .comment: [
      required("routine", .reference),
      optional("part", .reference, "What it is on, together with frames; or else `move`."),
      optional("move", .reference),
      optional(
        "startFrame", frames,
        "A frame of the part's track: the moment, or the beginning of the stretch."),
      optional("endFrame", frames, "Of a stretch, such as an eight."),
      required("text", .lines(min: 1, max: 1000)),
      optional(
        "mentions", .lines(max: 740),
        "The id of a person a line, at most 20. Only who may read the comment counts."),
      servers("author", .line(min: 1, max: 36), "The id of the person who wrote it."),
      servers(
        "arrived", .integer(0...Schema.mostSeq), "The sequence number with which it came in."),
    ],
    .practiceEntry: [
      required("routine", .reference),
      required("startedAt", milliseconds, "Unix milliseconds, by the clock of the device."),
      optional("utcOffset", utcOffset, "How far the device's time was ahead of UTC, in minutes."),
      optional(
        "heard", .lines(max: 12_000),
        "A line for each section: the part's id, first frame and the one after the last, whole passes, "
          + "seconds, the highest speed of a whole pass in percent, and 1 with or 0 without music."),
    ],
    .runThrough: [
      required("routine", .reference),
      required("startedAt", milliseconds, "Unix milliseconds, by the clock of the device."),
      optional("utcOffset", utcOffset, "How far the device's time was ahead of UTC, in minutes."),
      optional("percent", speed),
      optional(
        "covered", .lines(max: 12_000),
        "What was played, a line for each part: its id, first frame and the one after the last."),
      optional(
        "misses", .lines(max: 12_000),
        "A line for each miss: the part's id, the frame, and the id of the move or -."),
      optional("notes", .lines(max: 1000)),
    ],
    .plan: [
      required("routine", .reference),
      required("title", .line(min: 1, max: 60)),
      optional(
        "steps", .lines(max: 12_000),
        "A line for each step: its kind, first and last part, passes, speed from, to and step in "
          + "percent, and rest in seconds."),
    ],
    .setting: [optional("value", .scalar(max: 1000))],
  ]

  static let media = [
    optional("title", .line(min: 1, max: 200)),
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
    let all = fields + [optional("deletedAt", milliseconds)]
    return Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
  }

  static func required(_ name: String, _ kind: FieldKind, _ note: String? = nil) -> Field {
    Field(
      name: name, kind: kind, isRequired: true, isServers: false, isPersonal: false, note: note)
  }

  static func optional(_ name: String, _ kind: FieldKind, _ note: String? = nil) -> Field {
    Field(
      name: name, kind: kind, isRequired: false, isServers: false, isPersonal: false, note: note)
  }

  /// A field of which each person has a value of their own in a group's records.
  static func personal(_ name: String, _ kind: FieldKind, _ note: String? = nil) -> Field {
    Field(
      name: name, kind: kind, isRequired: false, isServers: false, isPersonal: true, note: note)
  }

  /// A field that only the server sets.
  static func servers(_ name: String, _ kind: FieldKind, _ note: String? = nil) -> Field {
    Field(
      name: name, kind: kind, isRequired: false, isServers: true, isPersonal: false, note: note)
  }
}
