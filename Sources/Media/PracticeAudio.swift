// Reads frames of a track from its practice rendition.

#if canImport(Glibc)
  import Glibc
#endif

/// The decoded form of one track: chunks of FLAC in a folder.
public struct PracticeAudio: Sendable {
  public let derivedDirectory: String
  public let lengthFrames: Int
  private let tools: MediaTools
  private let folder: DataFolder

  public init(derivedDirectory: String, lengthFrames: Int, tools: MediaTools, folder: DataFolder) {
    self.derivedDirectory = derivedDirectory
    self.lengthFrames = lengthFrames
    self.tools = tools
    self.folder = folder
  }

  /// Returns the frames of `range` as interleaved left and right samples.
  public func decode(_ range: Range<Int>) throws -> [Int16] {
    var result: [Int16] = []
    result.reserveCapacity(range.count * 2)
    try forEach(range) { result.append(contentsOf: $0) }
    return result
  }

  /// Calls `body` with the frames of `range`, piece by piece, as interleaved samples; exactly
  /// `range.count` frames, or an error. Throws `invalidRange` and `corrupt`.
  public func forEach(
    _ range: Range<Int>, isCancelled: () -> Bool = { false },
    _ body: (UnsafeBufferPointer<Int16>) throws -> Void
  ) throws {
    guard range.lowerBound >= 0, range.upperBound <= lengthFrames, !range.isEmpty else {
      throw MediaError(
        .invalidRange, "This stretch lies outside of the track. Set its start and end again.",
        cause: "\(range) of \(lengthFrames)")
    }
    let size = TrackImporter.chunkFrames
    let chunks = range.lowerBound / size..<(range.upperBound - 1) / size + 1
    let list = folder.temporaryPath("chunks")
    defer { unlink(list) }  // If that fails, the next start empties the folder.

    let limits = MediaTools.Limits(seconds: 60 + chunks.count)
    var command = tools.command(.ffmpeg, inputs: [derivedDirectory, list], limits: limits) {
      ["-nostdin", "-v", "error"]
        + MediaTools.inputRules(decoders: ["flac"], demuxers: ["concat", "flac"])
        + ["-threads", "1", "-f", "concat", "-safe", "0", "-i", "file:" + $0.inputs[1]]
        + ["-map", "0:a:0", "-c:a", "pcm_s16le", "-flush_packets", "0", "-f", "s16le"]
        + ["pipe:1"]
    }
    command.hasOutput = true
    try writeList(of: chunks, to: list)

    // Whole chunks are decoded and counted: no seeking, no rounding.
    var position = chunks.lowerBound * size
    let end = min(chunks.upperBound * size, lengthFrames)
    let process = try ChildProcess(command)
    try PCMStream(process: process).forEach(isCancelled: isCancelled) { samples in
      let frames = samples.count / 2
      let wanted = range.clamped(to: position..<position + frames)
      if !wanted.isEmpty {
        let first = (wanted.lowerBound - position) * 2
        try body(UnsafeBufferPointer(rebasing: samples[first..<first + wanted.count * 2]))
      }
      position += frames
    }
    let ending = try process.finish(isCancelled: isCancelled)
    guard ending.isSuccess, position == end else {
      throw MediaError(
        .corrupt, "The practice copy of this track is damaged. Add the file again.",
        cause: "\(ending), frame \(position) instead of \(end); " + process.messageTail)
    }
  }

  /// Writes the list of chunks that ffmpeg reads one after the other as if they were one file.
  private func writeList(of chunks: Range<Int>, to path: String) throws {
    let inside = tools.sandbox == .required ? "/in0" : derivedDirectory
    let quoted = inside.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "'\\''")
    let lines = chunks.map { "file '\(quoted)/\(DataFolder.chunkName($0))'\n" }
    try Files.writeNew(path, Array(lines.joined().utf8))
  }
}
