// The counts of a track: which beat is which count of which eight.

/// One beat of a grid.
public struct Beat: Sendable, Equatable {
  /// The frame of the track.
  public var frame: Int
  /// The place in the bar, 1…`metre`.
  public var place: Int
  /// The count in the eight, 1…`Metre.countsPerEight(metre)`.
  public var count: Int
  /// The number of the eight in the track. The first whole one is 1; a pick-up before it is in eight 0.
  public var eight: Int
  /// The beats of its bar.
  public var metre: Int

  /// Makes a beat.
  public init(frame: Int, place: Int, count: Int, eight: Int, metre: Int) {
    self.frame = frame
    self.place = place
    self.count = count
    self.eight = eight
    self.metre = metre
  }
}

/// The counts of a track: stretches of beats, and regions without counts between them.
///
/// Beats rise, and no two are closer than 150 ms. Counts rise by one and begin again with 1: after the
/// last count of an eight, or earlier where the analysis or a person starts an eight. Where the metre
/// changes, they may begin with another count, to be right at a `one` that follows. No two beats of a
/// track have both the same eight and the same count. Memory: 40 bytes a beat; at most 288,000 beats
/// in twelve hours.
public struct Grid: Sendable, Equatable {
  /// Beats without a region without counts between them.
  public struct Stretch: Sendable, Equatable {
    /// The indices of its beats in `Grid.beats`; never empty.
    public var beats: Range<Int>
    /// The frames that have counts: from its first beat, or from the start of the track.
    public var frames: Range<Int>
    /// The frame of the beat before the first; before `frames`, perhaps before the track.
    var preceding: Int
    /// The frame of the beat after the last; not before the end of `frames`.
    var following: Int
  }

  /// All beats, rising.
  public let beats: [Beat]
  /// The stretches, rising.
  public let stretches: [Stretch]
  /// The length of the track.
  public let lengthFrames: Int

  /// The longest track: twelve hours.
  public static let longestTrackFrames = 2_073_600_000

  /// Derives the grid of a track from what the analysis found and from what a person corrected.
  ///
  /// Corrections are applied by (`order`, `id`), whatever their order in the array. Without an
  /// analysis there are no beats until a person taps along or sets a tempo. Beats go on to both ends
  /// of the track by the nearest tempo. Beats before the first eight count up to the last count of an
  /// eight. Hostile values are safe: what can't be is ignored or clamped.
  ///
  /// - Complexity: O(n) for each correction, with n the number of beats.
  public init(analysis: BeatAnalysis?, lengthFrames: Int, corrections: [Correction]) {
    let length = min(max(lengthFrames, 0), Grid.longestTrackFrames)
    var draft = GridDraft(analysis: analysis, lengthFrames: length)
    for correction in Correction.applied(of: corrections) { draft.apply(correction) }
    self.lengthFrames = length
    (beats, stretches) = draft.finished()
  }
}
