// Conversion of real videos with real ffmpeg: playable results and rejections.

import Model
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Media

@Suite(.serialized)
struct VideoConverterTests {
  private func convert(_ name: String, in workshop: Workshop) throws -> ConvertedVideo {
    try VideoConverter(tools: workshop.tools, folder: workshop.folder).convert(
      blob: VideoFixtures.path(name), into: workshop.folder.derived("film"))
  }

  /// The played file of a fixture, as ffprobe reports it.
  private func played(_ name: String, _ video: ConvertedVideo, in workshop: Workshop) throws
    -> VideoProbe
  {
    let path =
      try video.playsOriginal ? VideoFixtures.path(name) : workshop.folder.video("film")
    return try VideoProbe.read(
      path, tools: workshop.tools, limits: .init(seconds: Patience.seconds), isCancelled: { false })
  }

  static let untouched = ["plays-everywhere.mp4", "silent.mp4", "portrait.mp4"]

  /// ffmpeg rejects `-6.6e-05`, and then the video fails.
  @Test(arguments: [
    (0.000066, "-0.000066"), (0.021, "-0.021000"), (0, "-0.000000"), (0.0000001, "-0.000000"),
    (-1, "0"), (.infinity, "0"), (.nan, "0"),
  ])
  func `an encoder delay is written in the form that ffmpeg reads`(leadIn: Double, text: String) {
    #expect(VideoEncoder.offset(leadIn: leadIn) == text)
  }

  @Test(arguments: untouched)
  func `a video that every browser plays is not converted`(name: String) throws {
    let workshop = try Workshop()
    let video = try convert(name, in: workshop)
    #expect(video.playsOriginal)
    #expect(video.lengthFrames == 96_000)
    #expect(video.framesPerSecond == 15)
    #expect(video.hasSound == (name != "silent.mp4"))
    #expect(video.width == (name == "portrait.mp4" ? 90 : 160))
    #expect(try Files.names(in: workshop.folder.derived("film")) == ["poster.jpg"])
    #expect(try Files.names(in: workshop.folder.tmp).isEmpty)
  }

  static let copied = [
    "index-at-the-end.mp4", "camera.mov", "camera.mkv", "pcm-sound.mov", "opus-sound.mkv",
    "fragmented.mp4", "subtitles.mkv", "subtitles.mp4", "place-in-udta.mov", "place-in-keys.mov",
    "late-sound.mp4", "late-sound.mkv",
  ]

  @Test(arguments: copied)
  func `pictures are not encoded again if only the container or the sound is unsupported`(
    name: String
  ) throws {
    let workshop = try Workshop()
    let video = try convert(name, in: workshop)
    #expect(!video.playsOriginal && video.hasSound)
    #expect((95_000...98_000).contains(video.lengthFrames), "\(video.lengthFrames)")
    let result = workshop.folder.video("film")
    #expect(try pictures(of: result) == pictures(of: VideoFixtures.path(name)))
    try expectPlayableEverywhere(result, workshop)
  }

  static let converted = [
    "hevc.mov", "hdr-hlg.mov", "ten-bit.mp4", "444.mp4", "vp8.webm", "vp9.webm", "av1.mp4",
    "mpeg4.avi", "mjpeg.avi", "h263.3gp", "prores.mov", "theora.ogv", "camcorder.mpg",
    "video-cd.mpg", "camcorder.mts", "odd-size.mp4", "wide-pixels.mp4", "120-pictures.mp4",
    "interlaced.mp4",
    "turned-90.mp4", "turned-180.mov", "uneven.mp4", "late-picture.mp4", "trimmed.mp4",
    "four-to-three-large.mp4",
  ]

  @Test(arguments: converted)
  func `videos of phones and cameras become videos that every browser plays`(
    name: String
  ) throws {
    let workshop = try Workshop()
    let video = try convert(name, in: workshop)
    #expect(!video.playsOriginal)
    try expectPlayableEverywhere(workshop.folder.video("film"), workshop)
    #expect(try Files.names(in: workshop.folder.tmp).isEmpty)
  }

