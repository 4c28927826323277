// From spoken sound to a recording: trimmed, as loud as the others, and with its attack.

import Glibc

/// A spoken number, or a spoken name.
public struct Recording: Sendable, Equatable {
  public static let framesPerSecond = 24_000

  /// 16-bit samples.
  public let samples: [Int16]
  /// The frame that is heard as the moment of the word.
  public let attack: Int

  /// Below this share of the loudest moment, sound is silence: −40 dB.
  private static let silence = 0.01
  /// Silence before and after, so that a filter that reads past the ends meets nothing else.
  static let paddingFrames = 12
  private static let fadeInFrames = framesPerSecond / 500
  private static let fadeOutFrames = framesPerSecond / 100
  /// The level of the loudest tenth of a second, as a root of the mean square, and the highest peak.
  private static let level = 0.25
  private static let peak = 0.8

  /// Makes a recording of sound, −1 to 1, with silence around it; nil if it is nothing but silence.
  public init?(of sound: [Double]) {
    let loudness = Self.loudness(of: sound)
    let threshold = (loudness.max() ?? 0) * Self.silence
    guard threshold > 0, let range = Self.range(of: loudness, above: threshold) else { return nil }
    self.init(trimmed: Array(sound[range]))
  }

  /// Levels sound that begins and ends with what is to be heard.
  init(trimmed: [Double]) {
    var sound = trimmed
    for frame in sound.indices {
      let left = sound.count - frame
      sound[frame] *= min(
        1, Double(frame + 1) / Double(Self.fadeInFrames), Double(left) / Double(Self.fadeOutFrames))
    }
    let gain = Self.level / max(Self.loudest(of: sound), .leastNormalMagnitude)
    let padding = [Int16](repeating: 0, count: Self.paddingFrames)
    samples =
      padding + sound.map { Int16((Self.limited($0 * gain) * 32_767).rounded()) } + padding
    attack = Self.attack(of: sound) + Self.paddingFrames
  }

  /// Returns the loudness around each frame, over a hundredth of a second.
  static func loudness(of sound: [Double]) -> [Double] {
    smoothed(sound.map(abs), frames: framesPerSecond / 100)
  }

  /// Returns the frames from the first to the last that is louder than `threshold`.
  static func range(of loudness: [Double], above threshold: Double) -> ClosedRange<Int>? {
    guard let first = loudness.firstIndex(where: { $0 > threshold }),
      let last = loudness.lastIndex(where: { $0 > threshold })
    else { return nil }
    return first...last
  }

  /// Finds the perceptual attack (P-centre): about where the vowel sets in. "Six" is heard with its i.
  ///
  /// By Cummins and Port (1998, "Rhythmic constraints on stress timing in English", Journal of Phonetics
  /// 26): the sound in the band of the vowels' first formants, rectified and smoothed, has a beat in the
  /// middle of its rise. Of several rises it is the first that leads to at least half of the loudest moment, so
  /// that neither a consonant before the vowel nor a louder second syllable counts.
  static func attack(of sound: [Double]) -> Int {
    let quiet = [Double](repeating: 0, count: framesPerSecond / 10)
    let band = banded(quiet + sound + quiet, from: 200, to: 1_400)
    let rise = smoothed(band.map(abs), frames: framesPerSecond / 25)
      .dropFirst(quiet.count).prefix(sound.count).map { $0 }
    let loudest = rise.max() ?? 0
    guard
      let top = rise.indices.first(where: { frame in
        rise[frame] >= loudest / 2 && (frame + 1 == rise.count || rise[frame + 1] < rise[frame])
      })
    else { return 0 }
    return rise[...top].lastIndex { $0 < rise[top] / 2 }.map { $0 + 1 } ?? 0
  }

  /// Returns the root of the mean square of the loudest tenth of a second.
  static func loudest(of sound: [Double]) -> Double {
    let length = framesPerSecond / 10
    var sum = 0.0
    var most = 0.0
    for frame in sound.indices {
      sum += sound[frame] * sound[frame]
      if frame >= length { sum -= sound[frame - length] * sound[frame - length] }
      most = max(most, sum)
    }
    return (most / Double(length)).squareRoot()
  }

  /// Bends what is louder than most of a voice below the peak: its pulses are narrow.
  private static func limited(_ value: Double) -> Double {
    let knee = 0.6 * peak
    let size = abs(value)
    if size <= knee { return value }
    let bent = knee + (peak - knee) * tanh((size - knee) / (peak - knee))
    return value < 0 ? -bent : bent
  }

  /// Returns the moving average in a Hann window, without delay.
  ///
  /// The window is half a constant and half a cosine, so the average is the sum of two differences of running
  /// sums: as quick for a wide window as for a narrow one.
  static func smoothed(_ values: [Double], frames: Int) -> [Double] {
    let reach = frames / 2
    let turn = Double.pi / Double(reach + 1)
    var sums = [(plain: 0.0, cosine: 0.0, sine: 0.0)]
    sums.reserveCapacity(values.count + 1)
    var sum = sums[0]
    // The cosine repeats after this many frames.
    let period = 2 * (reach + 1)
    let cosines = (0..<period).map { cos(turn * Double($0)) }
    let sines = (0..<period).map { sin(turn * Double($0)) }
    for (frame, value) in values.enumerated() {
      sum.plain += value
      sum.cosine += value * cosines[frame % period]
      sum.sine += value * sines[frame % period]
      sums.append(sum)
    }
    let whole = (-reach...reach).reduce(0) { $0 + 0.5 + 0.5 * cos(turn * Double($1)) }
    return values.indices.map { frame in
      let first = sums[max(0, frame - reach)]
      let last = sums[min(values.count, frame + reach + 1)]
      let around =
        cosines[frame % period] * (last.cosine - first.cosine)
        + sines[frame % period] * (last.sine - first.sine)
      return max(0, 0.5 * (last.plain - first.plain) + 0.5 * around) / whole
    }
  }

  /// Returns the sound between two frequencies in Hz: poles of first order, forwards and backwards, so that
  /// nothing is late.
  private static func banded(_ sound: [Double], from low: Double, to high: Double) -> [Double] {
    func pass(_ values: [Double], below hertz: Double) -> [Double] {
      let share = 1 - exp(-2 * .pi * hertz / Double(framesPerSecond))
      var state = 0.0
      return values.map { value in
        state += share * (value - state)
        return state
      }
    }
    func once(_ values: [Double]) -> [Double] {
      let below = pass(values, below: high)
      return zip(below, pass(below, below: low)).map { $0 - $1 }
    }
    return once(once(sound).reversed()).reversed()
  }
}
