// The counts of the exported tracks, from their analyses and the corrections.

import Analysis
import Counts
import FoundationEssentials
import Model
import Storage

extension ExportModel {
  /// Returns the same with the grid of every track whose counts are shown. A missing or unreadable
  /// analysis leaves counts out: the text must be exported anyway.
  func withCounts(from derived: DerivedReader) -> ExportModel {
    let corrections = Dictionary(grouping: corrections) { $0.track }
    var model = self
    for track in tracks {
      model.grids[track.id] = Grid(track, corrections[track.id] ?? [], in: derived)
    }
    return model
  }

  /// The length of a part in counts; nil if its track has none.
  func counts(of part: ExportedPart) -> CountLength? {
    guard let grid = part.track.flatMap({ grids[$0.id] }), let range = part.range else {
      return nil
    }
    return grid.length(of: range)
  }

  /// Where each move of a part lies, such as `Eight 2 · 5–8`, in the order of the moves; nil for one
  /// without counts, or outside the track's.
  func places(ofMovesIn part: ExportedPart) -> [String?] {
    guard let grid = part.track.flatMap({ grids[$0.id] }), let range = part.range else {
      return part.moves.map { _ in nil }
    }
    return part.moves.enumerated().map { index, move in
      guard let start = move.startCount, let first = grid.position(ofCount: start, in: range)
      else { return nil }
      let next = part.moves[(index + 1)...].lazy.compactMap(\.startCount).first
      let end = move.countLength.map { start + $0 } ?? next
      // The last whole or half count.
      let last = end.flatMap { grid.position(ofCount: max(start, $0 - 0.5), in: range) }
      let eight = first.eight < 1 ? "Pick-up" : "Eight \(first.eight)"
      let begin = "\(first.count)" + (first.fraction >= 0.5 ? "&" : "")
      guard let last, (last.eight, last.count) != (first.eight, first.count) else {
        return "\(eight) · \(begin)"
      }
      return "\(eight) · \(begin)–\(last.count)"
    }
  }
}

extension Grid {
  /// The grid of a track; nil without beats, and when the analysis is unsure and nobody corrected it.
  init?(_ track: Track, _ corrections: [GridCorrection], in derived: DerivedReader) {
    let analysis = derived.beats(ofTrack: track.id)
    let isLikely = (analysis?.confidence ?? 0) >= BeatAnalysis.likelyConfidence
    guard isLikely || !corrections.isEmpty, let lengthFrames = track.lengthFrames else {
      return nil
    }
    self.init(
      analysis: analysis, lengthFrames: lengthFrames,
      corrections: corrections.compactMap(\.correction))
    if beats.isEmpty { return nil }
  }

  /// A point for each count, with a mark where an eight begins.
  var labels: [Label] {
    beats.map { beat in
      Label(
        startFrame: beat.frame, endFrame: beat.frame,
        text: beat.count == 1 ? "1 · eight \(beat.eight)" : "\(beat.count)")
    }
  }
}

extension DerivedReader {
  /// The beats in a track's stored analysis.
  fileprivate func beats(ofTrack id: String) -> BeatAnalysis? {
    guard let bytes = try? analysis(ofTrack: id) else { return nil }
    return try? JSONDecoder().decode(TrackAnalysis.self, from: Data(bytes)).beats
  }
}

extension CountLength {
  /// The length as dancers write it: `4 × 8`, `4 × 8 + 2`, or `6 counts`.
  var text: String {
    guard eights > 0 else { return counts == 1 ? "1 count" : "\(counts) counts" }
    return "\(eights) × \(countsPerEight)" + (counts > 0 ? " + \(counts)" : "")
  }
}
