// The job that analyses an imported track. It is separate so that the import does not wait for it.

import Database
import FoundationEssentials
import Media
import Model

/// Finds a track's onsets and suggested cuts. Renews its waveform if that has an earlier version.
struct AnalysisJob: JobDefinition {
  static let kind = "analyse"

  let library: Library

  var isBackground: Bool { true }

  func run(_ job: Job<TrackParameters>, _ context: JobContext) throws -> [Library.Edit] {
    let track = job.parameters.track
    let folder = library.folder
    let lengthFrames = try library.tracks.lengthFrames(of: track)
    // An outdated waveform is made in the same pass.
    let isDrawn = try library.hasDerived(track, folder.peaksName)
    let peaks = isDrawn ? nil : folder.temporaryPath("peaks")
    defer { if let peaks { try? folder.removeTemporary(at: peaks) } }
    do {
      let names = [folder.analysisName] + (isDrawn ? [] : [folder.peaksName])
      try library.makingDerived(track, names) {
        let analysis = try library.withRendition(of: track, 0..<lengthFrames) {
          try TrackAnalyser(tools: library.tools).analyse(
            track: track, lengthFrames: lengthFrames, in: folder,
            writingPeaksTo: peaks, progress: { context.report($0) },
            isCancelled: { context.shouldStop })
        }
        try library.mediaLock.withLock {
          _ = try library.tracks.lengthFrames(of: track)
          if let peaks { try folder.storePeaks(fileAt: peaks, track: track) }
          try folder.store(analysis, track: track)
        }
      }
    } catch {
      // If the track was deleted meanwhile, report that as the cause.
      _ = try library.tracks.lengthFrames(of: track)
      throw error
    }
    return []
  }
}
