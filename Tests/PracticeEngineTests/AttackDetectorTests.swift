// Where the stretcher hears sounds begin.

import Foundation
import TestSupport
import Testing

@testable import PracticeEngine

@Suite struct AttackDetectorTests {
  /// The frames at which sounds begin.
  private func attacks(in sound: [Float]) -> [Int] {
    var detector = AttackDetector()
    var found: Set<Int> = []
    var padded = [Float](repeating: 0, count: AttackDetector.readBehind) + sound
    padded.withUnsafeMutableBufferPointer { samples in
      guard let base = samples.baseAddress else { return }
      while detector.frame + AttackDetector.hop <= sound.count {
        let hop = base + AttackDetector.readBehind + detector.frame
        detector.listen(hop, hop)
        if detector.count > 0 { found.insert(detector[detector.count - 1]) }
      }
    }
    return found.sorted()
  }

  @Test func `the power of a held chord rises at times where nothing begins`() {
    // 80 partials of random phases, 10 to 25 Hz apart from 300 Hz on, which fall by 6 dB an octave.
    var random = SeededGenerator(seed: 11)
    var hertz = 300.0
    let partials = (0..<80).map { _ in
      hertz += .random(in: 10...25, using: &random)
      return (hertz: hertz, turns: Double.random(in: 0...1, using: &random))
    }
    let sound = (0..<960_000).map { frame in
      let time = Double(frame) / 48_000
      return partials.reduce(Float(0)) { sum, partial in
        let sine = sin(2 * .pi * (partial.hertz * time + partial.turns))
        return sum + Float(10 / partial.hertz * sine)
      }
    }
    let later = attacks(in: sound).filter { $0 >= 2_048 }
    // In 20 s.
    #expect(later.count <= 1)
  }

  @Test func `a note that begins under a louder one is found`() {
    // 12 dB more power at once, without any higher frequencies.
    let sound = (0..<48_000).map { frame in
      let level: Float = frame < 24_000 ? 0.1 : 0.4
      return level * Float(sin(2 * .pi * 300 * Double(frame) / 48_000))
    }
    #expect(attacks(in: sound).contains { abs($0 - 24_000) < 128 })
  }
}
