// The ffmpeg runs of a conversion.

import Storage
import Text

#if canImport(Glibc)
  import Glibc
#endif

/// Runs ffmpeg on one source and writes to one folder.
struct VideoEncoder {
  let tools: MediaTools
  let folder: DataDirectory
  let source: VideoSource
  /// The folder of all output.
  let output: String

  /// How long ffmpeg may make no progress while the computer is awake, in seconds.
  private static let patienceSeconds = 300
  /// The highest bit rate of the pictures, in bits per second.
  private static let largestRate = 16_000_000

  /// Reads the whole file without decoding it and returns its length in seconds.
  func measure(isCancelled: () -> Bool) throws -> Double {
    var seconds = 0.0
    let limits = MediaTools.Limits(seconds: 300 + source.size / 1_000_000, processors: 2)
    try run(limits, isCancelled: isCancelled, reached: { seconds = $0 }) { mounts in
      input(mounts) + ["-map", "0:\(source.picture.stream)", "-c", "copy", "-f", "null", "-"]
    }
    return seconds
  }

  /// Writes `video.mp4` by `plan`, from a source of `seconds`. `progress` gets 0 … 1.
  func run(
    _ plan: VideoPlan, seconds: Double, isCancelled: () -> Bool, progress: (Double) -> Void
  ) throws {
    func attempt(_ plan: VideoPlan) throws {
      try run(
        limits(plan, seconds: seconds), isCancelled: isCancelled,
        reached: { progress(min(1, $0 / max(0.1, seconds))) }
      ) { mounts in
        input(mounts) + streams + pictures(plan) + sound(plan) + Self.container
          + ["file:" + mounts.output + "/" + DataDirectory.videoName]
      }
    }
    do {
      try attempt(plan)
    } catch let error as MediaError {
      // ffmpeg without zimg cannot map HDR brightness; only the colours are pale then.
      guard case .convert(var conversion) = plan, conversion.isHDR,
        error.cause?.contains("No such filter") == true
      else { throw error }
      conversion.isHDR = false
      try attempt(.convert(conversion))
    }
  }

  /// Writes `poster.jpg` from a picture about one second in.
  func drawPoster(
    of played: String, _ video: ConvertedVideo, isCancelled: () -> Bool
  ) throws {
    let factor = min(
      1, Double(VideoConverter.posterSide) / Double(max(video.width, video.height)))
    func side(_ pixels: Int) -> Int { max(2, Int((Double(pixels) * factor / 2).rounded()) * 2) }
    let path = output + "/" + DataDirectory.posterName
    let limits = MediaTools.Limits(seconds: 120, processors: 4, memoryBytes: 4 << 30)
    for second in [min(1, Double(video.lengthFrames) / 96_000), 0] {
      let command = tools.command(.ffmpeg, inputs: [played], output: output, limits: limits) {
        ["-nostdin", "-v", "error", "-y"]
          + MediaTools.inputRules(decoders: ["h264"], demuxers: ["mov"])
          + ["-threads", "2", "-ss", "\(second)", "-i", "file:" + $0.inputs[0], "-map", "0:v:0"]
          + ["-frames:v", "1", "-vf", "scale=\(side(video.width)):\(side(video.height))"]
          + ["-pix_fmt", "yuvj420p", "-q:v", "4", "-f", "mjpeg"]
          + ["file:" + $0.output + "/" + DataDirectory.posterName]
      }
      let process = try ChildProcess(command)
      guard try process.finish(isCancelled: isCancelled).isSuccess else {
        throw VideoRefusal.reason(of: process)
      }
      if Files.exists(path), try Files.size(of: path) > 0 { return }
    }
    throw VideoRefusal.notVideo
  }

  private func input(_ mounts: MediaTools.Mounts) -> [String] {
    ["-nostdin", "-v", "error", "-nostats", "-progress", "pipe:1", "-stats_period", "0.25", "-y"]
      + MediaTools.inputRules(
        decoders: MediaTools.videoDecoders, demuxers: MediaTools.videoDemuxers)
      + ["-threads", "4", "-itsoffset", offset, "-i", "file:" + mounts.inputs[0]]
  }

  private var offset: String {
    Self.offset(leadIn: source.picture.startSeconds - source.probe.startSeconds)
  }

  /// ffmpeg moves the earliest timestamp of a file to 0. If that is the inaudible lead-in of the
  /// sound, the first picture must be at 0 instead. In seconds with six decimals, since ffmpeg
  /// accepts no exponents, which Swift uses for small numbers.
  static func offset(leadIn wait: Double) -> String {
    guard (0...VideoPlan.largestLeadIn).contains(wait) else { return "0" }
    let padded = Int((wait * 1_000_000).rounded()).padded(to: 7)
    return "-" + padded.dropLast(6) + "." + padded.suffix(6)
  }

