// Routines as JSON, which `segmance import` reads back; docs/FORMATS.md describes it.

import Counts
import HTTP
import Model

struct JSONExport {
  /// The value of `version`.
  static let version = 1

  private let exportModel: ExportModel

  init(_ exportModel: ExportModel) { self.exportModel = exportModel }

  /// Returns the document; `now` is in milliseconds since 1970.
  func bytes(now: Int) -> [UInt8] {
    let document: JSONValue = [
      "format": "segmance", "version": .integer(JSONExport.version), "exportedAt": .integer(now),
      "routines": .array(exportModel.routines.map(routine)),
      // Not inside the parts: programs that know no spots skip members of the document.
      "spots": .array(
        exportModel.routines.flatMap(\.parts).flatMap(\.spots).map { .object(fields(of: $0)) }),
      "gridCorrections": .array(exportModel.corrections.map { .object(fields(of: $0)) }),
      "counts": [
        "tracks": .array(exportModel.tracks.compactMap(counts)), "parts": .array(lengths),
      ],
      "moveTypes": .array(
        exportModel.moveTypes.values.sorted { $0.id < $1.id }.map { .object(fields(of: $0)) }),
      "tracks": .array(
        exportModel.tracks.map { track in
          let shown = ["title", "fileName", "sha256", "lengthFrames"]
          return .object(fields(of: track).filter { $0.key == "id" || shown.contains($0.key) })
        }),
    ]
    return document.serialized() + [UInt8(ascii: "\n")]
  }

  private func routine(_ routine: ExportModel.ExportedRoutine) -> JSONValue {
    var members = fields(of: routine.routine)
    // A place in this library's order of comments, none of which is in the document.
    members["commentsSeen"] = nil
    members["parts"] = .array(routine.parts.map(part))
    return .object(members)
  }

  private func part(_ part: ExportModel.ExportedPart) -> JSONValue {
    var members = fields(of: part.part)
    members["routine"] = nil
    members["track"] = part.track.map { .string($0.id) }
    // Videos are left out, because the document contains no bytes to match them by.
    for name in ["video", "videoOffset", "videoMirrored"] { members[name] = nil }
    members["moves"] = .array(
      part.moves.map { move in
        var members = fields(of: move)
        members["part"] = nil
        // As with videos: the document has no bytes.
        members["recording"] = nil
        members["moveType"] = exportModel.moveType(of: move).map { .string($0.id) }
        return .object(members)
      })
    return .object(members)
  }

  /// The counts of a track; nil without any. For other programs: an import derives them again.
  private func counts(of track: Track) -> JSONValue? {
    guard let grid = exportModel.grids[track.id] else { return nil }
    return [
      "track": .string(track.id),
      "counts": .array(
        grid.beats.map { beat in
          [
            "frame": .integer(beat.frame), "beat": .integer(beat.place),
            "count": .integer(beat.count), "eight": .integer(beat.eight),
          ]
        }),
    ]
  }

  /// The length in counts of every part that has one.
  private var lengths: [JSONValue] {
    exportModel.routines.flatMap(\.parts).compactMap { part in
      exportModel.counts(of: part).map { length in
        [
          "part": .string(part.part.id), "eights": .integer(length.eights),
          "counts": .integer(length.counts), "countsPerEight": .integer(length.countsPerEight),
        ]
      }
    }
  }

  /// The id and every field that is set.
  private func fields(of view: some RecordView) -> [String: JSONValue] {
    var members: [String: JSONValue] = ["id": .string(view.id)]
    for field in view.type.fields {
      switch view.record[field.name] {
      case .null: break
      case .bool(let value): members[field.name] = .bool(value)
      case .integer(let value): members[field.name] = .integer(value)
      case .number(let value): members[field.name] = .number(value)
      case .text(let value): members[field.name] = .string(value)
      }
    }
    return members
  }
}
