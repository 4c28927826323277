// Beats from curves of activations.

import Foundation
import TestSupport
import Testing

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

  /// The same decoder as its definition says it, one interval after the other.
  private func plainly(_ curve: [Float], _ rule: BeatDecoder.Rule, fromBeat: Bool) -> [Int] {
    let intervals = Array(rule.intervals)
    let (count, longest) = (curve.count, rule.intervals.upperBound)
    var quiet: [Float] = [0]
    for value in curve {
      quiet.append(quiet.last! + rule.beside * logf(1 - min(max(value, 1e-4), 0.999)))
    }
    func between(_ from: Int, _ to: Int) -> Float {
      let (low, high) = (min(count, from + 4), max(0, to - 3))
      return low < high ? quiet[high] - quiet[low] : 0
    }
    var scores: [[Float]] = []
    var origins: [[Int]] = []
    var best: [(score: Float, index: Int)] = []
    for step in 0..<count {
      var (row, from, top) = ([Float](), [Int](), (score: -Float.infinity, index: 0))
      for (index, interval) in intervals.enumerated() {
        let before = step - interval
        var (score, origin) = (-Float.infinity, -1)
        if before < 0 {
          if !fromBeat || step == 0 { score = between(-4, step) }
        } else {
          (score, origin) = (best[before].score - rule.jump, best[before].index)
          let reach = max(1, Int(rule.reach * Float(interval)))
          for (other, last) in intervals.enumerated() where abs(last - interval) <= reach {
            let candidate =
              scores[before][other] + -rule.change * abs(logf(Float(interval) / Float(last)))
            if candidate > score { (score, origin) = (candidate, other) }
          }
          score += between(before, step)
        }
        let octaves = log2f(Float(interval) / rule.favourite)
        let gain = logf(min(max(curve[step], 1e-4), 0.999)) + rule.bonus
        score += gain + -rule.prior * octaves * octaves
        row.append(score)
        from.append(origin)
        if score > top.score { top = (score, index) }
      }
      scores.append(row)
      origins.append(from)
      best.append(top)
    }
    var step = (count - longest..<count).max {
      best[$0].score + between($0, count + 3) < best[$1].score + between($1, count + 3)
    }!
    var (index, steps) = (best[step].index, [Int]())
    while step >= 0 {
      steps.append(step)
      let origin = origins[step][index]
      step -= intervals[index]
      index = origin
    }
    return steps.reversed()
  }

  @Test(arguments: 0..<10)
  func `eight intervals at a time are decoded as one after the other`(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    func random(_ range: ClosedRange<Float>) -> Float {
      Float.random(in: range, using: &generator)
    }
    var rule = BeatDecoder.Rule()
    if seed % 2 == 1 {
      let shortest = Int.random(in: 25...93, using: &generator)
      rule.intervals = shortest...min(150, shortest * 5 / 2)
      rule.favourite = random(30...140)
      rule.prior = 30
    }
    let period = random(20...160)
    let noise = random(0...1)
    // Flat ones have many paths that are equally good.
    let curve = (0..<500).map { step in
      seed % 5 == 4
        ? 0.3 : max(0, cosf(Float(step) * 2 * .pi / period)) * (1 - noise) + random(0...noise)
    }
    for fromBeat in [false, true] {
      #expect(
        BeatDecoder(rule: rule).beats(in: curve, fromBeat: fromBeat).map(\.step)
          == plainly(curve, rule, fromBeat: fromBeat))
    }
  }
}
