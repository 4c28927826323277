// Writes what `Model` says of examples, for client/tests/sync/model.test.ts to compare with the
// client's own rules: verdicts on fields, the order of positions, the stamps of a clock.
// Use: ModelVectors FILE

import FoundationEssentials
import Model

@main enum ModelVectors {
  static func main() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let vectors = Vectors(
      verdicts: verdicts(), positions: positions(), stamps: stamps(), moveOrders: moveOrders())
    let file = URL(filePath: CommandLine.arguments[1])
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try encoder.encode(vectors).write(to: file, options: .atomic)
  }
}

struct Vectors: Encodable {
  var verdicts: [Verdict]
  var positions: Positions
  var stamps: [ClockStep]
  var moveOrders: [MoveOrder]
}

/// Moves of a part, and their ids in order.
struct MoveOrder: Encodable {
  var moves: [Place]
  var ordered: [String]

  struct Place: Encodable {
    var id: String
    var position: String
    /// Left out for a move without counts.
    var startCount: Double?
  }
}

/// Whether a person may set these fields of a record.
struct Verdict: Encodable {
  var type: RecordType
  var fields: [String: Value]
  var isValid: Bool
}

struct Positions: Encodable {
  /// Texts, and whether each is a position.
  var forms: [Form]
  /// Positions that `Position.between` made, in order.
  var ordered: [String]

  struct Form: Encodable {
    var text: String
    var isValid: Bool
  }
}

/// A clock notes a stamp from elsewhere, if there is one, and makes the next at `now`.
struct ClockStep: Encodable {
  var observed: String?
  var now: Int
  var made: String
}

/// Returns the server's verdict on each example.
func verdicts() -> [Verdict] {
  let values = RecordType.allCases.flatMap { type in
    type.fields.flatMap { field in
      examples(of: field.kind).map { (type, [field.name: $0]) }
    }
  }
  let others: [(RecordType, [String: Value])] = [
    (.part, ["startFrame": 9, "endFrame": 9]), (.part, ["startFrame": 9, "endFrame": 10]),
    (.part, ["startFrame": 10, "endFrame": 9]), (.clip, ["startFrame": 0, "endFrame": 0]),
    (.clip, ["startFrame": 0, "endFrame": 480_000]), (.part, ["startFrame": 10, "endFrame": nil]),
    (.routine, ["name": "no such field"]), (.move, ["loopMode": "off"]),
  ]
  return (values + others).map { type, fields in
    let change = Change(
      id: Identifier.make(milliseconds: 0), type: type,
      record: type == .setting ? "theme" : Identifier.make(milliseconds: 0), fields: fields,
      at: Stamp(milliseconds: 0, counter: 0, device: 0))
    let isValid = (try? change.validate(by: .person, stampedUntil: 0)) != nil
    return Verdict(type: type, fields: fields, isValid: isValid)
  }
}

/// Returns values at, inside and beyond the limits of a kind, and some of another kind.
private func examples(of kind: FieldKind) -> [Value] {
  switch kind {
  case .line(let min, let max):
    [
      nil, 7, true, "", " ", "\u{a0}\u{3000}", "\u{feff}", " \u{301}", "a\nb", "a\tb", "\u{7f}",
      "سماء",
    ]
      + texts(around: max) + [.text(String(repeating: "x", count: min))]
  case .lines(_, let max):
    [nil, 7, "", " \n\u{2003}", "a\n\tb", "a\rb", "\u{0}", "\u{9f}"] + texts(around: max)
  case .scalar(let max): [nil, 7, 0.5, true, "", "a\nb"] + texts(around: max)
  case .integer(let range):
    [
      nil, "1", true, 0.5, .integer(range.lowerBound), .integer(range.lowerBound - 1),
      .integer(range.upperBound), .integer(range.upperBound + 1),
    ]
  case .number(let range):
    [
      nil, "1", true, .number(range.lowerBound), .number(range.lowerBound - 0.01),
      .number(range.upperBound), .number(range.upperBound + 0.01), 1,
    ]
  case .oneOf(let words): words.map { .text($0) } + [nil, "", "Off", "off\n", 0]
  case .reference:
    [
      nil, "", 1, "0193a5b0-0000-7000-8000-000000000001", "0193A5B0-0000-7000-8000-000000000001",
      "0193a5b0-0000-7000-8000-00000000000", "0193a5b0-0000-7000-8000-000000000001\n",
    ]
  case .position:
    [nil, "", 1] + positionForms.map { .text($0) }
  case .colour: [nil, "", 1, "#a1b2c3", "#A1B2C3", "#a1b2c", "a1b2c3", "#a1b2c3\n", "red"]
  }
}

