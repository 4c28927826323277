// The choreography of a routine: its parts and moves in their order, now or as they were.

/// A record with the values that its fields had before.
public struct RecordHistory: Sendable {
  public var record: Record
  public var earlier: [EarlierValue]

  /// Makes a history.
  public init(record: Record, earlier: [EarlierValue]) {
    self.record = record
    self.earlier = earlier
  }

  /// The record as it was at `milliseconds` since 1970; nil for the present.
  public func record(at milliseconds: Int?) -> Record {
    milliseconds.map { record.asItWas(at: $0, earlier: earlier) } ?? record
  }
}

/// The histories of a routine, and of all parts and moves that were ever in it.
public struct RoutineHistory: Sendable {
  public var routine: RecordHistory
  public var parts: [RecordHistory]
  public var moves: [RecordHistory]

  /// Makes the history of a routine.
  public init(routine: RecordHistory, parts: [RecordHistory], moves: [RecordHistory]) {
    self.routine = routine
    self.parts = parts
    self.moves = moves
  }

  /// The choreography at `milliseconds` since 1970; nil for the present.
  public func choreography(at milliseconds: Int? = nil) -> Choreography {
    Choreography(
      routine: routine.record(at: milliseconds),
      parts: parts.map { $0.record(at: milliseconds) },
      moves: moves.map { $0.record(at: milliseconds) })
  }
}

/// A routine with what is seen of it at one moment.
public struct Choreography: Hashable, Sendable {
  public let routine: Record
  /// In their order.
  public let parts: [Part]
  /// In their order, by the part's id.
  public let moves: [String: [Move]]
  private let partById: [String: Part]
  private let moveById: [String: Move]

  /// Keeps of the records what is seen: not what is deleted, incomplete, or without its part.
  public init(routine: Record, parts: [Record], moves: [Record]) {
    self.routine = routine
    self.parts = parts.filter { $0.isComplete && $0["routine"].text == routine.id }.map(Part.init)
      .sorted { left, right in
        let (first, second) = (left.position ?? "", right.position ?? "")
        return first == second ? left.id < right.id : Position.bytewise(first, second)
      }
    let partById = Dictionary(uniqueKeysWithValues: self.parts.map { ($0.id, $0) })
    let seen = moves.filter { $0.isComplete && partById[$0["part"].text ?? ""] != nil }
      .map(Move.init)
    self.moves = Dictionary(grouping: seen) { $0.part ?? "" }.mapValues(Move.ordered)
    self.partById = partById
    moveById = Dictionary(uniqueKeysWithValues: seen.map { ($0.id, $0) })
  }

  /// A part that is seen.
  public func part(_ id: String) -> Part? { partById[id] }

  /// A move that is seen.
  public func move(_ id: String) -> Move? { moveById[id] }
}
