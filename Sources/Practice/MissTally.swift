// How often something went wrong in run-throughs, the latest counting most.

/// Results of run-throughs of a part, a transition or a move.
struct MissTally: Equatable {
  /// Weights of those in which it was missed, and of all.
  private var missedWeight = 0.0
  private var weight = 0.0
  /// The last five, the latest in the lowest bit.
  private var recent: UInt8 = 0
  /// How many of the last five there were.
  private(set) var of = 0

  /// With each later run-through an earlier one counts less by this factor, so that a weakness fades.
  private static let fading = 0.7
  /// One run-through in which it went wrong is no proof: a success of this weight is taken as known.
  private static let prior = 0.3
  private static let window = 5

  mutating func add(isMissed: Bool) {
    missedWeight = MissTally.fading * missedWeight + (isMissed ? 1 : 0)
    weight = MissTally.fading * weight + 1
    recent = (recent << 1 | (isMissed ? 1 : 0)) & 31
    of = min(of + 1, MissTally.window)
  }

  /// In how many of the last five it was missed.
  var missed: Int { recent.nonzeroBitCount }

  /// Whether it was missed in the last one.
  var isLastMissed: Bool { recent & 1 == 1 }

  /// The weighted share in which it was missed, 0…1; 0 without a run-through.
  var share: Double { missedWeight / (weight + MissTally.prior) }
}
