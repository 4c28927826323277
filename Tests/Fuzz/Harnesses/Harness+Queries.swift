// The queries that name a stretch of a track.

import TestSupport

@testable import HTTP
@testable import Server

extension Harness {
  /// A line with the length of a track, then the query.
  static let stretch = Harness(
    "stretch", "a stretch that is taken lies on its track, and its fades inside of it",
    texts: [
      "96000\nstart=48000&end=96000&format=flac&fadeIn=100&fadeOut=47900",
      "96000\nframesPerPixel=64&start=0&end=96000", "1\nframesPerPixel=1048576&end=1048576",
      "2073600000\nframesPerPixel=1&start=2073000000", "5\nframesPerPixel=256&fadeIn=5",
      "9\nfadeIn=5&fadeOut=4",
    ],
    words: [
      "start=", "end=", "&", "framesPerPixel=", "fadeIn=", "fadeOut=", "format=", "opus", "-1",
      "9223372036854775807", "-9223372036854775808", "1048576",
    ]
  ) {
    { bytes in
      let lines = bytes.lines(2)
      guard let length = Int(lines[0]), (0...2_073_600_000).contains(length),
        let target = try? RequestTarget("/?" + lines[1])
      else { return }
      var request = Request(.get, "/")
      request.query = target.query
      if let clip = try? ClipRequest(request, lengthFrames: length) {
        try holds(
          clip.range.lowerBound >= 0 && !clip.range.isEmpty && clip.range.upperBound <= length,
          "\(clip.range) of \(length) frames")
        try holds(
          clip.fadeInFrames >= 0 && clip.fadeOutFrames >= 0
            && clip.fadeInFrames + clip.fadeOutFrames <= clip.range.count, "the fades overlap")
        try holds(!clip.fileName(title: "Swan").contains(":"), "the name leads elsewhere")
      }
      guard let peaks = try? PeaksRequest(request, lengthFrames: length) else { return }
      try holds((1...1_048_576).contains(peaks.framesPerPixel), "\(peaks.framesPerPixel)")
      let frames = peaks.frames
      try holds(
        peaks.framesPerPixel >= 64 || frames.count / peaks.framesPerPixel <= 65_536,
        "\(frames) are too many pairs")
      try holds(
        frames.lowerBound >= 0 && !frames.isEmpty
          && frames.upperBound < length + peaks.framesPerPixel
          && frames.lowerBound.isMultiple(of: peaks.framesPerPixel)
          && frames.upperBound.isMultiple(of: peaks.framesPerPixel),
        "\(frames) of \(length) frames")
    }
  }
}