/// Texts of `max` characters and of one more, in one byte each and in many.
private func texts(around max: Int) -> [Value] {
  ["a", "é", "👩‍👩‍👧‍👦"].flatMap { character in
    [max, max + 1].map { .text(String(repeating: character, count: $0)) }
  } + [.text("a" + String(repeating: "\u{301}", count: 8 * max))]
}

private let positionForms = [
  "1", "0", "V", "z", "a0", "a0b", "00001", "é", "a b", "a\n", "-",
  String(repeating: "z", count: 1_000),
  String(repeating: "z", count: 1_001), String(repeating: "0", count: 999) + "1",
]

/// Returns forms, and 80 positions that grew at the end, at the start and in the middle.
func positions() -> Positions {
  var ordered = Position.between(nil, nil, count: 8)
  for round in 0..<24 {
    ordered.append(Position.between(ordered.last, nil))
    ordered.insert(Position.between(nil, ordered.first), at: 0)
    let middle = ordered.count / 2 + round % 3
    ordered.insert(Position.between(ordered[middle - 1], ordered[middle]), at: middle)
  }
  return Positions(
    forms: positionForms.map { .init(text: $0, isValid: Position.isValid($0)) }, ordered: ordered)
}

/// Returns the steps of one clock: it stands still, goes on, goes back, and meets stamps of others.
func stamps() -> [ClockStep] {
  var clock = HybridClock(device: 0x1a2b_3c4d)
  let steps: [(Stamp?, Int)] = [
    (nil, 1_000), (nil, 1_000), (nil, 1_001), (nil, 900),
    (Stamp(milliseconds: 950, counter: 7, device: 1), 1_000),
    (Stamp(milliseconds: 1_001, counter: 9, device: 0xffff_ffff), 1_001),
    (Stamp(milliseconds: 1_001, counter: 3, device: 1), 1_001),
    (Stamp(milliseconds: 5_000, counter: 0, device: 1), 1_002),
    (Stamp(milliseconds: 6_000, counter: .max, device: 1), 5_000),
    (Stamp(milliseconds: 6_000, counter: .max, device: 1), 5_000),
    (nil, 6_001), (nil, 6_002), (nil, 1_763_650_000_000),
    (Stamp(milliseconds: 9_999_999_999_998, counter: 0xfffe, device: 1), 0),
  ]
  return steps.map { observed, now in
    if let observed { clock.observe(observed) }
    return ClockStep(
      observed: observed?.description, now: now, made: clock.next(now: now).description)
  }
}

/// Returns the order of all moves with few different positions and beginnings, and of some mixtures.
func moveOrders() -> [MoveOrder] {
  let starts: [Double?] = [nil, 0, 4, 4, -2.5, nil, 8]
  return (0..<40).map { round in
    let places = (0..<1 + round % 8).map { index in
      MoveOrder.Place(
        id: "0193a5b0-0000-7000-8000-00000000000\((index * 5 + round) % 8)",
        position: ["b", "a", "c", "a", "z"][(index * 3 + round) % 5],
        startCount: starts[(index * (round % 5 + 1) + round) % starts.count])
    }
    let moves = places.map { place in
      let stamp = Stamp(milliseconds: 0, counter: 0, device: 0)
      var cells = ["position": Record.Cell(value: .text(place.position), stamp: stamp)]
      if let start = place.startCount {
        cells["startCount"] = Record.Cell(value: .number(start), stamp: stamp)
      }
      return Move(Record(type: .move, id: place.id, createdAt: 0, cells: cells))
    }
    return MoveOrder(moves: places, ordered: Move.ordered(moves).map(\.id))
  }
}
