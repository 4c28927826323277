// The eight sounds of a countdown and the two of a click, synthesized once when an engine is made.

/// The sounds of a countdown tick; the raw values are those of the wire.
public enum TickSound: Int32, CaseIterable, Sendable {
  case clave, piano, bongo, kick, wood, tambourine, hiHat, snap
}

/// The sounds of a click.
enum ClickSound: Int, CaseIterable {
  case count
  /// The first beat of a bar, accented.
  case one
}

/// Holds the synthesized samples of all tick and click sounds.
///
/// Real time: created outside of rendering; reading neither allocates nor locks.
struct TickBank: ~Copyable, SampleSource {
  /// The maximum length of a sound, so that it ends before the next tick or the music.
  static let longestFrames = 36_000
  /// The length of a click: 50 ms, so that fast ones stay apart.
  static let clickFrames = 2_400

  private static let tickSamples = TickSound.allCases.count * longestFrames
  private static let sampleCount = tickSamples + ClickSound.allCases.count * clickFrames

  // Unsafe so that rendering reads it without reference counting. This bank alone owns it, sets all
  // of it in `init` and frees it in `deinit`; `sample` checks its index.
  private let samples: UnsafeMutablePointer<Float>

  init() {
    samples = .allocate(capacity: Self.sampleCount)
    samples.initialize(repeating: 0, count: Self.sampleCount)
    for sound in TickSound.allCases {
      let sketch = TickSynthesizer(capacity: Self.longestFrames)
      sketch.draw(sound)
      sketch.render(into: samples + Self.place(of: sound).start)
    }
    for sound in ClickSound.allCases {
      let sketch = TickSynthesizer(capacity: Self.clickFrames)
      sketch.draw(sound)
      sketch.render(into: samples + Self.place(of: sound).start)
    }
  }

  deinit { samples.deallocate() }

  /// Returns where a tick's samples lie.
  static func place(of sound: TickSound) -> SampleRange {
    SampleRange(start: Int(sound.rawValue) * longestFrames, frames: longestFrames)
  }

  /// Returns where a click's samples lie.
  static func place(of sound: ClickSound) -> SampleRange {
    SampleRange(start: tickSamples + sound.rawValue * clickFrames, frames: clickFrames)
  }

  /// Returns one sample of the bank; silence outside of it.
  func sample(at index: Int) -> Float {
    guard index >= 0, index < Self.sampleCount else { return 0 }
    return samples[index]
  }
}

extension TickSynthesizer {
  /// Synthesizes a click: dry and high, between a song's voices and its cymbals, so that it cuts through.
  /// The one is a fifth higher and brighter.
  borrowing func draw(_ sound: ClickSound) {
    switch sound {
    case .count:
      ring(1_760, seconds: 0.045, level: 1)
      ring(1_760 * 2.71, seconds: 0.02, level: 0.3)
      noise(around: 3_000, sharpness: 0.9, seconds: 0.006, level: 0.4)
    case .one:
      ring(2_640, seconds: 0.05, level: 1)
      ring(2_640 * 2.71, seconds: 0.025, level: 0.45)
      noise(around: 5_000, sharpness: 0.9, seconds: 0.008, level: 0.6)
    }
  }
}

extension TickSynthesizer {
  /// Synthesizes one of the sounds. The recipes are the project's own, by ear and by the physics of
  /// the instrument: bars and shells ring at inharmonic partials, drum heads glide down in pitch,
  /// metal is noise.
  borrowing func draw(_ sound: TickSound) {
    switch sound {
    case .clave: drawClave()
    case .piano: drawPiano()
    case .bongo: drawBongo()
    case .kick: drawKick()
    case .wood: drawWood()
    case .tambourine: drawTambourine()
    case .hiHat: drawHiHat()
    case .snap: drawSnap()
    }
  }

  /// Two hardwood bars: one clear high partial, and a little of the next mode of a free bar (2.76).
  private borrowing func drawClave() {
    ring(2_480, seconds: 0.16, level: 1)
    ring(2_480 * 2.76, seconds: 0.05, level: 0.16)
    ring(1_240, seconds: 0.06, level: 0.14)
    noise(around: 3_200, sharpness: 0.8, seconds: 0.012, level: 0.35)
  }

