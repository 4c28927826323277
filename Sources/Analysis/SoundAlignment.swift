// Finds when in a piece of music a recording of it begins, by ear.

/// Where a recording lies on a track.
public struct SoundAlignment: Sendable, Equatable, Codable {
  /// The frame of the music that is heard at the recording's frame 0; negative when the recording
  /// began before the music.
  public var offset: Int
  /// How sure that is, 0–1.
  public var confidence: Double
  /// Whether the user need not check it.
  public var isCertain: Bool

  /// So many lags are looked at closely.
  private static let candidateCount = 10
  /// Lags closer than 50 ms are the same.
  private static let apart = 0.05 * Double(DownsampledAudio.samplesPerSecond)
  /// From here on an answer is certain.
  private static let certainty = 0.5

  /// Compares a recording with music that a microphone in a room may have heard in it. Returns nil
  /// when there is nothing to compare: one of the two is silent, or shorter than a tenth of a second.
  ///
  /// First the rises of 16 bands are correlated over all lags, then the best lags are examined with
  /// the phases of the waveforms. `progress` gets 0 … 1 many times a second; what it throws ends it.
  public static func find(
    recording: DownsampledAudio, music: DownsampledAudio, progress: (Double) throws -> Void
  ) rethrows -> SoundAlignment? {
    let recordingBands = try OnsetBands(recording.samples) { try progress(0.1) }
    let musicBands = try OnsetBands(music.samples) { try progress(0.3) }
    guard recordingBands.isHeard, musicBands.isHeard else { return nil }
    let candidates = try LagSearch.candidates(
      recording: recordingBands, music: musicBands, limit: candidateCount
    ) { try progress(0.5) }
    var correlation = PhaseCorrelation(recording: recording.samples, music: music.samples)
    var examined: [LagVerifier] = []
    for candidate in candidates {
      let done = 0.6 + 0.4 * Double(examined.count) / Double(candidateCount)
      examined.append(
        try LagVerifier(
          of: candidate.lag * OnsetBands.hopSamples, in: &correlation,
          recordingCount: recording.samples.count, musicCount: music.samples.count
        ) { try progress(done) })
    }
    examined.sort { $0.height > $1.height }
    guard let best = examined.first else { return nil }
    // Two candidates may have found the same lag.
    let second = examined.first { abs($0.lag - best.lag) > apart }
    return SoundAlignment(best, second)
  }

  /// Other music reaches 5.5 standard deviations, at most, and a recording drowned in noise 11; music
  /// that repeats itself exactly has a second lag as good as the first.
  private init(_ best: LagVerifier, _ second: LagVerifier?) {
    offset = Int((best.lag * Double(DownsampledAudio.framesPerSample)).rounded())
    let strength = Double((best.evidence - 6) / 9)
    let ratio = best.height > 0 ? Double(max(0, second?.height ?? 0) / best.height) : 1
    let distinctness = 2 * (1 - ratio)
    confidence = min(1, max(0, strength)) * min(1, max(0, distinctness))
    isCertain = confidence >= Self.certainty
  }
}
