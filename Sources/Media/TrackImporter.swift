// Turns an uploaded file into a track: one decoding pass produces the practice rendition, the
// waveform and the loudness.

import Analysis
import Dispatch
import Storage
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// The result of an import.
public struct ImportedTrack: Sendable, Equatable {
  public let lengthFrames: Int
  /// Integrated loudness in LUFS; nil when the track is silent or shorter than 0.4 s.
  public let loudness: Double?
  public let chunkCount: Int
  /// The codec of the original, for instance "mp3"; nil if ffprobe did not report it.
  public let codec: String?
  /// The number of channels of the original.
  public let channels: Int?
  /// The sample rate of the original, in hertz.
  public let sampleRate: Int?
}

/// Decodes files onto the practice timeline.
public struct TrackImporter: Sendable {
  /// How many frames one chunk of the practice rendition holds; the last may hold fewer.
  public static let chunkFrames = 480_000
  /// The resolution of the stored waveform.
  public static let peaksFramesPerPixel = 64
  /// Twelve hours.
  public static let longestFrames = 12 * 3_600 * 48_000

  private let tools: MediaTools
  private let folder: DataDirectory
  private let longestFrames: Int

  public init(tools: MediaTools, folder: DataDirectory) {
    self.init(tools: tools, folder: folder, longestFrames: Self.longestFrames)
  }

  init(tools: MediaTools, folder: DataDirectory, longestFrames: Int) {
    self.tools = tools
    self.folder = folder
    self.longestFrames = longestFrames
  }

  /// Decodes the file at `path` into the folder `derivedDirectory` (`DataDirectory.derived(id)`):
  /// the chunks `00000.flac` … and `peaks.dat`. The folder appears atomically and replaces an
  /// existing one. Blocks until done; calls `progress` with 0 … 1 and `isCancelled` on the calling
  /// thread. Throws a `MediaError` whose message is for the user, and leaves no files.
  /// - Parameter publishing: called with the closure that renames the folder, at the end.
  public func importTrack(
    blob path: String, into derivedDirectory: String, progress: (Double) -> Void = { _ in },
    isCancelled: () -> Bool = { false },
    publishing: (_ publish: () throws -> Void) throws -> Void = { try $0() }
  ) throws -> ImportedTrack {
    let size = try Files.size(of: path)
    guard size > 0 else { throw ImportRefusal.empty }
    let scratch = folder.temporaryPath("import")
    return try Files.withTemporaryFolder(scratch) {
      do {
        let track = try decode(
          path, size: size, scratch: scratch, progress: progress, isCancelled: isCancelled)
        try publishing {
          try publish(scratch + "/ready", as: derivedDirectory, scratch: scratch)
        }
        return track
      } catch let error as MediaError where error.code == .toolFailed {
        // ffmpeg does not always report that it failed to write its last bytes.
        if try folder.isFull() { throw StorageError.noSpace }
        throw error
      }
    }
  }

  private func decode(
    _ path: String, size: Int, scratch: String, progress: (Double) -> Void,
    isCancelled: () -> Bool
  ) throws -> ImportedTrack {
    try folder.requireSpace(for: 0)
    for name in ["/cut", "/ready"] { try Files.makeFolder(scratch + name) }
    // The probe runs in parallel with the start of the decoding, so it costs no extra time.
    let limits = MediaTools.decodingLimits(bytes: size)
    let prober = try MediaProbe.start(path, tools: tools, limits: limits)
    let decoder = try tools.startDecoder(path, limits: limits)
    let encoder = try startEncoder(into: scratch + "/cut", limits: limits)
    let probe = try MediaProbe.result(of: prober, isCancelled: isCancelled)
    if let seconds = probe?.seconds, probe?.isDeclared == true,
      seconds > Double(longestFrames) / 48_000
    {
      throw ImportRefusal.tooLong
    }

    let finisher = ChunkFinisher(from: scratch + "/cut", to: scratch + "/ready")
    defer { finisher.wait() }
    let expected = max(1, (probe?.seconds ?? Double(size) / 16_000) * 48_000)
    let heard = try listen(
      to: decoder, passingOnTo: encoder, writingPeaksTo: scratch + "/ready/" + folder.peaksName,
      isCancelled: isCancelled
    ) { frames, endsChunk in
      if endsChunk { finisher.finishClosedChunks() }
      progress(min(0.99, Double(frames) / expected))
    }
    guard try decoder.finish(isCancelled: isCancelled).isSuccess else {
      let reason = ImportRefusal.reason(of: decoder)
      throw try Self.refusal(path, probe, reason)
    }
    guard heard.frames > 0 else { throw ImportRefusal.empty }
    if try Self.isTruncated(path, probe, decodedFrames: heard.frames) {
      throw ImportRefusal.truncated
    }
    guard try encoder.finish(isCancelled: isCancelled).isSuccess else {
      throw MediaError.writingFailed(encoder)
    }
    let chunkCount = try Self.check(finisher.finishAll(), lengthFrames: heard.frames)
    progress(1)
    return ImportedTrack(
      lengthFrames: heard.frames, loudness: heard.loudness, chunkCount: chunkCount,
      codec: probe?.codec, channels: probe?.channels, sampleRate: probe?.sampleRate)
  }

