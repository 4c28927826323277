// The latency of the sound, from a recording in which a microphone hears the loudspeaker.

/// Chirps at known frames of a recording, which the microphone hears later.
///
/// Each chirp is correlated with the recording. The first arrival counts, which need not be the loudest: an
/// echo from a hard wall may be louder than the way past the edge of a phone. What the microphone itself
/// adds is taken off.
public struct ClickLatency {
  /// When chirps are played, after the first one: further apart than the longest latency and the room's echo,
  /// and unevenly, so that nothing that repeats is taken for them, such as music.
  public static let offsetsSeconds = [
    0, 0.887, 1.821, 2.664, 3.607, 4.468, 5.387, 6.243, 7.191,
  ]
  /// The longest way from a chirp to the recording.
  public static let longestSeconds = 0.75

  /// The browser states the time of its buffers; a further buffer carries the sound into the audio graph.
  private static let bufferSeconds = 0.010
  private static let bufferMarginSeconds = 0.008
  /// What is assumed of a microphone of which the browser states nothing.
  private static let unknownInputSeconds = 0.025
  private static let unknownInputMarginSeconds = 0.020

  /// A peak of one chirp below so many medians of its correlation may be noise: of 3,400 independent values
  /// of noise the highest is 3.4 medians.
  private static let certainPeak = 6.0
  /// The same of the mean of all chirps, in which noise is more even.
  private static let certainMeanPeak = 2.5
  /// An earlier peak of this share of the highest is the first arrival.
  private static let firstShare = 0.2
  private static let firstWithinFrames = Int(0.06 * LatencySounds.framesPerSecond)
  /// Clicks so far from the median were misheard.
  private static let agreementFrames = 0.003 * LatencySounds.framesPerSecond
  /// An echo may be taken for the first arrival where noise hides that: the way by a wall is some metres
  /// longer.
  private static let hiddenArrivalMarginSeconds = 0.02
  private static let fewestClicks = 5

  private let transform: SpectrumTransform
  /// The conjugate of the chirp's spectrum.
  private let template: SpectrumTransform.Signal
  private let lags: Int

  /// Prepares the correlation.
  public init() {
    lags = Int(Self.longestSeconds * LatencySounds.framesPerSecond)
    transform = SpectrumTransform(length: 65_536)
    var chirp = SpectrumTransform.Signal(length: transform.length)
    let wave = LatencySounds.analyticChirp()
    chirp.real.replaceSubrange(0..<wave.real.count, with: wave.real)
    chirp.imaginary.replaceSubrange(0..<wave.imaginary.count, with: wave.imaginary)
    transform.transform(&chirp)
    for index in chirp.imaginary.indices { chirp.imaginary[index] = -chirp.imaginary[index] }
    template = chirp
  }

  /// Estimates the latency from a recording at 48,000 Hz and the frames of it at which chirps were
  /// rendered. `inputSeconds` is the latency that the browser states of the microphone; nil if it states
  /// none.
  public func estimate(
    recording: UnsafeBufferPointer<Float>, clickFrames: [Int], inputSeconds: Double?
  ) -> LatencyEstimate {
    let loudest = recording.reduce(Float(0)) { $1.isFinite ? max($0, abs($1)) : $0 }
    // Below the last bit of 16, nothing was heard at all.
    guard loudest > 1.0 / 32_768 else { return .none(.silent) }
    let heard = clickFrames.suffix(32).compactMap { click in
      Correlation(sizes: correlation(recording, from: click), certainPeak: Self.certainPeak)
    }
    guard heard.count >= Self.fewestClicks else { return .none(.noisy, used: heard.count) }
    let center = RobustStatistics.median(heard.map { Double($0.arrival) })
    let agreeing = heard.filter { abs(Double($0.arrival) - center) <= Self.agreementFrames }
    guard agreeing.count >= Self.fewestClicks, 2 * agreeing.count > heard.count else {
      return .none(.noisy, used: agreeing.count)
    }
    return judge(agreeing, around: Int(center), inputSeconds: inputSeconds)
  }

