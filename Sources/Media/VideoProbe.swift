// Runs ffprobe on a video before it is converted.

import FoundationEssentials

/// The pictures and the sound of a file, as its container declares them.
struct VideoProbe: Sendable, Equatable {
  /// The picture stream that is shown.
  struct Picture: Sendable, Equatable {
    var stream: Int
    /// ffprobe's name, for instance "h264".
    var codec: String
    var tag = ""
    var profile = ""
    /// 41 means level 4.1.
    var level = 0
    var pixelFormat = ""
    /// The coded width, before rotation and pixel aspect.
    var width: Int
    var height: Int
    /// The width of a pixel divided by its height.
    var pixelAspect = 1.0
    /// The rotation that makes it upright, in degrees.
    var rotation = 0
    /// The average number of pictures per second, and the lowest constant rate that holds them all;
    /// 0 if unknown.
    var averageRate = Fraction.zero
    var baseRate = Fraction.zero
    var isInterlaced = false
    var isHDR = false
    var startSeconds = 0.0
    /// The number of pictures, if the container stores it.
    var count: Int?
  }

  /// The sound stream that is played.
  struct Sound: Sendable, Equatable {
    var stream: Int
    var codec: String
    var startSeconds = 0.0
  }

  /// A rate as containers store it.
  struct Fraction: Sendable, Equatable {
    var numerator: Int
    var denominator: Int

    static let zero = Fraction(numerator: 0, denominator: 1)

    var value: Double { Double(numerator) / Double(denominator) }
    /// The form that ffmpeg reads.
    var text: String { "\(numerator)/\(denominator)" }
  }

  /// ffprobe's names of the container: "mov,mp4,m4a,3gp,3g2,mj2".
  var container = ""
  /// nil if there are no pictures, or only a cover.
  var picture: Picture?
  /// nil if there is no sound, or none that can be decoded.
  var sound: Sound?
  /// Whether there is any sound stream, decodable or not.
  var hasSound = false
  /// The start of the earliest stream.
  var startSeconds = 0.0
  /// The declared length; nil if unknown.
  var seconds: Double?

  /// Probes a file. Throws a refusal if ffprobe cannot read it.
  static func read(
    _ path: String, tools: MediaTools, limits: MediaTools.Limits, isCancelled: () -> Bool
  ) throws -> VideoProbe {
    let decoders = MediaTools.videoDecoders + MediaTools.besideDecoders
    var command = tools.command(.ffprobe, inputs: [path], limits: limits) { mounts in
      ["-v", "error"]
        + MediaTools.inputRules(decoders: decoders, demuxers: probedContainers)
        + ["-of", "json", "-show_entries", entries, "-i", "file:" + mounts.inputs[0]]
    }
    command.hasOutput = true
    let process = try ChildProcess(command)
    let text = try process.readText(limit: 4 << 20, isCancelled: isCancelled)
    guard try process.finish(isCancelled: isCancelled).isSuccess, let probe = VideoProbe(json: text)
    else {
      throw VideoRefusal.reason(of: process)
    }
    return probe
  }

  /// Video containers, and audio containers, so that the user can be told that the file is audio.
  private static let probedContainers =
    MediaTools.videoDemuxers + MediaTools.demuxers.filter { !MediaTools.videoDemuxers.contains($0) }

  private static let entries =
    "format=format_name,start_time,duration"
    + ":stream=index,codec_type,codec_name,codec_tag_string,profile,level,pix_fmt,width,height"
    + ",sample_aspect_ratio,r_frame_rate,avg_frame_rate,field_order,color_transfer,start_time"
    + ",nb_frames:stream_disposition=attached_pic,default:stream_side_data=rotation"

  init?(json: [UInt8]) {
    // The output is invalid JSON only if ffprobe was stopped while writing; nothing is known then.
    guard let output = try? JSONDecoder().decode(Output.self, from: Data(json)) else { return nil }
    let streams = output.streams ?? []
    container = output.format?.format_name ?? ""
    startSeconds = output.format?.start_time.flatMap(Self.number) ?? 0
    seconds = output.format?.duration.flatMap(Self.number).flatMap { $0 > 0 ? $0 : nil }
    picture =
      streams.lazy.filter { $0.disposition?["attached_pic"] != 1 }
      .compactMap(Self.picture).first
    let sounds = streams.filter { $0.codec_type == "audio" }
    hasSound = !sounds.isEmpty
    let readable = sounds.filter { MediaTools.audioDecoders.contains($0.codec_name ?? "") }
    let heard = readable.first { $0.disposition?["default"] == 1 } ?? readable.first
    sound = heard.map {
      Sound(
        stream: $0.index, codec: $0.codec_name ?? "",
        startSeconds: $0.start_time.flatMap(Self.number) ?? 0)
    }
  }

  private static func picture(_ stream: Output.Stream) -> Picture? {
    guard stream.codec_type == "video", let width = stream.width, let height = stream.height,
      width > 0, height > 0
    else { return nil }
    let aspect = stream.sample_aspect_ratio.flatMap { fraction($0, ":") }?.value ?? 1
    let turns = stream.side_data_list?.compactMap(\.rotation).first ?? 0
    return Picture(
      stream: stream.index, codec: stream.codec_name ?? "unknown",
      tag: stream.codec_tag_string ?? "", profile: stream.profile ?? "", level: stream.level ?? 0,
      pixelFormat: stream.pix_fmt ?? "", width: width, height: height,
      pixelAspect: (0.1...10).contains(aspect) ? aspect : 1, rotation: turns,
      averageRate: stream.avg_frame_rate.flatMap { fraction($0, "/") } ?? .zero,
      baseRate: stream.r_frame_rate.flatMap { fraction($0, "/") } ?? .zero,
      isInterlaced: ["tt", "bb", "tb", "bt"].contains(stream.field_order ?? ""),
      isHDR: ["smpte2084", "arib-std-b67"].contains(stream.color_transfer ?? ""),
      startSeconds: stream.start_time.flatMap(number) ?? 0,
      count: stream.nb_frames.flatMap(Int.init))
  }

  private static func number(_ text: String) -> Double? {
    Double(text).flatMap { $0.isFinite && abs($0) < 1e9 ? $0 : nil }
  }

  private static func fraction(_ text: String, _ separator: Character) -> Fraction? {
    let parts = text.split(separator: separator).compactMap { Int($0) }
    guard parts.count == 2, parts[0] > 0, parts[1] > 0 else { return nil }
    return Fraction(numerator: parts[0], denominator: parts[1])
  }

  private struct Output: Decodable {
    struct Stream: Decodable {
      var index: Int
      var codec_type: String?
      var codec_name: String?
      var codec_tag_string: String?
      var profile: String?
      var level: Int?
      var pix_fmt: String?
      var width: Int?
      var height: Int?
      var sample_aspect_ratio: String?
      var r_frame_rate: String?
      var avg_frame_rate: String?
      var field_order: String?
      var color_transfer: String?
      var start_time: String?
      var nb_frames: String?
      var disposition: [String: Int]?
      var side_data_list: [SideData]?
    }
    struct SideData: Decodable { var rotation: Int? }
    struct Format: Decodable {
      var format_name: String?
      var start_time: String?
      var duration: String?
    }
    var streams: [Stream]?
    var format: Format?
  }
}
