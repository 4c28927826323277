// The lengths of parts in eights, from the analyses of their tracks and the corrections.

import Analysis
import Counts
import FoundationEssentials
import Model
import Storage

extension ExportModel {
  /// Returns the same with the length in counts of every part whose track has a grid that is likely
  /// right. A missing or unreadable analysis leaves lengths out: the text must be exported anyway.
  func withCounts(from folder: DataDirectory) -> ExportModel {
    let corrections = Dictionary(
      grouping: corrections.compactMap { view in view.correction.map { (view.track, $0) } },
      by: \.0)
    var grids: [String: Grid] = [:]
    for track in tracks {
      grids[track.id] = Grid(
        track, analysis: folder.beats(ofTrack: track.id),
        corrections: corrections[track.id]?.map(\.1) ?? [])
    }
    var model = self
    for (routine, each) in routines.enumerated() {
      for (index, part) in each.parts.enumerated() {
        guard let grid = part.track.flatMap({ grids[$0.id] }), let range = part.range else {
          continue
        }
        model.routines[routine].parts[index].counts = grid.length(of: range)?.text
      }
    }
    return model
  }
}

extension Grid {
  /// The grid of a track; nil when the analysis is unsure and nobody corrected it.
  fileprivate init?(_ track: Track, analysis: BeatAnalysis?, corrections: [Correction]) {
    let isLikely = (analysis?.confidence ?? 0) >= BeatAnalysis.likelyConfidence
    guard isLikely || !corrections.isEmpty, let lengthFrames = track.lengthFrames else {
      return nil
    }
    self.init(analysis: analysis, lengthFrames: lengthFrames, corrections: corrections)
  }
}

extension DataDirectory {
  /// The beats in a track's stored analysis.
  fileprivate func beats(ofTrack id: String) -> BeatAnalysis? {
    guard let bytes = try? analysis(track: id)?.read() else { return nil }
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
