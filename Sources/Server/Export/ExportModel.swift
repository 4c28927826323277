// The exported data: routines with their contents, read from the library in order.

import Counts
import Database
import Model

/// Routines to export.
struct ExportModel: Sendable {
  struct ExportedRoutine: Sendable {
    var routine: Routine
    var parts: [ExportedPart]
  }

  struct ExportedPart: Sendable {
    var part: Part
    var moves: [Move]
    /// In the order of their ids.
    var spots: [Spot]
    /// The part's track, if it is playable.
    var track: Track?
  }

  var routines: [ExportedRoutine]
  /// By id: the move types in use, or all of them if the whole library is exported.
  var moveTypes: [String: MoveType]
  /// Of the routines' tracks, in the order of their ids.
  var corrections: [GridCorrection] = []
  /// The counts of the routines' tracks that have some, by the track's id; empty before `withCounts`.
  var grids: [String: Grid] = [:]
}

extension ExportModel {
  /// Reads one routine; nil if no visible routine has this id.
  init?(routine id: String, from records: RecordStore) throws {
    guard let routine = try records.record(.routine, id).map(Routine.init), routine.isComplete
    else { return nil }
    let read = try ExportModel.read(routine, from: records)
    let used = Set(read.parts.flatMap(\.moves).compactMap(\.moveType))
    self.init(
      routines: [read],
      moveTypes: try ExportModel.moveTypes(records).filter { used.contains($0.key) })
    corrections = try tracks.flatMap { try records.gridCorrections(ofTrack: $0.id) }
      .sorted { $0.id < $1.id }
  }

  /// Reads all routines that `viewer` may read, ordered by title.
  init(allOf records: RecordStore, for viewer: Viewer) throws {
    let parts = Dictionary(
      grouping: try records.present(.part).map(Part.init).filter(\.isComplete)
    ) { $0.routine ?? "" }
    let moves = Dictionary(
      grouping: try records.present(.move).map(Move.init).filter(\.isComplete)
    ) { $0.part ?? "" }
    let spots = Dictionary(
      grouping: try records.present(.spot).map(Spot.init).filter(\.isComplete)
    ) { $0.part ?? "" }
    var tracks: [String: Track] = [:]
    for track in try records.present(.track).map(Track.init) { tracks[track.id] = track }
    let present = try records.present(.routine).filter { viewer.mayRead($0.space) }
      .map(Routine.init).filter(\.isComplete)
    let routines = present.map { routine in
      let ordered = ExportModel.ordered(parts[routine.id] ?? [], by: \.position).map { part in
        ExportedPart(
          part: part, moves: Move.ordered(moves[part.id] ?? []),
          spots: (spots[part.id] ?? []).sorted { $0.id < $1.id },
          track: ExportModel.audible(part.track.flatMap { tracks[$0] }))
      }
      return ExportedRoutine(routine: routine, parts: ordered)
    }
    self.init(
      routines: routines.sorted { ExportModel.precedes($0.routine, $1.routine) },
      moveTypes: try ExportModel.moveTypes(records, for: viewer))
    let exported = Set(self.tracks.map(\.id))
    corrections = try records.present(.gridCorrection).map(GridCorrection.init).filter {
      $0.isComplete && exported.contains($0.track ?? "")
    }
  }

  /// The tracks of all parts, without duplicates, in the order of their first use.
  var tracks: [Track] {
    var seen: Set<String> = []
    return routines.flatMap(\.parts).compactMap(\.track).filter { seen.insert($0.id).inserted }
  }

  /// The move type of a move, if it exists.
  func moveType(of move: Move) -> MoveType? { move.moveType.flatMap { moveTypes[$0] } }

  private static func read(
    _ routine: Routine, from records: RecordStore
  ) throws -> ExportedRoutine {
    var tracks: [String: Track] = [:]
    let parts = try records.records(.part, whose: "routine", is: routine.id).map(Part.init)
    return ExportedRoutine(
      routine: routine,
      parts: try ordered(parts.filter(\.isComplete), by: \.position).map { part in
        let moves = try records.records(.move, whose: "part", is: part.id).map(Move.init)
        let spots = try records.records(.spot, whose: "part", is: part.id).map(Spot.init)
        if let id = part.track, tracks[id] == nil {
          tracks[id] = try records.track(id)
        }
        return ExportedPart(
          part: part, moves: Move.ordered(moves.filter(\.isComplete)),
          spots: spots.filter(\.isComplete).sorted { $0.id < $1.id },
          track: audible(part.track.flatMap { tracks[$0] }))
      })
  }

  private static func moveTypes(
    _ records: RecordStore, for viewer: Viewer? = nil
  ) throws -> [String: MoveType] {
    let types = try records.present(.moveType).filter { viewer?.mayRead($0.space) ?? true }
      .map(MoveType.init).filter(\.isComplete)
    return Dictionary(types.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private static func audible(_ track: Track?) -> Track? {
    track.flatMap { $0.deletedAt == nil && $0.sha256 != nil ? $0 : nil }
  }

  private static func ordered<View: RecordView>(
    _ views: [View], by position: (View) -> String?
  ) -> [View] {
    views.sorted { left, right in
      let (first, second) = (position(left) ?? "", position(right) ?? "")
      return first == second ? left.id < right.id : Position.bytewise(first, second)
    }
  }

  private static func precedes(_ left: Routine, _ right: Routine) -> Bool {
    let (first, second) = (left.title ?? "", right.title ?? "")
    let (folded, other) = (first.lowercased(), second.lowercased())
    return folded == other ? left.id < right.id : folded < other
  }
}

extension RecordStore {
  /// The corrections of a track's counts.
  func gridCorrections(ofTrack id: String) throws -> [GridCorrection] {
    try records(.gridCorrection, whose: "track", is: id).map(GridCorrection.init)
      .filter(\.isComplete)
  }
}

extension ExportModel.ExportedPart {
  /// Its title.
  var title: String { part.title ?? "" }

  /// The part's frames, if both borders are set and in order.
  var range: Range<Int>? { part.range }

  /// The displayed times, such as `00:00.000–00:08.533`; nil without a range.
  var times: String? {
    range.map { "\(Timeline.text(frame: $0.lowerBound))–\(Timeline.text(frame: $0.upperBound))" }
  }

  /// The times in whole seconds, such as `0:00–1:23`; nil without a range.
  var shortTimes: String? {
    range.map { "\(Timeline.clock(frame: $0.lowerBound))–\(Timeline.clock(frame: $0.upperBound))" }
  }
}
