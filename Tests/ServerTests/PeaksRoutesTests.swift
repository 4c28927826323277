// Ranges of a waveform, for a zoomed picture.

import Analysis
import FoundationEssentials
import Model
import TestSupport
import Testing

@testable import Server

@Suite struct PeaksRoutesTests {
  let studio: TestStudio
  let track: String
  /// More than two chunks, with a length that no resolution divides.
  private static let lengthFrames = 2 * Timeline.chunkFrames + 1_237
  private let lengthFrames = Self.lengthFrames

  /// Noise whose loudness changes every thousand frames, so that no two pixels look alike for long.
  private static let song: [UInt8] = {
    var generator = SeededGenerator(seed: 11)
    var samples = [Int16](repeating: 0, count: lengthFrames * 2)
    for index in samples.indices {
      let loudness = 1_000 + index / 2_000 * 7_919 % 30_000
      samples[index] = Int16(truncatingIfNeeded: generator.next()) % Int16(loudness)
    }
    return WAV.file(samples)
  }()

  init() throws {
    studio = try TestStudio()
    track = try studio.importTrack(Self.song).id
  }

  @Test(arguments: [1, 7, 64, 100, 256])
  func `a stretch equals the same stretch of the whole waveform`(framesPerPixel: Int) throws {
    let pixels = (lengthFrames + framesPerPixel - 1) / framesPerPixel
    let whole = try studio.library.tracks.waveform(
      of: track, lengthFrames: lengthFrames, framesPerPixel: framesPerPixel,
      frames: 0..<pixels * framesPerPixel
    ).waveform
    #expect(whole.pixelCount == pixels)
    let border = Timeline.chunkFrames / framesPerPixel
    for stretch in [
      0..<1, 0..<min(900, pixels), border - 1..<border + 2, border..<border + 1,
      2 * border - 3..<2 * border + 4, border - 20..<min(2 * border + 5, border + 60_000),
      pixels - 5..<pixels, pixels - 1..<pixels,
    ] {
      let frames = (stretch.lowerBound * framesPerPixel, stretch.upperBound * framesPerPixel)
      let answer = peaks("framesPerPixel=\(framesPerPixel)&start=\(frames.0)&end=\(frames.1)")
      let part = try Waveform(dat: answer.body)
      #expect(part.framesPerPixel == framesPerPixel)
      #expect(
        part.pairs == Array(whole.pairs[stretch.lowerBound * 2..<stretch.upperBound * 2]),
        "\(framesPerPixel) \(stretch)")
    }
    let start = (pixels - 3) * framesPerPixel
    let rest = try Waveform(dat: peaks("framesPerPixel=\(framesPerPixel)&start=\(start)").body)
    #expect(rest.pairs == Array(whole.pairs.suffix(6)))
  }

  @Test func `every stretch has its own entity tag`() {
    let tags = ["", "&start=64", "&end=640", "&start=64&end=640"].map {
      peaks("framesPerPixel=64\($0)").headers["ETag"]
    }
    #expect(!tags.contains(nil))
    #expect(Set(tags).count == tags.count)
  }

  @Test func `an invalid stretch is refused with a message`() throws {
    let limit = (lengthFrames + 63) / 64 * 64
    #expect(peaks("framesPerPixel=64&end=\(limit)").status == 200)
    for query in [
      "framesPerPixel=64&start=1", "framesPerPixel=64&end=100", "framesPerPixel=64&start=-64",
      "framesPerPixel=64&start=640&end=640", "framesPerPixel=64&start=640&end=64",
      "framesPerPixel=64&end=\(limit + 64)", "framesPerPixel=64&start=x",
      "framesPerPixel=1&start=0&end=65537", "framesPerPixel=7&start=7", "framesPerPixel=7",
    ] {
      let answer = peaks(query)
      #expect(answer.status == 400, "\(query)")
      #expect(answer.text.contains("."), "\(query)")
    }
    #expect(peaks("framesPerPixel=1&start=1&end=65537").status == 200)
    let finest = try Waveform(dat: peaks("framesPerPixel=64").body)
    #expect(finest.pixelCount == limit / 64)
  }

  private func peaks(_ query: String) -> TestStudio.Answer {
    studio.send(.get, "/api/tracks/\(track)/peaks?\(query)")
  }
}
