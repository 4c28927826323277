// Audacity's label file: start, end and text of each part, separated by tabs.

import Model

struct LabelExport {
  private let exportModel: ExportModel

  init(_ exportModel: ExportModel) { self.exportModel = exportModel }

  /// Returns a line for each count of the only track.
  ///
  /// - Throws: `LibraryError` if there is not one track, or it has no counts.
  func countsText() throws -> String {
    guard exportModel.tracks.count == 1, let track = exportModel.tracks.first else {
      throw LibraryError(
        .unusable,
        "A label file of counts holds one track. This routine has \(exportModel.tracks.count).")
    }
    guard let grid = exportModel.grids[track.id] else {
      throw LibraryError(.unusable, "“\(track.title ?? "Track")” has no counts.")
    }
    return LabelFile.text(grid.labels)
  }

  /// Returns a line for each part that has times, in seconds on its track. If the parts are on
  /// several tracks, each text begins with the track's title.
  func text() -> String {
    let names = exportModel.tracks.count > 1
    let labels: [Label] = exportModel.routines.flatMap(\.parts).compactMap { part in
      guard let range = part.range else { return nil }
      var text = part.title
      if names, let track = part.track?.title { text = "\(track): \(text)" }
      return Label(startFrame: range.lowerBound, endFrame: range.upperBound, text: text)
    }
    return LabelFile.text(labels)
  }
}
