// Cuts of a piece with known sections.

import Testing

@testable import Analysis

#if canImport(Glibc)
  import Glibc
#endif

struct StructureSegmenterTests {
  /// Half a minute: plucked A major, then a hollow F minor with drums, then plucks in E flat.
  private static let piece: [Int16] = {
    var sound = Sound(seconds: 36)
    for (index, frame) in stride(from: 0, to: 12 * 48_000, by: 24_000).enumerated() {
      sound.pluck(at: frame, hertz: [220, 277.2, 330][index % 3])
    }
    for frame in stride(from: 12 * 48_000, to: 24 * 48_000, by: 24_000) {
      sound.drum(at: frame)
      for hertz in [174.6, 207.7, 261.6] {
        sound.tone(at: frame, seconds: 0.5, hertz: hertz, level: 0.08)
      }
    }
    for (index, frame) in stride(from: 24 * 48_000, to: 35 * 48_000, by: 24_000).enumerated() {
      sound.pluck(at: frame, hertz: [311.1, 392, 466.2][index % 3])
    }
    return sound.samples
  }()

  private func analysis(_ samples: [Int16], pieceFrames: Int) -> TrackAnalysis {
    var builder = TrackAnalysisBuilder()
    samples.inPieces(of: pieceFrames) { builder.append($0) }
    return builder.finish()
  }

  @Test func `sections are cut at the attack at their start`() {
    let changes = analysis(Self.piece, pieceFrames: 48_000).changes
    #expect(changes.count == 2, "\(changes)")
    for (change, second) in zip(changes, [12, 24]) {
      #expect(abs(change.frame - second * 48_000) <= 240, "\(change)")
      #expect((0.2...1).contains(change.strength))
    }
  }

  @Test func `without attacks a cut is accurate to half a second`() {
    var finder = StructureSegmenter()
    Self.piece.inPieces(of: 65_536) { finder.append($0) }
    let changes = finder.finish()
    #expect(changes.count == 2, "\(changes)")
    for (change, second) in zip(changes, [12, 24]) {
      #expect(abs(change.frame - second * 48_000) <= 24_000, "\(change)")
    }
  }

  @Test func `the result does not depend on the piece size`() {
    let samples = Array(Self.piece[..<(20 * 96_000)])
    let whole = analysis(samples, pieceFrames: 20 * 48_000)
    #expect(!whole.changes.isEmpty)
    #expect(analysis(samples, pieceFrames: 4_801) == whole)
  }

  @Test func `unchanging music is not cut`() {
    var sound = Sound(seconds: 20)
    for (index, frame) in stride(from: 0, to: 19 * 48_000, by: 24_000).enumerated() {
      sound.pluck(at: frame, hertz: [220, 277.2, 330][index % 3])
    }
    #expect(analysis(sound.samples, pieceFrames: 48_000).changes.isEmpty)
  }

  @Test(arguments: [0, 1, 2_048, 12_000, 48_000, 300_000])
  func `silence and very short tracks are not cut`(frames: Int) {
    let silence = [Int16](repeating: 0, count: frames * 2)
    let found = analysis(silence, pieceFrames: 10_000)
    #expect(found == TrackAnalysis(attacks: [], changes: [], levels: found.levels))
    #expect(found.levels?.peaks.count == (frames + 4_799) / 4_800)
    let loud = [Int16](repeating: 9_000, count: frames * 2)
    #expect(analysis(loud, pieceFrames: 10_000).changes.isEmpty)
  }
}
