// Clips for other programs.

import Storage
import Synchronization
import Testing

@testable import Media

#if canImport(Glibc)
  import Glibc
#endif

@Suite(.serialized)
struct ClipRendererTests {
  @Test func `WAV and FLAC hold exactly the frames of the clip`() throws {
    let workshop = try Workshop()
    let track = try workshop.importSong("two-chunks.wav")
    let whole = try witness(Fixtures.path("two-chunks.wav"))
    for format in [ClipFormat.wav, .flac] {
      for (start, end) in [(0, 1), (123, 4_567), (479_000, 481_000), (480_000, 960_000)] {
        let path = try render(workshop, track, start, end, format)
        #expect(try witness(path) == Array(whole[start * 2..<end * 2]), "\(format) \(start)")
      }
    }
    #expect(try Files.names(in: workshop.folder.tmp).allSatisfy { $0.hasPrefix("result") })
  }

  @Test(arguments: [ClipFormat.mp3, .m4a, .opus])
  func `compressed formats hold the clip with their usual padding at most`(format: ClipFormat)
    throws
  {
    let workshop = try Workshop()
    let track = try workshop.importSong("two-chunks.wav")
    let path = try render(workshop, track, 100_000, 196_000, format)
    let decoded = try witness(path)
    // A frame of AAC or MP3 is about a thousand samples long; players that know the header cut it.
    #expect(abs(decoded.count / 2 - 96_000) <= 2_048, "\(decoded.count / 2)")
    #expect((decoded.max() ?? 0) > 2_500)
  }

  @Test func `fades are straight lines to silence`() throws {
    let workshop = try Workshop()
    let track = try workshop.importSong("two-chunks.wav")
    let plain = try witness(render(workshop, track, 1_000, 11_000, .wav))
    let path = workshop.folder.temporaryPath("result")
    try workshop.renderer.render(
      clip(workshop, track, 1_000..<11_000),
      ClipStyle(.wav, fadeInFrames: 1_000, fadeOutFrames: 2_000), to: path)
    let faded = try witness(path)
    #expect(faded.count == plain.count)
    #expect(faded[0] == 0 && faded[faded.count - 1] == 0)
    #expect(faded[2_000..<16_000] == plain[2_000..<16_000])
    // Half-way through the fade, the level is half; rounding adds half a step.
    #expect(abs(Int(faded[1_000]) * 2 - Int(plain[1_000])) <= 1)
    #expect(abs(Int(faded[18_000]) * 2 - Int(plain[18_000])) <= 4)
  }

  @Test func `a fade longer than the clip covers all of it`() throws {
    var fade = Fade(frameCount: 4, fadeInFrames: 100, fadeOutFrames: 0)
    var result: [Int16] = []
    try [Int16](repeating: 1_000, count: 8).withUnsafeBufferPointer {
      try fade.apply(to: $0) { result = Array($0.bindMemory(to: Int16.self)) }
    }
    #expect(result == [0, 0, 250, 250, 500, 500, 750, 750])
  }

  @Test func `a stretch outside of the track is refused`() throws {
    let workshop = try Workshop()
    let track = try workshop.importSong("mono.wav")
    for (start, end) in [(0, 0), (-1, 10), (0, track.lengthFrames + 1)] {
      let refusal = code { _ = try render(workshop, track, start, end, .wav) }
      #expect(refusal == .invalidRange)
    }
  }

  @Test func `a damaged or missing chunk is noticed and leaves no file`() throws {
    let workshop = try Workshop()
    let track = try workshop.importSong("two-chunks.wav")
    try Files.remove(workshop.folder.chunk(track: "song", 1))
    let path = workshop.folder.temporaryPath("result")
    let refusal = storageCode {
      try workshop.renderer.render(
        clip(workshop, track, 0..<track.lengthFrames), ClipStyle(.flac), to: path)
    }
    #expect(refusal == .corrupt)
    #expect(try Files.names(in: workshop.folder.tmp).isEmpty)
  }