  /// Expects that the plan would leave the file unchanged, and that ffmpeg finds keyframes close
  /// together.
  private func expectPlayableEverywhere(_ path: String, _ workshop: Workshop) throws {
    let source = try VideoSource(path, tools: workshop.tools, isCancelled: { false })
    #expect(VideoPlan(source.probe, source.picture, layout: source.layout) == .asItIs)
    #expect(source.probe.sound.map { $0.codec == "aac" } ?? true)
    let poster = try ffmpeg("-i", workshop.folder.poster(video: "film"), "-f", "null", "-").messages
    #expect(poster.contains("mjpeg"))
  }

  /// The hash of a file's pictures, decoded by a plain ffmpeg.
  private func pictures(of path: String) throws -> [UInt8] {
    try ffmpeg(
      "-v", "error", "-i", path, "-map", "0:v", "-f", "rawvideo", "-c:v", "copy", "-bsf:v",
      "h264_mp4toannexb,filter_units=remove_types=6-9", "-"
    ).output
  }

  static let shapes: [(name: String, width: Int, height: Int, rate: Double)] = [
    ("odd-size.mp4", 160, 120, 15), ("wide-pixels.mp4", 192, 120, 15),
    ("four-to-three-large.mp4", 1440, 1080, 15), ("turned-90.mp4", 120, 160, 15),
    ("turned-180.mov", 160, 120, 15), ("120-pictures.mp4", 160, 120, 60),
    ("uneven.mp4", 160, 120, 15), ("camcorder.mpg", 160, 120, 25),
  ]

  @Test(arguments: shapes)
  func `a picture keeps its aspect ratio, upright, with square pixels and a constant rate`(
    name: String, width: Int, height: Int, rate: Double
  ) throws {
    let workshop = try Workshop()
    let video = try convert(name, in: workshop)
    #expect(video.width == width && video.height == height, "\(video)")
    #expect(video.framesPerSecond == rate)
    let picture = try #require(try played(name, video, in: workshop).picture)
    #expect(picture.pixelAspect == 1 && picture.rotation == 0)
  }

  /// Files with a clap after one second, with the times at which a plain ffmpeg sees and hears it,
  /// from the first picture. Opus in Matroska and AVI as written here have an offset of their own.
  static let claps: [(name: String, seen: Double, heard: Double)] = [
    ("clap.mp4", 1, 1), ("clap.mkv", 1, 1), ("clap-opus.mkv", 1, 0.993), ("clap.webm", 1, 1),
    ("clap-hevc.mov", 1, 1), ("clap.avi", 1.067, 1.023), ("clap.mts", 1, 1), ("clap.ogv", 1, 1),
  ]

  @Test(arguments: claps)
  func `pictures and sound stay together, and time 0 stays time 0`(
    name: String, seen: Double, heard: Double
  ) throws {
    let workshop = try Workshop()
    let video = try convert(name, in: workshop)
    let path = try video.playsOriginal ? VideoFixtures.path(name) : workshop.folder.video("film")
    let white = try firstWhite(path)
    #expect(abs(white - seen) < 0.001, "\(white)")
    // Audio encoders shift the start of a tone a little.
    let onset = try firstSound(path)
    #expect(abs(onset - heard) < 0.002, "\(onset)")
  }

  @Test(arguments: ["late-sound.mp4", "late-sound.mkv"])
  func `sound that begins after the pictures keeps its delay`(
    name: String
  ) throws {
    let workshop = try Workshop()
    _ = try convert(name, in: workshop)
    let onset = try firstSound(workshop.folder.video("film"))
    #expect(abs(onset - 0.5) < 0.005, "\(onset)")
    // Counting samples without timestamps gives the same result.
    let counted = try samples(
      ffmpeg("-v", "error", "-i", workshop.folder.video("film"), "-ac", "2", "-f", "s16le", "-")
        .output)
    let first = try #require(counted.firstIndex { abs(Int($0)) > 1_000 })
    #expect(abs(Double(first) / 96_000 - onset) < 0.001)
  }

