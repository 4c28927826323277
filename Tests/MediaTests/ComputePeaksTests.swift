// The waveform of a file that is not imported.

import Analysis
import Storage
import Testing

@testable import Media

@Suite(.serialized)
struct ComputePeaksTests {
  @Test func `a file at 48 kHz has the same waveform as the imported track`() throws {
    let workshop = try Workshop()
    _ = try workshop.importSong("impulses.wav")
    let stored = try Waveform(dat: #require(workshop.folder.peaks(track: "song")).read())
    let computed = try computePeaks(
      of: Fixtures.path("impulses.wav"), framesPerPixel: 256, tools: workshop.tools)
    #expect(computed == stored.downsampled(to: 256))
  }

  @Test(arguments: ["sweep-44k1.flac", "rate-8k.wav", "rate-192k.flac", "mono.wav", "cbr.mp3"])
  func `at any sample rate the pixels are on the timeline`(name: String) throws {
    let workshop = try Workshop()
    let waveform = try computePeaks(
      of: Fixtures.path(name), framesPerPixel: 480, tools: workshop.tools)
    #expect(waveform.pixelCount == 250)
    #expect(waveform.pairs.contains { $0 > 30 })
  }

  @Test func `a file without audio is refused`() throws {
    let workshop = try Workshop()
    for (name, expected) in [
      ("letter.mp3", MediaError.Code.notAudio), ("zero-bytes.mp3", .empty),
      ("silent-film.mp4", .noAudioStream), ("playlist-hls.mp3", .notAudio),
    ] {
      let path = try Fixtures.path(name)
      let refusal = code {
        _ = try computePeaks(of: path, framesPerPixel: 64, tools: workshop.tools)
      }
      #expect(refusal == expected, "\(name)")
    }
  }
}
