// How well something practised is remembered: stability, difficulty, retrievability.

/// The memory of a part or of a transition, one review a day.
///
/// The model of difficulty, stability and retrievability (DSR) of FSRS-5 with its published default weights
/// (J. Ye, J. Su, Y. Cao, "A Stochastic Shortest Path Algorithm for Optimizing Spaced Repetition Scheduling",
/// KDD 2022; J. Su, J. Ye et al., "Optimizing Spaced Repetition Schedule by Capturing the Dynamics of Memory",
/// IEEE TKDE 2023). Names of weights are theirs. Why this model: `docs/adr/0020`.
struct Memory: Equatable {
  /// How a day went.
  enum Grade: Int {
    /// Missed in the last run-through of the day.
    case missed = 1
    /// Practised below the tempo, or only in sections.
    case slow = 2
    /// At tempo.
    case good = 3
  }

  /// Days in which retrievability falls from 1 to 0.9; 0 before the first review.
  private(set) var stability = 0.0
  /// 1…10.
  private(set) var difficulty = 0.0
  /// The day of the last review.
  private(set) var lastDay = 0

  /// w0…w16 of FSRS-5. Its last two are for several reviews a day, which are one here.
  private static let weights = [
    0.40255, 1.18385, 3.173, 15.69105, 7.1949, 0.5345, 1.4604, 0.0046, 1.54575, 0.1192, 1.01925,
    1.9395, 0.11, 0.29605, 2.2698, 0.2315, 2.9898,
  ]
  private static let stabilities = 0.01...3_650.0

  /// The probability that it goes well on a day: a power function of time since the last review. 0 of what
  /// was never practised.
  func retrievability(on day: Int) -> Double {
    guard stability > 0 else { return 0 }
    let days = Double(max(day - lastDay, 0))
    return 1 / (1 + 19.0 / 81 * days / stability).squareRoot()
  }

  /// Takes a day's practice. Days must rise.
  mutating func review(on day: Int, _ grade: Grade) {
    let w = Memory.weights
    let value = Double(grade.rawValue)
    if stability == 0 {
      stability = w[grade.rawValue - 1]
      difficulty = Memory.firstDifficulty(value)
    } else {
      let recalled = retrievability(on: day)
      let old = difficulty
      let change = -w[6] * (value - 3)
      difficulty = min(
        max(w[7] * Memory.firstDifficulty(4) + (1 - w[7]) * (old + change * (10 - old) / 9), 1), 10)
      if grade == .missed {
        let forgotten =
          w[11] * power(old, -w[12]) * (power(stability + 1, w[13]) - 1)
          * exponential(w[14] * (1 - recalled))
        stability = min(forgotten, stability)
      } else {
        stability *=
          1 + exponential(w[8]) * (11 - old) * power(stability, -w[9])
          * (exponential(w[10] * (1 - recalled)) - 1) * (grade == .slow ? w[15] : 1)
      }
      stability = min(
        max(stability, Memory.stabilities.lowerBound), Memory.stabilities.upperBound)
    }
    lastDay = day
  }

  private static func firstDifficulty(_ grade: Double) -> Double {
    min(max(weights[4] - exponential(weights[5] * (grade - 1)) + 1, 1), 10)
  }
}
