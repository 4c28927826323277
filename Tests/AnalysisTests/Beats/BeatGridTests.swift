// From activations to beats: at which tempo of several, and how surely.

import Counts
import Testing

@testable import Analysis

struct BeatGridTests {
  /// A minute in which each fiftieth of a second is as likely a beat and a downbeat as `chances` says.
  private func analysis(_ chances: (Int) -> BeatActivation) -> BeatAnalysis? {
    var activations = BeatActivations()
    for frame in 0..<3_000 { activations.append(chances(frame)) }
    return BeatGrid(
      activations: activations, lengthFrames: 3_000 * MelBands.hopFrames, changes: []
    ).analysis
  }

  /// Bars of four beats that are `frames` apart, with weaker beats half-way.
  private func song(frames: Int, halfWay: Float) -> BeatAnalysis? {
    analysis { frame in
      if frame.isMultiple(of: 4 * frames) { return BeatActivation(beat: 0.95, downbeat: 0.9) }
      if frame.isMultiple(of: frames) { return BeatActivation(beat: 0.95, downbeat: 0.03) }
      if frame.isMultiple(of: frames / 2) { return BeatActivation(beat: halfWay, downbeat: 0.03) }
      return BeatActivation(beat: 0.01, downbeat: 0.01)
    }
  }

  @Test(arguments: [(44, 0.3), (44, 0.6), (24, 0.1), (24, 0.5), (32, 0.6)] as [(Int, Float)])
  func `a slow song is not counted twice as fast for the weak beats between`(
    frames: Int, halfWay: Float
  ) throws {
    let found = try #require(song(frames: frames, halfWay: halfWay))
    #expect(abs(found.tempo - 3_000 / Double(frames)) < 1, "\(found.tempo)")
    #expect(found.metre == 4)
  }

  @Test func `an even song whose bars are clear is certain`() throws {
    let found = try #require(song(frames: 25, halfWay: 0.1))
    #expect(found.confidence >= 0.9, "\(found.confidence)")
  }

  @Test func `what dies away after the last beat is none`() throws {
    let found = try #require(
      analysis { frame in
        guard frame.isMultiple(of: 25) else { return BeatActivation(beat: 0.01, downbeat: 0.01) }
        let isHeard = frame <= 2_500
        return BeatActivation(
          beat: isHeard ? 0.95 : 0.45, downbeat: frame.isMultiple(of: 100) && isHeard ? 0.9 : 0.03)
      })
    #expect(try #require(found.frames.last) <= 2_501 * MelBands.hopFrames)
  }

  @Test func `a song whose bars may be halves of bars is not certain`() throws {
    let found = try #require(
      analysis { frame in
        if frame.isMultiple(of: 50) { return BeatActivation(beat: 0.95, downbeat: 0.98) }
        if frame.isMultiple(of: 25) { return BeatActivation(beat: 0.95, downbeat: 0.03) }
        return BeatActivation(beat: 0.01, downbeat: 0.01)
      })
    #expect(found.metre == 2)
    #expect(found.confidence < 0.5, "\(found.confidence)")
  }

  @Test func `music in which no pulse is heard is not certain`() throws {
    var random: UInt32 = 1
    func next() -> Float {
      random = random &* 1_664_525 &+ 1_013_904_223
      return Float(random >> 8) / Float(1 << 24)
    }
    let found = try #require(
      analysis { _ in BeatActivation(beat: 0.32 * next(), downbeat: 0.2 * next()) })
    #expect(found.confidence < 0.4, "\(found.confidence)")
  }
}
