// The synthesized instruments of the sample song.

#if canImport(Glibc)
  import Glibc
#endif

/// One period of a wave, read at any speed.
struct WaveTable: Sendable {
  static let size = 1_024
  let samples: [Float]

  /// Adds up sines; `harmonics[0]` is the strength of the fundamental.
  init(harmonics: [Float]) {
    samples = (0...Self.size).map { index in
      let angle = 2 * Float.pi * Float(index) / Float(Self.size)
      return harmonics.enumerated().reduce(0) { sum, harmonic in
        sum + harmonic.element * sin(angle * Float(harmonic.offset + 1))
      }
    }
  }

  static let bass = WaveTable(harmonics: [1, 0.55, 0.3, 0.16, 0.09, 0.05])
  static let pad = WaveTable(harmonics: [1, 0.34, 0.2, 0.1, 0.06, 0.03])
  static let lead = WaveTable(harmonics: [1, 0.12, 0.36, 0.06, 0.16, 0.02, 0.06])
  static let pluck = WaveTable(harmonics: [1, 0.7, 0.35, 0.3, 0.12, 0.1])
}

/// The parameters of a tone.
struct Tone {
  var table: WaveTable
  /// Frames until full level.
  var attackFrames: Int
  /// Frames in which a held tone falls to a third of its level.
  var decayFrames: Float
  /// Frames in which a released tone falls to a third of its level.
  var releaseFrames: Float
  var vibrato: Float = 0
  /// −1 is left, 1 is right.
  var position: Float = 0

  static let bass = Tone(
    table: .bass, attackFrames: 120, decayFrames: 22_000, releaseFrames: 1_200)
  static let pad = Tone(
    table: .pad, attackFrames: 9_000, decayFrames: 400_000, releaseFrames: 9_000)
  static let lead = Tone(
    table: .lead, attackFrames: 500, decayFrames: 60_000, releaseFrames: 3_000, vibrato: 0.004)
  static let pluck = Tone(
    table: .pluck, attackFrames: 60, decayFrames: 5_500, releaseFrames: 2_500)
}

/// Pseudorandom noise that is the same in every run (Marsaglia, 2003: xorshift).
struct SteadyNoise {
  private var state: UInt32 = 0x9e37_79b9

  mutating func next() -> Float {
    state ^= state << 13
    state ^= state >> 17
    state ^= state << 5
    return Float(Int32(bitPattern: state)) * (1 / 2_147_483_648)
  }
}

/// A stereo recording to which sounds are added.
struct Recording {
  private(set) var left: [Float]
  private(set) var right: [Float]

  init(frameCount: Int) {
    left = [Float](repeating: 0, count: frameCount)
    right = left
  }

  /// Adds what `sample` returns for each frame, panned to its position.
  mutating func add(
    at start: Int, count: Int, level: Float, position: Float = 0, _ sample: (Int) -> Float
  ) {
    let angle = (position + 1) * Float.pi / 4
    let (leftLevel, rightLevel) = (level * cos(angle), level * sin(angle))
    let end = min(start + count, left.count)
    guard start < end else { return }
    left.withUnsafeMutableBufferPointer { left in
      right.withUnsafeMutableBufferPointer { right in
        for frame in start..<end {
          let value = sample(frame - start)
          left[frame] += value * leftLevel
          right[frame] += value * rightLevel
        }
      }
    }
  }

  /// Plays a tone of a MIDI key; `cents` detunes it.
  mutating func play(
    _ tone: Tone, key: Int, at start: Int, length: Int, level: Float, cents: Float = 0
  ) {
    let frequency = 440 * exp2((Float(key) - 69 + cents / 100) / 12)
    let step = frequency / 48_000 * Float(WaveTable.size)
    let fall = exp(-1 / tone.decayFrames)
    let release = exp(-1 / tone.releaseFrames)
    let attack = 1 / Float(tone.attackFrames)
    var phase: Float = 0
    var strength: Float = 1
    tone.table.samples.withUnsafeBufferPointer { table in
      // After five times the release a tone is 43 dB down; its last 5 ms fade to silence.
      let tail = Int(tone.releaseFrames * 5)
      add(at: start, count: length + tail, level: level, position: tone.position) { frame in
        var rise = min(1, Float(frame) * attack)
        if frame > length + tail - 240 { rise *= Float(length + tail - frame) / 240 }
        strength *= frame < length ? fall : release
        var speed = step
        if tone.vibrato > 0 && frame > 7_000 {
          speed *= 1 + tone.vibrato * sin(Float(frame) * 0.00072)
        }
        phase += speed
        if phase >= Float(WaveTable.size) { phase -= Float(WaveTable.size) }
        let index = Int(phase)
        let between = phase - Float(index)
        let value = table[index] + (table[index + 1] - table[index]) * between
        return value * rise * strength
      }
    }
  }

  /// A drum whose pitch falls: kick and toms.
  mutating func thump(
    at start: Int, from high: Float, to low: Float, frames: Float, level: Float, position: Float = 0
  ) {
    var phase: Float = 0
    let fall = exp(-1 / frames)
    let bend = exp(-1 / (frames * 0.16))
    var strength: Float = 1
    var pitch = high - low
    add(at: start, count: Int(frames * 6), level: level, position: position) { frame in
      pitch *= bend
      strength *= fall
      phase += (low + pitch) * (2 * .pi / 48_000)
      let click: Float = frame < 60 ? 0.5 * Float(60 - frame) / 60 : 0
      return sin(phase + click) * strength * min(1, Float(frame) / 30)
    }
  }

  /// A noise drum: snare, clap, hats, cymbal. `brightness` 0 … 1 removes low frequencies.
  mutating func hiss(
    at start: Int, frames: Float, brightness: Float, level: Float, position: Float = 0,
    rising: Bool = false, noise: inout SteadyNoise
  ) {
    var low: Float = 0
    var before: Float = 0
    var strength: Float = 1
    let fall = exp(-1 / frames)
    let count = Int(frames * 5)
    var source = noise
    add(at: start, count: count, level: level, position: position) { frame in
      let white = source.next()
      low += (white - low) * (1 - brightness * 0.85)
      let high = white - low * brightness
      let edge = high - before * brightness * 0.6
      before = high
      strength *= fall
      let along = Float(frame) / Float(count)
      return edge * (rising ? along * along * along : strength) * min(1, Float(frame) / 20)
    }
    noise = source
  }

  /// Adds echoes that alternate between left and right.
  mutating func addEcho(frames: Int, feedback: Float) {
    for frame in frames..<max(frames, left.count) {
      let earlier = left[frame - frames]
      left[frame] += right[frame - frames] * feedback
      right[frame] += earlier * feedback
    }
  }

  /// Multiplies every frame by its gain.
  mutating func scale(by gains: [Float]) {
    for frame in left.indices {
      left[frame] *= gains[frame]
      right[frame] *= gains[frame]
    }
  }
}
