// The history of practice, weakness and proposals, for the page. See Exports.swift for the handles.

import Counts
import Practice

/// An index that the page passes; nil if there is no such part.
private func known(_ index: Int32, _ handle: Handle) -> Int? {
  handle.holder.pointee.history.parts.indices.contains(Int(index)) ? Int(index) : nil
}

/// NaN for nil.
private func optional(_ value: Double?) -> Double { value ?? .nan }
private func optional(_ value: Int?) -> Double { value.map { Double($0) } ?? .nan }

// MARK: Deriving

/// Adds an entry of the log: its time, the minutes that its clock was ahead of UTC, and its lines.
@_expose(wasm) @c(practice_add_entry)
public func practiceAddEntry(
  _ handle: Handle, _ startedAt: Double, _ utcOffset: Double, _ text: UnsafePointer<UInt8>,
  _ count: Int32
) {
  handle.holder.pointee.entries.append(
    PracticeEntry(moment: Moment(startedAt, utcOffset), text: bytes(text, count)))
}

/// Adds a run-through, of which what was covered and what was missed have been set.
@_expose(wasm) @c(practice_add_run)
public func practiceAddRun(
  _ handle: Handle, _ startedAt: Double, _ utcOffset: Double, _ percent: Double
) {
  let holder = handle.holder
  holder.pointee.runs.append(
    RunThrough(
      moment: Moment(startedAt, utcOffset), percent: Int(bounding: percent),
      covered: holder.pointee.covered, misses: holder.pointee.misses))
}

/// Derives the history from what was added, and forgets entries and run-throughs.
@_expose(wasm) @c(practice_derive)
public func practiceDerive(_ handle: Handle, _ now: Double, _ utcOffset: Double) {
  let holder = handle.holder
  holder.pointee.history = History(
    log: PracticeLog(entries: holder.pointee.entries, runs: holder.pointee.runs),
    parts: holder.pointee.parts, now: Moment(now, utcOffset))
  holder.pointee.entries = []
  holder.pointee.runs = []
}

// MARK: Reading

/// Returns how weak a part is, 0…1; NaN if nothing is known of it.
@_expose(wasm) @c(practice_part_weakness)
public func practicePartWeakness(_ handle: Handle, _ part: Int32) -> Double {
  optional(known(part, handle).flatMap { handle.holder.pointee.history.weakness(ofPart: $0) })
}

/// Returns how weak the transition from a part into the next one is, 0…1; NaN if nothing is known of it.
@_expose(wasm) @c(practice_transition_weakness)
public func practiceTransitionWeakness(_ handle: Handle, _ part: Int32) -> Double {
  optional(
    known(part, handle).flatMap { handle.holder.pointee.history.weakness(ofTransition: $0) })
}

/// Returns how weak a move of a part is, 0…1; NaN if nothing is known of it.
@_expose(wasm) @c(practice_move_weakness)
public func practiceMoveWeakness(_ handle: Handle, _ part: Int32, _ move: Int32) -> Double {
  guard let part = known(part, handle),
    handle.holder.pointee.history.parts[part].moves.indices.contains(Int(move))
  else { return .nan }
  return optional(handle.holder.pointee.history.weakness(ofMove: Int(move), inPart: part))
}

/// Answers two numbers of a move: in how many of how many run-throughs it was missed. Returns 0 if there is no
/// such move.
@_expose(wasm) @c(practice_move_misses)
public func practiceMoveMisses(_ handle: Handle, _ part: Int32, _ move: Int32) -> Int32 {
  guard let part = known(part, handle),
    handle.holder.pointee.history.parts[part].moves.indices.contains(Int(move))
  else { return 0 }
  let (missed, of) = handle.holder.pointee.history.misses(ofMove: Int(move), inPart: part)
  handle.holder.pointee.numbers = [Double(missed), Double(of)]
  return 1
}

