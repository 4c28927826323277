// The query of GET /api/tracks/{id}/peaks.

import HTTP
import Media

/// A resolution, and the requested range of a track.
struct PeaksRequest {
  /// The maximum number of pairs in one response at a resolution finer than the stored one.
  static let finePairLimit = 65_536

  let framesPerPixel: Int
  /// The range; its borders are multiples of `framesPerPixel`.
  let frames: Range<Int>

  static let parameters = [
    ParameterDoc(
      "framesPerPixel", schema: ["type": "integer", "minimum": 1, "maximum": 1_048_576],
      description: "Frames in one pair of minimum and maximum", required: true),
    ParameterDoc(
      "start", schema: ["type": "integer", "minimum": 0],
      description: "First frame, a multiple of framesPerPixel; default 0"),
    ParameterDoc(
      "end", schema: ["type": "integer", "minimum": 1],
      description: """
        Frame after the last, a multiple of framesPerPixel, at most the track's length rounded up \
        to one; default the track's end
        """),
    CacheControl.versionParameter,
  ]

  /// Reads the query.
  init(_ request: Request, lengthFrames: Int) throws(HTTPError) {
    let query = request.query
    let framesPerPixel = try query.requiredInteger("framesPerPixel")
    guard (1...1_048_576).contains(framesPerPixel) else {
      throw .badRequest("framesPerPixel must lie between 1 and 1048576.")
    }
    self.framesPerPixel = framesPerPixel
    let limit = (lengthFrames + framesPerPixel - 1) / framesPerPixel * framesPerPixel
    let (first, last) = (try query.integer("start") ?? 0, try query.integer("end") ?? limit)
    guard first.isMultiple(of: framesPerPixel), last.isMultiple(of: framesPerPixel) else {
      throw .badRequest("start and end must be multiples of framesPerPixel, \(framesPerPixel).")
    }
    guard first >= 0, first < last, last <= limit else {
      throw .badRequest("start and end must be frames with 0 ≤ start < end ≤ \(limit).")
    }
    let pairs = (last - first) / framesPerPixel
    guard framesPerPixel >= TrackImporter.peaksFramesPerPixel || pairs <= Self.finePairLimit else {
      throw .badRequest(
        "Below 64 frames per pixel one answer holds at most \(Self.finePairLimit) pairs, not "
          + "\(pairs). Ask for shorter stretches.")
    }
    frames = first..<last
  }

  /// A tag that is unique to this range and resolution of the track.
  func etag(track: String, version: Int) -> String {
    "\(track)-\(version)-\(framesPerPixel)-\(frames.lowerBound)-\(frames.upperBound)"
  }
}
