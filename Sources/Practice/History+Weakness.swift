// How weak parts, transitions and moves are, and what a part has reached.

/// What a part has reached.
public struct PartProgress: Sendable, Equatable {
  public var targetPercent: Int
  /// The highest speed of a whole pass, in percent of the original; 0 if there was none.
  public var reachedPercent: Int
  /// The first day with that speed.
  public var reachedDay: Int?
  /// The first day on which the target was reached.
  public var atTempoDay: Int?
  /// The last day with practice.
  public var lastDay: Int?
  /// Whole passes.
  public var passes: Int
  public var seconds: Double
  /// In how many of the last `of` run-throughs, at most five, it was missed.
  public var missed: Int
  public var of: Int
}

extension History {
  // MARK: Progress

  /// Returns the days on which a part was practised, rising.
  public func days(of index: Int) -> [PracticeDay] { histories[index].days }

  /// Returns what a part has reached.
  public func progress(of index: Int) -> PartProgress {
    let history = histories[index]
    let target = parts[index].targetPercent
    var progress = PartProgress(
      targetPercent: target, reachedPercent: 0, lastDay: history.days.last?.day, passes: 0,
      seconds: 0, missed: history.tally.missed, of: history.tally.of)
    for day in history.days {
      progress.passes = min(progress.passes + day.passes, Int(Int32.max / 2))
      progress.seconds += day.seconds
      if day.percent > progress.reachedPercent {
        progress.reachedPercent = day.percent
        progress.reachedDay = day.day
      }
      if progress.atTempoDay == nil, isAtTempo(Double(day.percent), index) {
        progress.atTempoDay = day.day
      }
    }
    return progress
  }

  /// Tells whether a speed in percent is a part's target, or so near to it that nobody hears it.
  func isAtTempo(_ percent: Double, _ index: Int) -> Bool {
    percent >= History.tempoShare * Double(parts[index].targetPercent)
  }

  // MARK: Weakness

  /// Returns how weak a part is today, 0…1; nil if the log does not know it.
  ///
  /// w = 1 - (1 - m) (1 - g) (1 - f): the chance that one of three independent causes makes it go wrong.
  /// m is the share of run-throughs in which it was missed, each counting 0.7 of the next one, and 0.85 for
  /// each later day at tempo. g is half the gap between the speed that can be danced (`readyPercent`) and the
  /// target, as a share of the target. f is what is forgotten since, 1 - R (`Memory`).
  public func weakness(ofPart index: Int) -> Double? { weakness(ofPart: index, on: today) }

  func weakness(ofPart index: Int, on day: Int) -> Double? {
    let history = histories[index]
    guard history.memory.stability > 0 else { return nil }
    let gap = 0.5 * share(1 - readyPercent(of: index) / Double(parts[index].targetPercent))
    let forgotten = 1 - history.memory.retrievability(on: day)
    return share(1 - (1 - missShare(of: index)) * (1 - gap) * (1 - forgotten))
  }

  /// Returns how weak the transition from a part into the next is, 0…1; nil if it was never practised.
  ///
  /// w = 1 - (1 - m) (1 - f), with m and f as of a part.
  public func weakness(ofTransition index: Int) -> Double? {
    weakness(ofTransition: index, on: today)
  }

  func weakness(ofTransition index: Int, on day: Int) -> Double? {
    let history = histories[index]
    guard history.transitionMemory.stability > 0 else { return nil }
    let forgotten = 1 - history.transitionMemory.retrievability(on: day)
    return share(1 - (1 - history.transition.share) * (1 - forgotten))
  }

  /// Returns how weak a move is, 0…1: the share of run-throughs in which it was missed, as m of a part. Nil
  /// if no run-through has covered it.
  public func weakness(ofMove number: Int, inPart index: Int) -> Double? {
    let tally = histories[index].moves[number]
    return tally.of == 0 ? nil : tally.share * fading(of: index)
  }

  /// Returns in how many of the last run-throughs that covered a move, at most five, it was missed.
  public func misses(ofMove number: Int, inPart index: Int) -> (missed: Int, of: Int) {
    let tally = histories[index].moves[number]
    return (tally.missed, tally.of)
  }

  /// The share of run-throughs in which a part was missed, as it has faded.
  func missShare(of index: Int) -> Double { histories[index].tally.share * fading(of: index) }

  /// What is left of a weakness after days at tempo since the last run-through: 0.85 for each, at most four.
  private func fading(of index: Int) -> Double {
    guard let last = histories[index].lastRunDay else { return 1 }
    var left = 1.0
    for day in histories[index].days.reversed() {
      guard day.day > last, left > 0.53 else { break }
      if isAtTempo(Double(day.percent), index) { left *= 0.85 }
    }
    return left
  }

  /// Returns the speed at which a part can be danced today, in percent of the original; 0 if it was never
  /// practised as a whole.
  ///
  /// The best of the last three days with a whole pass; a tenth less than a run-through that was missed on the
  /// last of them or later; and up to a quarter less as it is forgotten.
  func readyPercent(of index: Int) -> Double {
    let history = histories[index]
    var best = 0
    var found = 0
    var lastDay = 0
    for day in history.days.reversed() where day.percent > 0 {
      if found == 0 { lastDay = day.day }
      best = max(best, day.percent)
      found += 1
      if found == 3 { break }
    }
    var ready = Double(best)
    if history.tally.isLastMissed, let run = history.lastRunDay, run >= lastDay {
      ready =
        ready == 0
        ? 0.8 * Double(history.lastRunPercent) : min(ready, 0.9 * Double(history.lastRunPercent))
    }
    return ready * (0.75 + 0.25 * history.memory.retrievability(on: today))
  }
}
