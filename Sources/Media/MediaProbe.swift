// Runs ffprobe on a file before it is decoded.

import FoundationEssentials

/// The sound of a file, as its container declares it.
struct MediaProbe: Sendable, Equatable {
  var codec: String?
  var channels: Int?
  var sampleRate: Int?
  /// The declared length of the sound; nil if unknown.
  var seconds: Double?
  /// Whether `seconds` is stored in the file, not estimated from its size.
  var isDeclared = false
  var hasAudio = false
  var hasPictures = false

  /// Starts ffprobe on a file.
  static func start(_ path: String, tools: MediaTools, limits: MediaTools.Limits) throws
    -> ChildProcess
  {
    let decoders = MediaTools.audioDecoders + MediaTools.pictureDecoders
    var command = tools.command(.ffprobe, inputs: [path], limits: limits) { mounts in
      ["-v", "warning"] + MediaTools.inputRules(decoders: decoders)
        + [
          "-of", "json", "-show_entries",
          "format=duration:stream=codec_type,codec_name,channels,sample_rate,duration"
            + ":stream_disposition=attached_pic",
          "-i", "file:" + mounts.inputs[0],
        ]
    }
    command.hasOutput = true
    return try ChildProcess(command)
  }

  /// Waits for ffprobe. Returns nil if it could not open the file; the decoder then reports why.
  static func result(of process: ChildProcess, isCancelled: () -> Bool) throws -> MediaProbe? {
    let text = try process.readText(limit: 4 << 20, isCancelled: isCancelled)
    guard try process.finish(isCancelled: isCancelled).isSuccess else { return nil }
    return MediaProbe(json: text, messages: process.messageTail)
  }

  init?(json: [UInt8], messages: String) {
    struct Output: Decodable {
      var streams: [Stream]?
      var format: Format?
    }
    struct Stream: Decodable {
      var codec_type: String?
      var codec_name: String?
      var channels: Int?
      var sample_rate: String?
      var duration: String?
      var disposition: [String: Int]?
    }
    struct Format: Decodable { var duration: String? }

    // The output is invalid JSON only if ffprobe was stopped while writing; nothing is known then.
    guard let output = try? JSONDecoder().decode(Output.self, from: Data(json)) else { return nil }
    let streams = output.streams ?? []
    let pictures = streams.filter {
      $0.codec_type == "video" && $0.disposition?["attached_pic"] != 1
    }
    hasPictures = !pictures.isEmpty
    guard let sound = streams.first(where: { $0.codec_type == "audio" }) else { return }
    hasAudio = true
    codec = sound.codec_name
    channels = sound.channels
    sampleRate = sound.sample_rate.flatMap(Int.init)
    let ofStream = sound.duration.flatMap(Double.init)
    let ofFile = output.format?.duration.flatMap(Double.init)
    seconds = (ofStream ?? ofFile).flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    // In a file with pictures, the total length may differ from the sound's length.
    isDeclared =
      (ofStream != nil || !hasPictures) && seconds != nil
      && !messages.contains("Estimating duration from bitrate")
  }
}