/// Answers nine numbers of a part: target and reached percent, the days on which it was reached, was at
/// tempo and was practised at last (NaN for none), whole passes, seconds, and in how many of how many
/// run-throughs it was missed. Then three for each day: the day, whole passes, the highest percent. Returns 0
/// if there is no such part.
@_expose(wasm) @c(practice_progress)
public func practiceProgress(_ handle: Handle, _ part: Int32) -> Int32 {
  guard let part = known(part, handle) else { return 0 }
  let history = handle.holder.pointee.history
  let progress = history.progress(of: part)
  var numbers = [
    Double(progress.targetPercent), Double(progress.reachedPercent),
    optional(progress.reachedDay), optional(progress.atTempoDay), optional(progress.lastDay),
    Double(progress.passes), progress.seconds, Double(progress.missed), Double(progress.of),
  ]
  for day in history.days(of: part) {
    numbers += [Double(day.day), Double(day.passes), Double(day.percent)]
  }
  handle.holder.pointee.numbers = numbers
  return 1
}

/// Answers two numbers for each week with practice: the day of its Monday and the seconds.
@_expose(wasm) @c(practice_weeks)
public func practiceWeeks(_ handle: Handle) {
  var numbers: [Double] = []
  for week in handle.holder.pointee.history.weeks {
    numbers += [Double(week.firstDay), week.seconds]
  }
  handle.holder.pointee.numbers = numbers
}

// MARK: Plans

/// Answers the steps of a session: for each twelve numbers, which are those of a step, then its seconds, and
/// the kind of its reason with two numbers. NaN for no performance.
@_expose(wasm) @c(practice_propose)
public func practicePropose(_ handle: Handle, _ minutes: Double, _ performanceDay: Double) {
  let steps = handle.holder.pointee.history.proposal(
    minutes: minutes,
    performanceDay: performanceDay.isNaN ? nil : Int(bounding: performanceDay))
  var numbers: [Double] = []
  for proposed in steps {
    numbers += proposed.step.numbers
    numbers += [
      proposed.seconds, Double(proposed.reason.kind.rawValue), Double(proposed.reason.first),
      Double(proposed.reason.second),
    ]
  }
  handle.holder.pointee.numbers = numbers
}

/// Answers the eight numbers of a step, as it is proposed for one part. Returns 0 if there is no such part.
@_expose(wasm) @c(practice_block)
public func practiceBlock(_ handle: Handle, _ part: Int32) -> Int32 {
  guard let part = known(part, handle) else { return 0 }
  handle.holder.pointee.numbers = handle.holder.pointee.history.block(of: part).numbers
  return 1
}

/// Returns the seconds that a step takes, of the parts that were added. Both parts of a rest are -1.
@_expose(wasm) @c(practice_step_seconds)
public func practiceStepSeconds(
  _ handle: Handle, _ kind: Int32, _ first: Int32, _ last: Int32, _ passes: Double,
  _ from: Double, _ to: Double, _ step: Double, _ rest: Double
) -> Double {
  guard let kind = StepKind(rawValue: kind) else { return 0 }
  return handle.holder.pointee.history.seconds(
    of: PlanStep(
      kind: kind, firstPart: Int(first), lastPart: Int(last), passes: Int(bounding: passes),
      fromPercent: Int(bounding: from), toPercent: Int(bounding: to),
      stepPercent: Int(bounding: step), restSeconds: Int(bounding: rest)))
}

/// Reads a saved plan and answers it as it would be written.
@_expose(wasm) @c(practice_read_plan)
public func practiceReadPlan(_ handle: Handle, _ text: UnsafePointer<UInt8>, _ count: Int32) {
  handle.holder.pointee.text = SavedPlan.text(of: SavedPlan.steps(text: bytes(text, count)))
}

extension PlanStep<Int> {
  /// Kind, first and last part, passes, percents from, to and step, and rest.
  fileprivate var numbers: [Double] {
    [
      Int(kind.rawValue), firstPart, lastPart, passes, fromPercent, toPercent, stepPercent,
      restSeconds,
    ].map { Double($0) }
  }
}

extension Moment {
  fileprivate init(_ milliseconds: Double, _ utcOffset: Double) {
    self.init(
      milliseconds: Int64(bounding: milliseconds), utcOffset: Int(bounding: utcOffset))
  }
}
