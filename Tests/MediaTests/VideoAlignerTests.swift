// Alignment of a video's sound with its song: real videos, decoded in the sandbox.

import Analysis
import Storage
import TestSupport
import Testing

@testable import Media

@Suite struct VideoAlignerTests {
  let workshop: Workshop

  init() throws { workshop = try Workshop() }

  private var aligner: VideoAligner { VideoAligner(tools: workshop.tools) }

  private func align(_ film: String, _ song: String = "song.flac") throws -> SoundAlignment {
    try aligner.align(
      recording: VideoFixtures.path(film), withMusic: VideoFixtures.path(song))
  }

  @Test func `a video that begins before the song has a negative offset`() throws {
    let answer = try align("filmed.mp4")
    #expect(abs(answer.offset + 168_000) <= 480)
    #expect(answer.isCertain)
  }

  @Test func `the offset of late sound counts from the start of the picture`() throws {
    let answer = try align("filmed-late-sound.mp4")
    #expect(abs(answer.offset + 24_000) <= 480)
    #expect(answer.isCertain)
  }

  @Test func `the alignment with another song is not certain and the right one is`() throws {
    #expect(try !align("filmed-other-song.mp4").isCertain)
    let answer = try align("filmed-other-song.mp4", "other-song.flac")
    #expect(abs(answer.offset + 168_000) <= 480)
    #expect(answer.isCertain)
  }

  @Test func `a stretch of a track gives frames of the track`() throws {
    let song = try workshop.importer.importTrack(
      blob: VideoFixtures.path("song.flac"), into: workshop.folder.derived("song"))
    var told: [Double] = []
    let answer = try aligner.align(
      recording: VideoFixtures.path("filmed.mp4"), withTrack: "song",
      lengthFrames: song.lengthFrames, stretch: 250_001..<800_000, in: workshop.folder,
      progress: { told.append($0) }, isCancelled: { false })
    #expect(abs(answer.offset + 168_000) <= 480)
    #expect(answer.isCertain)
    #expect(told == told.sorted())
    #expect(throws: MediaError.self) {
      try aligner.align(
        recording: VideoFixtures.path("filmed.mp4"), withTrack: "song",
        lengthFrames: song.lengthFrames, stretch: 250_001..<800_000, in: workshop.folder,
        progress: { _ in }, isCancelled: { true })
    }
    #expect(try Files.names(in: workshop.folder.tmp).isEmpty)
  }

  @Test func `silence, missing sound and no video are refused with a message`() throws {
    #expect(code { _ = try align("filmed-silence.mp4") } == .empty)
    #expect(code { _ = try align("filmed-without-sound.mp4") } == .noAudioStream)
    #expect(code { _ = try align("zero-bytes.mp4") } == .empty)
    #expect(code { _ = try align("letter.mp4") } == .notAudio)
    #expect(code { _ = try align("playlist-concat.mp4") } == .notAudio)
    #expect(code { _ = try align("index-missing.mp4") } == .truncated)
  }

  @Test func `the job of a song reports a video without sound`() throws {
    let error = #expect(throws: MediaError.self) {
      try aligner.align(
        recording: VideoFixtures.path("filmed-without-sound.mp4"), withTrack: "song",
        lengthFrames: 48_000, stretch: 0..<48_000, in: workshop.folder, progress: { _ in },
        isCancelled: { false })
    }
    #expect(error?.message == VideoAligner.noSound.message)
  }

  @Test func `the latest hundred answers are kept, one per stretch`() throws {
    let folder = workshop.folder
    func stretch(_ number: Int) -> AlignedStretch {
      AlignedStretch(track: "song", start: number, end: 1_000)
    }
    let answer = try align("filmed.mp4")
    #expect(try folder.storedAlignment(video: "film", with: stretch(0)) == nil)
    for number in 0..<101 { try folder.store(answer, video: "film", with: stretch(number)) }
    #expect(try folder.storedAlignment(video: "film", with: stretch(0)) == nil)
    #expect(try folder.storedAlignment(video: "film", with: stretch(1)) == answer)
    #expect(try folder.storedAlignment(video: "film", with: stretch(100)) == answer)
    #expect(try folder.storedAlignment(video: "other", with: stretch(100)) == nil)
    var later = answer
    later.offset += 1
    try folder.store(later, video: "film", with: stretch(100))
    #expect(try folder.storedAlignment(video: "film", with: stretch(100)) == later)
    // A damaged file is treated as missing.
    let path = folder.derived("film") + "/alignments.json"
    try Files.remove(path)
    try Files.writeNew(path, Array("[{".utf8))
    #expect(try folder.storedAlignment(video: "film", with: stretch(100)) == nil)
    try folder.store(answer, video: "film", with: stretch(7))
    #expect(try folder.storedAlignment(video: "film", with: stretch(7)) == answer)
    #expect(try Files.names(in: folder.tmp).isEmpty)
  }

  private func code(_ body: () throws -> Void) -> MediaError.Code? { MediaTests.code(of: body) }
}
