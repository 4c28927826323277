// Where the stretcher hears sounds begin.

import Foundation
import TestSupport
import Testing

@testable import PracticeEngine

@Suite struct AttackDetectorTests {
  /// The frames at which sounds begin.
  private func attacks(in sound: [Float]) -> [Int] {
    var found: Set<Int> = []
    listen(to: sound) { if $0.count > 0 { found.insert($0[$0.count - 1]) } }
    return found.sorted()
  }

  /// How the latest sound that begins goes on.
  private func onset(in sound: [Float]) -> Onset? {
    var onset: Onset?
    listen(to: sound) { onset = $0.count > 0 ? $0.onset($0.count - 1) : nil }
    return onset
  }

  private func listen(to sound: [Float], afterEach: (borrowing AttackDetector) -> Void) {
    var detector = AttackDetector()
    var padded = [Float](repeating: 0, count: AttackDetector.readBehind) + sound
    padded.withUnsafeMutableBufferPointer { samples in
      guard let base = samples.baseAddress else { return }
      while detector.frame + AttackDetector.hop <= sound.count {
        let hop = base + AttackDetector.readBehind + detector.frame
        detector.listen(hop, hop)
        afterEach(detector)
      }
    }
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

  /// A sound of a pitch that a drum, a string and a voice have, with partials to 3 kHz, from frame 12,000 on.
  private func sound(length: Int = 24_000, level: (Double) -> Double) -> [Float] {
    (0..<length).map { frame in
      let time = Double(frame - 12_000) / 48_000
      guard time >= 0 else { return 0 }
      let sum = (1...20).reduce(0.0) { $0 + sin(2 * .pi * 150 * Double($1) * time) / Double($1) }
      return Float(0.2 * level(time) * sum)
    }
  }

  @Test
  func
    `what dies away is told from what is held, and what rises slowly from what is there at once`()
  {
    #expect(onset(in: sound { exp(-$0 / 0.04) }) == .hit)
    #expect(onset(in: sound { _ in 1 }) == .sudden)
    // A piano's string dies away over some seconds.
    #expect(onset(in: sound { min(1, $0 / 0.002) * exp(-$0 / 1.5) }) == .sudden)
    #expect(onset(in: sound { pow(sin(.pi / 2 * min(1, $0 / 0.02)), 2) }) == .soft)
    #expect(onset(in: sound { min(1, $0 / 0.05) }) == .soft)
  }

  @Test func `how a sound goes on is known after 75 ms`() {
    let held = sound { _ in 1 }
    #expect(onset(in: Array(held[..<(12_000 + 55 * 64)])) == .hit)
    #expect(onset(in: Array(held[..<(12_000 + 59 * 64)])) == .sudden)
  }
}
