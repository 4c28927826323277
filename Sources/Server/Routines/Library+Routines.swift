// Routines that the server or the command line creates, with the same edits as a client.

import Model

extension Library {
  /// A new part: a titled range of a track, optionally with moves.
  public struct NewPart: Sendable {
    public var title: String
    public var track: String
    /// A half-open range of the track's frames.
    public var range: Range<Int>
    public var moves: [NewMove]

    /// Describes a part.
    public init(title: String, track: String, range: Range<Int>, moves: [NewMove] = []) {
      self.title = title
      self.track = track
      self.range = range
      self.moves = moves
    }
  }

  /// A new move.
  public struct NewMove: Sendable {
    public var title: String
    public var notes: String
    /// The id of its move type.
    public var moveType: String?
    /// The counts after the first count 1 of its part that it takes; nil for a move without counts.
    public var counts: Range<Int>?

    /// Describes a move.
    public init(
      title: String, notes: String = "", moveType: String? = nil, counts: Range<Int>? = nil
    ) {
      self.title = title
      self.notes = notes
      self.moveType = moveType
      self.counts = counts
    }
  }

  /// Adds a routine with `parts` in their order to a space, in one transaction, and returns its id.
  ///
  /// - Throws: `Rejection` if a title violates a rule; then nothing is added.
  public func addRoutine(
    title: String, subtitle: String = "", parts: [NewPart], space: String = Person.owner
  ) throws -> String {
    let now = Library.now()
    let routine = Identifier.make(milliseconds: now)
    var fields: [String: Value] = ["title": .text(title)]
    if !subtitle.isEmpty { fields["subtitle"] = .text(subtitle) }
    var edits = [Edit(.routine, routine, fields, space: space)]
    for (part, position) in zip(parts, Position.between(nil, nil, count: parts.count)) {
      let id = Identifier.make(milliseconds: now)
      edits.append(
        Edit(
          .part, id,
          [
            "routine": .text(routine), "track": .text(part.track), "title": .text(part.title),
            "startFrame": .integer(part.range.lowerBound),
            "endFrame": .integer(part.range.upperBound), "position": .text(position),
          ]))
      for (move, position) in zip(
        part.moves, Position.between(nil, nil, count: part.moves.count))
      {
        edits.append(
          Edit(
            .move, Identifier.make(milliseconds: now),
            [
              "part": .text(id), "title": .text(move.title), "position": .text(position),
              "moveType": move.moveType.map(Value.text) ?? .null,
              "notes": move.notes.isEmpty ? .null : .text(move.notes),
              "startCount": move.counts.map { .integer($0.lowerBound) } ?? .null,
              "countLength": move.counts.map { .integer($0.count) } ?? .null,
            ]))
      }
    }
    try commit(edits)
    return routine
  }
}
