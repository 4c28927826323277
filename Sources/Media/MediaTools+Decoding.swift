// Decoding any audio file to 16-bit samples: one command for all who do it.

import Storage

extension MediaTools {
  /// The form of decoded samples.
  enum SampleFormat {
    /// Interleaved stereo at 48 kHz without a header.
    case practice
    /// Like `practice`. Where sound begins later than the picture or has gaps, there is silence: the
    /// frames are those that are heard when the file is played.
    case practiceFromTimeZero
    /// Stereo at the rate of the file, with a WAV header that says the rate.
    case wavAtSourceRate
    /// Mono at 24 kHz without a header, as recordings of names have it.
    case voice

    fileprivate var arguments: [String] {
      switch self {
      case .practice: Self.practiceFilter("aresample=48000")
      case .practiceFromTimeZero: Self.practiceFilter("aresample=48000:async=1:first_pts=0")
      case .voice: ["-af", "aresample=24000,aformat=sample_fmts=s16:channel_layouts=mono"]
      case .wavAtSourceRate:
        ["-map_metadata", "-1", "-fflags", "+bitexact", "-flags:a", "+bitexact", "-ac", "2"]
      }
    }

    fileprivate var container: String {
      self == .wavAtSourceRate ? "wav" : "s16le"
    }

    private static func practiceFilter(_ resampling: String) -> [String] {
      ["-af", resampling + ",aformat=sample_fmts=s16:channel_layouts=stereo"]
    }
  }

  /// The limits for decoding a file of `bytes`: two minutes, and a second for every 20 kB. On a slow
  /// machine this is enough for the longest file that these bytes can hold. Never above two hours.
  static func decodingLimits(bytes: Int) -> Limits {
    Limits(seconds: min(7_200, 120 + bytes / 20_000))
  }

  /// Starts to decode the first audio stream of the file at the absolute path `path`. Whatever its
  /// timestamps claim, and even if rate or channels change half-way, as in MP3s that were joined:
  /// samples are only counted.
  ///
  /// - Parameters:
  ///   - usesThreads: whether the decoder may use several threads.
  ///   - seconds: how much is decoded at most; nil: all.
  func startDecoder(
    _ path: String, _ format: SampleFormat = .practice, limits: Limits, usesThreads: Bool = false,
    seconds: Int? = nil
  ) throws -> ChildProcess {
    let threads = usesThreads ? [] : ["-threads", "1"]
    let length = seconds.map { ["-t", String($0)] } ?? []
    var command = command(.ffmpeg, inputs: [path], limits: limits) {
      ["-nostdin", "-v", "error"] + MediaTools.inputRules(decoders: MediaTools.audioDecoders)
        + threads + ["-vn", "-sn", "-dn", "-i", "file:" + $0.inputs[0], "-map", "0:a:0"]
        + format.arguments + length
        + ["-c:a", "pcm_s16le", "-flush_packets", "0", "-f", format.container, "pipe:1"]
    }
    command.hasOutput = true
    return try ChildProcess(command)
  }

  /// Decodes the file at `path` and calls `body` with interleaved left and right samples, piece by
  /// piece; with a WAV header, that is in the first pieces. Throws a `MediaError` like an import.
  func decode(
    _ path: String, _ format: SampleFormat = .practice, usesThreads: Bool = false,
    seconds: Int? = nil, isCancelled: () -> Bool,
    _ body: (UnsafeBufferPointer<Int16>) throws -> Void
  ) throws {
    let size = try Files.size(of: path)
    guard size > 0 else { throw ImportRefusal.empty }
    let process = try startDecoder(
      DataDirectory(root: path).root, format, limits: Self.decodingLimits(bytes: size),
      usesThreads: usesThreads, seconds: seconds)
    let frames = try PCMStream(process: process).forEach(isCancelled: isCancelled, body)
    guard try process.finish(isCancelled: isCancelled).isSuccess else {
      throw ImportRefusal.reason(of: process)
    }
    guard frames > 0 else { throw ImportRefusal.empty }
  }
}
