// Reads frames of a track from its practice rendition.

import Storage

#if canImport(Glibc)
  import Glibc
#endif

/// The decoded form of one track: FLAC chunks in a folder.
public struct PracticeAudio: Sendable {
  public let derivedDirectory: String
  public let lengthFrames: Int
  private let tools: MediaTools
  private let folder: DataDirectory

  public init(derivedDirectory: String, lengthFrames: Int, tools: MediaTools, folder: DataDirectory)
  {
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
    try forEach(of: [range], isCancelled: isCancelled) { _, samples in try body(samples) }
  }

  /// Does the same for each of `ranges`, which may overlap, with one decoder for all; `body` gets
  /// the index of the range that the samples belong to.
  func forEach(
    of ranges: [Range<Int>], isCancelled: () -> Bool,
    _ body: (_ index: Int, UnsafeBufferPointer<Int16>) throws -> Void
  ) throws {
    for range in ranges {
      guard range.lowerBound >= 0, range.upperBound <= lengthFrames, !range.isEmpty else {
        throw MediaError.outsideOfTrack("\(range) of \(lengthFrames)")
      }
    }
    let runs = ranges.map(chunks)
    let list = folder.temporaryPath("chunks")
    defer { unlink(list) }  // If that fails, the next start empties the folder.

    let chunkCount = runs.reduce(0) { $0 + $1.count }
    let limits = MediaTools.Limits(seconds: MediaTools.Limits.seconds(writing: chunkCount * 10))
    var command = tools.command(.ffmpeg, inputs: [derivedDirectory, list], limits: limits) {
      ["-nostdin", "-v", "error"]
        + MediaTools.inputRules(decoders: ["flac"], demuxers: ["concat", "flac"])
        + ["-threads", "1", "-f", "concat", "-safe", "0", "-i", "file:" + $0.inputs[1]]
        + ["-map", "0:a:0", "-c:a", "pcm_s16le", "-flush_packets", "0", "-f", "s16le"]
        + ["pipe:1"]
    }
    command.hasOutput = true
    try writeList(of: runs, to: list)

    // Whole chunks are decoded and their frames are counted: no seeking, no rounding.
    var cursor = Cursor(runs: runs.map(frames))
    let process = try ChildProcess(command)
    try PCMStream(process: process).forEach(isCancelled: isCancelled) { samples in
      try cursor.advance(by: samples.count / 2) { index, frames, offset in
        let wanted = ranges[index].clamped(to: frames)
        guard !wanted.isEmpty else { return }
        let first = (offset + wanted.lowerBound - frames.lowerBound) * 2
        try body(index, UnsafeBufferPointer(rebasing: samples[first..<first + wanted.count * 2]))
      }
    }
    guard try process.finish(isCancelled: isCancelled).isSuccess, cursor.isAtEnd else {
      if let interruption = MediaError.interruption(of: process) { throw interruption }
      if process.ranOutOfTime {
        throw MediaError(
          .timedOut, "This took far too long. Try again when the server has less to do.",
          cause: process.report)
      }
      throw StorageError(
        .corrupt, "The practice copy of this track is damaged. Add the file again.",
        cause: "\(cursor); " + process.report)
    }
  }

  /// The chunks that hold `range`.
  private func chunks(of range: Range<Int>) -> Range<Int> {
    let size = TrackImporter.chunkFrames
    return range.lowerBound / size..<(range.upperBound - 1) / size + 1
  }

  /// The frames that `chunks` hold.
  private func frames(of chunks: Range<Int>) -> Range<Int> {
    let size = TrackImporter.chunkFrames
    return chunks.lowerBound * size..<min(chunks.upperBound * size, lengthFrames)
  }

  /// Writes the list of chunks that ffmpeg reads in sequence as one file.
  private func writeList(of runs: [Range<Int>], to path: String) throws {
    let inside = tools.sandbox == .required ? "/in0" : derivedDirectory
    let quoted = inside.utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }.joined(separator: "'\\''")
    let lines = runs.joined().map { "file '\(quoted)/\(DataDirectory.chunkName($0))'\n" }
    try Files.writeNew(path, Array(lines.joined().utf8))
  }
}

/// The position in a stream of consecutive runs of frames.
private struct Cursor {
  let runs: [Range<Int>]
  private var index = 0
  private var position: Int
  /// Frames after the last run.
  private var surplus = 0

  init(runs: [Range<Int>]) {
    self.runs = runs
    position = runs.first?.lowerBound ?? 0
  }

  /// Whether exactly the frames of all runs were read.
  var isAtEnd: Bool { index == runs.count && surplus == 0 }

  /// Advances by `count` frames and calls back for each run among them with its index, its frames,
  /// and its offset within the `count` frames.
  mutating func advance(
    by count: Int, _ body: (_ index: Int, _ frames: Range<Int>, _ offset: Int) throws -> Void
  ) throws {
    var offset = 0
    while offset < count, index < runs.count {
      let frames = position..<min(position + count - offset, runs[index].upperBound)
      try body(index, frames, offset)
      offset += frames.count
      position = frames.upperBound
      if position == runs[index].upperBound {
        index += 1
        if index < runs.count { position = runs[index].lowerBound }
      }
    }
    surplus += count - offset
  }
}

extension Cursor: CustomStringConvertible {
  var description: String {
    "in run \(index) of \(runs.count) at frame \(position), \(surplus) too many"
  }
}
