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
  /// Beats before the first and after the last that is at least so likely are none.
  private static let leastActivation: Float = 0.12

  var analysis: BeatAnalysis? {
    let beats = trimmed(decoded())
    guard beats.count >= 4 else { return nil }
    let downbeats = beats.map { activations.downbeat(near: $0.step / 2) }
    let places = BarDecoder().places(downbeats: downbeats)
    let frames = BeatTimes(activations: activations, lengthFrames: lengthFrames)
      .frames(steps: beats.map(\.step))
    let phrases = PhraseFinder().phrases(frames: frames, beats: places, changes: changes)
    let (tempo, metre) = (tempo(of: frames), metre(of: places))
    return BeatAnalysis(
      tempo: tempo, metre: metre,
      confidence: BeatConfidence(
        beats: beats.map(\.activation), downbeats: downbeats, places: places, frames: frames,
        tempo: tempo, metre: metre
      ).value,
      frames: frames, places: places.map(\.place), eights: phrases.map { frames[$0] })
  }

  /// The beats, looked for once more near the tempo that most of them have.
  private func decoded() -> [BeatDecoder.Beat] {
    let beats = decoded(by: BeatDecoder())
    let intervals = zip(beats, beats.dropFirst()).map { $1.step - $0.step }.sorted()
    guard !intervals.isEmpty else { return beats }
    var rule = BeatDecoder.Rule()
    rule.favourite = Float(intervals[intervals.count / 2])
    rule.prior = Self.priorAgain
    return decoded(by: BeatDecoder(rule: rule))
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
    func isLikely(_ beat: BeatDecoder.Beat) -> Bool { beat.activation >= Self.leastActivation }
    guard let first = beats.firstIndex(where: isLikely), let last = beats.lastIndex(where: isLikely)
    else { return [] }
    return Array(beats[first...last])
  }

  private func tempo(of frames: [Int]) -> Double {
    let intervals = zip(frames, frames.dropFirst()).map { $1 - $0 }.sorted()
    let tempo = 60 * 48_000 / Double(intervals[intervals.count / 2])
    return (tempo * 100).rounded() / 100
  }

  private func metre(of places: [MetricBeat]) -> Int {
    var counts = [Int](repeating: 0, count: 8)
    for place in places { counts[place.metre] += 1 }
    return counts.indices.max { counts[$0] < counts[$1] }!  // There are eight.
  }
}
