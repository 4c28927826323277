// One timeline: an impulse at a known frame is at that frame in the chunks, the waveform and the
// clips.

import Analysis
import Storage
import Testing

@testable import Media

@Suite(.serialized)
struct TimelineAgreementTests {
  private static let impulses = [100, 479_999, 480_000, 700_001, 1_000_000]
  private static let lengthFrames = 1_200_000

  private func impulses(in samples: [Int16]) -> [Int] {
    (0..<samples.count / 2).filter { samples[$0 * 2] > 20_000 && samples[$0 * 2 + 1] > 20_000 }
  }

  @Test(arguments: ["impulses.wav", "impulses.flac"])
  func `impulses stand at their frames in chunks, waveform and clips`(name: String) throws {
    let workshop = try Workshop()
    let track = try workshop.importSong(name)
    #expect(track.lengthFrames == Self.lengthFrames)
    #expect(track.chunkCount == 3)

    var inChunks: [Int] = []
    for number in 0..<3 {
      let chunk = try witness(workshop.folder.chunk(track: "song", number))
      #expect(chunk.count == (number < 2 ? 960_000 : 480_000))
      inChunks += impulses(in: chunk).map { $0 + number * 480_000 }
    }
    #expect(inChunks == Self.impulses)

    let waveform = try Waveform(dat: #require(workshop.folder.peaks(track: "song")).read())
    let loud = (0..<waveform.pixelCount).filter { waveform.pairs[$0 * 2 + 1] > 80 }
    #expect(loud == Self.impulses.map { $0 / 64 })

    let audio = workshop.song(lengthFrames: track.lengthFrames)
    #expect(try impulses(in: audio.decode(0..<track.lengthFrames)) == Self.impulses)
    let across = try audio.decode(479_990..<700_002)
    #expect(across.count == 2 * (700_002 - 479_990))
    #expect(impulses(in: across) == [9, 10, 220_011])

    for format in [ClipFormat.wav, .flac] {
      let path = workshop.folder.temporaryPath("clip")
      try workshop.renderer.render(
        ClipSource(
          derivedDirectory: workshop.folder.derived("song"), lengthFrames: track.lengthFrames,
          range: 479_990..<1_000_001), ClipStyle(format), to: path)
      let clip = try witness(path)
      #expect(clip.count == 2 * (1_000_001 - 479_990))
      #expect(impulses(in: clip) == [9, 10, 220_011, 520_010])
    }
  }

  @Test func `the chunks of a track together equal ffmpeg's output of the original`()
    throws
  {
    let workshop = try Workshop()
    let path = workshop.folder.temporaryPath("song") + ".wav"
    // A sweep without a repetition, longer than a chunk.
    let frameCount = 1_000_003
    let sound = (0..<frameCount * 2).map { Int16(truncatingIfNeeded: $0 &* $0 >> 9) / 4 }
    try Files.writeNew(path, try #require(WAVFile.file(interleaved: sound)))
    let track = try workshop.importer.importTrack(
      blob: path, into: workshop.folder.derived("song"))
    #expect(track.lengthFrames == frameCount)
    var joined: [Int16] = []
    for number in 0..<track.chunkCount {
      joined += try witness(workshop.folder.chunk(track: "song", number))
    }
    #expect(try joined == witness(path))
  }
}
