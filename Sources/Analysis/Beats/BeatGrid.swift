// From the activations of a whole track to its beats, bars and eights.

import Counts

/// Derives a `BeatAnalysis` from activations.
struct BeatGrid {
  let activations: BeatActivations
  let lengthFrames: Int
  let changes: [SuggestedCut]

  /// The tracks are decoded in pieces of 12 minutes, so that long ones need no more memory.
  private static let pieceSteps = 72_000
  /// So much of a piece is decided by the next one.
  private static let overlapSteps = 3_000
  /// What another tempo than most of the track's costs, as `BeatDecoder.Rule.prior`.
  private static let priorAgain: Float = 30
  /// Beats before the first and after the last that is this share as likely as most are none, within
  /// `leastActivations`. In silence the network finds every moment likely by up to 0.24, and what dies
  /// away may still sound like a beat: beats may go on there.
  private static let leastShare: Float = 0.6
  private static let leastActivations: ClosedRange<Float> = 0.3...0.5

  var analysis: BeatAnalysis? {
    guard let level = levels().max(by: { $0.merit < $1.merit }) else { return nil }
    let frames = BeatTimes(activations: activations, lengthFrames: lengthFrames)
      .frames(steps: level.beats.map(\.step))
    let phrases = PhraseFinder().phrases(frames: frames, beats: level.places, changes: changes)
    return BeatAnalysis(
      tempo: tempo(of: frames), metre: level.traits.metre,
      confidence: BeatConfidence(traits: level.traits, frames: frames).value,
      frames: frames, places: level.places.map(\.place), eights: phrases.map { frames[$0] })
  }

  /// The beats at the tempo that most of them have at first sight, and at twice, half, three times
  /// and a third of it.
  private func levels() -> [MetricalLevel] {
    let beats = decoded(by: BeatDecoder())
    let intervals = zip(beats, beats.dropFirst()).map { $1.step - $0.step }.sorted()
    guard !intervals.isEmpty else { return [] }
    let interval = Float(intervals[intervals.count / 2])
    return [1, 2, 0.5, 3, 1.0 / 3].compactMap { level(interval: interval * $0, isFirst: $0 == 1) }
  }

  /// The beats near a tempo; only those of the first level may have any other.
  private func level(interval: Float, isFirst: Bool) -> MetricalLevel? {
    var rule = BeatDecoder.Rule()
    guard Float(rule.intervals.lowerBound)...Float(rule.intervals.upperBound) ~= interval
    else { return nil }
    rule.favourite = interval
    rule.prior = Self.priorAgain
    if !isFirst {
      rule.intervals = (Int(0.62 * interval)...Int(1.6 * interval)).clamped(to: rule.intervals)
    }
    let beats = trimmed(decoded(by: BeatDecoder(rule: rule)))
    return beats.count < 4 ? nil : MetricalLevel(beats: beats, activations: activations)
  }

  /// The beats of all pieces.
  private func decoded(by decoder: BeatDecoder) -> [BeatDecoder.Beat] {
    let count = 2 * activations.count
    var result: [BeatDecoder.Beat] = []
    var start = 0
    while start < count {
      let end =
        count - start <= Self.pieceSteps + Self.overlapSteps ? count : start + Self.pieceSteps
      var beats = decoder.beats(in: curve(start..<end), fromBeat: start > 0)
      if end < count { beats.removeAll { $0.step >= Self.pieceSteps - Self.overlapSteps } }
      // The next piece begins at the last beat of this one.
      result += beats.dropLast(end < count ? 1 : 0).map {
        BeatDecoder.Beat(step: $0.step + start, activation: $0.activation)
      }
      guard end < count, let last = beats.last, last.step > 0 else { break }
      start += last.step
    }
    return result
  }

  /// The chances of beats in a range of steps; half-way between two frames, their mean.
  private func curve(_ steps: Range<Int>) -> [Float] {
    steps.map { step in
      let frame = step / 2
      if step.isMultiple(of: 2) || frame + 1 >= activations.count { return activations.beat(frame) }
      return (activations.beat(frame) + activations.beat(frame + 1)) / 2
    }
  }

  private func trimmed(_ beats: [BeatDecoder.Beat]) -> [BeatDecoder.Beat] {
    let activations = beats.map(\.activation).sorted()
    guard !activations.isEmpty else { return [] }
    let wanted = Self.leastShare * activations[activations.count / 2]
    let least = min(
      max(wanted, Self.leastActivations.lowerBound), Self.leastActivations.upperBound)
    func isLikely(_ beat: BeatDecoder.Beat) -> Bool { beat.activation >= least }
    guard let first = beats.firstIndex(where: isLikely), let last = beats.lastIndex(where: isLikely)
    else { return [] }
    return Array(beats[first...last])
  }

  private func tempo(of frames: [Int]) -> Double {
    let intervals = zip(frames, frames.dropFirst()).map { $1 - $0 }.sorted()
    let tempo = 60 * 48_000 / Double(intervals[intervals.count / 2])
    return (tempo * 100).rounded() / 100
  }
}
