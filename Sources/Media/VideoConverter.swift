// Turns an uploaded file into a video that every browser plays, with as little loss as possible:
// unchanged, remuxed, or re-encoded.

import Storage

#if canImport(Glibc)
  import Glibc
#endif

/// The properties of a playable video.
public struct ConvertedVideo: Sendable, Equatable {
  /// The length of the playable video, in frames of the practice timeline.
  public let lengthFrames: Int
  /// The upright size of the playable video, in pixels.
  public let width: Int
  public let height: Int
  /// The average number of pictures per second; 0 if unknown.
  public let framesPerSecond: Double
  public let hasSound: Bool
  /// Whether the original is played, so that only a poster was made.
  public let playsOriginal: Bool
}

/// Converts videos.
///
/// Time 0 of the result is time 0 of the original. Where sound or pictures begin later, silence or
/// the first picture fills the gap, so that the player and the alignment use the same times.
public struct VideoConverter: Sendable {
  /// Four hours.
  public static let longestSeconds = 4.0 * 3_600
  /// The highest accepted picture rate. A file that declares more is taken to have no known rate.
  static let largestRate = 1000.0
  /// The longer side of a poster, in pixels.
  public static let posterSide = 640

  private let tools: MediaTools
  private let folder: DataDirectory

  public init(tools: MediaTools, folder: DataDirectory) {
    self.tools = tools
    self.folder = folder
  }

  /// Creates the folder `derivedDirectory` (`DataDirectory.derived(id)`) for the file at `path`:
  /// `poster.jpg` and, unless the original is played, `video.mp4`. The folder appears atomically
  /// and replaces an existing one. Blocks until done; calls `progress` with 0 … 1 and `isCancelled`
  /// on the calling thread, both several times a second.
  /// - Parameter publishing: called with the closure that renames the folder, at the end.
  /// - Throws: a `MediaError` whose message is for the user; no files are left then.
  public func convert(
    blob path: String, into derivedDirectory: String, progress: (Double) -> Void = { _ in },
    isCancelled: () -> Bool = { false },
    publishing: (_ publish: () throws -> Void) throws -> Void = { try $0() }
  ) throws -> ConvertedVideo {
    let scratch = folder.temporaryPath("video")
    return try Files.withTemporaryFolder(scratch) {
      do {
        let ready = scratch + "/ready"
        try Files.makeFolder(ready)
        let video = try make(path, into: ready, progress: progress, isCancelled: isCancelled)
        try publishing { try publish(ready, as: derivedDirectory, scratch: scratch) }
        return video
      } catch let error where error is MediaError || error is StorageError {
        // ffmpeg does not always report that it failed to write its last bytes.
        if try folder.isFull(), !isCancelled() { throw StorageError.noSpace }
        throw error
      }
    }
  }

  private func make(
    _ path: String, into output: String, progress: (Double) -> Void, isCancelled: () -> Bool
  ) throws -> ConvertedVideo {
    let source = try VideoSource(path, tools: tools, isCancelled: isCancelled)
    try folder.requireSpace(for: 0)
    progress(0.005)
    let encoder = VideoEncoder(tools: tools, folder: folder, source: source, output: output)
    let plan = VideoPlan(source.probe, source.picture, layout: source.layout)
    if plan != .asItIs {
      let seconds = try source.probe.seconds ?? encoder.measure(isCancelled: isCancelled)
      guard seconds <= Self.longestSeconds else { throw VideoRefusal.tooLong }
      try encoder.run(plan, seconds: seconds, isCancelled: isCancelled) {
        progress(0.01 + 0.97 * $0)
      }
    }
    let video: ConvertedVideo
    if plan == .asItIs {
      video = try describe(source.probe, of: source, playsOriginal: true)
      try encoder.drawPoster(of: path, video, isCancelled: isCancelled)
    } else {
      let made = output + "/" + DataDirectory.videoName
      let probe = try Self.examine {
        try VideoProbe.read(
          made, tools: tools, limits: .init(seconds: 120), isCancelled: isCancelled)
      }
      video = try describe(probe, of: source, playsOriginal: false)
      try Self.examine { try encoder.drawPoster(of: made, video, isCancelled: isCancelled) }
    }
    progress(1)
    return video
  }

  /// Reads a file that this process made. If that fails, the original is not at fault.
  private static func examine<Seen>(_ look: () throws -> Seen) throws -> Seen {
    do {
      return try look()
    } catch let error as MediaError
      where [.notVideo, .truncated, .timedOut].contains(error.code)
    {
      throw MediaError(
        .toolFailed, "What was made of this video can't be read.", cause: error.cause)
    }
  }

  /// Describes the result, as probed.
  private func describe(
    _ probe: VideoProbe, of source: VideoSource, playsOriginal: Bool
  ) throws -> ConvertedVideo {
    guard let picture = probe.picture, let seconds = probe.seconds else {
      throw VideoRefusal.notVideo
    }
    if picture.count == 1 { throw VideoRefusal.stillPicture }
    if !playsOriginal, let declared = source.probe.seconds,
      declared - seconds > max(0.5, min(2, declared / 20))
    {
      throw VideoRefusal.truncated
    }
    let rate = picture.averageRate.value
    return ConvertedVideo(
      lengthFrames: Int((seconds * 48_000).rounded()), width: picture.width,
      height: picture.height, framesPerSecond: rate <= Self.largestRate ? rate : 0,
      hasSound: probe.sound != nil, playsOriginal: playsOriginal)
  }

  private func publish(_ ready: String, as target: String, scratch: String) throws {
    for name in try Files.names(in: ready) {
      try OpenFile(ready + "/" + name, O_RDONLY).sync()
    }
    try Files.syncFolder(ready)
    if Files.exists(target) { try Files.move(target, to: scratch + "/old") }
    try Files.move(ready, to: target)
    try Files.syncFolder(folder.derived)
  }
}
