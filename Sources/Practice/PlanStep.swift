// The steps of a session, and how a saved plan writes them.

/// One step of a session.
public struct PlanStep<Part: Sendable & Equatable>: Sendable, Equatable {
  /// What is done.
  public var kind: StepKind
  /// The first and the last of the parts that are played one after the other.
  public var firstPart: Part
  public var lastPart: Part
  /// How often.
  public var passes: Int
  /// The speed of the first pass, the highest one, and how much is added from pass to pass, in percent of
  /// the original.
  public var fromPercent: Int
  public var toPercent: Int
  public var stepPercent: Int
  /// The silence between two passes; of a rest its length.
  public var restSeconds: Int

  /// Makes a step. Numbers that can't be are clamped.
  public init(
    kind: StepKind, firstPart: Part, lastPart: Part, passes: Int, fromPercent: Int,
    toPercent: Int, stepPercent: Int, restSeconds: Int
  ) {
    self.kind = kind
    self.firstPart = firstPart
    self.lastPart = lastPart
    self.passes = min(max(passes, 1), PlanLimit.passes)
    self.fromPercent = min(
      max(fromPercent, PlanLimit.percents.lowerBound), PlanLimit.percents.upperBound)
    self.toPercent = min(max(toPercent, self.fromPercent), PlanLimit.percents.upperBound)
    self.stepPercent = min(max(stepPercent, 0), PlanLimit.percents.upperBound)
    self.restSeconds = min(max(restSeconds, 0), PlanLimit.restSeconds)
  }

  /// The speed of a pass, counted from 0, in percent of the original.
  public func percent(ofPass pass: Int) -> Int {
    min(fromPercent + stepPercent * min(max(pass, 0), PlanLimit.passes), toPercent)
  }
}

/// What a step does.
public enum StepKind: Int32, CaseIterable, Sendable {
  /// A known part, slowly.
  case warmUp
  /// One part, again and again, with rising speed.
  case part
  /// The last parts of the routine, or some of them, one after the other: chaining backwards.
  case chain
  /// The end of a part into the start of the next one.
  case transition
  /// The whole routine without stopping.
  case runThrough
  /// Nothing.
  case rest

  /// Its word in a saved plan.
  var word: StaticString {
    switch self {
    case .warmUp: "warmUp"
    case .part: "part"
    case .chain: "chain"
    case .transition: "transition"
    case .runThrough: "runThrough"
    case .rest: "rest"
    }
  }
}

/// What a plan can hold.
public enum PlanLimit {
  public static let passes = 99
  public static let percents = 25...200
  public static let restSeconds = 3_600
  /// The most steps of a plan.
  public static let steps = 100
}

/// Reads and writes saved plans: a line "KIND FIRSTPART LASTPART PASSES FROM TO STEP REST" for each step. The
/// parts of a rest are "-".
public enum SavedPlan {
  /// Reads the steps. A line that is none is left out.
  public static func steps(text: [UInt8]) -> [PlanStep<RecordID?>] {
    var lines = LineReader(text)
    var steps: [PlanStep<RecordID?>] = []
    while steps.count < PlanLimit.steps, lines.nextLine() {
      guard let word = lines.word(), let kind = kind(word), let first = lines.word(),
        let last = lines.word(), let passes = lines.number(upTo: PlanLimit.passes),
        let from = lines.number(upTo: PlanLimit.percents.upperBound),
        let to = lines.number(upTo: PlanLimit.percents.upperBound),
        let step = lines.number(upTo: PlanLimit.percents.upperBound),
        let rest = lines.number(upTo: PlanLimit.restSeconds), lines.word() == nil
      else { continue }
      let parts = (RecordID(first), RecordID(last))
      guard kind == .rest || (parts.0 != nil && parts.1 != nil) else { continue }
      steps.append(
        PlanStep(
          kind: kind, firstPart: kind == .rest ? nil : parts.0,
          lastPart: kind == .rest ? nil : parts.1, passes: passes, fromPercent: from,
          toPercent: to, stepPercent: step, restSeconds: rest))
    }
    return steps
  }

  /// Returns the lines of steps, with a line break between two.
  public static func text(of steps: [PlanStep<RecordID?>]) -> [UInt8] {
    var text: [UInt8] = []
    for step in steps.prefix(PlanLimit.steps) {
      if !text.isEmpty { text.append(UInt8(ascii: "\n")) }
      step.kind.word.withUTF8Buffer { text += $0 }
      for part in [step.firstPart, step.lastPart] {
        text.append(UInt8(ascii: " "))
        if let part { part.write(to: &text) } else { text.append(UInt8(ascii: "-")) }
      }
      for number in [
        step.passes, step.fromPercent, step.toPercent, step.stepPercent, step.restSeconds,
      ] {
        text.append(UInt8(ascii: " "))
        write(number, to: &text)
      }
    }
    return text
  }

  private static func kind(_ word: ArraySlice<UInt8>) -> StepKind? {
    StepKind.allCases.first { kind in
      kind.word.withUTF8Buffer { $0.elementsEqual(word) }
    }
  }
}