  /// Makes the estimate of chirps that agree. An arrival that is too quiet for one chirp shows in their
  /// mean.
  private func judge(
    _ agreeing: [Correlation], around center: Int, inputSeconds: Double?
  ) -> LatencyEstimate {
    let mean = Correlation.mean(agreeing)
    let end = min(mean.count, center + Int(Self.agreementFrames) + 1)
    let start = max(0, center - Self.firstWithinFrames)
    let first = Correlation.first(
      in: mean, frames: start..<end, share: Self.firstShare, least: Self.certainMeanPeak)
    let deviation =
      RobustStatistics.serialSums(agreeing.map { Double($0.arrival) }).squares
      / Double(agreeing.count - 1)
    let spread =
      2 * (deviation / Double(agreeing.count)).squareRoot() / LatencySounds.framesPerSecond
    let input = inputSeconds.flatMap { $0.isFinite && $0 >= 0 && $0 < 0.5 ? $0 : nil }
    let taken = input.map { $0 + Self.bufferSeconds } ?? Self.unknownInputSeconds
    let allowance = input == nil ? Self.unknownInputMarginSeconds : Self.bufferMarginSeconds
    let isFirstCertain = Self.firstShare * mean[first] >= Self.certainMeanPeak
    let margin =
      allowance + spread + (isFirstCertain ? 0 : Self.hiddenArrivalMarginSeconds)
    let obstacle: LatencyEstimate.Obstacle =
      if !isFirstCertain || (input != nil && margin > LatencyEstimate.aimSeconds) {
        .noisy
      } else {
        input == nil ? .unknownInput : .nothing
      }
    return LatencyEstimate(
      seconds: Double(first) / LatencySounds.framesPerSecond - taken, marginSeconds: margin,
      certainty: obstacle == .nothing ? .sure : .unsure, obstacle: obstacle, used: agreeing.count)
  }

  /// The size of the correlation with the chirp at each frame after its start; empty outside the recording.
  private func correlation(_ recording: UnsafeBufferPointer<Float>, from start: Int) -> [Double] {
    guard start >= 0, start < recording.count else { return [] }
    var signal = SpectrumTransform.Signal(length: transform.length)
    let frames = min(lags + LatencySounds.chirpFrames, recording.count - start)
    for index in 0..<frames {
      let sample = recording[start + index]
      if sample.isFinite { signal.real[index] = Double(sample) }
    }
    transform.transform(&signal)
    signal.multiply(by: template)
    transform.transform(&signal, inverse: true)
    return signal.sizes(min(lags, recording.count - start))
  }
}

/// The correlation of one chirp with what was recorded after it.
private struct Correlation {
  /// The sizes, in medians of them.
  let sizes: [Double]
  /// The frame of the first peak that stands out.
  let arrival: Int

  /// Finds the first arrival; nil if no peak is so many medians high.
  init?(sizes: [Double], certainPeak: Double) {
    let median = RobustStatistics.median(stride(from: 0, to: sizes.count, by: 8).map { sizes[$0] })
    guard median > 0, let highest = sizes.max(), highest >= certainPeak * median else { return nil }
    self.sizes = sizes.map { $0 / median }
    arrival = Self.first(in: self.sizes, frames: sizes.indices, share: 0.5, least: certainPeak)
  }

  /// The mean of several.
  static func mean(_ all: [Correlation]) -> [Double] {
    var mean = all[0].sizes
    for one in all.dropFirst() {
      for index in 0..<min(mean.count, one.sizes.count) { mean[index] += one.sizes[index] }
    }
    return mean.map { $0 / Double(all.count) }
  }

  /// Returns the first peak in some frames that is as high as a share of the highest there, and at least
  /// so high; the highest if there is none.
  static func first(in sizes: [Double], frames: Range<Int>, share: Double, least: Double) -> Int {
    guard let highest = frames.max(by: { sizes[$0] < sizes[$1] }) else { return frames.lowerBound }
    let enough = max(share * sizes[highest], least)
    for index in frames where index > 0 && index + 1 < sizes.count && index < highest {
      if sizes[index] >= enough && sizes[index] >= sizes[index - 1]
        && sizes[index] >= sizes[index + 1]
      {
        return index
      }
    }
    return highest
  }
}
