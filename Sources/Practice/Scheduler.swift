// The session that is proposed: what to practise today, in which order, and how fast.

/// Makes a session of a history. It draws nothing at random: the same log gives the same session.
///
/// Steps are chosen one by one, each time the one that gains most for its time, until the time is filled: the
/// economic rule of P. Pavlik and J. Anderson ("Using a model to compute the optimal schedule of practice",
/// Journal of Experimental Psychology: Applied 14, 2008) and L. Eglington and P. Pavlik ("Optimizing practice
/// scheduling requires quantitative tracking of individual item performance", npj Science of Learning 5, 2020).
/// What a pass gains is in `Gain`. Then the steps are put in order: weak parts first, in rounds rather than in
/// one block each, since interleaved practice lasts longer (J. Shea and R. Morgan, "Contextual interference
/// effects", 1979); then transitions; then the routine chained backwards (D. Wightman and G. Lintern,
/// "Part-task training for tracking and manual control", Human Factors 27, 1985); and a run-through at the end.
struct Scheduler {
  let history: History
  private(set) var gain: Gain
  /// Days to the performance; nil if it is over or none is known.
  let daysLeft: Int?
  /// The parts that can be played, rising.
  private let playable: [Int]
  private var secondsLeft: Double
  /// The most chains, run-throughs before the last one, and blocks of the same part.
  private let mostOfAKind: Int
  /// The rests for which there is time.
  let mostRests: Int
  /// What was chosen, with the order in which it was.
  private(set) var chosen: [PlanStep<Int>] = []

  /// The longest session: four hours.
  static let mostMinutes = 240.0
  static let farDays = 14
  /// No performance is later: about the year 4700.
  private static let lastDay = 1_000_000
  /// From this need on, a part is weak.
  private static let weak = 0.4
  /// After so much work comes a rest.
  static let workSeconds = 1_500.0
  static let restSeconds = 180

  init(history: History, minutes: Double, performanceDay: Int?) {
    self.history = history
    let days = performanceDay.map { min(max($0, 0), Scheduler.lastDay) - history.today }
    daysLeft = days.flatMap { $0 >= 0 ? $0 : nil }
    // The weakness of that day counts: of the performance, but at least of tomorrow.
    let ahead = min(max(daysLeft ?? Scheduler.farDays, 1), Scheduler.farDays)
    gain = Gain(history: history, day: history.today + ahead)
    playable = history.parts.indices.filter { history.parts[$0].seconds >= 1 }
    secondsLeft = minutes.isNaN ? 0 : 60 * min(max(minutes, 0), Scheduler.mostMinutes)
    mostOfAKind = 1 + Int(secondsLeft / 600)
    mostRests = Int(secondsLeft / Scheduler.workSeconds)
  }

  /// Returns the steps of the session, in order.
  mutating func proposal() -> [ProposedStep] {
    guard !playable.isEmpty else { return [] }
    secondsLeft -= Double(mostRests * Scheduler.restSeconds)
    var last: PlanStep<Int>?
    if let run = runThrough(), isWorthwhile(run) {
      last = run
      take(run)
    }
    let warmUp = warmUp()
    if let warmUp { take(warmUp) }
    chooseWeakest()
    choose()
    return ordered(warmUp: warmUp, last: last)
  }

  private mutating func take(_ step: PlanStep<Int>) {
    gain.take(step)
    secondsLeft -= history.seconds(of: step)
  }

  // MARK: Choosing

  /// Chooses blocks of the weakest parts: at most one for ten minutes, in half of the time.
  private mutating func chooseWeakest() {
    let weak = playable.filter { gain.need(ofPart: $0) >= Scheduler.weak }
    let weakest = order(of: weak.count) {
      gain.need(ofPart: weak[$0]) > gain.need(ofPart: weak[$1])
    }
    let half = secondsLeft / 2
    for place in weakest.prefix(max(Int(secondsLeft / 600), 1)) {
      let index = weak[place]
      guard let step = fitting(history.block(of: index)),
        secondsLeft - history.seconds(of: step) >= half
      else { continue }
      chosen.append(step)
      take(step)
    }
  }

