// Typed views of records: one property for each field that the program reads.

/// A typed view of a record. A property is nil if its field was never set, is null or holds another
/// kind of value.
public protocol RecordView: Hashable, Sendable {
  /// The record with all fields.
  var record: Record { get }
}

extension RecordView {
  /// The record's id.
  public var id: String { record.id }
  /// The record's type.
  public var type: RecordType { record.type }
  /// When it was deleted by the device's clock, in milliseconds since 1970; nil if it is not.
  public var deletedAt: Int? { record.deletedAt }
  /// Whether it is not deleted and has all required fields.
  public var isComplete: Bool { record.isComplete }
}

/// A view of a routine.
public struct Routine: RecordView {
  public let record: Record

  /// Makes a view of `record`, which must be a routine.
  public init(_ record: Record) {
    assert(record.type == .routine)
    self.record = record
  }

  /// The title.
  public var title: String? { record["title"].text }
  /// The second line under the title.
  public var subtitle: String? { record["subtitle"].text }
  /// The date of the performance, in days since 1970-01-01.
  public var performanceDay: Int? { record["performanceDay"].integer }
}

/// A view of a part.
public struct Part: RecordView {
  public let record: Record

  /// Makes a view of `record`, which must be a part.
  public init(_ record: Record) {
    assert(record.type == .part)
    self.record = record
  }

  /// The id of its routine.
  public var routine: String? { record["routine"].text }
  /// The id of its track.
  public var track: String? { record["track"].text }
  /// The name.
  public var title: String? { record["title"].text }
  /// The position among the parts of the routine.
  public var position: String? { record["position"].text }
  /// The first frame on the track.
  public var startFrame: Int? { record["startFrame"].integer }
  /// The frame after the last on the track.
  public var endFrame: Int? { record["endFrame"].integer }

  /// The frames that it covers; nil unless both borders are set and in order.
  public var range: Range<Int>? {
    guard let startFrame, let endFrame, startFrame < endFrame else { return nil }
    return startFrame..<endFrame
  }
}

/// A view of a move.
public struct Move: RecordView {
  public let record: Record

  /// Makes a view of `record`, which must be a move.
  public init(_ record: Record) {
    assert(record.type == .move)
    self.record = record
  }

  /// The id of its part.
  public var part: String? { record["part"].text }
  /// The id of its move type.
  public var moveType: String? { record["moveType"].text }
  /// The name.
  public var title: String? { record["title"].text }
  /// The notes, perhaps several lines.
  public var notes: String? { record["notes"].text }
  /// The position among the moves of the part.
  public var position: String? { record["position"].text }
  /// The counts from the part's first count 1 to its beginning; nil if it has none.
  public var startCount: Double? { record["startCount"].number }
  /// How many counts it takes; nil for until the next move.
  public var countLength: Double? { record["countLength"].number }
  /// The id of the recording of its name.
  public var recording: String? { record["recording"].text }

  /// Returns the moves of a part in their order: by position and id, but those with counts by their
  /// beginnings, in the places that they take together. So order and counts never contradict each
  /// other, whatever two devices have written.
  public static func ordered(_ moves: [Move]) -> [Move] {
    var ordered = moves.sorted { left, right in
      let (first, second) = (left.position ?? "", right.position ?? "")
      return first == second ? left.id < right.id : Position.bytewise(first, second)
    }
    let places = ordered.indices.filter { ordered[$0].startCount != nil }
    // Sorted with their places, because moves that begin together keep their order.
    let counted = places.sorted { left, right in
      let (first, second) = (ordered[left].startCount ?? 0, ordered[right].startCount ?? 0)
      return first == second ? left < right : first < second
    }.map { ordered[$0] }
    for (place, move) in zip(places, counted) { ordered[place] = move }
    return ordered
  }
}

/// A view of a comment on a move, a moment or a stretch of a routine.
public struct Comment: RecordView {
  public let record: Record

  /// Makes a view of `record`, which must be a comment.
  public init(_ record: Record) {
    assert(record.type == .comment)
    self.record = record
  }

  /// The id of its routine.
  public var routine: String? { record["routine"].text }
  /// The id of the part that it is on, if it is not on a move.
  public var part: String? { record["part"].text }
  /// The id of the move that it is on.
  public var move: String? { record["move"].text }
  /// What it says.
  public var text: String? { record["text"].text }
  /// The id of the person who wrote it.
  public var author: String? { record["author"].text }
  /// The sequence number with which it came in.
  public var arrived: Int? { record["arrived"].integer }

  /// The most people whom a comment mentions.
  public static let mostMentions = 20

  /// The ids of the people whom it mentions, whether they may read it or not.
  public var mentions: [String] {
    let lines = (record["mentions"].text ?? "").split(separator: "\n")
    return lines.prefix(Self.mostMentions).map(String.init)
  }
}

/// A view of a spot: a section of a part that is kept, to be looped again.
public struct Spot: RecordView {
  public let record: Record

  /// Makes a view of `record`, which must be a spot.
  public init(_ record: Record) {
    assert(record.type == .spot)
    self.record = record
  }

  /// The id of its part.
  public var part: String? { record["part"].text }
}

/// A view of a move type.
public struct MoveType: RecordView {
  public let record: Record

  /// Makes a view of `record`, which must be a move type.
  public init(_ record: Record) {
    assert(record.type == .moveType)
    self.record = record
  }

  /// The name.
  public var name: String? { record["name"].text }
  /// The name in at most four characters.
  public var abbreviation: String? { record["abbreviation"].text }
  /// The colour. A restored library may hold a text that is no colour.
  public var colour: String? { record["colour"].text }
}
