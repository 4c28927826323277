// Synthesizes tick sounds: damped sines, glides and filtered noise, added in double precision and
// then scaled to a common peak.

struct TickSynthesizer: ~Copyable {
  private static let rate = Double(EngineTimeline.framesPerSecond)
  /// The peak of every finished sound.
  private static let peak = 0.8

  private let length: Int
  // Unsafe to avoid array reference counting in the engine. The synthesizer alone owns it; every
  // loop below runs from a frame that is not negative to `length`.
  private let sum: UnsafeMutablePointer<Double>

  init(capacity: Int) {
    length = capacity
    sum = .allocate(capacity: capacity)
    sum.initialize(repeating: 0, count: capacity)
  }

  deinit { sum.deallocate() }

  /// Adds a sine that starts at zero and falls by 60 dB in `seconds`.
  ///
  /// It is the impulse response of a resonator with two poles: two multiplications a frame.
  borrowing func ring(
    _ frequency: Double, seconds: Double, level: Double, attackSeconds: Double = 0,
    fromFrame: Int = 0
  ) {
    let turns = frequency / Self.rate
    let decay = Self.decay(seconds)
    let first = 2 * decay * Mathematics.cosine(turns: turns)
    let second = -decay * decay
    let attack = attackSeconds * Self.rate
    var before = 0.0
    var now = level * decay * Mathematics.sine(turns: turns)
    var frame = fromFrame
    while frame < length {
      let age = Double(frame - fromFrame)
      sum[frame] += age < attack ? now * age / attack : now
      (before, now) = (now, first * now + second * before)
      frame += 1
    }
  }

  /// Adds a sine whose pitch falls towards `to` while its level falls by 60 dB in `seconds`.
  borrowing func glide(
    from: Double, to: Double, glideSeconds: Double, seconds: Double, level: Double
  ) {
    let decay = Self.decay(seconds)
    let bend = Mathematics.exponential(-1 / (glideSeconds * Self.rate))
    var above = from - to
    var turns = 0.0
    var envelope = level
    for frame in 0..<length {
      sum[frame] += envelope * Mathematics.sine(turns: turns)
      turns += (to + above) / Self.rate
      above *= bend
      envelope *= decay
    }
  }

  /// Adds a burst of noise around one frequency that falls by 60 dB in `seconds`.
  ///
  /// The filter is the band-pass of R. Bristow-Johnson's Audio EQ Cookbook (constant skirt).
  borrowing func noise(
    around frequency: Double, sharpness: Double, seconds: Double, level: Double, fromFrame: Int = 0
  ) {
    let turns = frequency / Self.rate
    let alpha = Mathematics.sine(turns: turns) / (2 * sharpness)
    let scale = 1 / (1 + alpha)
    let first = 2 * Mathematics.cosine(turns: turns) * scale
    let second = (alpha - 1) * scale
    let decay = Self.decay(seconds)
    var random = NoiseSource(seed: UInt32(truncatingIfNeeded: Int(frequency)))
    var envelope = level
    var (x1, x2, y1, y2) = (0.0, 0.0, 0.0, 0.0)
    var frame = fromFrame
    while frame < length {
      let x = random.next() * envelope
      let y = (x - x2) * alpha * scale * sharpness + first * y1 + second * y2
      (x2, x1, y2, y1) = (x1, x, y1, y)
      sum[frame] += y
      envelope *= decay
      frame += 1
    }
  }

  /// Adds high-passed noise above a frequency that falls by 60 dB in `seconds`.
  borrowing func hiss(above frequency: Double, seconds: Double, level: Double, fromFrame: Int) {
    let decay = Self.decay(seconds)
    let keep = Mathematics.exponential(-2 * Mathematics.pi * frequency / Self.rate)
    var random = NoiseSource(seed: UInt32(truncatingIfNeeded: Int(frequency) + fromFrame))
    var envelope = level
    var (low, lower) = (0.0, 0.0)
    var frame = fromFrame
    while frame < length {
      let x = random.next()
      low = x + (low - x) * keep
      let high = x - low
      lower = high + (lower - high) * keep
      sum[frame] += (high - lower) * envelope
      envelope *= decay
      frame += 1
    }
  }

  /// Adds a square wave that falls by 60 dB in `seconds`: one partial of struck metal.
  borrowing func metal(_ frequency: Double, seconds: Double, level: Double) {
    let decay = Self.decay(seconds)
    var turns = 0.0
    var envelope = level
    for frame in 0..<length {
      sum[frame] += turns < 0.5 ? envelope : -envelope
      turns += frequency / Self.rate
      if turns >= 1 { turns -= 1 }
      envelope *= decay
    }
  }

  /// Removes frequencies below a limit, with two first-order high-passes in a row.
  borrowing func keepAbove(_ frequency: Double) {
    let keep = Mathematics.exponential(-2 * Mathematics.pi * frequency / Self.rate)
    var (low, lower) = (0.0, 0.0)
    for frame in 0..<length {
      let x = sum[frame]
      low = x + (low - x) * keep
      let high = x - low
      lower = high + (lower - high) * keep
      sum[frame] = high - lower
    }
  }

  /// Saturates loud samples, which adds overtones.
  borrowing func saturate(drive: Double) {
    for frame in 0..<length {
      let x = sum[frame] * drive
      sum[frame] = x / (1 + (x < 0 ? -x : x))
    }
  }

  /// Fades out between a moment and the end of the sound.
  borrowing func fadeOut(fromSeconds: Double) {
    let start = Int(fromSeconds * Self.rate)
    var frame = start
    while frame < length {
      let left = Double(length - frame) / Double(length - start)
      sum[frame] *= left * left
      frame += 1
    }
  }

  /// Writes the finished sound, faded at its end and scaled to the common peak.
  borrowing func render(into samples: UnsafeMutablePointer<Float>) {
    let edge = EngineTimeline.fadeFrames
    for frame in (length - edge)..<length {
      sum[frame] *= Double(length - 1 - frame) / Double(edge)
    }
    var highest = 0.0
    for frame in 0..<length {
      highest = max(highest, sum[frame] < 0 ? -sum[frame] : sum[frame])
    }
    guard highest > 0 else { return }
    for frame in 0..<length { samples[frame] = Float(sum[frame] * Self.peak / highest) }
  }

  /// Returns the factor per frame with which a level falls by 60 dB in `seconds`.
  private static func decay(_ seconds: Double) -> Double {
    Mathematics.exponential(-6.907755278982137 / (seconds * rate))
  }
}

/// White noise that is the same on all platforms (Marsaglia's xorshift, 2003).
private struct NoiseSource {
  private var state: UInt32

  init(seed: UInt32) { state = seed &* 2_654_435_761 | 1 }

  mutating func next() -> Double {
    state ^= state << 13
    state ^= state >> 17
    state ^= state << 5
    return Double(Int32(bitPattern: state)) / 2_147_483_648
  }
}