  /// One picture stream and one sound stream, without metadata about place, time and author.
  private var streams: [String] {
    ["-map", "0:\(source.picture.stream)"]
      + (source.probe.sound.map { ["-map", "0:\($0.stream)"] } ?? [])
      + ["-sn", "-dn", "-map_metadata", "-1", "-map_chapters", "-1"]
  }

  private func pictures(_ plan: VideoPlan) -> [String] {
    guard case .convert(let conversion) = plan else { return ["-c:v", "copy", "-tag:v", "avc1"] }
    var filters: [String] = []
    if conversion.isInterlaced { filters.append("yadif=deint=interlaced") }
    // Starts at time 0, even if the first picture comes later.
    filters.append("fps=\(conversion.rate.text):start_time=0")
    filters.append("scale=\(conversion.width):\(conversion.height),setsar=1")
    if conversion.isHDR {
      filters += [
        "zscale=t=linear:npl=100", "format=gbrpf32le", "zscale=p=bt709",
        "tonemap=hable:desat=0", "zscale=t=bt709:m=bt709:r=tv",
      ]
    }
    filters.append("format=yuv420p")
    // A key frame every half second, so that a seek decodes few pictures.
    let keys = max(1, Int(conversion.rate.value / 2))
    return [
      "-filter_threads", "2", "-vf", filters.joined(separator: ","),
      "-c:v", "libx264", "-preset", "veryfast", "-crf", "21", "-profile:v", "high",
      "-maxrate", "\(Self.largestRate)", "-bufsize", "\(2 * Self.largestRate)",
      "-g", "\(keys)", "-threads", "\(Self.threads)",
    ]
  }

  private func sound(_ plan: VideoPlan) -> [String] {
    switch (source.probe.sound, plan) {
    case (nil, _): ["-an"]
    case (_, .copyPictures(.copied)): ["-c:a", "copy"]
    default:
      // Fills a late start of the sound and its gaps with silence.
      [
        "-af", "aresample=48000:async=1:first_pts=0,aformat=channel_layouts=stereo",
        "-c:a", "aac", "-b:a", "128k",
      ]
    }
  }

  private static let container = ["-movflags", "+faststart", "-f", "mp4"]

  /// Encoding uses all processors, within the limits of the sandbox.
  private static let threads = min(12, max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)) * 3 / 2))

  private func limits(_ plan: VideoPlan, seconds: Double) -> MediaTools.Limits {
    // A slow machine converts one second of the largest pictures in a minute.
    let picture = source.picture
    var limits = MediaTools.Limits(seconds: 300 + Int(seconds * 60), processors: 16)
    limits.memoryBytes = 3 << 30 + picture.width * picture.height * 450
    limits.fileBytes = 64 << 20 + Int(seconds * Double(Self.largestRate) / 4)
    if case .copyPictures = plan { limits.fileBytes += 2 * source.size }
    return limits
  }

  /// Runs ffmpeg and calls `reached` with the position written so far, in seconds. Ends it when it
  /// makes no progress, or when the disk is nearly full.
  private func run(
    _ limits: MediaTools.Limits, isCancelled: () -> Bool, reached: (Double) -> Void,
    arguments: (MediaTools.Mounts) -> [String]
  ) throws {
    var command = tools.command(
      .ffmpeg, inputs: [source.path], output: output, limits: limits, arguments: arguments)
    command.hasOutput = true
    let process = try ChildProcess(command)
    var report = ProgressReport()
    var last = (seconds: -1.0, at: SuspendingClock.now)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 8)
    defer { buffer.deallocate() }
    while case let count = try process.read(into: buffer, isCancelled: isCancelled), count > 0 {
      guard let seconds = report.append(buffer[..<count]) else { continue }
      try folder.requireSpace(for: 0)
      guard seconds <= VideoConverter.longestSeconds + 60 else { throw VideoRefusal.tooLong }
      if seconds > last.seconds {
        last = (seconds, .now)
        reached(seconds)
      } else if SuspendingClock.now - last.at > .seconds(Self.patienceSeconds) {
        throw VideoRefusal.timedOut
      }
    }
    guard try process.finish(isCancelled: isCancelled).isSuccess else {
      throw VideoRefusal.reason(of: process)
    }
  }
}

/// Parses the output of ffmpeg's `-progress`: one value per line.
struct ProgressReport {
  private var line: [UInt8] = []

  /// Appends text and returns the latest position in it, in seconds; nil if it holds none.
  mutating func append(_ text: some Sequence<UInt8>) -> Double? {
    var seconds: Double?
    for byte in text {
      guard byte == UInt8(ascii: "\n") else {
        if line.count < 200 { line.append(byte) }
        continue
      }
      let parts = String(decoding: line, as: UTF8.self).split(separator: "=")
      line.removeAll(keepingCapacity: true)
      guard parts.count == 2, parts[0] == "out_time_us", let microseconds = Int(parts[1]) else {
        continue
      }
      seconds = max(0, Double(microseconds) / 1_000_000)
    }
    return seconds
  }
}
