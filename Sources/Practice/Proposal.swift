// A step that is proposed, and why.

/// Why a step is in a session, with the numbers that say so.
public struct Reason: Sendable, Equatable {
  public enum Kind: Int32, CaseIterable, Sendable {
    /// It was never practised.
    case new
    /// Missed in `first` of the last `second` run-throughs.
    case missed
    /// Not practised for `first` days.
    case notPractised
    /// `first` of `second` percent are reached.
    case slow
    /// The performance is in `first` days.
    case performance
    /// To get warm.
    case warmUp
    /// The parts are known, but not one after the other.
    case join
    /// It is known, and stays so.
    case keep
    /// To see what holds.
    case check
    /// To rest.
    case rest
  }

  public var kind: Kind
  public var first: Int
  public var second: Int

  init(_ kind: Kind, _ first: Int = 0, _ second: Int = 0) {
    self.kind = kind
    self.first = first
    self.second = second
  }
}

/// A step of a proposed session.
public struct ProposedStep: Sendable, Equatable {
  /// The step; parts are their indices. Both are -1 of a rest.
  public var step: PlanStep<Int>
  /// How long it takes, with its announcement and its rests.
  public var seconds: Double
  public var reason: Reason
}

extension History {
  /// The seconds of a step before its music: it is announced and counted in.
  static let announcementSeconds = 8.0
  /// The seconds of a transition at the original speed: an eight on each side, at 120 beats a minute.
  static let transitionSeconds = 8.0

  /// Returns how long a step of these parts takes, with its announcement and its rests.
  public func seconds(of step: PlanStep<Int>) -> Double {
    if step.kind == .rest { return Double(step.restSeconds) }
    var length = 0.0
    if step.kind == .transition {
      length = History.transitionSeconds
    } else if parts.indices.contains(step.firstPart), parts.indices.contains(step.lastPart),
      step.firstPart <= step.lastPart
    {
      for index in step.firstPart...step.lastPart { length += parts[index].seconds }
    }
    var seconds = History.announcementSeconds
    for pass in 0..<step.passes { seconds += length * 100 / Double(step.percent(ofPass: pass)) }
    return seconds + Double(step.restSeconds * (step.passes - 1))
  }
}