  /// Chooses steps until nothing fits any more.
  private mutating func choose() {
    let candidates = candidates()
    while chosen.count < PlanLimit.steps - 20 {
      var best: PlanStep<Int>?
      var most = 0.0
      for candidate in candidates {
        guard isWelcome(candidate), let step = fitting(candidate) else { continue }
        let worth = gain.of(step) / history.seconds(of: step)
        if worth > most { (best, most) = (step, worth) }
      }
      guard let best else { break }
      chosen.append(best)
      take(best)
    }
    // In very little time, one pass is better than nothing.
    if chosen.isEmpty {
      for var step in candidates where chosen.isEmpty {
        step.passes = 1
        if history.seconds(of: step) <= secondsLeft { chosen = [step] }
      }
    }
  }

  /// Whether a step may be chosen once more. A chain has no part in common with another one, or it is longer at
  /// its start: so it grows backwards.
  private func isWelcome(_ step: PlanStep<Int>) -> Bool {
    let same = chosen.filter { $0.kind == step.kind }
    switch step.kind {
    case .runThrough: return same.count < mostOfAKind
    case .chain:
      return same.count < mostOfAKind
        && same.allSatisfy {
          $0.lastPart < step.firstPart || step.lastPart < $0.firstPart
            || ($0.lastPart == step.lastPart && step.firstPart < $0.firstPart)
        }
    default:
      let most = step.kind == .part ? max(mostOfAKind, 2) : max(mostOfAKind / 3, 1)
      return same.count { $0.firstPart == step.firstPart } < most
    }
  }

  /// Returns a step with as many passes as there is time for; nil if there is not time for two, or for all.
  private func fitting(_ step: PlanStep<Int>) -> PlanStep<Int>? {
    var step = step
    while step.passes > 2, history.seconds(of: step) > secondsLeft { step.passes -= 1 }
    return history.seconds(of: step) <= secondsLeft ? step : nil
  }

  /// All steps that there could be.
  private func candidates() -> [PlanStep<Int>] {
    var steps = playable.map { history.block(of: $0) }
    for index in playable where isPlayable(index...index + 1) && isPractised(index...index + 1) {
      steps.append(transition(index))
      for length in 2...4 {
        let range = index...(index + length - 1)
        if isPlayable(range), isPractised(range) { steps.append(chain(range)) }
      }
    }
    if let run = runThrough(), isPractised(run.firstPart...run.lastPart) { steps.append(run) }
    return steps
  }

  private func isPlayable(_ range: ClosedRange<Int>) -> Bool {
    range.allSatisfy { $0 < history.parts.count && history.parts[$0].seconds >= 1 }
  }

  private func isPractised(_ range: ClosedRange<Int>) -> Bool {
    range.allSatisfy { history.weakness(ofPart: $0) != nil || history.parts[$0].seconds < 1 }
  }

  private func transition(_ index: Int) -> PlanStep<Int> {
    let percent = joinPercent(index...index + 1)
    return PlanStep(
      kind: .transition, firstPart: index, lastPart: index + 1, passes: 4,
      fromPercent: percent - 10, toPercent: percent, stepPercent: 5, restSeconds: 2)
  }

  private func chain(_ range: ClosedRange<Int>) -> PlanStep<Int> {
    let percent = joinPercent(range)
    return PlanStep(
      kind: .chain, firstPart: range.lowerBound, lastPart: range.upperBound, passes: 1,
      fromPercent: percent, toPercent: percent, stepPercent: 0, restSeconds: 0)
  }

