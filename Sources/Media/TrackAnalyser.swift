// Finds the attacks and suggested cuts of a track.

import Analysis
import Storage

/// Analyses tracks and audio files.
public struct TrackAnalyser: Sendable {
  private let tools: MediaTools

  public init(tools: MediaTools) { self.tools = tools }

  /// Analyses the practice rendition of the track `id`; with a path, also writes its waveform
  /// there, synced. Blocks until done; calls `progress` with 0 … 1 and `isCancelled` on the calling
  /// thread. Throws a `MediaError`; the file may then be incomplete.
  public func analyse(
    track id: String, lengthFrames: Int, in folder: DataDirectory,
    writingPeaksTo path: String? = nil,
    progress: (Double) -> Void, isCancelled: () -> Bool
  ) throws -> TrackAnalysis {
    var builder = TrackAnalysisBuilder()
    var peaks: PeaksFile? = nil
    if let path {
      peaks = try PeaksFile(path, framesPerPixel: TrackImporter.peaksFramesPerPixel)
    }
    var frames = 0
    let audio = PracticeAudio(
      derivedDirectory: folder.derived(id), lengthFrames: lengthFrames, tools: tools,
      folder: folder)
    try audio.forEach(0..<lengthFrames, isCancelled: isCancelled) { samples in
      builder.append(samples)
      try peaks?.append(samples)
      frames += samples.count / 2
      progress(Double(frames) / Double(lengthFrames))
    }
    try peaks?.finish()
    return builder.finish()
  }

  /// Analyses any audio file, decoded onto the practice timeline, without its levels. Throws the same
  /// `MediaError`s as an import.
  public func analyse(file path: String, isCancelled: () -> Bool = { false }) throws
    -> TrackAnalysis
  {
    var builder = TrackAnalysisBuilder(measuresLevels: false)
    try tools.decode(path, isCancelled: isCancelled) { builder.append($0) }
    return builder.finish()
  }
}
