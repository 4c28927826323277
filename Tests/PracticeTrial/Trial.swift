// Weeks of practice up to a performance, by each policy.

import Practice
import TestSupport

/// How a performance went.
struct Outcome {
  /// The share of parts at tempo.
  var atTempo: Double
  /// The mistakes to be expected in the run-through of the day, parts and transitions.
  var misses: Double
}

/// One performer who practises by one policy.
struct Trial {
  private var performer: Performer
  private let policy: Policy
  private var generator: SeededGenerator
  private var entries: [PracticeEntry] = []
  private var runs: [RunThrough] = []
  private var heard: [HeardSection] = []

  static let minutes = 20.0
  static let days = 21
  /// 2026-03-02 at six in the evening.
  private static let start: Int64 = 1_772_474_400_000

  /// The same seed gives the same performer, whatever the policy.
  init(_ kind: PerformerKind, policy: Policy, seed: UInt64) {
    performer = Performer(kind, seed: seed)
    self.policy = policy
    generator = SeededGenerator(seed: seed ^ 0x5eed)
  }

  /// Practises each day, and performs on the day after the last one.
  mutating func outcome() -> Outcome {
    var next = 0
    for day in 0..<Trial.days {
      let now = Moment(milliseconds: Trial.start + Int64(day) * 86_400_000, utcOffset: 0)
      let history = History(
        log: PracticeLog(entries: entries, runs: runs), parts: performer.parts, now: now)
      let steps = policy.steps(
        history, minutes: Trial.minutes, performanceDay: history.today + Trial.days - day,
        next: &next, &generator)
      heard = []
      for step in steps { practise(step, at: now) }
      entries.append(PracticeEntry(moment: now, heard: heard))
      performer.sleep()
    }
    let (atTempo, misses) = performer.performance
    return Outcome(atTempo: Double(atTempo) / Double(performer.parts.count), misses: misses)
  }

  /// Practises a step. After a mistake the next pass keeps the speed, for all policies alike.
  private mutating func practise(_ step: PlanStep<Int>, at now: Moment) {
    performer.rest(seconds: 8)
    guard step.kind != .rest else { return performer.rest(seconds: Double(step.restSeconds)) }
    var percent = step.fromPercent
    for _ in 0..<step.passes {
      var succeeds = true
      switch step.kind {
      case .transition:
        succeeds = performer.join(step.firstPart, percent: percent)
        hear(sectionOf: step.firstPart, percent, isEnd: true)
        hear(sectionOf: step.lastPart, percent, isEnd: false)
      case .runThrough:
        runThrough(step, at: now)
      default:
        let result = performer.dance(step.firstPart...step.lastPart, percent: percent)
        succeeds = !result.parts.contains(false)
        for index in step.firstPart...step.lastPart { hear(index, percent) }
      }
      performer.rest(seconds: Double(step.restSeconds))
      if succeeds { percent = min(percent + step.stepPercent, step.toPercent) }
    }
  }

  private mutating func runThrough(_ step: PlanStep<Int>, at now: Moment) {
    let range = step.firstPart...step.lastPart
    let result = performer.dance(range, percent: step.fromPercent)
    var misses: [Miss] = []
    for index in range {
      hear(index, step.fromPercent)
      let id = performer.parts[index].id
      if index > range.lowerBound, !result.joins[index - range.lowerBound - 1], performer.taps() {
        misses.append(Miss(part: id, frame: 2 * Performer.framesPerSecond, move: nil))
      }
      if !result.parts[index - range.lowerBound], performer.taps() {
        misses.append(Miss(part: id, frame: performer.frame(of: index), move: nil))
      }
    }
    runs.append(
      RunThrough(
        moment: Moment(milliseconds: now.milliseconds + Int64(runs.count), utcOffset: 0),
        percent: step.fromPercent,
        covered: range.map {
          let part = performer.parts[$0]
          return CoveredRange(
            part: part.id, startFrame: part.frames.lowerBound, endFrame: part.frames.upperBound)
        }, misses: misses))
  }

  /// Notes a whole pass of a part.
  private mutating func hear(_ index: Int, _ percent: Int) {
    hear(index, performer.parts[index].frames, percent)
  }

  /// Notes the end or the start of a part.
  private mutating func hear(sectionOf index: Int, _ percent: Int, isEnd: Bool) {
    let frames = performer.parts[index].frames
    let length = 4 * Performer.framesPerSecond
    hear(
      index,
      isEnd
        ? (frames.upperBound - length)..<frames.upperBound
        : frames.lowerBound..<(frames.lowerBound + length), percent)
  }

  private mutating func hear(_ index: Int, _ frames: Range<Int>, _ percent: Int) {
    let id = performer.parts[index].id
    let seconds = frames.count * 100 / percent / Performer.framesPerSecond
    if let known = heard.firstIndex(where: { $0.part == id && $0.frames == frames }) {
      heard[known].passes += 1
      heard[known].seconds += seconds
      heard[known].percent = max(heard[known].percent, percent)
    } else {
      heard.append(
        HeardSection(
          part: id, startFrame: frames.lowerBound, endFrame: frames.upperBound, passes: 1,
          seconds: seconds, percent: percent))
    }
  }
}

/// The mean of numbers, and how far they spread: their standard deviation.
struct Spread {
  var mean: Double
  var deviation: Double

  init(_ numbers: [Double]) {
    let mean = numbers.reduce(0, +) / Double(max(numbers.count, 1))
    self.mean = mean
    let squares = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    deviation = (squares / Double(max(numbers.count - 1, 1))).squareRoot()
  }
}
