// The song of the sample routine.

import Analysis
import Testing

@testable import SampleSong

struct SampleSongTests {
  private static let song = SampleSong.render()

  @Test func `four sections follow each other on bar lines`() {
    let sections = SampleSong.sections
    #expect(sections.map(\.title) == ["Intro", "Verse", "Chorus", "Finale"])
    #expect(sections.first?.startFrame == 0)
    #expect(sections.last?.endFrame == SampleSong.lengthFrames)
    #expect(zip(sections, sections.dropFirst()).allSatisfy { $0.endFrame == $1.startFrame })
    #expect(sections.allSatisfy { $0.startFrame.isMultiple(of: SampleSong.framesPerBar) })
    #expect((55 * 48_000...65 * 48_000).contains(SampleSong.lengthFrames))
  }

  @Test func `the song has the usual loudness and no clipping`() throws {
    let song = Self.song
    #expect(song.count == SampleSong.lengthFrames * 2)
    var meter = LoudnessMeter()
    meter.append(song)
    let loudness = try #require(meter.integrated())
    #expect((-16.0 ... -14.0).contains(loudness), "\(loudness)")
    #expect(song.allSatisfy { abs(Int($0)) < 32_000 })
    #expect(abs(Int(song[song.count - 1])) < 50, "it ends in silence")
  }

  @Test func `the sections sound different`() throws {
    let loudness = try SampleSong.sections.map { section in
      var meter = LoudnessMeter()
      meter.append(Array(Self.song[section.startFrame * 2..<section.endFrame * 2]))
      return try #require(meter.integrated())
    }
    #expect(loudness[0] < loudness[1] - 3)
    #expect(loudness[1] < loudness[2] - 1)
  }

  @Test func `the beats are at the bar lines`() {
    // The chorus has a kick drum on every beat: right after it the lows are strongest.
    let chorus = SampleSong.sections[2]
    for beat in 0..<8 {
      let start = chorus.startFrame + beat * SampleSong.framesPerBeat
      func energy(_ from: Int) -> Double {
        (from..<from + 2_400).reduce(0) { sum, frame in
          sum + Double(Self.song[frame * 2]) * Double(Self.song[frame * 2])
        }
      }
      #expect(energy(start + 300) > 1.2 * energy(start - 2_700), "beat \(beat)")
    }
  }

  @Test func `the song is the same every time`() {
    #expect(SampleSong.render() == Self.song)
  }
}