  /// One key, A5: slightly stretched partials, each on two slightly detuned strings, and the
  /// hammer's felt.
  private borrowing func drawPiano() {
    let fundamental = 880.0
    var number = 1.0
    while number <= 9 {
      let stretched = number * fundamental * (1 + 0.0008 * number * number).squareRoot()
      let struck = Mathematics.sine(turns: number / 16)
      let level = (struck < 0 ? -struck : struck) / (number * number.squareRoot())
      let seconds = 2.4 / (1 + 0.4 * number)
      ring(stretched - 0.35, seconds: seconds, level: level, attackSeconds: 0.0015)
      ring(stretched + 0.35, seconds: seconds * 0.8, level: level, attackSeconds: 0.0015)
      number += 1
    }
    noise(around: 1_100, sharpness: 0.7, seconds: 0.035, level: 0.12)
    fadeOut(fromSeconds: 0.45)
  }

  /// The small drum of a pair: the modes of a round skin (1, 1.59, 2.14, 2.65), hit by a finger.
  private borrowing func drawBongo() {
    glide(from: 455, to: 392, glideSeconds: 0.02, seconds: 0.26, level: 1)
    ring(392 * 1.59, seconds: 0.13, level: 0.42)
    ring(392 * 2.14, seconds: 0.09, level: 0.28)
    ring(392 * 2.65, seconds: 0.06, level: 0.18)
    noise(around: 1_900, sharpness: 0.8, seconds: 0.025, level: 0.8)
  }

  /// A bass drum: a falling sine, saturated so that it has overtones for a phone's speaker.
  private borrowing func drawKick() {
    glide(from: 280, to: 58, glideSeconds: 0.03, seconds: 0.36, level: 1)
    saturate(drive: 7)
    ring(236, seconds: 0.09, level: 0.3)
    noise(around: 2_600, sharpness: 0.7, seconds: 0.014, level: 1.4)
  }

  /// A slotted wood block: a short hollow hit.
  private borrowing func drawWood() {
    ring(1_050, seconds: 0.1, level: 1)
    ring(1_632, seconds: 0.065, level: 0.6)
    ring(2_760, seconds: 0.04, level: 0.22)
    noise(around: 1_400, sharpness: 3, seconds: 0.03, level: 0.9)
  }

  /// Pairs of jingles that land one after another.
  private borrowing func drawTambourine() {
    var hit = 0
    while hit < 4 {
      let delay = hit * 570 + hit * hit * 90
      let level = 1 / (1 + 1.1 * Double(hit))
      hiss(above: 5_600, seconds: 0.16, level: level, fromFrame: delay)
      var jingle = 0.0
      while jingle < 6 {
        let frequency = 4_130 + jingle * 1_390 + jingle * jingle * 37 + Double(hit) * 61
        ring(
          frequency, seconds: 0.34 - jingle * 0.03, level: 0.13 * level, attackSeconds: 0.0008,
          fromFrame: delay + Int(jingle) * 40)
        jingle += 1
      }
      hit += 1
    }
  }

  /// A closed pair of cymbals: six square waves of unrelated pitch and noise, high-passed.
  private borrowing func drawHiHat() {
    let seconds = 0.13
    metal(411, seconds: seconds, level: 0.35)
    metal(609, seconds: seconds, level: 0.35)
    metal(739, seconds: seconds, level: 0.35)
    metal(1_045, seconds: seconds, level: 0.35)
    metal(1_080, seconds: seconds, level: 0.35)
    metal(1_600, seconds: seconds, level: 0.35)
    keepAbove(5_200)
    hiss(above: 6_000, seconds: 0.09, level: 0.8, fromFrame: 0)
  }

  /// A finger snap: the slip, the slap against the palm a moment later, and a little room sound.
  private borrowing func drawSnap() {
    noise(around: 3_300, sharpness: 1.6, seconds: 0.022, level: 0.8)
    noise(around: 1_850, sharpness: 2, seconds: 0.085, level: 1.4, fromFrame: 130)
    ring(1_420, seconds: 0.035, level: 0.3, fromFrame: 130)
    noise(around: 2_300, sharpness: 1.2, seconds: 0.06, level: 0.5, fromFrame: 560)
    noise(around: 2_000, sharpness: 0.6, seconds: 0.2, level: 0.1, fromFrame: 300)
  }
}
