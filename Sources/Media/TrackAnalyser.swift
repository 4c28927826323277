// Finds the attacks and suggested cuts of a track, and keeps them beside its practice rendition.

import Analysis
import FoundationEssentials

/// Analyses tracks and audio files. Threads: any.
public struct TrackAnalyser: Sendable {
  private let tools: MediaTools

  /// Prepares to read with `tools`.
  public init(tools: MediaTools) { self.tools = tools }

  /// Analyses the practice rendition of the track `id`. Blocks until done; calls `progress` with
  /// 0 … 1 and asks `isCancelled` on the calling thread. Throws a `MediaError`.
  public func analyse(
    track id: String, lengthFrames: Int, in folder: DataFolder, progress: (Double) -> Void,
    isCancelled: () -> Bool
  ) throws -> TrackAnalysis {
    var builder = TrackAnalysisBuilder()
    var frames = 0
    let audio = PracticeAudio(
      derivedDirectory: folder.derived(id), lengthFrames: lengthFrames, tools: tools,
      folder: folder)
    try audio.forEach(0..<lengthFrames, isCancelled: isCancelled) { samples in
      builder.append(samples)
      frames += samples.count / 2
      progress(Double(frames) / Double(lengthFrames))
    }
    return builder.finish()
  }

  /// Analyses any audio file, decoded onto the practice timeline. Throws a `MediaError` like an
  /// import.
  public func analyse(file path: String, isCancelled: () -> Bool = { false }) throws
    -> TrackAnalysis
  {
    let size = try Files.size(of: path)
    guard size > 0 else { throw ImportRefusal.empty }
    let absolute = path.hasPrefix("/") ? path : DataFolder(root: path).root
    let limits = MediaTools.Limits(seconds: min(7_200, 120 + size / 20_000))
    var command = tools.command(.ffmpeg, inputs: [absolute], limits: limits) {
      ["-nostdin", "-v", "error"] + MediaTools.inputRules(decoders: MediaTools.audioDecoders)
        + ["-threads", "1", "-vn", "-sn", "-dn", "-i", "file:" + $0.inputs[0], "-map", "0:a:0"]
        + ["-af", "aresample=48000,aformat=sample_fmts=s16:channel_layouts=stereo"]
        + ["-c:a", "pcm_s16le", "-flush_packets", "0", "-f", "s16le", "pipe:1"]
    }
    command.hasOutput = true
    let process = try ChildProcess(command)
    var builder = TrackAnalysisBuilder()
    let frames = try PCMStream(process: process).forEach(isCancelled: isCancelled) {
      builder.append($0)
    }
    guard try process.finish(isCancelled: isCancelled).isSuccess else {
      throw ImportRefusal.reason(of: process)
    }
    guard frames > 0 else { throw ImportRefusal.empty }
    return builder.finish()
  }
}

extension DataFolder {
  /// Returns the file of a track's attacks and suggested cuts, which may not be there (yet).
  public func analysis(track: String) -> String { derived(track) + "/analysis.json" }

  /// Returns the stored analysis of a track as JSON; nil when there is none.
  public func storedAnalysis(track: String) throws -> [UInt8]? {
    let path = analysis(track: track)
    return Files.exists(path) ? try Files.read(path) : nil
  }

  /// Stores the analysis of a track that has a practice rendition: whole, or not at all.
  public func store(_ analysis: TrackAnalysis, track: String) throws {
    let bytes = try JSONEncoder().encode(analysis)
    let scratch = temporaryPath("analysis")
    do {
      try Files.writeNew(scratch, Array(bytes))
      try Files.move(scratch, to: self.analysis(track: track))
    } catch {
      try Files.remove(scratch)
      throw error
    }
    try Files.syncFolder(derived(track))
  }
}
