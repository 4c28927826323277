// Synthetic music, and recordings of it by a phone in a room, at the 8 kHz of alignment.

import TestSupport

@testable import Analysis

#if canImport(Glibc)
  import Glibc
#endif

/// Random notes and drums, determined by the seed.
struct ChanceMusic {
  static let rate = 8_000.0
  private(set) var samples: [Double]

  init(seconds: Double, seed: UInt64) {
    samples = [Double](repeating: 0, count: Int(seconds * Self.rate))
    var random = SeededGenerator(seed: seed)
    let beat = Double.random(in: 0.2...0.35, using: &random)
    for step in 0..<Int(seconds / beat) {
      let start = Int(Double(step) * beat * Self.rate)
      if Int.random(in: 0..<3, using: &random) > 0 {
        let hertz = 110 * exp2(Double(Int.random(in: 0..<36, using: &random)) / 12)
        addNote(at: start, hertz: hertz)
      }
      if Int.random(in: 0..<3, using: &random) == 0 { addDrum(at: start, &random) }
    }
  }

  private mutating func addNote(at start: Int, hertz: Double) {
    for partial in 1...4 {
      // A resonator avoids a sine call per sample.
      let turn = 2 * Double.pi * hertz * Double(partial) / Self.rate
      guard turn < 3 else { break }
      let (damping, factor) = (0.9995, 2 * cos(turn))
      var (last, value) = (0.0, sin(turn) * 0.2 / Double(partial))
      for index in start..<min(samples.count, start + 6_000) {
        samples[index] += value
        (last, value) = (value, damping * factor * value - damping * damping * last)
      }
    }
  }

  private mutating func addDrum(at start: Int, _ random: inout SeededGenerator) {
    var level = 0.3
    for index in start..<min(samples.count, start + 800) {
      samples[index] += level * Double.random(in: -1...1, using: &random)
      level *= 0.994
    }
  }

  /// The music as input of the alignment.
  var sound: DownsampledAudio { DownsampledAudio(values: samples) }
}

/// A phone's recording of music: its start, the room, noise, and the phone's clock.
struct RoomRecording {
  /// The second of the recording at which the music begins; negative if it began before.
  var begins = 0.0
  var seconds = 15.0
  var noiseDecibels = 20.0
  var reverberation = 0.4
  /// How much faster the phone's clock is, as a fraction.
  var drift = 0.0
  var seed: UInt64 = 1

  /// Records `music`.
  func sound(of music: [Double]) -> DownsampledAudio {
    var random = SeededGenerator(seed: seed)
    let count = Int(seconds * ChanceMusic.rate)
    var heard = [Double](repeating: 0, count: count)
    for index in heard.indices {
      let place = (Double(index) - begins * ChanceMusic.rate) * (1 + drift)
      let whole = Int(place.rounded(.down))
      guard whole >= 0, whole + 1 < music.count else { continue }
      let part = place - Double(whole)
      heard[index] = music[whole] * (1 - part) + music[whole + 1] * part
    }
    heard = throughRoom(heard, &random)
    let power = heard.reduce(0) { $0 + $1 * $1 } / Double(count)
    let noise = (3 * power).squareRoot() * pow(10, -noiseDecibels / 20)
    for index in heard.indices { heard[index] += Double.random(in: -noise...noise, using: &random) }
    return DownsampledAudio(values: heard)
  }

  /// The music's sample at the recording's sample 0, based on the middle of both.
  func lag(musicCount: Int) -> Double {
    let first = max(0, begins)
    let last = min(seconds, begins + Double(musicCount) / ChanceMusic.rate)
    let middle = (first + last) / 2
    return ((middle - begins) * (1 + drift) - middle) * ChanceMusic.rate
  }

  /// Adds decaying noise after each sound, with the same total level as the direct sound.
  private func throughRoom(_ dry: [Double], _ random: inout SeededGenerator) -> [Double] {
    let length = Int(reverberation * ChanceMusic.rate)
    var size = 32
    while size < dry.count + length { size *= 2 }
    var room = [Float](repeating: 0, count: size)
    for index in 0..<length {
      let decay = pow(10, -3 * Double(index) / Double(length))
      room[index] = Float(Double.random(in: -1...1, using: &random) * decay)
    }
    let norm = room.reduce(0) { $0 + $1 * $1 }.squareRoot()
    for index in 0..<length { room[index] /= norm }
    room[0] += 1
    var transform = RealFFT(size: size)
    let zeros = [Float](repeating: 0, count: size / 2 + 1)
    var (real, imaginary, roomReal, roomImaginary) = (zeros, zeros, zeros, zeros)
    var samples = dry.map { Float($0) } + [Float](repeating: 0, count: size - dry.count)
    transform.forward(samples, real: &real, imaginary: &imaginary)
    transform.forward(room, real: &roomReal, imaginary: &roomImaginary)
    for bin in 0...size / 2 {
      let product = real[bin] * roomReal[bin] - imaginary[bin] * roomImaginary[bin]
      imaginary[bin] = real[bin] * roomImaginary[bin] + imaginary[bin] * roomReal[bin]
      real[bin] = product
    }
    transform.inverse(real: real, imaginary: imaginary, &samples)
    return samples[..<dry.count].map { Double($0) }
  }
}

extension DownsampledAudio {
  /// Sound scaled so that the loudest value is half of full scale.
  init(values: [Double]) {
    self.init()
    let peak = values.map(abs).max() ?? 0
    let scale = peak > 0 ? 16_384 / peak : 0
    samples = values.map { Int16($0 * scale) }
  }
}
