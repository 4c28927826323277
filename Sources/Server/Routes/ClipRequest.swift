// The query of GET /api/tracks/{id}/audio.

import HTTP
import Media
import Model

/// A range of a track, the requested format, and the fades.
struct ClipRequest {
  /// A half-open range of the track's frames.
  let range: Range<Int>
  let format: ClipFormat
  let fadeInFrames: Int
  let fadeOutFrames: Int

  static let parameters = [
    ParameterDoc(
      "start", schema: ["type": "integer", "minimum": 0], description: "First frame; default 0"),
    ParameterDoc(
      "end", schema: ["type": "integer", "minimum": 1],
      description: "Frame after the last; default the track's length"),
    ParameterDoc(
      "format", schema: ["type": "string", "enum": ["wav", "flac", "mp3", "m4a", "opus"]],
      description: "Default wav"),
    ParameterDoc("fadeIn", schema: ["type": "integer", "minimum": 0], description: "Frames"),
    ParameterDoc("fadeOut", schema: ["type": "integer", "minimum": 0], description: "Frames"),
  ]

  /// Reads the query.
  init(_ request: Request, lengthFrames: Int) throws(HTTPError) {
    let query = request.query
    let start = try query.integer("start") ?? 0
    let end = try query.integer("end") ?? lengthFrames
    guard start >= 0, start < end, end <= lengthFrames else {
      throw .badRequest(
        "start and end must be frames with 0 ≤ start < end ≤ \(lengthFrames).")
    }
    guard let format = ClipFormat(rawValue: query["format"] ?? "wav") else {
      throw .badRequest("format must be one of wav, flac, mp3, m4a, opus.")
    }
    range = start..<end
    self.format = format
    fadeInFrames = try query.integer("fadeIn") ?? 0
    fadeOutFrames = try query.integer("fadeOut") ?? 0
    guard fadeInFrames >= 0, fadeOutFrames >= 0, fadeInFrames <= end - start,
      fadeOutFrames <= end - start - fadeInFrames
    else { throw .badRequest("The fades must fit into the clip.") }
  }

  /// The suggested file name: the track's title and the clip's times.
  func fileName(title: String) -> String {
    let times = [range.lowerBound, range.upperBound].map {
      Timeline.text(frame: $0).replacing(":", with: ".")
    }
    return "\(title) \(times[0])–\(times[1]).\(format.rawValue)"
  }
}
