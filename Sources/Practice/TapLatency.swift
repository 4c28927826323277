// The latency of the sound, from the taps of somebody who taps along with clicks.

/// Clicks at known times of the audio clock, with which somebody taps.
///
/// A tap tells the time of its click plus latency, but not which click it belongs to. The clicks are
/// further apart than latencies differ, so that one of them fits; `lowestSeconds` says where that range
/// begins. People tap ahead of a click by some tens of milliseconds (Aschersleben 2002; Repp 2005), less
/// where the time between is divided by further sounds (Wohlschläger and Koch 2000): so quiet clicks lie
/// between. What remains of it is in the value: the same hand later taps along with the music, and is
/// right by it.
public struct TapLatency: Sendable {
  /// The time from click to click.
  public static let periodSeconds = 0.5
  /// So many clicks are always played: ten seconds.
  public static let leastClicks = 20
  /// If taps are still too scattered then, further clicks follow, up to so many.
  public static let mostClicks = 40
  /// Somebody who looks after each click whether it is sure by now sees it too early.
  static let clicksPerLook = 10
  /// The lowest latency that taps can tell, for an output that says nothing of a long one.
  static let lowestSeconds = -0.06

  /// A second tap within this time is a bounce.
  private static let bounceSeconds = 0.12
  /// The first taps seek the pulse.
  private static let seekingTaps = 2
  /// People's noise at this tempo, 3 to 5 percent of the period (Repp 2005), and how much of it goes on to
  /// the next tap.
  private static let usualDeviationSeconds = 0.025
  private static let usualWeight = 4.0
  private static let usualCorrelation = 0.25
  private static let fewestForValue = 6
  private static let fewestForCertainty = 12
  /// A larger margin than this says nothing.
  private static let widestMarginSeconds = 0.04

  /// The first click, by the audio clock.
  public let firstClickSeconds: Double
  /// The lowest latency that a tap can mean; the highest is `periodSeconds` more.
  public let lowestSeconds: Double

  /// Makes the clicks of one measurement. `reportedSeconds` is the latency that the browser states, 0 if
  /// it states none: the true one is seldom much shorter.
  public init(firstClickSeconds: Double, reportedSeconds: Double) {
    self.firstClickSeconds = firstClickSeconds
    let stated = reportedSeconds.isFinite ? reportedSeconds : 0
    lowestSeconds = Self.lowestSeconds + max(0, stated - 0.2)
  }

  /// Whether a measurement is over once so many clicks were played.
  public static func isOver(clicks: Int, certainty: LatencyEstimate.Certainty) -> Bool {
    clicks >= mostClicks
      || (certainty == .sure && clicks >= leastClicks && clicks.isMultiple(of: clicksPerLook))
  }

  /// Estimates the latency from the times of taps by the audio clock, in any order. Cubic at worst, for
  /// the last 200 taps.
  public func estimate(taps: [Double]) -> LatencyEstimate {
    let sound = Self.withoutBounces(taps).dropFirst(Self.seekingTaps)
    guard sound.count >= Self.fewestForValue else { return .none(.tooFew, used: sound.count) }
    let offsets = unwrapped(Array(sound))
    let center = RobustStatistics.median(offsets)
    let deviation =
      RobustStatistics.deviationOfMedianDeviation
      * RobustStatistics.medianDeviation(offsets, from: center)
    let farthest = 3 * max(deviation, 0.008)
    let inliers = offsets.filter { abs($0 - center) <= farthest }
    let seconds = RobustStatistics.pairMedian(inliers)
    let margin = Self.margin(inliers)
    return judge(
      seconds: seconds, margin: margin, used: inliers.count,
      share: Double(inliers.count) / Double(offsets.count))
  }

  private static func withoutBounces(_ taps: [Double]) -> [Double] {
    var kept: [Double] = []
    for tap in taps.filter({ $0.isFinite }).sorted().suffix(200) {
      if let last = kept.last, tap - last < bounceSeconds { continue }
      kept.append(tap)
    }
    return kept
  }

  /// Returns how late each tap is, all next to the value around which most of them lie.
  private func unwrapped(_ taps: [Double]) -> [Double] {
    let period = Self.periodSeconds
    let phases = taps.map { tap in
      let late = (tap - firstClickSeconds - lowestSeconds) / period
      return (late - late.rounded(.down)) * period
    }
    func distance(_ phase: Double, from reference: Double) -> Double {
      let turns = (phase - reference) / period
      return (turns - turns.rounded(.toNearestOrEven)) * period
    }
    // The tap that is nearest to all others; what is far from it counts no more than an outlier does.
    var reference = phases[0]
    var least = Double.infinity
    for candidate in phases {
      let sum = phases.reduce(0) { $0 + min(abs(distance($1, from: candidate)), 0.1) }
      if sum < least { (least, reference) = (sum, candidate) }
    }
    return phases.map { lowestSeconds + reference + distance($0, from: reference) }
  }

  /// Half of the interval that holds the true value in 95 of 100 cases.
  ///
  /// Somebody who taps late once is late the next time, too, so that taps tell less than as many separate
  /// measurements. Few taps show less of that, and of their noise, than there is: so what is known of
  /// people counts as some further taps.
  private static func margin(_ inliers: [Double]) -> Double {
    let count = Double(inliers.count)
    guard count >= 3 else { return .infinity }
    let known = usualWeight * usualDeviationSeconds * usualDeviationSeconds
    let sums = RobustStatistics.serialSums(inliers)
    let shown = (sums.products + usualCorrelation * known) / (sums.squares + known)
    // What few values show of it is too low (Marriott and Pope 1954).
    let correlation = min(0.6, max(usualCorrelation, shown + (1 + 3 * shown) / count))
    let effective = max(3, count * (1 - correlation) / (1 + correlation))
    let variance = (sums.squares + known) / (count - 1 + usualWeight)
    // Outliers have cut off the ends.
    let error = 1.03 * (variance / effective).squareRoot()
    // Student's distribution, close enough from 2 degrees of freedom on.
    return (1.96 + 2.5 / (effective - 1)) * error
  }

  private func judge(
    seconds: Double, margin: Double, used: Int, share: Double
  ) -> LatencyEstimate {
    guard used >= Self.fewestForValue else { return .none(.tooFew, used: used) }
    guard share >= 0.5, margin <= Self.widestMarginSeconds else {
      return .none(.scattered, used: used)
    }
    let highest = lowestSeconds + Self.periodSeconds
    let fromEdge = min(seconds - lowestSeconds, highest - seconds)
    let obstacle: LatencyEstimate.Obstacle =
      if fromEdge < margin {
        .ambiguous
      } else if used < Self.fewestForCertainty {
        .tooFew
      } else if share < 0.7 || margin > LatencyEstimate.aimSeconds {
        .scattered
      } else {
        .nothing
      }
    return LatencyEstimate(
      seconds: seconds, marginSeconds: margin, certainty: obstacle == .nothing ? .sure : .unsure,
      obstacle: obstacle, used: used)
  }
}
