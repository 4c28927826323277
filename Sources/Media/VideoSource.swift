// An uploaded file with moving pictures, probed for conversion.

import Storage

#if canImport(Glibc)
  import Glibc
#endif

/// A file that can become a video.
struct VideoSource {
  let path: String
  let size: Int
  let probe: VideoProbe
  let picture: VideoProbe.Picture
  /// nil unless the file is MP4 or MOV.
  let layout: MP4Layout?

  /// Probes the file at `path`. Throws a refusal if it cannot become a video.
  init(_ path: String, tools: MediaTools, isCancelled: () -> Bool) throws {
    self.path = path
    size = try Files.size(of: path)
    guard size > 0 else { throw VideoRefusal.empty }
    let start = try OpenFile(path, O_RDONLY).read(at: 0, count: min(16, size))
    guard !VideoRefusal.isStillPicture(start) else { throw VideoRefusal.stillPicture }
    let limits = MediaTools.Limits(
      seconds: 120 + size / 20_000_000, processors: 4, memoryBytes: 4 << 30)
    probe = try VideoProbe.read(path, tools: tools, limits: limits, isCancelled: isCancelled)
    guard let picture = probe.picture else {
      throw probe.hasSound ? VideoRefusal.soundOnly : VideoRefusal.notVideo
    }
    self.picture = picture
    layout = try MP4Layout(path: path)
    try requireConvertible()
  }

  private func requireConvertible() throws {
    guard MediaTools.pictureCodecs.contains(picture.codec) else {
      throw VideoRefusal.unknownCodec(picture.codec)
    }
    guard max(picture.width, picture.height) <= VideoPlan.largestSide else {
      throw VideoRefusal.pictureTooLarge
    }
    if picture.count == 1 { throw VideoRefusal.stillPicture }
    if let seconds = probe.seconds, seconds > VideoConverter.longestSeconds {
      throw VideoRefusal.tooLong
    }
    let missing = try ContainerLength.missingShare(of: path) ?? 0
    guard layout?.isWhole != false, missing <= 0.01 else { throw VideoRefusal.truncated }
  }
}
