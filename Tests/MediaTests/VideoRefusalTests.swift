// Rejected videos: each has its message, and leaves no files.

import Storage
import Synchronization
import TestSupport
import Testing

@testable import Media

#if canImport(Glibc)
  import Glibc
#endif

@Suite(.serialized)
struct VideoRefusalTests {
  static let refused: [(name: String, code: MediaError.Code)] = [
    ("sound-only.m4a", .noPicture), ("sound-only.mp3", .noPicture), ("sound-only.webm", .noPicture),
    ("cover-only.m4a", .noPicture), ("picture.jpg", .stillPicture), ("picture.png", .stillPicture),
    ("one-picture.mp4", .stillPicture), ("zero-bytes.mp4", .empty),
    ("index-missing.mp4", .truncated), ("end-missing.mp4", .truncated),
    ("end-missing.webm", .truncated), ("end-missing.avi", .truncated), ("letter.mp4", .notVideo),
    ("noise.mp4", .notVideo), ("playlist-hls.mp4", .notVideo), ("playlist-concat.mp4", .notVideo),
    ("too-wide.mp4", .pictureTooLarge), ("longer-than-four-hours.mp4", .tooLong),
    ("unknown-codec.mkv", .notVideo),
  ]

  @Test(arguments: refused)
  func `a file that is no video is refused and leaves no files`(
    name: String, code: MediaError.Code
  ) throws {
    let workshop = try Workshop()
    let converter = VideoConverter(tools: workshop.tools, folder: workshop.folder)
    do {
      let video = try converter.convert(
        blob: VideoFixtures.path(name), into: workshop.folder.derived("film"))
      Issue.record("\(name) became \(video)")
    } catch let error as MediaError {
      #expect(error.code == code, "\(error)")
      #expect(error.message.hasSuffix("."))
      #expect(!error.message.contains("ffmpeg"))
    }
    #expect(try workshop.leftovers().isEmpty)
  }

  @Test func `an unsupported codec is named`() throws {
    let workshop = try Workshop()
    do {
      _ = try VideoSource(
        VideoFixtures.path("unknown-codec.mkv"), tools: workshop.tools, isCancelled: { false })
      Issue.record("it was accepted")
    } catch let error as MediaError {
      #expect(error.message.contains("ffv1"))
    }
  }

  @Test func `a playlist is refused without the sandbox too`() throws {
    let workshop = try Workshop(sandbox: .none)
    for name in ["playlist-hls.mp4", "playlist-concat.mp4"] {
      let refusal = code {
        _ = try VideoSource(
          VideoFixtures.path(name), tools: workshop.tools, isCancelled: { false })
      }
      #expect(refusal == .notVideo)
    }
  }

  @Test func `a conversion cancelled half-way leaves nothing`() throws {
    let workshop = try Workshop()
    let reached = Mutex(0.0)
    let refusal = code {
      _ = try VideoConverter(tools: workshop.tools, folder: workshop.folder).convert(
        blob: VideoFixtures.path("four-to-three-large.mp4"),
        into: workshop.folder.derived("film"),
        progress: { value in reached.withLock { $0 = value } },
        isCancelled: { reached.withLock { $0 } > 0 })
    }
    #expect(refusal == .cancelled)
    #expect(reached.withLock { $0 } < 1)
    #expect(try workshop.leftovers().isEmpty)
  }

  @Test(
    arguments: [
      ("camera.mov", "video.mp4", .toolFailed), ("camera.mov", "poster.jpg", .toolFailed),
      ("plays-everywhere.mp4", "poster.jpg", .notVideo),
    ] as [(String, String, MediaError.Code)], [true, false])
  func `an incomplete output is not blamed on the video even if ffmpeg reports success`(
    written file: (video: String, name: String, code: MediaError.Code), isDiskFull: Bool
  ) throws {
    let workshop = try Workshop()
    let programs = workshop.folder.root + "/programs"
    try Files.makeFolder(programs)
    let marker = programs + "/written"
    try Files.writeNew(
      programs + "/ffmpeg",
      Array(
        """
        #!/bin/sh
        /usr/bin/ffmpeg "$@" || exit
        for last; do :; done
        case $last in */\(file.name)) : > '\(marker)'; : > "${last#file:}" ;; esac
        """.utf8))
    #expect(chmod(programs + "/ffmpeg", 0o755) == 0)
    // Another process takes the last space while the end is written.
    var folder = workshop.folder
    folder.measure = { _ in (isDiskFull && Files.exists(marker) ? 0 : 1 << 40, 1 << 40) }
    let converter = VideoConverter(
      tools: try MediaTools.locate(sandbox: .none, in: [programs, "/usr/bin"]), folder: folder)
    func convert() throws {
      _ = try converter.convert(
        blob: VideoFixtures.path(file.video), into: workshop.folder.derived("film"))
    }
    if isDiskFull {
      #expect(storageCode { try convert() } == .noSpace)
    } else {
      #expect(code { try convert() } == file.code)
    }
    #expect(try workshop.leftovers().isEmpty)
  }

  @Test func `converting again replaces the earlier files`() throws {
    let workshop = try Workshop()
    let converter = VideoConverter(tools: workshop.tools, folder: workshop.folder)
    for name in ["vp8.webm", "plays-everywhere.mp4"] {
      _ = try converter.convert(
        blob: VideoFixtures.path(name), into: workshop.folder.derived("film"))
    }
    #expect(try Files.names(in: workshop.folder.derived("film")) == ["poster.jpg"])
    #expect(try Files.names(in: workshop.folder.tmp).isEmpty)
  }

  @Test func `the played file is synced before its folder is renamed`() throws {
    let workshop = try Workshop()
    let journal = Mutex<[String]>([])
    _ = try FileJournal.$note.withValue({ call, path in
      journal.withLock { $0.append(call + " " + (path.split(separator: "/").last ?? "")) }
    }) {
      try VideoConverter(tools: workshop.tools, folder: workshop.folder).convert(
        blob: VideoFixtures.path("camera.mov"), into: workshop.folder.derived("film"))
    }
    let calls = journal.withLock { $0 }
    let named = try #require(calls.firstIndex(of: "rename film"))
    for call in ["fsync video.mp4", "fsync poster.jpg", "fsync ready"] {
      #expect(try #require(calls.firstIndex(of: call)) < named)
    }
    #expect(try #require(calls.firstIndex(of: "fsync derived")) > named)
  }
}
