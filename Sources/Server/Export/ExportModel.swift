// What is exported: routines with all that stands in them, read from the library in their order.

import Database
import Model

/// Routines on their way out of a library.
struct ExportModel: Sendable {
  struct Routine: Sendable {
    var record: Record
    var parts: [Part]
  }

  struct Part: Sendable {
    var record: Record
    var moves: [Record]
    /// The track it stands on, if that can be heard.
    var track: Record?
  }

  var routines: [Routine]
  /// By id: those in use, or all of them when the whole library is exported.
  var moveTypes: [String: Record]
}

extension ExportModel {
  /// Reads one routine; nil when there is none that is shown under this id.
  init?(routine id: String, from records: RecordStore) throws {
    guard let routine = try records.record(.routine, id), routine.isComplete else { return nil }
    let read = try ExportModel.read(routine, from: records)
    let used = Set(read.parts.flatMap(\.moves).compactMap { $0["moveType"].text })
    self.init(
      routines: [read],
      moveTypes: try ExportModel.moveTypes(records).filter { used.contains($0.key) })
  }

  /// Reads all routines, in the order of their titles.
  init(allOf records: RecordStore) throws {
    let parts = Dictionary(
      grouping: try records.present(.part).filter(\.isComplete)
    ) { $0["routine"].text ?? "" }
    let moves = Dictionary(
      grouping: try records.present(.move).filter(\.isComplete)
    ) { $0["part"].text ?? "" }
    var tracks: [String: Record] = [:]
    for track in try records.present(.track) { tracks[track.id] = track }
    let routines = try records.present(.routine).filter(\.isComplete).map { routine in
      let ordered = ExportModel.ordered(parts[routine.id] ?? []).map { part in
        Part(
          record: part, moves: ExportModel.ordered(moves[part.id] ?? []),
          track: ExportModel.audible(part["track"].text.flatMap { tracks[$0] }))
      }
      return Routine(record: routine, parts: ordered)
    }
    self.init(
      routines: routines.sorted { ExportModel.precedes($0.record, $1.record) },
      moveTypes: try ExportModel.moveTypes(records))
  }

  /// The tracks of all parts, each once, in the order of their first use.
  var tracks: [Record] {
    var seen: Set<String> = []
    return routines.flatMap(\.parts).compactMap(\.track).filter { seen.insert($0.id).inserted }
  }

  /// The move type of a move, if it has one that is there.
  func moveType(of move: Record) -> Record? { move["moveType"].text.flatMap { moveTypes[$0] } }

  private static func read(_ routine: Record, from records: RecordStore) throws -> Routine {
    var tracks: [String: Record] = [:]
    let parts = try records.records(.part, whose: "routine", is: routine.id)
    return Routine(
      record: routine,
      parts: try ordered(parts.filter(\.isComplete)).map { part in
        let moves = try records.records(.move, whose: "part", is: part.id)
        if let id = part["track"].text, tracks[id] == nil {
          tracks[id] = try records.record(.track, id)
        }
        return Part(
          record: part, moves: ordered(moves.filter(\.isComplete)),
          track: audible(part["track"].text.flatMap { tracks[$0] }))
      })
  }

  private static func moveTypes(_ records: RecordStore) throws -> [String: Record] {
    let types = try records.present(.moveType).filter(\.isComplete)
    return Dictionary(types.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private static func audible(_ track: Record?) -> Record? {
    track.flatMap { $0.deletedAt == nil && $0["sha256"] != .null ? $0 : nil }
  }

  private static func ordered(_ records: [Record]) -> [Record] {
    records.sorted { left, right in
      let (first, second) = (left["position"].text ?? "", right["position"].text ?? "")
      return first == second ? left.id < right.id : Position.bytewise(first, second)
    }
  }

  private static func precedes(_ left: Record, _ right: Record) -> Bool {
    let (first, second) = (left["title"].text ?? "", right["title"].text ?? "")
    let (folded, other) = (first.lowercased(), second.lowercased())
    return folded == other ? left.id < right.id : folded < other
  }
}

extension ExportModel.Part {
  /// Its title.
  var title: String { record["title"].text ?? "" }

  /// The frames it covers, when both borders are known and in order.
  var range: Range<Int>? {
    guard let start = record["startFrame"].integer, let end = record["endFrame"].integer,
      start < end
    else { return nil }
    return start..<end
  }

  /// Its times for people, such as `00:00.000–00:08.533`; nil when it has none.
  var times: String? {
    range.map { "\(Timeline.text(frame: $0.lowerBound))–\(Timeline.text(frame: $0.upperBound))" }
  }
}