  /// Reads the samples as they arrive: counts them, measures loudness, computes peaks and passes
  /// them to the encoder.
  private func listen(
    to decoder: ChildProcess, passingOnTo encoder: ChildProcess, writingPeaksTo path: String,
    isCancelled: () -> Bool, after: (_ frames: Int, _ endsChunk: Bool) -> Void
  ) throws -> (frames: Int, loudness: Double?) {
    var peaks = try PeaksFile(path, framesPerPixel: Self.peaksFramesPerPixel)
    var loudness = LoudnessMeter()
    var frames = 0
    try PCMStream(process: decoder).forEach(isCancelled: isCancelled) { samples in
      let chunksBefore = frames / Self.chunkFrames
      frames += samples.count / 2
      guard frames <= longestFrames else { throw ImportRefusal.tooLong }
      try encoder.write(UnsafeRawBufferPointer(samples), isCancelled: isCancelled)
      try peaks.append(samples)
      loudness.append(samples)
      let endsChunk = frames / Self.chunkFrames > chunksBefore
      if endsChunk { try folder.requireSpace(for: 0) }
      after(frames, endsChunk)
    }
    try peaks.finish()
    return (frames, loudness.integrated())
  }

  /// Returns the number of chunks if together they hold every decoded frame.
  private static func check(_ chunks: [Int], lengthFrames: Int) throws -> Int {
    guard chunks.count == (lengthFrames + chunkFrames - 1) / chunkFrames,
      chunks.reduce(0, +) == lengthFrames, chunks.dropLast().allSatisfy({ $0 == chunkFrames })
    else {
      throw MediaError(
        .toolFailed, "This file could not be prepared for practice. Try it again.",
        cause: "chunks of \(chunks.suffix(3)) frames for \(lengthFrames)")
    }
    return chunks.count
  }

  /// Encodes the samples in pieces of 480,000 frames. A separate process is isolated from the
  /// decoder, which reads an untrusted file, and uses another core.
  private func startEncoder(into output: String, limits: MediaTools.Limits) throws -> ChildProcess {
    var command = tools.command(.ffmpeg, output: output, limits: limits) {
      MediaTools.rawInput + ["-c:a", "flac", "-frame_size", String(FLACChunk.blockSize)]
        + ["-f", "segment", "-segment_time", "10", "-segment_format", "flac"]
        + [$0.output.replacing("%", with: "%%") + "/%05d.flac"]
    }
    command.hasInput = true
    return try ChildProcess(command)
  }

  private func publish(_ ready: String, as target: String, scratch: String) throws {
    try Files.syncFolder(ready)
    if Files.exists(target) { try Files.move(target, to: scratch + "/old") }
    try Files.move(ready, to: target)
    try Files.syncFolder(folder.derived)
  }

  /// Returns `notAudio` for a failed decoding, unless a more precise reason is known.
  private static func refusal(
    _ path: String, _ probe: MediaProbe?, _ reason: any Error
  ) throws -> any Error {
    guard let reason = reason as? MediaError, reason.code == .notAudio else { return reason }
    if let probe, !probe.hasAudio && probe.hasPictures {
      return MediaError(.noAudioStream, ImportRefusal.noAudioStream.message, cause: reason.cause)
    }
    if let share = try ContainerLength.missingShare(of: path), share > 0.01 {
      return MediaError(.truncated, ImportRefusal.truncated.message, cause: reason.cause)
    }
    return reason
  }

  /// Whether the decoded length is clearly shorter than the declared length: by one second, or by a
  /// twentieth of a short file, but by at least a fifth of a second, since encoders pad. An MP3 may
  /// lack two seconds, a tenth if it is short, and a fiftieth if it is long: programs that edit MP3s
  /// leave the header as it was.
  private static func isTruncated(
    _ path: String, _ probe: MediaProbe?, decodedFrames: Int
  ) throws -> Bool {
    let decoded = Double(decodedFrames) / 48_000
    func isMissing(_ seconds: Double, of whole: Double) -> Bool {
      let slack =
        probe?.codec == "mp3" ? max(min(2, whole / 10), whole / 50) : min(1, whole / 20)
      return seconds > max(0.2, slack)
    }
    if let probe, let seconds = probe.seconds, probe.isDeclared,
      isMissing(seconds - decoded, of: seconds)
    {
      return true
    }
    guard let share = try ContainerLength.missingShare(of: path) else { return false }
    if share == 1 { return true }
    let whole = decoded / (1 - share)
    return isMissing(whole - decoded, of: whole)
  }
}
