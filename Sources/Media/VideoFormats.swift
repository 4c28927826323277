// The video formats that are read: those of phones, cameras, screen recorders and the web.

extension MediaTools {
  /// The container formats: MP4, MOV and 3GP, Matroska and WebM, AVI, camcorder streams, Ogg.
  static let videoDemuxers = ["mov", "matroska", "avi", "mpegts", "mpeg", "ogg"]

  /// The accepted picture codecs, by ffprobe's names.
  static let pictureCodecs: Set = [
    "h264", "hevc", "vp8", "vp9", "av1", "mpeg4", "h263", "mjpeg", "prores", "theora", "mpeg2video",
    "mpeg1video",
  ]

  /// The decoders for these codecs and for sound. Only dav1d decodes AV1.
  static let videoDecoders =
    pictureCodecs.subtracting(["av1"]).sorted() + ["libdav1d"] + audioDecoders

  /// Further decoders that ffprobe opens: covers, which are no video pictures, and subtitles.
  static let besideDecoders = [
    "png", "bmp", "gif", "srt", "subrip", "ass", "ssa", "mov_text", "webvtt", "text", "dvdsub",
    "pgssub", "dvbsub",
  ]
}