  /// In a session of ten minutes or more, the part that is known best comes first, slowly.
  private func warmUp() -> PlanStep<Int>? {
    guard secondsLeft >= 600 else { return nil }
    let known = playable.filter { gain.isKnown($0) && history.parts[$0].seconds <= 60 }
    guard let best = known.min(by: { gain.need(ofPart: $0) < gain.need(ofPart: $1) }) else {
      return nil
    }
    let percent = history.stepPercent(0.8 * gain.ready(best), upTo: gain.target(best))
    return PlanStep(
      kind: .warmUp, firstPart: best, lastPart: best, passes: 1, fromPercent: percent,
      toPercent: percent, stepPercent: 0, restSeconds: 0)
  }

  /// The whole routine; nil of one part. In the last week at the target, before at the speed at which half of
  /// the parts can be danced.
  private func runThrough() -> PlanStep<Int>? {
    guard let first = playable.first, let last = playable.last, first < last else { return nil }
    let target = meanTarget(playable)
    let shares = playable.map { gain.ready($0) / gain.target($0) }
    let middle = order(of: shares.count) { shares[$0] < shares[$1] }[shares.count / 2]
    let typical = min(max(shares[middle], 0.6), 1)
    let percent =
      (daysLeft ?? .max) <= 7 ? Int(target) : history.stepPercent(typical * target, upTo: target)
    return PlanStep(
      kind: .runThrough, firstPart: first, lastPart: last, passes: 1, fromPercent: percent,
      toPercent: percent, stepPercent: 0, restSeconds: 0)
  }

  /// Whether there is time for the run-through, and most parts are practised.
  private func isWorthwhile(_ run: PlanStep<Int>) -> Bool {
    let practised = playable.count { history.weakness(ofPart: $0) != nil }
    let mostShare = (daysLeft ?? .max) <= 7 ? 0.6 : 0.4
    return 4 * practised >= 3 * playable.count
      && history.seconds(of: run) <= mostShare * secondsLeft
  }

  /// The speed at which parts can be danced one after the other: that of the slowest.
  private func joinPercent(_ range: ClosedRange<Int>) -> Int {
    var lowest = 1.0
    for index in range { lowest = min(lowest, gain.ready(index) / gain.target(index)) }
    let target = meanTarget(Array(range))
    return history.stepPercent(max(lowest, 0.5) * target, upTo: target)
  }

  /// Targets that differ can't all be met at one speed: their mean, by length.
  private func meanTarget(_ indices: [Int]) -> Double {
    var seconds = 0.0
    var targets = 0.0
    for index in indices {
      seconds += history.parts[index].seconds
      targets += gain.target(index) * history.parts[index].seconds
    }
    return (targets / max(seconds, 1)).rounded(.down)
  }
}

extension History {
  /// A pause between two passes.
  private static let pauseSeconds = 4

  /// Rounds a speed to what a step can have: whole fives, but a target stays as it is.
  func stepPercent(_ percent: Double, upTo target: Double) -> Int {
    if percent >= History.tempoShare * target { return Int(target) }
    let five = Int(percent / 5 + 0.5) * 5
    return min(max(five, PlanLimit.percents.lowerBound), Int(target))
  }

  /// Returns a block of one part: from what can be danced to a little more, in steps of 5 percent.
  public func block(of index: Int) -> PlanStep<Int> {
    let target = Double(parts[index].targetPercent)
    var ready = readyPercent(of: index)
    if ready <= 0 { ready = 0.6 * target }
    let from = stepPercent(min(ready, 0.95 * target - 1), upTo: target)
    return PlanStep(
      kind: .part, firstPart: index, lastPart: index, passes: 3, fromPercent: from,
      toPercent: max(min(from + 10, Int(target)), from), stepPercent: 5,
      restSeconds: History.pauseSeconds)
  }

  /// Proposes a session of so many minutes, at most four hours. Parts without audio are left out.
  /// `performanceDay` is a local day; one that is over counts as none. Empty if nothing can be played, or
  /// nothing fits.
  public func proposal(minutes: Double, performanceDay: Int?) -> [ProposedStep] {
    var scheduler = Scheduler(history: self, minutes: minutes, performanceDay: performanceDay)
    return scheduler.proposal()
  }
}
