// Latency from a recording: of simulated rooms whose latency is known.

import Foundation
import TestSupport
import Testing

@testable import Practice

struct ClickLatencyTests {
  private let correlation = ClickLatency()

  private func estimate(
    _ room: SimulatedRecording, seed: UInt64 = 1, inputSeconds: Double? = 0
  ) -> LatencyEstimate {
    var generator = SeededGenerator(seed: seed)
    return room.samples(&generator).withUnsafeBufferPointer {
      correlation.estimate(
        recording: $0, clickFrames: room.clickFrames, inputSeconds: inputSeconds)
    }
  }

  /// With a stated input of 0, a buffer of 10 ms is taken off.
  private let taken = 0.010

  @Test(arguments: [0.02, 0.25, 0.4, 0.6])
  func `a quiet room gives the latency and is sure`(delay: Double) {
    let found = estimate(SimulatedRecording(delaySeconds: delay))
    #expect(abs(found.seconds - (delay - taken)) < 0.0005)
    #expect(found.certainty == .sure && found.used == ClickLatency.offsetsSeconds.count)
  }

  @Test func `the first arrival counts, not a louder echo`() {
    let found = estimate(SimulatedRecording(delaySeconds: 0.2, noise: 0.05, loudestEcho: 3))
    #expect(abs(found.seconds - (0.2 - taken)) < 0.0005)
    #expect(found.certainty == .sure)
  }

  @Test func `chirps under a bang are left out`() {
    let found = estimate(SimulatedRecording(delaySeconds: 0.3, bangs: 3))
    #expect(abs(found.seconds - (0.3 - taken)) < 0.0005)
    #expect(found.certainty == .sure && found.used >= 6)
  }

  @Test func `what the browser states of the microphone is taken off`() {
    let room = SimulatedRecording(delaySeconds: 0.3)
    #expect(abs(estimate(room, inputSeconds: 0.03).seconds - 0.26) < 0.0005)
  }

  @Test func `a microphone of unknown latency makes it unsure`() {
    let found = estimate(SimulatedRecording(delaySeconds: 0.3), inputSeconds: nil)
    #expect(found.certainty == .unsure && found.obstacle == .unknownInput)
    #expect(found.marginSeconds > 0.015)
    #expect(abs(found.seconds - 0.3) <= 0.03)
    #expect(
      estimate(SimulatedRecording(delaySeconds: 0.3), inputSeconds: .nan).obstacle == .unknownInput)
  }

  @Test func `a microphone that hears nothing says so`() {
    #expect(estimate(SimulatedRecording(delaySeconds: 0.3, level: 0)).obstacle == .silent)
    // Headphones: there is a room, but no chirp in it.
    var generator = SeededGenerator(seed: 3)
    let noise = (0..<440_000).map { _ in Float(0.01 * Gaussian.next(&generator)) }
    let frames = SimulatedRecording(delaySeconds: 0).clickFrames
    let found = noise.withUnsafeBufferPointer {
      correlation.estimate(recording: $0, clickFrames: frames, inputSeconds: 0)
    }
    #expect(found.certainty == .none && found.obstacle == .noisy)
  }

  @Test func `a sound that repeats is not taken for chirps`() {
    let frames = SimulatedRecording(delaySeconds: 0).clickFrames
    for period in [0.3, 0.45, 0.5, 0.6, 0.9, 1.8] {
      var beats = [Float](repeating: 0, count: 440_000)
      let chirp = LatencySounds.chirp()
      for beat in 0..<Int(8.5 / period) {
        let start = Int((0.25 + Double(beat) * period) * SimulatedRecording.framesPerSecond)
        for (index, sample) in chirp.enumerated() { beats[start + index] += 0.1 * sample }
      }
      let found = beats.withUnsafeBufferPointer {
        correlation.estimate(recording: $0, clickFrames: frames, inputSeconds: 0)
      }
      #expect(found.certainty == .none, "\(period)")
    }
  }

  @Test func `frames beyond the recording and samples that are no numbers do no harm`() {
    let samples = [Float](repeating: .nan, count: 1_000) + [Float](repeating: 0.1, count: 1_000)
    let found = samples.withUnsafeBufferPointer {
      correlation.estimate(
        recording: $0, clickFrames: [-5, 0, 1_999, 2_000, .max, .min], inputSeconds: 0)
    }
    #expect(found.certainty == .none)
  }

  /// The figures stand in docs/BENCHMARKS.md.
  @Test func `rooms from quiet to loud are within ten milliseconds where it is sure`() {
    var generator = SeededGenerator(seed: 42)
    var sure = 0
    var right = 0
    for noise in [0.05, 0.3, 1, 3, 8] {
      var here = (sure: 0, right: 0, none: 0)
      for _ in 0..<12 {
        let room = SimulatedRecording(
          delaySeconds: Double.random(in: 0.01...0.41, using: &generator),
          level: Double.random(in: 0.001...0.3, using: &generator), noise: noise,
          echoes: Int.random(in: 0...12, using: &generator),
          loudestEcho: Double.random(in: 0.2...2.5, using: &generator),
          bangs: Int.random(in: 0...3, using: &generator))
        let found = room.samples(&generator).withUnsafeBufferPointer {
          correlation.estimate(recording: $0, clickFrames: room.clickFrames, inputSeconds: 0)
        }
        if found.certainty == .none { here.none += 1 }
        guard found.certainty == .sure else { continue }
        here.sure += 1
        let error = abs(found.seconds + taken - room.delaySeconds)
        if error <= LatencyEstimate.aimSeconds { here.right += 1 }
      }
      print(
        "recordings: noise \(noise): sure \(here.sure) of 12, within 10 ms \(here.right), nothing found \(here.none)"
      )
      sure += here.sure
      right += here.right
    }
    #expect(Double(right) >= 0.95 * Double(sure))
    #expect(sure >= 30)
  }
}
