// The positions of detected onsets, their accuracy, and false detections.

import Testing

#if canImport(Glibc)
  import Glibc
#endif

@testable import Analysis

struct OnsetDetectorTests {
  /// Five milliseconds.
  private static let nearFrames = 240

  private func attacks(_ sound: Sound, pieceFrames: Int = 4_096) -> [Attack] {
    var detector = OnsetDetector()
    sound.samples.inPieces(of: pieceFrames) { detector.append($0) }
    return detector.finish()
  }

  private func expect(_ attacks: [Attack], at frames: [Int], _ what: Comment) {
    #expect(attacks.count == frames.count, what)
    for (attack, frame) in zip(attacks, frames) {
      #expect(abs(attack.frame - frame) <= Self.nearFrames, "\(what): \(attack.frame) for \(frame)")
    }
  }

  private let frames = [4_801, 21_333, 40_000, 52_345, 77_777, 90_001]

  @Test func `clicks are found within five milliseconds`() {
    var sound = Sound(seconds: 2.2)
    for frame in frames { sound.click(at: frame) }
    expect(attacks(sound), at: frames, "clicks")
  }

  @Test func `drums are found within five milliseconds, on one side too`() {
    var sound = Sound(seconds: 2.2)
    for (index, frame) in frames.enumerated() { sound.drum(at: frame, leftOnly: index % 2 == 1) }
    expect(attacks(sound), at: frames, "drums")
  }

  @Test func `plucked strings over each other are found within five milliseconds`() {
    var sound = Sound(seconds: 2.2)
    for (frame, hertz) in zip(frames, [110.0, 165, 220, 277.2, 330, 440]) {
      sound.pluck(at: frame, hertz: hertz)
    }
    expect(attacks(sound), at: frames, "plucks")
  }

  @Test func `drums over a loud bass and noise are found within five milliseconds`() {
    var sound = Sound(seconds: 2.4)
    sound.tone(at: 0, seconds: 2.4, hertz: 65, level: 0.3)
    sound.noise(at: 0, seconds: 2.4, level: 0.01)
    for frame in frames { sound.drum(at: frame) }
    let found = attacks(sound).filter { $0.frame > 2_400 }
    expect(found, at: frames, "drums over a bass")
  }

  @Test func `opposite channels do not cancel out`() {
    var sound = Sound(seconds: 2.2)
    for frame in frames { sound.drum(at: frame) }
    sound.right = sound.left.map { -$0 }
    expect(attacks(sound), at: frames, "drums in opposite phase")
  }

  @Test func `a tone that begins and stops is one attack`() {
    var sound = Sound(seconds: 2)
    sound.add(at: 24_000, seconds: 1) { 0.4 * sin(2 * .pi * 440 * $0) }
    expect(attacks(sound), at: [24_000], "a sine")
  }

  @Test func `an attack at the first frame is found`() {
    var sound = Sound(seconds: 1)
    sound.drum(at: 0)
    expect(attacks(sound), at: [0], "a drum at the start")
  }

  @Test func `an attack in the last milliseconds is found`() {
    var sound = Sound(seconds: 1)
    sound.drum(at: 47_500)
    expect(attacks(sound), at: [47_500], "a drum at the end")
  }

  @Test func `silence has no attacks`() {
    #expect(attacks(Sound(seconds: 2)).isEmpty)
  }

  @Test func `continuous quiet noise has only the attack at its start`() {
    var sound = Sound(seconds: 30)
    sound.noise(at: 0, seconds: 30, level: 0.003)
    #expect(attacks(sound).allSatisfy { $0.frame < 2_400 })
  }

  // White noise has no onsets, but its 10 ms blocks differ: 25 and 38 were found in a minute.
  @Test(arguments: [0.1, 0.5])
  func `continuous loud noise has few attacks`(level: Double) {
    var sound = Sound(seconds: 30)
    sound.noise(at: 0, seconds: 30, level: level)
    #expect(attacks(sound).count < 20, "\(attacks(sound).count)")
  }

  @Test func `a crescendo has no attacks`() {
    var sound = Sound(seconds: 4)
    sound.add(at: 0, seconds: 4) { time in
      let level = 0.4 * time * time / 16
      return level * (sin(2 * .pi * 220 * time) + 0.5 * sin(2 * .pi * 331 * time))
    }
    #expect(attacks(sound).allSatisfy { $0.frame < 9_600 }, "\(attacks(sound))")
  }

  @Test func `vibrato has no attacks`() {
    var sound = Sound(seconds: 3)
    sound.add(at: 0, seconds: 3) { time in
      let phase = 2 * .pi * (440 * time - 8 / 6.0 * cos(6 * 2 * .pi * time) / (2 * .pi))
      return 0.2 * (sin(phase) + 0.5 * sin(2 * phase) + 0.25 * sin(3 * phase)) * min(1, time / 0.05)
    }
    #expect(attacks(sound).allSatisfy { $0.frame < 4_800 }, "\(attacks(sound))")
  }

  @Test func `louder attacks are stronger`() {
    var sound = Sound(seconds: 2)
    sound.noise(at: 0, seconds: 2, level: 0.02)
    sound.drum(at: 24_000)
    sound.add(at: 72_000, seconds: 0.3) { 0.05 * sin(2 * .pi * 3_000 * $0) * exp(-$0 * 30) }
    let found = attacks(sound).filter { $0.frame > 2_400 }
    #expect(found.count == 2)
    #expect(found.allSatisfy { (0...1).contains($0.strength) })
    #expect((found.first?.strength ?? 0) > 2 * (found.last?.strength ?? 1))
  }

  @Test(arguments: [1, 7, 480, 1_000, 65_536])
  func `the result does not depend on the piece size`(pieceFrames: Int) {
    var sound = Sound(seconds: 0.7)
    sound.drum(at: 9_000)
    sound.pluck(at: 20_000, hertz: 220)
    #expect(attacks(sound, pieceFrames: pieceFrames) == attacks(sound))
  }

  @Test func `one channel gives the same result as two equal ones`() {
    var sound = Sound(seconds: 0.7)
    sound.drum(at: 9_000)
    sound.pluck(at: 20_000, hertz: 220)
    let samples = sound.samples
    let mono = stride(from: 0, to: samples.count, by: 2).map { Float(samples[$0]) / 32_768 }
    var detector = OnsetDetector()
    mono.withUnsafeBufferPointer { detector.append(mono: $0) }
    #expect(detector.finish() == attacks(sound))
  }

  @Test(arguments: [0, 1, 31, 33, 480])
  func `very short tracks are accepted`(frames: Int) {
    var detector = OnsetDetector()
    [Int16](repeating: 9_000, count: frames * 2).withUnsafeBufferPointer { detector.append($0) }
    #expect(detector.finish().allSatisfy { $0.frame < max(1, frames) })
  }
}
