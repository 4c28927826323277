// The beats of a track, as the analysis found them.

/// The beats that the analysis found in a track.
public struct BeatAnalysis: Sendable, Equatable {
  /// The tempo in beats a minute: the median over the track.
  public var tempo: Double
  /// The beats of a bar, 2…7.
  public var metre: Int
  /// How certain the analysis is that beats and bars are right, 0…1.
  public var confidence: Double
  /// The frames of the beats at 48 kHz, rising.
  public var frames: [Int]
  /// The place of each beat in its bar, 1…`metre`; 1 is the downbeat. As many as `frames`.
  public var places: [Int]
  /// The frames of the beats at which phrases begin, rising.
  public var eights: [Int]

  /// From this confidence on, counts are shown without being asked for.
  public static let likelyConfidence = 0.5

  /// Makes an analysis of its parts.
  public init(
    tempo: Double, metre: Int, confidence: Double, frames: [Int], places: [Int], eights: [Int]
  ) {
    self.tempo = tempo
    self.metre = metre
    self.confidence = confidence
    self.frames = frames
    self.places = places
    self.eights = eights
  }
}

#if !hasFeature(Embedded)
  extension BeatAnalysis: Codable {}
#endif
