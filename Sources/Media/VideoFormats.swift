// What is read of videos: phones, cameras, screen recorders and the internet.

extension MediaTools {
  /// The containers of videos: MP4, MOV and 3GP, Matroska and WebM, AVI, the streams of camcorders,
  /// Ogg.
  static let videoDemuxers = ["mov", "matroska", "avi", "mpegts", "mpeg", "ogg"]

  /// The codecs of pictures that are read, as ffprobe calls them.
  static let pictureCodecs: Set = [
    "h264", "hevc", "vp8", "vp9", "av1", "mpeg4", "h263", "mjpeg", "prores", "theora", "mpeg2video",
    "mpeg1video",
  ]

  /// The decoders for them, and for the sound beside them. AV1 is read by dav1d alone.
  static let videoDecoders =
    pictureCodecs.subtracting(["av1"]).sorted() + ["libdav1d"] + audioDecoders

  /// What ffprobe opens besides: a cover, which is no picture of a video, and subtitles.
  static let besideDecoders = [
    "png", "bmp", "gif", "srt", "subrip", "ass", "ssa", "mov_text", "webvtt", "text", "dvdsub",
    "pgssub", "dvbsub",
  ]
}
