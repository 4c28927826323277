// How loud each tenth of a second of a track is, and how high its peaks are. From it the loudness and the true
// peak of any stretch follow: `Practice` computes them.

#if canImport(Glibc)
  import Glibc
#endif

/// The levels of a track, in steps; encoded, a part of `analysis.json`.
public struct TrackLevels: Sendable, Equatable, Codable {
  /// The frames of a step; the last one may have fewer.
  public var stepFrames: Int
  /// The K-weighted power of each step as loudness, in hundredths of a LUFS; -12000 is silence.
  public var loudness: [Int]
  /// The true peak of each step, in hundredths of a dBTP; -12000 is silence.
  public var peaks: [Int]

  /// Makes levels of as many steps as both lists have.
  public init(stepFrames: Int, loudness: [Int], peaks: [Int]) {
    self.stepFrames = stepFrames
    self.loudness = loudness
    self.peaks = peaks
  }
}

/// Measures the levels of stereo at 48 kHz in one pass, after ITU-R BS.1770-4. Memory: 16 bytes for each
/// tenth of a second.
public struct LevelMeter: Sendable {
  private static let stepFrames = 4_800
  private static let silence = -12_000
  private static let neededFrames =
    TruePeakMeter.before + stepFrames + TruePeakMeter.after + TruePeakMeter.group

  private var filter = KWeighting()
  private let truePeak = TruePeakMeter()
  private var framesInStep = 0
  private var stepEnergy = 0.0
  private var levels = TrackLevels(stepFrames: stepFrames, loudness: [], peaks: [])
  /// The samples of each channel from `before` ahead of the step whose peak is still to be measured.
  private var left = [Float](repeating: 0, count: TruePeakMeter.before)
  private var right = [Float](repeating: 0, count: TruePeakMeter.before)

  /// Makes a meter for one track.
  public init() {}

  /// Takes interleaved left and right samples.
  public mutating func append(_ interleaved: UnsafeBufferPointer<Int16>) {
    precondition(interleaved.count.isMultiple(of: 2))
    let frameCount = interleaved.count / 2
    var index = 0
    while index < frameCount {
      let count = min(Self.stepFrames - framesInStep, frameCount - index)
      stepEnergy += filter.energy(of: interleaved, from: index, count: count)
      left.append(contentsOf: (index..<index + count).lazy.map { Float(interleaved[2 * $0]) })
      right.append(contentsOf: (index..<index + count).lazy.map { Float(interleaved[2 * $0 + 1]) })
      index += count
      framesInStep += count
      if framesInStep == Self.stepFrames { closeStep() }
      measurePeaks()
    }
  }

  /// Takes interleaved left and right samples.
  public mutating func append(_ interleaved: [Int16]) {
    interleaved.withUnsafeBufferPointer { append($0) }
  }

  /// Returns the levels of all that was appended. Call it once, at the end.
  public mutating func finish() -> TrackLevels {
    if framesInStep > 0 { closeStep() }
    // A short last step leaves two open.
    while levels.peaks.count < levels.loudness.count {
      let missing = [Float](repeating: 0, count: max(0, Self.neededFrames - left.count))
      left += missing
      right += missing
      measurePeaks()
    }
    return levels
  }

  private mutating func closeStep() {
    let power = stepEnergy / Double(framesInStep)
    levels.loudness.append(
      power > 0
        ? Self.hundredths((-0.691 + 10 * log10(power)) * 100, .toNearestOrEven) : Self.silence)
    stepEnergy = 0
    framesInStep = 0
    filter.settle()
  }

  /// Measures the peak of a step as soon as the samples that follow it are there.
  private mutating func measurePeaks() {
    while left.count >= Self.neededFrames {
      var peak: Float = 0
      for channel in [left, right] {
        channel.withUnsafeBufferPointer { samples in
          guard let start = samples.baseAddress else { return }
          peak = truePeak.peak(of: start, count: Self.stepFrames, atLeast: peak)
        }
      }
      // Upwards, so that a gain never lets a peak pass.
      levels.peaks.append(
        peak > 0 ? Self.hundredths(20 * log10(Double(peak) / 32_768) * 100, .up) : Self.silence)
      left.removeFirst(Self.stepFrames)
      right.removeFirst(Self.stepFrames)
    }
  }

  private static func hundredths(_ value: Double, _ rule: FloatingPointRoundingRule) -> Int {
    Int(max(Double(silence), value.rounded(rule)))
  }
}