  @Test func `the time limit allows a slow machine to write`() {
    #expect(MediaTools.Limits.seconds(writing: 3_600) > 3_600)
  }

  @Test(arguments: ["exit 127", "kill -TERM $$", "kill -9 $$", "exit 124"])
  func `a program that did not run or was killed does not blame the track`(script: String) throws {
    let workshop = try Workshop()
    let track = try workshop.importSong("mono.wav")
    let programs = workshop.folder.root + "/programs"
    try Files.makeFolder(programs)
    try Files.writeNew(programs + "/ffmpeg", Array("#!/bin/sh\n\(script)\n".utf8))
    #expect(chmod(programs + "/ffmpeg", 0o755) == 0)
    let tools = try MediaTools.locate(sandbox: .none, in: [programs, "/usr/bin"])
    let refusal = code {
      try ClipRenderer(tools: tools, folder: workshop.folder).render(
        clip(workshop, track, 0..<track.lengthFrames), ClipStyle(.wav),
        to: workshop.folder.temporaryPath("result"))
    }
    #expect(refusal == (script == "exit 124" ? .timedOut : .toolFailed))
    #expect(try Files.names(in: workshop.folder.tmp).isEmpty)
  }

  @Test func `a clip can be cancelled`() throws {
    let workshop = try Workshop()
    let track = try workshop.importSong("two-chunks.wav")
    let refusal = code {
      try workshop.renderer.render(
        clip(workshop, track, 0..<track.lengthFrames), ClipStyle(.mp3),
        to: workshop.folder.temporaryPath("result"), isCancelled: { true })
    }
    #expect(refusal == .cancelled)
    #expect(try Files.names(in: workshop.folder.tmp).isEmpty)
  }

  @Test(arguments: [5 << 20, 9 << 20])
  func `writing stops at the disk reserve`(freeBytes: Int) throws {
    let workshop = try Workshop()
    let track = try workshop.importSong("two-chunks.wav")
    let clip = NamedClip(clip(workshop, track, 0..<track.lengthFrames), title: "A")
    let size = track.lengthFrames * 4
    #expect(ClipArchive.bytes(for: [clip, clip], .wav) == size * 3)
    // Another process takes the space while the clip or the zip is written.
    let tmp = workshop.folder.tmp
    let most = Mutex(0)
    var folder = workshop.folder
    folder.measure = { _ in
      let taken = try Files.treeBytes(tmp)
      most.withLock { $0 = max($0, taken) }
      return (taken == 0 ? size : freeBytes - 3 << 20 - taken, 0)
    }
    let refusal = storageCode {
      try ClipArchive(tools: workshop.tools, folder: folder).write(
        [clip], ClipStyle(.wav), to: workshop.folder.temporaryPath("zip"), modifiedAt: 0)
    }
    #expect(refusal == .noSpace)
    #expect(most.withLock { $0 } <= freeBytes - 2 << 20)
    #expect(try Files.names(in: tmp).isEmpty)
  }

  @Test func `a WAV file that its header can't describe is refused`() {
    #expect(WAVFile.header(frameCount: 1_073_741_814)?.count == 44)
    #expect(WAVFile.header(frameCount: 1_073_741_815) == nil)
  }

  private func render(
    _ workshop: Workshop, _ track: ImportedTrack, _ start: Int, _ end: Int, _ format: ClipFormat
  ) throws -> String {
    let path = workshop.folder.temporaryPath("result")
    try workshop.renderer.render(
      clip(workshop, track, start..<end), ClipStyle(format), to: path)
    return path
  }

  private func clip(
    _ workshop: Workshop, _ track: ImportedTrack, _ range: Range<Int>
  ) -> ClipSource {
    ClipSource(
      derivedDirectory: workshop.folder.derived("song"), lengthFrames: track.lengthFrames,
      range: range)
  }
}
