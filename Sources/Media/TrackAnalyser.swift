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

  /// Analyses any audio file, decoded onto the practice timeline. Throws the same `MediaError`s as
  /// an import.
  public func analyse(file path: String, isCancelled: () -> Bool = { false }) throws
    -> TrackAnalysis
  {
    let size = try Files.size(of: path)
    guard size > 0 else { throw ImportRefusal.empty }
    let absolute = path.hasPrefix("/") ? path : DataDirectory(root: path).root
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
