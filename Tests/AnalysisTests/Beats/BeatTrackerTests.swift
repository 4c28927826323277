// Beats of sounds, and the network beside the one that was trained.

import Counts
import FoundationEssentials
import Testing
import TestSupport

@testable import Analysis

#if canImport(Glibc)
  import Glibc
#endif

struct BeatTrackerTests {
  /// A bass drum on one and three, a snare on two and four, a bass line and chords.
  private static func song(beats: Int, beatFrames: Int, from start: Int = 24_000) -> Sound {
    var sound = Sound(seconds: Double(start + beats * beatFrames) / 48_000 + 1)
    for beat in 0..<beats {
      let frame = start + beat * beatFrames
      if beat.isMultiple(of: 2) {
        sound.tone(at: frame, seconds: 0.15, hertz: 60, level: 0.5)
      } else {
        sound.drum(at: frame)
      }
      sound.tone(at: frame, seconds: 0.2, hertz: [110, 110, 165, 131][beat % 4], level: 0.15)
      if beat.isMultiple(of: 4) {
        for hertz in beat.isMultiple(of: 8) ? [220, 277.2, 330] : [196, 247, 294] {
          sound.tone(at: frame, seconds: 1, hertz: hertz, level: 0.08)
        }
      }
    }
    return sound
  }

  private func beats(_ samples: [Int16], pieceFrames: Int) -> BeatAnalysis? {
    var tracker = BeatTracker()
    samples.inPieces(of: pieceFrames) { tracker.append($0) }
    return tracker.finish(changes: [])
  }

  @Test(arguments: [20_571, 24_000, 28_800])
  func `drums are counted at their attacks`(beatFrames: Int) throws {
    let sound = Self.song(beats: 64, beatFrames: beatFrames)
    let found = try #require(beats(sound.samples, pieceFrames: 48_000))
    #expect(abs(found.tempo - 60 * 48_000 / Double(beatFrames)) < 1, "\(found.tempo)")
    for beat in 4..<60 {
      let frame = 24_000 + beat * beatFrames
      let distance = found.frames.map { abs($0 - frame) }.min() ?? .max
      #expect(distance <= 960, "beat \(beat) is off by \(distance)")
    }
  }

  @Test func `the size of the pieces changes nothing`() {
    let samples = Self.song(beats: 24, beatFrames: 24_000).samples
    let whole = beats(samples, pieceFrames: samples.count / 2)
    #expect(whole != nil)
    #expect(beats(samples, pieceFrames: 997) == whole)
  }

  @Test func `silence and noise that is too short have no beats`() {
    #expect(beats([], pieceFrames: 1) == nil)
    #expect(beats([Int16](repeating: 0, count: 2 * 48_000 * 20), pieceFrames: 48_000) == nil)
    #expect(beats(Self.song(beats: 2, beatFrames: 9_600).samples, pieceFrames: 480) == nil)
  }

  @Test func `every beat lies in the track, in order, and has its place`() throws {
    let samples = Self.song(beats: 40, beatFrames: 22_000, from: 0).samples
    let found = try #require(beats(samples, pieceFrames: 4_096))
    #expect(found.places.count == found.frames.count)
    #expect(zip(found.frames, found.frames.dropFirst()).allSatisfy { $0 < $1 })
    #expect(found.frames.allSatisfy { (0..<samples.count / 2).contains($0) })
    #expect(found.places.allSatisfy { (1...7).contains($0) })
    #expect(Set(found.eights).isSubset(of: found.frames))
    #expect((0...1).contains(found.confidence))
  }

  /// What `Training/beats/export.py` computed with PyTorch and NumPy.
  private struct Reference: Decodable {
    var bands: [[Float]]
    var activations: [[Float]]
  }

  @Test func `bands and activations are those of the training`() throws {
    let reference = try JSONDecoder().decode(
      Reference.self,
      from: Data(contentsOf: URL(filePath: "Tests/Fixtures/beat-network.json")))
    // The signal of `reference_samples`: a tone whose loudness pulses, above a rising sweep.
    let samples = (0..<48_000 * 4).map { index -> Int16 in
      let time = Double(index) / 48_000
      let pulse = exp(-12 * (time * 2 - (time * 2).rounded(.down)))
      let value = 0.5 * pulse * sin(2 * .pi * 220 * time) + 0.1 * sin(2 * .pi * 400 * time * time)
      return Int16((value * 32_767).rounded())
    }
    var bands = MelBands()
    var network = BeatNetwork(weights: BeatTracker.weights)
    var rows: [[Float]] = []
    var activations: [BeatActivation] = []
    let count = samples.count + MelBands.windowFrames
    bands.take(count) { index in
      let value = index < samples.count ? Float(samples[index]) / 32_768 : 0
      return (value, value)
    } _: { levels in
      guard rows.count < 200 else { return }
      rows.append((0..<MelBands.bandCount).map { levels[$0] })
      network.append(levels) { activations.append($0) }
    }
    network.finish { activations.append($0) }
    #expect(rows.count == 200 && activations.count == 200)
    for (row, expected) in zip(rows, reference.bands) {
      for (value, wanted) in zip(row, expected) { #expect(abs(value - wanted) < 0.01) }
    }
    for (activation, wanted) in zip(activations, reference.activations) {
      #expect(abs(activation.beat - wanted[0]) < 0.003)
      #expect(abs(activation.downbeat - wanted[1]) < 0.003)
    }
  }
}
