// Exports a stretch of a track as a file for other programs.

#if canImport(Glibc)
  import Glibc
#endif

/// What a clip can be written as.
public enum ClipFormat: String, Sendable, CaseIterable {
  case wav, flac, mp3, m4a, opus

  public var mediaType: String {
    switch self {
    case .wav: "audio/wav"
    case .flac: "audio/flac"
    case .mp3: "audio/mpeg"
    case .m4a: "audio/mp4"
    case .opus: "audio/ogg"
    }
  }

  /// The part of a file name after the dot.
  public var fileExtension: String { rawValue }

  fileprivate var encoderArguments: [String] {
    switch self {
    case .wav: []
    case .flac: ["-c:a", "flac", "-f", "flac"]
    case .mp3: ["-c:a", "libmp3lame", "-b:a", "256k", "-f", "mp3"]
    case .m4a: ["-c:a", "aac", "-b:a", "256k", "-movflags", "+faststart", "-f", "mp4"]
    case .opus: ["-c:a", "libopus", "-b:a", "160k", "-f", "opus"]
    }
  }
}

/// Writes clips from the practice rendition. WAV and FLAC hold exactly the frames of the clip.
public struct ClipRenderer: Sendable {
  private let tools: MediaTools
  private let folder: DataFolder

  public init(tools: MediaTools, folder: DataFolder) {
    self.tools = tools
    self.folder = folder
  }

  /// Writes the frames `start ..< end` to a new file at `path`, which appears complete or not at all.
  /// A fade is a straight line over as many frames as given, at most the length of the clip.
  public func render(
    track derivedDirectory: String, lengthFrames: Int, start: Int, end: Int, format: ClipFormat,
    fadeInFrames: Int = 0, fadeOutFrames: Int = 0, to path: String,
    progress: (Double) -> Void = { _ in }, isCancelled: () -> Bool = { false }
  ) throws {
    guard start >= 0, start < end, end <= lengthFrames, fadeInFrames >= 0, fadeOutFrames >= 0 else {
      throw MediaError(
        .invalidRange, "This stretch lies outside of the track. Set its start and end again.",
        cause: "\(start) to \(end) of \(lengthFrames)")
    }
    try folder.requireSpace(for: (end - start) * (format == .wav ? 4 : 1))
    let scratch = folder.temporaryPath("clip")
    try Files.makeFolder(scratch)
    do {
      let file = scratch + "/clip." + format.fileExtension
      let audio = PracticeAudio(
        derivedDirectory: derivedDirectory, lengthFrames: lengthFrames, tools: tools,
        folder: folder)
      var fade = Fade(
        frameCount: end - start, fadeInFrames: fadeInFrames, fadeOutFrames: fadeOutFrames)
      let sink = try makeSink(format, file, frameCount: end - start)
      try audio.forEach(start..<end, isCancelled: isCancelled) { samples in
        try fade.apply(to: samples) { try sink.write($0, isCancelled) }
        progress(Double(fade.position) / Double(end - start))
      }
      try sink.finish(isCancelled)
      try OpenFile(file, O_RDONLY).sync()
      try Files.move(file, to: path)
      try Files.removeTree(scratch)
    } catch {
      try Files.removeTree(scratch)
      throw error
    }
  }

  private struct Sink {
    let write: (UnsafeRawBufferPointer, () -> Bool) throws -> Void
    let finish: (() -> Bool) throws -> Void
  }

  private func makeSink(_ format: ClipFormat, _ path: String, frameCount: Int) throws -> Sink {
    if format == .wav {
      guard let header = WAVFile.header(frameCount: frameCount) else {
        throw MediaError(.invalidRange, "This is too long for a WAV file. Choose FLAC instead.")
      }
      let file = FileBox(try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL))
      try header.withUnsafeBytes { try file.file.write($0) }
      return Sink(write: { bytes, _ in try file.file.write(bytes) }, finish: { _ in })
    }
    let folder = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
    let limits = MediaTools.Limits(
      seconds: 120 + frameCount / 480_000, fileBytes: max(64 << 20, frameCount * 5))
    var command = tools.command(.ffmpeg, output: folder, limits: limits) {
      MediaTools.rawInput + ["-map_metadata", "-1"] + format.encoderArguments
        + ["file:" + $0.output + "/clip." + format.fileExtension]
    }
    command.hasInput = true
    let process = try ChildProcess(command)
    return Sink(
      write: { try process.write($0, isCancelled: $1) },
      finish: { isCancelled in
        guard try process.finish(isCancelled: isCancelled).isSuccess else {
          throw MediaError.writingFailed(process)
        }
      })
  }

  /// Lets a closure own an open file.
  private final class FileBox {
    let file: OpenFile
    init(_ file: consuming OpenFile) { self.file = file }
  }
}

/// Fades a stream of samples in at its start and out at its end.
struct Fade {
  let frameCount: Int
  let fadeInFrames: Int
  let fadeOutFrames: Int
  private(set) var position = 0

  init(frameCount: Int, fadeInFrames: Int, fadeOutFrames: Int) {
    self.frameCount = frameCount
    self.fadeInFrames = min(fadeInFrames, frameCount)
    self.fadeOutFrames = min(fadeOutFrames, frameCount)
  }

  /// Hands on the next samples, copied only where a fade changes them.
  mutating func apply(
    to samples: UnsafeBufferPointer<Int16>, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let frames = position..<position + samples.count / 2
    position = frames.upperBound
    guard frames.lowerBound < fadeInFrames || frames.upperBound > frameCount - fadeOutFrames else {
      return try body(UnsafeRawBufferPointer(samples))
    }
    var faded = Array(samples)
    for (index, frame) in frames.enumerated() {
      let gain = gain(at: frame)
      for channel in index * 2...index * 2 + 1 {
        faded[channel] = Int16((Double(faded[channel]) * gain).rounded())
      }
    }
    try faded.withUnsafeBytes { try body($0) }
  }

  private func gain(at frame: Int) -> Double {
    let rising = frame < fadeInFrames ? Double(frame) / Double(fadeInFrames) : 1
    let left = frameCount - 1 - frame
    let falling = left < fadeOutFrames ? Double(left) / Double(fadeOutFrames) : 1
    return rising * falling
  }
}
