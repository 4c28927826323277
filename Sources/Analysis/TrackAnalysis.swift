// What a computer hears in a track: attacks to snap to, and places where it might be cut.

/// The attacks and the suggested cuts of a track; encoded, it is `analysis.json`.
public struct TrackAnalysis: Sendable, Equatable, Codable {
  /// The frames in which sounds begin, rising.
  public var attacks: [Int]
  /// Where the music changes, rising.
  public var changes: [SuggestedCut]

  /// Makes an analysis of its parts.
  public init(attacks: [Int], changes: [SuggestedCut]) {
    self.attacks = attacks
    self.changes = changes
  }
}

/// Makes a `TrackAnalysis` of a stream of samples, in one pass. Memory: some bytes for each attack
/// and each quarter of a second; about 20 MB for twelve hours.
public struct TrackAnalysisBuilder: Sendable {
  private var detector = OnsetDetector()
  private var finder = StructureSegmenter()

  /// Makes a builder for one track.
  public init() {}

  /// Takes interleaved left and right samples at 48 kHz.
  public mutating func append(_ interleaved: UnsafeBufferPointer<Int16>) {
    detector.append(interleaved)
    finder.append(interleaved)
  }

  /// Returns the analysis of all that was appended. Call it once, at the end.
  public mutating func finish() -> TrackAnalysis {
    let attacks = detector.finish()
    return TrackAnalysis(
      attacks: attacks.map(\.frame), changes: finder.finish(attacks: attacks))
  }
}
