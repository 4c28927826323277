// One difference between the choreography of a routine then and now, and what brings it back.

/// What to set on one record to bring something back.
public struct BringBack: Hashable, Sendable, Encodable {
  public var type: RecordType
  public var record: String
  /// The fields to set; empty if the record is to be deleted.
  public var fields: [String: Value]
  /// Whether the record is to be deleted.
  public var removes: Bool

  /// Makes an edit that sets `fields`.
  public init(type: RecordType, record: String, fields: [String: Value]) {
    self.type = type
    self.record = record
    self.fields = fields
    removes = false
  }

  /// Makes an edit that deletes `record`.
  public init(removing record: Record) {
    type = record.type
    self.record = record.id
    fields = [:]
    removes = true
  }
}

/// A difference between then and now.
public struct ChoreographyChange: Hashable, Sendable, Encodable {
  /// What is different.
  public enum Kind: String, CaseIterable, Sendable, Encodable {
    /// It was not there; `moves` is the number of moves in a part.
    case added
    /// It is not there any more; `moves` is the number of moves in a part.
    case removed
    /// Another title.
    case renamed
    /// Another subtitle, or none.
    case subtitle
    /// Another place among its siblings; `place` counts from 1.
    case moved
    /// In another part; `part` is its title.
    case otherPart
    /// It takes more or fewer counts, by `countLength`.
    case length
    /// It begins at another count, by `startCount`.
    case counts
    /// Several moves begin as many counts later or earlier; `moves` is their number.
    case shifted
    /// Another move type; `type` is its name.
    case type
    /// Other notes.
    case notes
    /// The part is cut elsewhere, by `startFrame` and `endFrame`.
    case cut
    /// Another song; `track` is its title.
    case song
    /// Another video, or none; `video` is its title.
    case video
    /// The video is in step with another frame.
    case videoOffset
  }

  /// Why it can't be brought back: what it needs is not there any more.
  public enum Missing: String, CaseIterable, Sendable, Encodable {
    case part, track, video, moveType
  }

  public var kind: Kind
  public var type: RecordType
  public var record: String
  /// The present title of the record, or its last one.
  public var title: String
  /// The part in which it is told; nil for the routine itself.
  public var part: String?
  /// The title of that part.
  public var partTitle: String?
  /// How it was: values by field, or by the name that `kind` says.
  public var was: [String: Value] = [:]
  /// How it is now.
  public var now: [String: Value] = [:]
  /// When it was written, in milliseconds since 1970.
  public var at: Int
  /// The edits that bring it back; empty if something is missing.
  public var back: [BringBack] = []
  public var missing: Missing?
}

/// What is different in the choreography of a routine since a moment.
public struct ChoreographyChanges: Hashable, Sendable, Encodable {
  /// By part in its present order, with removed parts where they were.
  public var changes: [ChoreographyChange]
  /// How many more there are than `changes` holds.
  public var more: Int
  /// The edits that bring everything back that can be.
  public var back: [BringBack]
}

/// What changes refer to beside the routine.
public struct ChoreographyNames: Sendable {
  /// The titles of tracks, videos and move types by id, those that are there.
  public var present: [RecordType: [String: String]]
  /// The titles of those that are deleted.
  public var deleted: [String: String]

  /// Makes a list of names.
  public init(present: [RecordType: [String: String]], deleted: [String: String] = [:]) {
    self.present = present
    self.deleted = deleted
  }

  func title(_ type: RecordType, _ id: Value) -> Value {
    guard let id = id.text else { return .null }
    return (present[type]?[id] ?? deleted[id]).map(Value.text) ?? .null
  }

  /// Whether `id` names nothing, or something that is there.
  func holds(_ type: RecordType, _ id: Value) -> Bool {
    id.text.map { present[type]?[$0] != nil } ?? true
  }
}
