// Finds the attacks of a track: where notes and beats begin.

#if canImport(Glibc)
  import Glibc
#endif

/// One attack.
public struct Attack: Sendable, Equatable {
  /// The frame in which the sound begins to rise.
  public var frame: Int
  /// How clearly it stands out, 0–1, beside the clearest of the track.
  public var strength: Double
}

/// Finds attacks in a stream of samples at 48 kHz, in one pass and without keeping the samples.
public struct OnsetDetector: Sendable {
  private static let windowFrames = 2_048
  private static let hopFrames = 480

  private var spectrum = StereoSpectrum(
    windowFrames: windowFrames, hopFrames: hopFrames, leadFrames: windowFrames / 2)
  private var flux = SpectralFlux(windowFrames: windowFrames, lag: Rule.lag)
  private var envelope = AttackEnvelope()
  /// The part of the window that was not passed to the envelope yet; starts half a window early.
  private var enveloped = windowFrames / 2
  private var frameCount = 0
  private var hopCount = 0
  /// The rises of the last hops, at `hop % count`.
  private var rises = [Float](repeating: 0, count: 64)
  private var candidates: [Attack] = []

  /// What counts as an attack. Tuned on MIDI pieces that the benchmark does not use.
  private enum Rule {
    /// A rise is measured over so many hops: soft attacks take that long.
    static let lag = 3
    /// The hops around one in which none may rise more.
    static let peakBefore = 4
    static let peakAfter = 6
    /// The hops whose mean is what an attack stands out from.
    static let meanBefore = 10
    static let meanAfter = 7
    /// By how much, in mean octaves of a band, and as a share of that mean.
    static let threshold: Float = 0.08
    static let share: Float = 0.5
    /// Where around the peak the sound may begin.
    static let searchBefore = 1_920
    static let searchAfter = 240
    /// Energy that rises by less has no clear first moment: it began about so long before the peak.
    static let softOctaves: Float = 1
    static let softFrames = 960
    /// Attacks that are closer together are one.
    static let apartFrames = 2_400
  }

  /// Makes a detector for one track.
  public init() {}

  /// Takes interleaved left and right samples.
  public mutating func append(_ interleaved: UnsafeBufferPointer<Int16>) {
    precondition(interleaved.count.isMultiple(of: 2))
    let scale: Float = 1 / 32_768
    take(interleaved.count / 2) { frame in
      (Float(interleaved[2 * frame]) * scale, Float(interleaved[2 * frame + 1]) * scale)
    }
  }

  /// Takes samples of one channel, full scale 1.
  public mutating func append(mono samples: UnsafeBufferPointer<Float>) {
    take(samples.count) { frame in (samples[frame], samples[frame]) }
  }

  /// Returns the attacks of all that was appended, in order. Call it once, at the end.
  public mutating func finish() -> [Attack] {
    let lengthFrames = frameCount
    // Appends silence until the last frame was in the middle of a window and its peak is decided.
    let hops = Rule.peakAfter + Rule.meanAfter + 2
    take(Self.windowFrames + hops * Self.hopFrames) { _ in (0, 0) }
    return Self.graded(candidates.filter { $0.frame < lengthFrames })
  }

  @inline(__always)
  private mutating func take(_ count: Int, _ sample: (Int) -> (Float, Float)) {
    var index = 0
    while index < count {
      index += spectrum.fill(from: index, to: count, sample)
      if spectrum.isFull { closeWindow() }
    }
    frameCount += count
  }

  private mutating func closeWindow() {
    envelope.append(left: spectrum.left, right: spectrum.right, from: enveloped)
    enveloped = Self.windowFrames - Self.hopFrames
    spectrum.transform()
    rises[hopCount % rises.count] = flux.rise(in: spectrum)
    spectrum.advance()
    hopCount += 1
    judge(hopCount - 1 - max(Rule.peakAfter, Rule.meanAfter))
  }

  /// Makes a candidate of the hop when it is a peak above its surroundings.
  private mutating func judge(_ hop: Int) {
    guard hop >= 0 else { return }
    let value = rises[hop % rises.count]
    for other in max(0, hop - Rule.peakBefore)...hop + Rule.peakAfter
    where rises[other % rises.count] > value { return }
    let surroundings = max(0, hop - Rule.meanBefore)...hop + Rule.meanAfter
    let mean =
      surroundings.reduce(Float(0)) { $0 + rises[$1 % rises.count] } / Float(surroundings.count)
    let prominence = value - mean
    guard prominence >= Rule.threshold, prominence >= Rule.share * mean else { return }
    let middle = hop * Self.hopFrames
    var start = envelope.steepest(
      from: middle - Rule.searchBefore, to: middle + Rule.searchAfter)
    // A sound that is cut off looks like an attack in the spectrum.
    guard !envelope.stops(around: middle) else { return }
    if start.octaves < Rule.softOctaves {
      start.frame = max(0, middle - Rule.softFrames)
    }
    if let last = candidates.last, start.frame - last.frame < Rule.apartFrames {
      if Double(prominence) > last.strength {
        candidates[candidates.count - 1].strength = Double(prominence)
      }
      return
    }
    candidates.append(Attack(frame: start.frame, strength: Double(prominence)))
  }

  /// Scales the strengths by the strongest twentieth.
  private static func graded(_ attacks: [Attack]) -> [Attack] {
    guard !attacks.isEmpty else { return [] }
    let sorted = attacks.map(\.strength).sorted()
    let clear = sorted[sorted.count * 19 / 20]
    return attacks.map { Attack(frame: $0.frame, strength: min(1, $0.strength / clear)) }
  }
}
