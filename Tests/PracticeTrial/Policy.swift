// What is practised in a session, by the plan or by a simple rule.

import Practice
import TestSupport

/// A way to fill a session.
enum Policy: String, CaseIterable {
  case plan = "the plan"
  case inOrder = "all parts in order, going on the next day"
  case fromTheTop = "all parts in order, from the top each day"
  case random = "parts at random"
  case runs = "run-throughs alone"

  /// Returns the steps of a session. Except for the last rule all end with the run-through that the plan has,
  /// and blocks of a part are the plan's: only the choice differs.
  func steps(
    _ history: History, minutes: Double, performanceDay: Int, next: inout Int,
    _ generator: inout SeededGenerator
  ) -> [PlanStep<Int>] {
    let plan = history.proposal(minutes: minutes, performanceDay: performanceDay).map(\.step)
    if self == .plan { return plan }
    let run = plan.last.flatMap { $0.kind == .runThrough ? $0 : nil }
    var secondsLeft = 60 * minutes
    var steps: [PlanStep<Int>] = []
    if self == .runs {
      // As fast as half of the parts can be danced, as the plan's.
      let speeds = history.parts.indices.map { history.block(of: $0).toPercent }.sorted()
      let percent = run?.fromPercent ?? max(speeds[speeds.count / 2] - 10, 50)
      let step = PlanStep(
        kind: .runThrough, firstPart: 0, lastPart: history.parts.count - 1, passes: 1,
        fromPercent: percent, toPercent: percent, stepPercent: 0, restSeconds: 0)
      return Array(repeating: step, count: max(Int(secondsLeft / history.seconds(of: step)), 1))
    }
    if let run { secondsLeft -= history.seconds(of: run) }
    if self == .fromTheTop { next = 0 }
    while true {
      let index =
        self == .random
        ? Int.random(in: history.parts.indices, using: &generator) : next % history.parts.count
      var step = history.block(of: index)
      while step.passes > 1, history.seconds(of: step) > secondsLeft { step.passes -= 1 }
      guard history.seconds(of: step) <= secondsLeft else { break }
      steps.append(step)
      secondsLeft -= history.seconds(of: step)
      next = index + 1
    }
    if let run { steps.append(run) }
    return steps
  }
}
