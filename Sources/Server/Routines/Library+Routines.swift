// Routines that the server or the command line makes: the same edits that a client would make.

import Model

extension Library {
  /// A part to be: a stretch of a track, named, perhaps with moves.
  public struct NewPart: Sendable {
    public var title: String
    public var track: String
    /// Frames of the track, the end exclusive.
    public var range: Range<Int>
    public var moves: [NewMove]

    /// Makes the description of a part.
    public init(title: String, track: String, range: Range<Int>, moves: [NewMove] = []) {
      self.title = title
      self.track = track
      self.range = range
      self.moves = moves
    }
  }

  /// A move to be.
  public struct NewMove: Sendable {
    public var title: String
    public var notes: String
    /// The id of its move type.
    public var moveType: String?

    /// Makes the description of a move.
    public init(title: String, notes: String = "", moveType: String? = nil) {
      self.title = title
      self.notes = notes
      self.moveType = moveType
    }
  }

  /// Adds a routine with `parts` in their order, all in one transaction, and returns its id.
  ///
  /// - Throws: `Rejection` when a title breaks a rule: then nothing is added.
  public func addRoutine(
    title: String, subtitle: String = "", parts: [NewPart]
  ) throws -> String {
    let now = Library.now()
    let routine = Identifier.make(milliseconds: now)
    var fields: [String: Value] = ["title": .text(title)]
    if !subtitle.isEmpty { fields["subtitle"] = .text(subtitle) }
    var edits = [Edit(.routine, routine, fields)]
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
            ]))
      }
    }
    try commit(edits)
    return routine
  }
}
