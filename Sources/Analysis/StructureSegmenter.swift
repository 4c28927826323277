// Finds where the music changes: where a song might be cut into parts.

/// A place where the music changes.
public struct SuggestedCut: Sendable, Equatable, Codable {
  /// The first frame of what is new.
  public var frame: Int
  /// How different it is from what was before, 0–1, in hundredths.
  public var strength: Double

  /// Makes a suggestion.
  public init(frame: Int, strength: Double) {
    self.frame = frame
    self.strength = strength
  }
}

/// Finds changes of timbre and harmony in a stream of samples at 48 kHz, in one pass.
///
/// J. Foote, "Automatic Audio Segmentation Using a Measure of Audio Novelty" (2000): a checkerboard
/// kernel slides along the diagonal of the self-similarity, of which only a band is ever kept. A wide
/// kernel says that there is a change, a narrow one where. Memory: 12 bytes a quarter of a second.
public struct StructureSegmenter: Sendable {
  /// What counts as a change; counts are of vectors, four a second. Tuned on MIDI pieces and game
  /// music joined elsewhere than in the benchmark.
  private enum Rule {
    static let wide = SimilarityBand.Kernel(reach: 56, least: 12)
    static let narrow = SimilarityBand.Kernel(reach: 16, least: 1)
    static let threshold: Float = 0.2
    /// How far it must stand out from the lowest novelty on both sides.
    static let prominence: Float = 0.03
    /// There is no stronger change within so many vectors.
    static let apart = 32
    /// Where around it the narrow kernel looks for the border.
    static let near = 12
    /// An attack so near is where the new part begins.
    static let snapFrames = 14_400
    /// A track ends when the rest is so much quieter than its loudest moment.
    static let silence: Float = 1e-4
  }

  private var features = FeatureExtractor()
  private var band = SimilarityBand(reach: Rule.wide.reach)
  private var powers: [Float] = []
  private var wide: [Float] = []
  private var narrow: [Float] = []
  private var frameCount = 0

  /// Makes a finder for one track.
  public init() {}

  /// Takes interleaved left and right samples.
  public mutating func append(_ interleaved: UnsafeBufferPointer<Int16>) {
    precondition(interleaved.count.isMultiple(of: 2))
    let scale: Float = 1 / 32_768
    take(interleaved.count / 2) { frame in
      (Float(interleaved[2 * frame]) * scale, Float(interleaved[2 * frame + 1]) * scale)
    }
  }

  /// Returns the changes in all that was appended, rising, each moved to the clearest of the
  /// `attacks` (rising) beside it. Call it once, at the end.
  public mutating func finish(attacks: [Attack] = []) -> [SuggestedCut] {
    let lengthFrames = frameCount
    take(2 * FeatureExtractor.vectorFrames) { _ in (0, 0) }
    let count = min(band.count, lengthFrames / FeatureExtractor.vectorFrames)
    while wide.count < count { measure(end: count) }
    var cuts: [SuggestedCut] = []
    for peak in peaks(count: count) {
      let middle = Int(peak.place * Float(FeatureExtractor.vectorFrames))
      let frame = Self.clearest(attacks, around: middle) ?? middle
      guard frame > cuts.last?.frame ?? 0, frame < lengthFrames else { continue }
      let hundredths = (peak.strength * 100).rounded()
      cuts.append(SuggestedCut(frame: frame, strength: Double(hundredths) / 100))
    }
    return cuts
  }

  @inline(__always)
  private mutating func take(_ count: Int, _ sample: (Int) -> (Float, Float)) {
    features.take(count, sample)
    for moment in features.ready {
      powers.append(moment.power)
      band.append(moment.vector)
      if band.count >= wide.count + Rule.wide.reach { measure(end: band.count) }
    }
    features.ready.removeAll(keepingCapacity: true)
    frameCount += count
  }

  /// Measures the novelty at the next border between two vectors.
  private mutating func measure(end: Int) {
    let border = wide.count
    wide.append(band.novelty(Rule.wide, at: border, end: end))
    narrow.append(band.novelty(Rule.narrow, at: border, end: end))
  }

  private func peaks(count: Int) -> [(place: Float, strength: Float)] {
    let loudest = powers[..<count].max() ?? 0
    // The last chord dying away is no part.
    let end = (powers[..<count].lastIndex { $0 > loudest * Rule.silence } ?? 0) + 1
    let borders = Rule.wide.least..<max(Rule.wide.least, end - Rule.wide.least)
    return borders.filter { isPeak($0, count: count) }
      .map { (place(near: $0, in: borders), wide[$0]) }
  }

  private func isPeak(_ border: Int, count: Int) -> Bool {
    let value = wide[border]
    guard value >= Rule.threshold else { return false }
    let before = wide[max(0, border - Rule.apart)..<border]
    let after = wide[border..<min(count, border + Rule.apart + 1)]
    guard before.allSatisfy({ $0 < value }), after.allSatisfy({ $0 <= value }) else { return false }
    let lowest = max(before.min() ?? 0, after.min() ?? 0)
    return value - lowest >= Rule.prominence
  }

  /// Returns the border, in vectors and parts of one, where the narrow kernel sees most.
  private func place(near border: Int, in borders: Range<Int>) -> Float {
    var exact = border
    let around = border - Rule.near..<border + Rule.near + 1
    for other in around.clamped(to: borders) where narrow[other] > narrow[exact] { exact = other }
    // The top of the parabola through the three values around it.
    let (left, top, right) = (narrow[exact - 1], narrow[exact], narrow[exact + 1])
    let bend = left + right - 2 * top
    return Float(exact) + (bend < 0 ? max(-0.5, min(0.5, (left - right) / (2 * bend))) : 0)
  }

  private static func clearest(_ attacks: [Attack], around frame: Int) -> Int? {
    // The first attack that is near enough, by bisection.
    var low = 0
    var high = attacks.count
    while low < high {
      let middle = (low + high) / 2
      if attacks[middle].frame < frame - Rule.snapFrames { low = middle + 1 } else { high = middle }
    }
    func merit(_ attack: Attack) -> Double {
      attack.strength * (1 - Double(abs(attack.frame - frame)) / Double(Rule.snapFrames + 1))
    }
    return attacks[low...].prefix { $0.frame <= frame + Rule.snapFrames }
      .max { merit($0) < merit($1) }?.frame
  }
}
