// Turns an uploaded file into a track: one decoding pass gives the practice rendition, the waveform
// and the loudness.

import Analysis
import Dispatch
import Storage
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// What an import found out about a track.
public struct ImportedTrack: Sendable, Equatable {
  public let lengthFrames: Int
  /// Integrated loudness in LUFS; nil when the track is silent or shorter than 0.4 s.
  public let loudness: Double?
  public let chunkCount: Int
  /// The codec of the original, for instance "mp3"; nil when ffprobe could not tell.
  public let codec: String?
  /// The channels of the original.
  public let channels: Int?
  /// The sample rate of the original.
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

  /// Decodes the file at `path` into the folder `derivedDirectory` (`DataDirectory.derived(id)`): the
  /// chunks `00000.flac` … and `peaks.dat`. The folder appears complete or not at all; one that was
  /// there is replaced. Blocks until done; calls `progress` with 0 … 1 and asks `isCancelled` on the
  /// calling thread. Throws a `MediaError` whose message is for the performer, and leaves nothing.
  /// - Parameter publishing: called with what gives the folder its name, at the end.
  public func importTrack(
    blob path: String, into derivedDirectory: String, progress: (Double) -> Void = { _ in },
    isCancelled: () -> Bool = { false },
    publishing: (_ publish: () throws -> Void) throws -> Void = { try $0() }
  ) throws -> ImportedTrack {
    let size = try Files.size(of: path)
    guard size > 0 else { throw ImportRefusal.empty }
    let scratch = folder.temporaryPath("import")
    do {
      let track = try decode(
        path, size: size, scratch: scratch, progress: progress, isCancelled: isCancelled)
      try publishing {
        try publish(scratch + "/ready", as: derivedDirectory, scratch: scratch)
      }
      try Files.removeTree(scratch)
      return track
    } catch {
      // Asked before the room that was taken is given back.
      let isDiskFull = try folder.isFull()
      try Files.removeTree(scratch)
      // ffmpeg does not always say that it could not write its last bytes.
      if isDiskFull, (error as? MediaError)?.code == .toolFailed { throw StorageError.noSpace }
      throw error
    }
  }

  private func decode(
    _ path: String, size: Int, scratch: String, progress: (Double) -> Void,
    isCancelled: () -> Bool
  ) throws -> ImportedTrack {
    try folder.requireSpace(for: 0)
    for name in ["", "/cut", "/ready"] { try Files.makeFolder(scratch + name) }
    // The probe runs beside the start of the decoding: together they take no longer than one.
    let limits = MediaTools.Limits(seconds: Self.secondsAllowed(forBytes: size))
    let prober = try MediaProbe.start(path, tools: tools, limits: limits)
    let decoder = try startDecoder(path, limits: limits)
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

  /// Takes the samples as they come: counts, measures, draws them and hands them on.
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

  /// Returns how many chunks there are, if together they hold every frame that was heard.
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

  /// Decodes the file once, to raw samples for us. Whatever its timestamps claim, and even when
  /// rate or channels change half-way, as in MP3s that were joined: samples are only counted.
  private func startDecoder(_ path: String, limits: MediaTools.Limits) throws -> ChildProcess {
    var command = tools.command(.ffmpeg, inputs: [path], limits: limits) {
      ["-nostdin", "-v", "error"] + MediaTools.inputRules(decoders: MediaTools.audioDecoders)
        + ["-threads", "1", "-vn", "-sn", "-dn", "-i", "file:" + $0.inputs[0], "-map", "0:a:0"]
        + ["-af", "aresample=48000,aformat=sample_fmts=s16:channel_layouts=stereo"]
        + ["-c:a", "pcm_s16le", "-flush_packets", "0", "-f", "s16le", "pipe:1"]
    }
    command.hasOutput = true
    return try ChildProcess(command)
  }

  /// Encodes the samples that we hand on, in pieces of 480,000 frames. On its own it is cut off from
  /// what a stranger's file did to the decoder, and it uses another core.
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

  /// Two minutes, and a second for every 20 kB: on a slow machine enough for the longest file that
  /// these bytes can hold, and never above two hours.
  private static func secondsAllowed(forBytes size: Int) -> Int {
    min(7_200, 120 + size / 20_000)
  }

  /// What could not be decoded is no audio, unless something better is known.
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

  /// A file is truncated when clearly less came out than it says it holds: a second, or a
  /// twentieth of a short file, but never less than a fifth of a second, since encoders pad.
  private static func isTruncated(
    _ path: String, _ probe: MediaProbe?, decodedFrames: Int
  ) throws -> Bool {
    let decoded = Double(decodedFrames) / 48_000
    func isMissing(_ seconds: Double, of whole: Double) -> Bool {
      seconds > max(0.2, min(1, whole / 20))
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
