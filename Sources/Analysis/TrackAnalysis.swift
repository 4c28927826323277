// What a computer hears in a track: attacks to snap to, places where it might be cut, its beats, and its levels.

import Counts

/// The attacks, the suggested cuts, the beats and the levels of a track; encoded, it is `analysis.json`.
public struct TrackAnalysis: Sendable, Equatable, Codable {
  /// The frames in which sounds begin, rising.
  public var attacks: [Int]
  /// Where the music changes, rising.
  public var changes: [SuggestedCut]
  /// The beats, bars and eights; nil when the track is too short or too quiet to have any.
  public var beats: BeatAnalysis?
  /// How loud it is, and how high its peaks are; nil in analyses of earlier versions.
  public var levels: TrackLevels?

  /// Makes an analysis of its parts.
  public init(
    attacks: [Int], changes: [SuggestedCut], beats: BeatAnalysis? = nil, levels: TrackLevels? = nil
  ) {
    self.attacks = attacks
    self.changes = changes
    self.beats = beats
    self.levels = levels
  }
}

/// Makes a `TrackAnalysis` of a stream of samples, in one pass. Memory: some bytes for each attack
/// each quarter and each fiftieth of a second; about 40 MB for twelve hours.
public struct TrackAnalysisBuilder: Sendable {
  private var detector = OnsetDetector()
  private var finder = StructureSegmenter()
  private var tracker = BeatTracker()
  private var meter: LevelMeter?

  /// Makes a builder for one track. Its levels are only measured if they are wanted.
  public init(measuresLevels: Bool = true) {
    meter = measuresLevels ? LevelMeter() : nil
  }

  /// Takes interleaved left and right samples at 48 kHz.
  public mutating func append(_ interleaved: UnsafeBufferPointer<Int16>) {
    detector.append(interleaved)
    finder.append(interleaved)
    tracker.append(interleaved)
    meter?.append(interleaved)
  }

  /// Returns the analysis of all that was appended. Call it once, at the end.
  public mutating func finish() -> TrackAnalysis {
    let attacks = detector.finish()
    let changes = finder.finish(attacks: attacks)
    return TrackAnalysis(
      attacks: attacks.map(\.frame), changes: changes, beats: tracker.finish(changes: changes),
      levels: meter?.finish())
  }
}
