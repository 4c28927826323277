// Writes one clip to a file: its fades and its format.

import Storage
import Text

#if canImport(Glibc)
  import Glibc
#endif

/// The tags of a clip that players show.
public struct ClipTags: Sendable, Equatable {
  public var title: String
  /// The track's title.
  public var album: String
  /// Counted from 1.
  public var number: Int
  public var count: Int

  /// Makes tags.
  public init(title: String, album: String, number: Int, count: Int) {
    self.title = title
    self.album = album
    self.number = number
    self.count = count
  }

  /// The tags as FLAC comments, each on one line.
  var fields: [(name: String, value: String)] {
    [
      ("TITLE", title.withoutControls), ("ALBUM", album.withoutControls),
      ("TRACKNUMBER", "\(number)"),
      ("TRACKTOTAL", "\(count)"),
    ]
  }

  /// The tags as an ffmpeg metadata file, in which five characters are escaped with a backslash.
  /// The user's text thus never becomes part of a command line.
  var file: String {
    """
    ;FFMETADATA1
    title=\(Self.escaped(title))
    album=\(Self.escaped(album))
    track=\(number)/\(count)

    """
  }

  private static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.withoutControls.unicodeScalars {
      if "=;#\\".unicodeScalars.contains(scalar) { result.append("\\") }
      result.append(scalar)
    }
    return String(result)
  }
}

/// A file that is being written. Not thread-safe.
final class ClipFile {
  private let path: String
  private var fade: Fade
  private let output: Output

  private enum Output {
    case wav(FileBox)
    case flac(FLACWriter)
    case encoder(ChildProcess)
  }

  /// A class, so that an enum case can own an open file.
  private final class FileBox {
    let file: OpenFile
    init(_ file: consuming OpenFile) { self.file = file }
  }

  /// Creates a file in `folder`, which must hold no other clip at the same time.
  init(_ clip: ClipSource, _ style: ClipStyle, in folder: String, tools: MediaTools) throws {
    let frameCount = clip.range.count
    fade = Fade(
      frameCount: frameCount, fadeInFrames: style.fadeInFrames, fadeOutFrames: style.fadeOutFrames)
    let name = "clip." + style.format.fileExtension
    path = folder + "/" + name
    if style.format == .wav {
      guard let header = WAVFile.header(frameCount: frameCount) else {
        throw MediaError(.invalidRange, "This is too long for a WAV file. Choose FLAC instead.")
      }
      let file = FileBox(try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL))
      try header.withUnsafeBytes { try file.file.write($0) }
      output = .wav(file)
      return
    }
    if style.format == .flac {
      output = .flac(try FLACWriter(path, frameCount: frameCount, tags: clip.tags))
      return
    }
    var inputs: [String] = []
    if let tags = clip.tags {
      inputs = [folder + "/tags"]
      try Files.remove(inputs[0])
      try Files.writeNew(inputs[0], Array(tags.file.utf8))
    }
    let limits = MediaTools.Limits(
      seconds: MediaTools.Limits.seconds(writing: frameCount / 48_000),
      fileBytes: max(64 << 20, frameCount * 5))
    var command = tools.command(.ffmpeg, inputs: inputs, output: folder, limits: limits) {
      mounts in
      let tags = mounts.inputs.flatMap {
        ["-protocol_whitelist", "file", "-f", "ffmetadata", "-i", "file:" + $0]
      }
      return MediaTools.rawInput + tags + [
        "-map", "0:a", "-map_metadata", tags.isEmpty ? "-1" : "1",
      ]
        + style.format.encoderArguments + ["file:" + mounts.output + "/" + name]
    }
    command.hasInput = true
    output = .encoder(try ChildProcess(command))
  }

  /// Appends frames.
  func append(_ samples: UnsafeBufferPointer<Int16>, _ isCancelled: () -> Bool) throws {
    try fade.apply(to: samples) { bytes in
      switch output {
      case .wav(let box): try box.file.write(bytes)
      case .flac(let writer): try writer.write(bytes)
      case .encoder(let process): try process.write(bytes, isCancelled: isCancelled)
      }
    }
  }

  /// Completes the file and returns its path; the caller moves it away.
  func finish(_ isCancelled: () -> Bool) throws -> String {
    switch output {
    case .wav: break
    case .flac(let writer): try writer.finish()
    case .encoder(let process):
      guard try process.finish(isCancelled: isCancelled).isSuccess else {
        throw MediaError.writingFailed(process)
      }
    }
    return path
  }
}

/// Fades in the start of a stream of samples and fades out its end.
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

  /// Passes on the next samples; copies them only where a fade changes them.
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
