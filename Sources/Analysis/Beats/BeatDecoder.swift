// From activations to beats: the most likely sequence of beats whose tempo changes slowly.

#if canImport(Glibc)
  import Glibc
#endif

/// Finds the most likely beats in a curve of activations.
///
/// The bar-pointer model of F. Krebs, S. Böck and G. Widmer, "An efficient state-space model for joint
/// tempo and meter tracking" (2015), in the form of a semi-Markov chain: a state is a beat and the
/// interval that ends at it, so that only beats have states and the frames between two of them are
/// a difference of sums.
struct BeatDecoder: Sendable {
  /// What is known of one moment, in steps of a hundredth of a second.
  static let stepsPerSecond = 100

  /// What the model believes. Tuned on pieces of the training material.
  struct Rule: Sendable {
    /// The intervals between beats, in steps: 240 to 40 beats a minute.
    var intervals = 25...150
    /// What a change of tempo costs, for a factor of e.
    var change: Float = 50
    /// By which share the tempo may change from one beat to the next without being another tempo.
    var reach: Float = 0.15
    /// What another tempo costs.
    var jump: Float = 14
    /// What one more beat costs or gains.
    var bonus: Float = -0.5
    /// How much an activation beside beats counts.
    var beside: Float = 1
    /// The interval at which people count most readily, in steps, and what a tempo costs by the
    /// square of its distance in octaves.
    var favourite: Float = 56
    var prior: Float = 2
  }

  private let rule: Rule

  init(rule: Rule = Rule()) { self.rule = rule }

  /// A beat: its step, and how likely the network found it.
  struct Beat: Sendable, Equatable {
    var step: Int
    var activation: Float
  }

  /// Returns the beats in a curve of activations (0–1), one a step. With `fromBeat`, step 0 is one.
  /// Complexity: about 450 operations on eight numbers and 128 bytes a step.
  func beats(in curve: [Float], fromBeat: Bool = false) -> [Beat] {
    let longest = rule.intervals.upperBound
    let count = curve.count
    guard count > 2 * longest else { return [] }
    // The sums of what speaks against beats, up to each step.
    var quiet = [Float](repeating: 0, count: count + 1)
    var gain = [Float](repeating: 0, count: count)
    for step in 0..<count {
      let value = min(max(curve[step], 1e-4), 0.999)
      quiet[step + 1] = quiet[step] + rule.beside * logf(1 - value)
      gain[step] = logf(value) + rule.bonus
    }
    /// The steps beside a beat belong to it.
    let beside = BeatLattice.beside
    func between(_ from: Int, _ to: Int) -> Float {
      let (low, high) = (min(count, from + beside + 1), max(0, to - beside))
      return low < high ? quiet[high] - quiet[low] : 0
    }
    let priors = self.priors()
    var lattice = BeatLattice(
      intervals: rule.intervals, count: count, jump: rule.jump, windows: windows(), priors: priors,
      quiet: quiet)
    for step in 0..<min(count, longest) {
      for (index, interval) in rule.intervals.enumerated() {
        let before = step - interval
        var score = -Float.infinity
        var origin = UInt8.max
        if before < 0 {
          // The first beat.
          if fromBeat ? step == 0 : true { score = between(-beside - 1, step) }
        } else {
          (score, origin) = lattice.best(before: before, index: index)
          score += between(before, step)
        }
        lattice.set(step: step, index: index, score + (gain[step] + priors[index]), origin)
      }
    }
    for step in longest..<count { lattice.advance(to: step, gain: gain[step]) }
    return traced(curve, lattice, ends: { lattice.best[$0].score + between($0, count + beside) })
  }

  /// For each interval, those that may come before it, with what that costs.
  private func windows() -> [BeatLattice.Window] {
    let shortest = rule.intervals.lowerBound
    return rule.intervals.map { interval in
      let reach = max(1, Int(rule.reach * Float(interval)))
      let range =
        max(
          0, interval - reach - shortest)..<min(
          rule.intervals.count, interval + reach - shortest + 1)
      return BeatLattice.Window(
        range: range,
        costs: range.map { other in
          -rule.change * abs(logf(Float(interval) / Float(other + shortest)))
        })
    }
  }

  /// What each interval costs.
  private func priors() -> [Float] {
    rule.intervals.map { interval in
      let octaves = log2f(Float(interval) / rule.favourite)
      return -rule.prior * octaves * octaves
    }
  }

  private func traced(
    _ curve: [Float], _ lattice: BeatLattice, ends: (Int) -> Float
  ) -> [Beat] {
    // The last beat is within the longest interval of the end.
    let last = curve.count - rule.intervals.upperBound..<curve.count
    guard var step = last.max(by: { ends($0) < ends($1) }) else { return [] }
    var index = lattice.best[step].index
    var result: [Beat] = []
    while step >= 0 {
      result.append(Beat(step: step, activation: curve[step]))
      let origin = lattice.origin(step: step, index: index)
      step -= rule.intervals.lowerBound + index
      index = Int(origin)
    }
    return result.reversed()
  }
}
