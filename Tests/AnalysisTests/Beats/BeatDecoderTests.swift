// Beats from curves of activations.

import Testing
import TestSupport

@testable import Analysis

struct BeatDecoderTests {
  /// A curve with a peak of `height` at each step of `beats`.
  private func curve(_ beats: [Int], count: Int, height: Float = 0.97) -> [Float] {
    var curve = [Float](repeating: 0.01, count: count)
    for beat in beats {
      for (offset, share) in [(-2, 0.3), (-1, 0.7), (0, 1), (1, 0.7), (2, 0.3)] as [(Int, Float)]
      where curve.indices.contains(beat + offset) {
        curve[beat + offset] = max(curve[beat + offset], share * height)
      }
    }
    return curve
  }

  private func steps(_ curve: [Float], _ rule: BeatDecoder.Rule = .init()) -> [Int] {
    BeatDecoder(rule: rule).beats(in: curve).map(\.step)
  }

  /// Whether the beats in a curve are `beats`, each within 20 ms. The decoder counts on before the
  /// first one.
  private func finds(
    _ beats: [Int], in curve: [Float], _ rule: BeatDecoder.Rule = .init()
  ) -> Bool {
    let found = steps(curve, rule).filter { $0 >= beats[0] - 2 }
    return found.count == beats.count && zip(found, beats).allSatisfy { abs($0 - $1) <= 2 }
  }

  @Test(arguments: [33, 50, 71, 100, 120])
  func `an even pulse is found beat by beat`(interval: Int) {
    let beats = Array(stride(from: 40, to: 3_000, by: interval))
    #expect(finds(beats, in: curve(beats, count: 3_000)))
  }

  @Test func `a pulse between two steps keeps its tempo`() {
    let beats = (0..<80).map { 20 + Int((Double($0) * 36.5).rounded()) }
    #expect(finds(beats, in: curve(beats, count: 2_960)))
  }

  @Test func `beats that nobody plays are bridged at the track's tempo`() {
    var rule = BeatDecoder.Rule()
    rule.favourite = 50
    rule.prior = 30
    let beats = Array(stride(from: 30, to: 4_000, by: 50))
    let played = beats.enumerated().filter { $0.offset < 30 || $0.offset > 38 }.map(\.element)
    #expect(finds(beats, in: curve(played, count: 4_000), rule))
  }

  @Test func `a weak peak off the beat changes nothing`() {
    let beats = Array(stride(from: 30, to: 4_000, by: 50))
    var curve = curve(beats, count: 4_000)
    for beat in beats.dropLast() { curve[beat + 25] = 0.25 }
    #expect(finds(beats, in: curve))
  }

  @Test func `a tempo that changes at a cut is followed at once`() {
    let beats = Array(stride(from: 30, to: 2_000, by: 60)) + stride(from: 2_010, to: 4_000, by: 42)
    let found = steps(curve(beats, count: 4_000))
    #expect(Set(beats).subtracting(found).count <= 1)
    #expect(Set(found).subtracting(beats).count <= 1)
  }

  @Test func `a ritardando is followed`() {
    var beats = [50]
    var interval = 50.0
    while beats[beats.count - 1] < 3_000 {
      beats.append(beats[beats.count - 1] + Int(interval.rounded()))
      interval *= 1.015
    }
    beats.removeLast()
    #expect(finds(beats, in: curve(beats, count: 3_000)))
  }

  @Test func `a curve that is too short has no beats`() {
    #expect(steps(curve([10, 60], count: 120)).isEmpty)
    #expect(steps([]).isEmpty)
  }

  @Test func `a long track is decoded in pieces without a seam`() {
    // 40 minutes: four pieces.
    let frames = Array(stride(from: 20, to: 120_000, by: 25))
    var activations = BeatActivations()
    var next = frames[...]
    for frame in 0..<120_000 {
      let isBeat = frame == next.first
      if isBeat { next = next.dropFirst() }
      let isFirst = isBeat && (frame - 20) / 25 % 4 == 0
      activations.append(
        BeatActivation(beat: isBeat ? 0.9 : 0.02, downbeat: isFirst ? 0.8 : 0.01))
    }
    let analysis = BeatGrid(activations: activations, lengthFrames: 120_000 * 960, changes: [])
      .analysis
    let isWhole = analysis?.frames == frames.map { $0 * 960 }
    #expect(isWhole, "\(analysis?.frames.count ?? 0) of \(frames.count) beats")
    let isCounted = analysis?.places == frames.indices.map { $0 % 4 + 1 }
    #expect(isCounted)
    #expect(analysis?.tempo == 120)
    #expect(analysis?.metre == 4)
    let areEights =
      analysis?.eights == stride(from: 0, to: frames.count, by: 8).map { frames[$0] * 960 }
    #expect(areEights)
  }
}
