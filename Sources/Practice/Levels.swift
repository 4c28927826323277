// How loud stretches of a track are, and the gains that make the parts of a routine equally loud.

/// The levels of a track in steps, as `analysis.json` has them.
public struct LevelSteps: Sendable {
  /// The frames of a step.
  public var stepFrames: Int
  /// The K-weighted power of each step as loudness, in hundredths of a LUFS.
  public var loudness: [Int16]
  /// The true peak of each step, in hundredths of a dBTP.
  public var peaks: [Int16]

  /// Makes steps of two lists of one length.
  public init(stepFrames: Int, loudness: [Int16], peaks: [Int16]) {
    self.stepFrames = max(stepFrames, 1)
    self.loudness = loudness
    self.peaks = peaks
  }
}

/// A stretch of a track; the end is exclusive.
public struct LevelRange: Sendable {
  public var startFrame: Int
  public var endFrame: Int

  public init(startFrame: Int, endFrame: Int) {
    self.startFrame = startFrame
    self.endFrame = endFrame
  }
}

/// How loud something is, and how high its peaks are.
public struct Level: Equatable, Sendable {
  /// Integrated loudness in LUFS; nil for what is silent or shorter than 0.4 s.
  public var loudness: Double?
  /// The true peak in dBTP.
  public var truePeak: Double

  public init(loudness: Double?, truePeak: Double) {
    self.loudness = loudness
    self.truePeak = truePeak
  }
}

extension LevelSteps {
  /// A block of 400 ms, which begins each 100 ms.
  private static let blockFrames = 19_200
  private static let hopFrames = 4_800
  /// The absolute gate, in LUFS.
  private static let gate = -70.0

  /// Returns the level of stretches together: integrated loudness after ITU-R BS.1770-4, over the blocks that
  /// lie wholly in a stretch, and the highest peak of all steps that reach into one.
  ///
  /// A block's power is that of its steps; of a step that it begins or ends in, the share.
  public func level(of ranges: [LevelRange]) -> Level {
    let count = min(loudness.count, peaks.count)
    let end = count * stepFrames
    // The power up to each step.
    var sums = [0.0]
    sums.reserveCapacity(count + 1)
    for step in 0..<count {
      sums.append(sums[step] + Self.power(Double(loudness[step]) / 100) * Double(stepFrames))
    }
    func energy(upTo frame: Int) -> Double {
      let step = min(frame / stepFrames, count)
      guard step < count else { return sums[count] }
      let share = Double(frame - step * stepFrames) / Double(stepFrames)
      return sums[step] + (sums[step + 1] - sums[step]) * share
    }
    var blocks: [Double] = []
    var peak = Int16.min
    for range in ranges {
      let first = min(max(range.startFrame, 0), end)
      let last = min(max(range.endFrame, first), end)
      guard first < last else { continue }
      for step in first / stepFrames...(last - 1) / stepFrames { peak = max(peak, peaks[step]) }
      var start = first
      while start + Self.blockFrames <= last {
        let power =
          (energy(upTo: start + Self.blockFrames) - energy(upTo: start)) / Double(Self.blockFrames)
        if power > Self.power(Self.gate) { blocks.append(power) }
        start += Self.hopFrames
      }
    }
    let truePeak = peak == Int16.min ? -.infinity : Double(peak) / 100
    guard let ungated = Self.mean(blocks, above: 0) else {
      return Level(loudness: nil, truePeak: truePeak)
    }
    // The relative gate: 10 LU below.
    let power = Self.mean(blocks, above: ungated / 10)
    return Level(loudness: power.map(Self.loudness(ofPower:)), truePeak: truePeak)
  }

  private static func mean(_ powers: [Double], above gate: Double) -> Double? {
    var sum = 0.0
    var count = 0
    for power in powers where power > gate {
      sum += power
      count += 1
    }
    return count == 0 ? nil : sum / Double(count)
  }

  private static func power(_ loudness: Double) -> Double {
    Practice.power(10, (loudness + 0.691) / 10)
  }

  private static func loudness(ofPower power: Double) -> Double {
    -0.691 + 10 * logarithm(power) / logarithm(10)
  }
}

/// The rule by which recordings are made equally loud.
public enum EvenLoudness {
  /// No true peak passes this, in dBTP.
  public static let ceiling = -1.0
  /// So far below the loudest recording all may come down so that they match, in LU.
  public static let greatestFall = 6.0
  /// Nothing is raised more, so that a hum does not become music, in dB.
  public static let greatestRise = 20.0

  /// Returns the gain of each recording in decibels. Of what is silent, and of a single recording, it is 0.
  ///
  /// The level of all is the highest that all can reach under the ceiling, at most that of the loudest one,
  /// and at most `greatestFall` below it; a recording that can't reach that stays softer.
  public static func gains(of levels: [Level]) -> [Double] {
    var loudest = -Double.infinity
    var reachable = Double.infinity
    var known = 0
    for level in levels {
      guard let loudness = level.loudness else { continue }
      known += 1
      loudest = max(loudest, loudness)
      reachable = min(reachable, reach(loudness, level.truePeak))
    }
    guard known > 1 else { return levels.map { _ in 0 } }
    let target = max(min(loudest, reachable), loudest - greatestFall)
    return levels.map { level in
      guard let loudness = level.loudness else { return 0 }
      return min(target, reach(loudness, level.truePeak)) - loudness
    }
  }

  /// Returns a gain as a factor.
  public static func factor(decibels: Double) -> Double { power(10, decibels / 20) }

  /// The highest loudness that a recording can have.
  private static func reach(_ loudness: Double, _ truePeak: Double) -> Double {
    loudness + min(ceiling - truePeak, greatestRise)
  }
}