  @Test func `an implausible frame rate is ignored`() throws {
    let workshop = try Workshop()
    let video = try convert("absurd-rate.mkv", in: workshop)
    #expect(!video.playsOriginal && video.hasSound)
    #expect(video.framesPerSecond == 0)
    let field = try #require(RecordType.video.field("framesPerSecond"))
    #expect(field.problem(with: .number(video.framesPerSecond)) == nil)
  }

  @Test func `pictures that begin late are preceded by the first one`() throws {
    let workshop = try Workshop()
    let video = try convert("late-picture.mp4", in: workshop)
    #expect(abs(try firstSound(workshop.folder.video("film"))) < 0.005)
    #expect(abs(video.lengthFrames - 99_200) < 100, "\(video.lengthFrames)")
    let picture = try #require(try played("late-picture.mp4", video, in: workshop).picture)
    #expect(picture.startSeconds == 0)
    #expect(picture.count == 31)
  }

  @Test func `parts that were trimmed on the phone stay hidden`() throws {
    let workshop = try Workshop()
    let video = try convert("trimmed.mp4", in: workshop)
    #expect(abs(video.lengthFrames - 48_000) < 3_200, "\(video.lengthFrames)")
  }

  @Test(arguments: ["place-in-udta.mov", "place-in-keys.mov", "hevc.mov"])
  func `metadata about location and owner is removed`(name: String) throws {
    let workshop = try Workshop()
    _ = try convert(name, in: workshop)
    func words(_ path: String) throws -> String {
      String(decoding: try Files.read(path), as: UTF8.self)
    }
    #expect(try words(VideoFixtures.path(name)).contains("+48.2082"), "the counter-proof")
    for file in [workshop.folder.video("film"), workshop.folder.poster(video: "film")] {
      let text = try words(file)
      for trace in ["+48.2", "The Owner", "com.apple", "location"] {
        #expect(!text.contains(trace))
      }
    }
  }

  @Test func `an encoded video has a key frame every half second`() throws {
    let workshop = try Workshop()
    _ = try convert("120-pictures.mp4", in: workshop)
    let report = try ffmpeg(
      "-skip_frame", "nokey", "-i", workshop.folder.video("film"), "-vf", "showinfo", "-f", "null",
      "-"
    ).messages
    let times = report.split(separator: "\n").compactMap { line in
      line.split(separator: " ").first { $0.hasPrefix("pts_time:") }.flatMap {
        Double($0.dropFirst("pts_time:".count))
      }
    }
    #expect(times == [0, 0.5], "\(times)")
  }

  @Test func `a poster is at most 640 pixels wide`() throws {
    let workshop = try Workshop()
    _ = try convert("four-to-three-large.mp4", in: workshop)
    let report = try ffmpeg("-i", workshop.folder.poster(video: "film"), "-f", "null", "-").messages
    #expect(report.contains("640x480"))
  }

  @Test func `HDR brightness is mapped to SDR`() throws {
    let workshop = try Workshop()
    let video = try convert("hdr-hlg.mov", in: workshop)
    let picture = try #require(try played("hdr-hlg.mov", video, in: workshop).picture)
    #expect(!picture.isHDR && picture.pixelFormat == "yuv420p")
  }

  @Test func `a conversion works without the sandbox if the owner chose so`() throws {
    let workshop = try Workshop(sandbox: .none)
    #expect(try convert("vp9.webm", in: workshop).width == 160)
  }

  /// The time of the first white picture, in seconds, as a player shows it.
  private func firstWhite(_ path: String) throws -> Double {
    let report = try ffmpeg(
      "-i", path, "-vf", "blackdetect=d=0:pix_th=0.5", "-an", "-f", "null", "-"
    ).messages
    let end = try #require(report.split(separator: " ").first { $0.hasPrefix("black_end:") })
    return try #require(Double(end.dropFirst("black_end:".count)))
  }

  /// The time of the first loud sample, in seconds, as a player plays it.
  private func firstSound(_ path: String) throws -> Double {
    let heard = samples(
      try ffmpeg(
        "-v", "error", "-i", path, "-af", "aresample=48000:async=1:first_pts=0", "-ac", "1",
        "-f", "s16le", "-"
      ).output)
    return Double(try #require(heard.firstIndex { abs(Int($0)) > 1_000 })) / 48_000
  }
}
