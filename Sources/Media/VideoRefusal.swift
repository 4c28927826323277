// Messages for the user about files that cannot become a video.

import Storage

/// The errors of a conversion.
enum VideoRefusal {
  static let notVideo = MediaError(
    .notVideo, "This is not a video that Segmance can read. Try an MP4 or MOV file.")
  static let soundOnly = MediaError(
    .noPicture,
    "There is sound in this file, but no picture. Choose a video, or add this file as a song.")
  static let stillPicture = MediaError(
    .stillPicture, "This file holds a single picture that does not move. Choose a video.")
  static let truncated = MediaError(
    .truncated,
    "The end of this video is missing. Copy or download it again, then add it once more.")
  static let empty = MediaError(
    .empty, "There is nothing in this file. Copy or download it again, then add it once more.")
  static let tooLong = MediaError(
    .tooLong, "This video is longer than 4 hours. Cut it into shorter videos first.")
  static let pictureTooLarge = MediaError(
    .pictureTooLarge,
    "The picture of this video is larger than 8192 pixels. Export it in a smaller size first.")
  static let timedOut = MediaError(
    .timedOut,
    "Converting this video took far too long. Export it as MP4 with H.264, then add that file.")

  /// The codec cannot be decoded here.
  static func unknownCodec(_ name: String) -> MediaError {
    MediaError(
      .notVideo,
      "Segmance can't read what is in this video (\(name)). Export it as MP4 with H.264, "
        + "then add that file.")
  }

  /// Returns why ffmpeg or ffprobe failed, from its messages.
  static func reason(of process: ChildProcess) -> any Error {
    if let interruption = MediaError.interruption(of: process) { return interruption }
    let messages = process.messageTail
    let known: [(String, MediaError)] = [
      ("moov atom not found", truncated)
    ]
    let cause = process.report
    if process.ranOutOfTime {
      return MediaError(.timedOut, timedOut.message, cause: cause)
    }
    if let full = StorageError.noSpace(for: process) { return full }
    // "Codec (ffv1) not on whitelist": the text comes from ffmpeg, not from the file.
    if let start = messages.firstRange(of: "Codec ("),
      messages[start.upperBound...].contains(") not on whitelist")
    {
      let name = messages[start.upperBound...].prefix { $0 != ")" }
      return MediaError(.notVideo, unknownCodec(String(name.prefix(40))).message, cause: cause)
    }
    let refusal = known.first { messages.contains($0.0) }?.1 ?? notVideo
    return MediaError(refusal.code, refusal.message, cause: cause)
  }

  /// Whether a file begins like a still image from a phone or a camera.
  static func isStillPicture(_ start: [UInt8]) -> Bool {
    let text = { (range: Range<Int>) in
      String(decoding: start.dropFirst(range.lowerBound).prefix(range.count), as: UTF8.self)
    }
    if start.starts(with: [0xff, 0xd8, 0xff]) || start.starts(with: [0x89, 0x50, 0x4e, 0x47]) {
      return true
    }
    if ["II*\0", "MM\0*"].contains(text(0..<4)) { return true }
    if text(0..<4) == "RIFF" && text(8..<12) == "WEBP" { return true }
    let brands = ["heic", "heix", "heim", "heis", "mif1", "avif"]
    return text(4..<8) == "ftyp" && brands.contains(text(8..<12))
  }
}
