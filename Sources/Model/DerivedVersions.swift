// Versions of the files that are made from a track's practice rendition.

/// The versions that this program makes. Raise a number when the same track would give another file:
/// servers then make the files of their libraries again, and devices fetch them again.
public struct DerivedVersions: Sendable, Equatable {
  /// The version of the attacks, suggested cuts and beats.
  public var analysis: Int
  /// The version of the waveform.
  public var peaks: Int

  /// Makes versions; each is 1 or more.
  public init(analysis: Int, peaks: Int) {
    self.analysis = analysis
    self.peaks = peaks
  }

  public static let current = DerivedVersions(analysis: 7, peaks: 1)
}
