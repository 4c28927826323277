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
  /// Complexity: about 3,000 operations and 126 bytes a step.
  func beats(in curve: [Float], fromBeat: Bool = false) -> [Beat] {
    let (shortest, longest) = (rule.intervals.lowerBound, rule.intervals.upperBound)
    let (count, width) = (curve.count, rule.intervals.count)
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
    let beside = 3
    func between(_ from: Int, _ to: Int) -> Float {
      let (low, high) = (min(count, from + beside + 1), max(0, to - beside))
      return low < high ? quiet[high] - quiet[low] : 0
    }
    let windows = self.windows()
    let priors = self.priors()
    // The scores of the last steps only, of step `n` at `n % kept`.
    let kept = longest + 1
    var scores = [Float](repeating: -.infinity, count: kept * width)
    var origins = [UInt8](repeating: 0, count: count * width)
    /// The best score at each step, and the interval that ends there.
    var best = [Float](repeating: -.infinity, count: count)
    var bestInterval = [Int](repeating: 0, count: count)
    scores.withUnsafeMutableBufferPointer { scores in
      for step in 0..<count {
        for index in 0..<width {
          let interval = shortest + index
          let before = step - interval
          var score = -Float.infinity
          var origin = UInt8.max
          if before < 0 {
            // The first beat.
            if fromBeat ? step == 0 : true { score = between(-beside - 1, step) }
          } else {
            let row = before % kept * width
            score = best[before] - rule.jump
            origin = UInt8(bestInterval[before])
            let window = windows[index]
            for other in window.range {
              let candidate = scores[row + other] + window.costs[other - window.range.lowerBound]
              if candidate > score {
                score = candidate
                origin = UInt8(other)
              }
            }
            score += between(before, step)
          }
          score += gain[step] + priors[index]
          scores[step % kept * width + index] = score
          origins[step * width + index] = origin
          if score > best[step] {
            best[step] = score
            bestInterval[step] = index
          }
        }
      }
    }
    return traced(
      curve, ends: { best[$0] + between($0, count + beside) }, bestInterval: bestInterval,
      origins: origins)
  }

  private struct Window {
    var range: Range<Int>
    var costs: [Float]
  }

  /// For each interval, those that may come before it, with what that costs.
  private func windows() -> [Window] {
    let shortest = rule.intervals.lowerBound
    return rule.intervals.map { interval in
      let reach = max(1, Int(rule.reach * Float(interval)))
      let range =
        max(
          0, interval - reach - shortest)..<min(
          rule.intervals.count, interval + reach - shortest + 1)
      return Window(
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
    _ curve: [Float], ends: (Int) -> Float, bestInterval: [Int], origins: [UInt8]
  ) -> [Beat] {
    let width = rule.intervals.count
    // The last beat is within the longest interval of the end.
    let last = curve.count - rule.intervals.upperBound..<curve.count
    guard var step = last.max(by: { ends($0) < ends($1) }) else { return [] }
    var index = bestInterval[step]
    var result: [Beat] = []
    while step >= 0 {
      result.append(Beat(step: step, activation: curve[step]))
      let origin = origins[step * width + index]
      step -= rule.intervals.lowerBound + index
      index = Int(origin)
    }
    return result.reversed()
  }
}
