// What a measurement of the sound's latency has found, and how sure it is.

/// A latency of the sound output: from the frame that the browser renders to the moment it is heard.
public struct LatencyEstimate: Equatable, Sendable {
  /// Whether the latency may be used. The numbers are those that the client gets.
  public enum Certainty: Int32, CaseIterable, Sendable {
    /// Nothing was found: `seconds` means nothing.
    case none = 0
    /// A value was found, but the true one may be further off than `LatencyEstimate.aimSeconds`.
    case unsure = 1
    /// The true value is within `LatencyEstimate.aimSeconds`, in 95 of 100 measurements.
    case sure = 2
  }

  /// What stands against certainty. The numbers are those that the client gets.
  public enum Obstacle: Int32, CaseIterable, Sendable {
    case nothing = 0
    /// Too few taps or clicks were found.
    case tooFew = 1
    /// Taps differ too much from each other.
    case scattered = 2
    /// A tap could as well belong to the click before or after.
    case ambiguous = 3
    /// The microphone hears nothing of the clicks.
    case silent = 4
    /// The clicks cannot be told from the noise around.
    case noisy = 5
    /// The browser does not tell how late the microphone is.
    case unknownInput = 6
  }

  /// How exact a sure value is.
  public static let aimSeconds = 0.010

  public var seconds: Double
  /// Half of the interval in which the true value lies in 95 of 100 measurements.
  public var marginSeconds: Double
  public var certainty: Certainty
  public var obstacle: Obstacle
  /// How many taps or clicks the value is made from.
  public var used: Int

  /// Makes an estimate from its parts.
  public init(
    seconds: Double, marginSeconds: Double, certainty: Certainty, obstacle: Obstacle, used: Int
  ) {
    self.seconds = seconds
    self.marginSeconds = marginSeconds
    self.certainty = certainty
    self.obstacle = obstacle
    self.used = used
  }

  /// Makes the estimate of a measurement that found nothing.
  static func none(_ obstacle: Obstacle, used: Int = 0) -> LatencyEstimate {
    LatencyEstimate(
      seconds: 0, marginSeconds: 0, certainty: .none, obstacle: obstacle, used: used)
  }
}
