// The order of the chosen steps, rests between them, and why each is there.

extension Scheduler {
  /// Puts the steps in order, with rests.
  func ordered(warmUp: PlanStep<Int>?, last: PlanStep<Int>?) -> [ProposedStep] {
    var rounds = Array(repeating: 0, count: history.parts.count)
    /// The kind, the round, the negative need or the place from the end, and the step.
    var keyed: [(group: Int, round: Int, key: Double, step: PlanStep<Int>)] = []
    for step in chosen {
      switch step.kind {
      case .part:
        keyed.append((0, rounds[step.firstPart], -gain.need(ofPart: step.firstPart), step))
        rounds[step.firstPart] += 1
      case .transition: keyed.append((1, 0, -gain.need(ofTransition: step.firstPart), step))
      case .chain:
        keyed.append((2, 0, Double(history.parts.count - step.firstPart), step))
      default: keyed.append((3, 0, 0, step))
      }
    }
    let sorted = order(of: keyed.count) { left, right in
      let (one, other) = (keyed[left], keyed[right])
      if one.group != other.group { return one.group < other.group }
      return one.round != other.round ? one.round < other.round : one.key < other.key
    }
    var steps: [ProposedStep] = []
    if let warmUp { add(warmUp, to: &steps) }
    for place in sorted { add(keyed[place].step, to: &steps) }
    if let last { add(last, to: &steps) }
    return withRests(steps)
  }

  private func add(_ step: PlanStep<Int>, to steps: inout [ProposedStep]) {
    steps.append(
      ProposedStep(step: step, seconds: history.seconds(of: step), reason: reason(for: step)))
  }

  /// Puts a rest wherever the work since the last one would become too long.
  private func withRests(_ steps: [ProposedStep]) -> [ProposedStep] {
    let total = steps.reduce(0) { $0 + $1.seconds }
    guard total > Scheduler.workSeconds else { return steps }
    let rest = PlanStep(
      kind: .rest, firstPart: -1, lastPart: -1, passes: 1, fromPercent: 100, toPercent: 100,
      stepPercent: 0, restSeconds: Scheduler.restSeconds)
    var result: [ProposedStep] = []
    var worked = 0.0
    var rests = 0
    for step in steps {
      if worked > 0, worked + step.seconds > Scheduler.workSeconds, rests < mostRests {
        rests += 1
        result.append(
          ProposedStep(
            step: rest, seconds: Double(Scheduler.restSeconds), reason: Reason(.rest)))
        worked = 0
      }
      result.append(step)
      worked += step.seconds
    }
    return result
  }

  // MARK: Reasons

  private func reason(for step: PlanStep<Int>) -> Reason {
    switch step.kind {
    case .warmUp: return Reason(.warmUp)
    case .rest: return Reason(.rest)
    case .chain: return Reason(.join)
    case .runThrough: return daysLeft.map { Reason(.performance, $0) } ?? Reason(.check)
    case .transition:
      let tally = history.histories[step.firstPart].transition
      return tally.missed > 0 ? Reason(.missed, tally.missed, tally.of) : Reason(.join)
    case .part: return reason(forPart: step.firstPart)
    }
  }

  /// Why a part is practised: what weighs most in its weakness.
  private func reason(forPart index: Int) -> Reason {
    let progress = history.progress(of: index)
    guard let last = progress.lastDay else { return Reason(.new) }
    let missed = history.missShare(of: index)
    let gap =
      0.5 * share(1 - Double(progress.reachedPercent) / (History.tempoShare * gain.target(index)))
    let days = history.today - last
    let forgotten = 1 - history.histories[index].memory.retrievability(on: history.today)
    if progress.missed > 0, missed >= 0.2, missed >= gap, missed >= forgotten {
      return Reason(.missed, progress.missed, progress.of)
    }
    if gap > 0, gap >= forgotten || days < 2 {
      return Reason(.slow, progress.reachedPercent, progress.targetPercent)
    }
    if days >= 2 { return Reason(.notPractised, days) }
    if let daysLeft, daysLeft <= Scheduler.farDays { return Reason(.performance, daysLeft) }
    return Reason(.keep)
  }
}
