// What a microphone hears of chirps in a room.

import Foundation
import TestSupport

@testable import Practice

/// A recording with chirps, echoes, hum and noise.
struct SimulatedRecording {
  /// From a chirp's frame to its first sample in the recording.
  var delaySeconds: Double
  /// The level of the direct sound; the loudest chirp has 1.
  var level = 0.1
  /// The level of noise over that of the direct sound.
  var noise = 0.1
  /// Echoes of random delay; the first of them is so much louder than the direct sound.
  var echoes = 6
  var loudestEcho = 0.7
  /// How many chirps are drowned by a bang.
  var bangs = 0

  static let framesPerSecond = 48_000.0
  let clickFrames = ClickLatency.offsetsSeconds.map { Int((0.2 + $0) * framesPerSecond) }

  func samples(_ generator: inout SeededGenerator) -> [Float] {
    let length = clickFrames[clickFrames.count - 1] + 48_000
    var samples = [Float](repeating: 0, count: length)
    let chirp = LatencySounds.chirp()
    var arrivals = [(delay: delaySeconds, level: level)]
    for echo in 0..<echoes {
      let later = Double.random(in: 0.0015...0.05, using: &generator)
      let share =
        echo == 0 ? loudestEcho : loudestEcho * Double.random(in: 0.1...0.6, using: &generator)
      arrivals.append((delaySeconds + later, level * share))
    }
    for click in clickFrames {
      for arrival in arrivals {
        let start = click + Int((arrival.delay * Self.framesPerSecond).rounded())
        for (index, sample) in chirp.enumerated() where start + index < length {
          samples[start + index] += Float(arrival.level) * sample
        }
      }
    }
    addNoise(&samples, &generator)
    return samples
  }

  /// Noise of all frequencies, the hum of the mains, and bangs.
  private func addNoise(_ samples: inout [Float], _ generator: inout SeededGenerator) {
    for index in samples.indices {
      let hum = sin(2 * .pi * 50 * Double(index) / Self.framesPerSecond)
      samples[index] += Float(level * noise * (Gaussian.next(&generator) + hum))
    }
    for click in clickFrames.shuffled(using: &generator).prefix(bangs) {
      let start = click + Int(Double.random(in: 0...0.3, using: &generator) * Self.framesPerSecond)
      for index in 0..<4_800 where start + index < samples.count {
        samples[start + index] += Float(20 * level * Gaussian.next(&generator))
      }
    }
  }
}
