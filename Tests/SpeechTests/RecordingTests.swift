// Recordings of numbers: where their attack is found, and how they are trimmed and levelled.

import Glibc
import Testing

@testable import Speech

@Suite struct RecordingTests {
  private let rate = Recording.framesPerSecond

  /// A vowel: pulses of a voice at 120 Hz through a formant at 600 Hz, with straight borders.
  private func vowel(milliseconds: Int, level: Double) -> [Double] {
    var state = (0.0, 0.0)
    return (0..<milliseconds * rate / 1_000).map { frame in
      let pulse = frame % (rate / 120) == 0 ? 1.0 : 0
      // Two poles at 600 Hz, 80 Hz wide.
      let value = pulse + 1.9554 * state.0 - 0.9793 * state.1
      state = (value, state.0)
      return value * level
    }
  }

  /// A hiss, as of an s: what of white noise lies high.
  private func hiss(milliseconds: Int, level: Double) -> [Double] {
    var seed: UInt32 = 1
    var before = 0.0
    return (0..<milliseconds * rate / 1_000).map { _ in
      seed = seed &* 1_664_525 &+ 1_013_904_223
      let noise = Double(seed >> 16) / 32_768 - 1
      defer { before = noise }
      return (noise - before) / 2 * level
    }
  }

  private func silence(milliseconds: Int) -> [Double] {
    [Double](repeating: 0, count: milliseconds * rate / 1_000)
  }

  @Test(arguments: [0, 60, 150])
  func `the attack is where the vowel sets in, after any hiss`(hissMilliseconds: Int) {
    let word =
      hiss(milliseconds: hissMilliseconds, level: 0.3) + vowel(milliseconds: 200, level: 0.1)
    let expected = hissMilliseconds * rate / 1_000
    // A filter of 40 ms has its middle on the border; the voice's first pulses move it by some.
    #expect(abs(Recording.attack(of: word) - expected) <= rate / 100)
  }

  @Test func `the first of two syllables has the attack, even if the second is louder`() {
    let word =
      hiss(milliseconds: 80, level: 0.2) + vowel(milliseconds: 100, level: 0.06)
      + silence(milliseconds: 60) + vowel(milliseconds: 150, level: 0.1)
    #expect(abs(Recording.attack(of: word) - 80 * rate / 1_000) <= rate / 100)
  }

  @Test func `silence around a word is cut off, and the attack keeps its place in the sound`()
    throws
  {
    let word = hiss(milliseconds: 50, level: 0.3) + vowel(milliseconds: 200, level: 0.1)
    let alone = try #require(Recording(of: word))
    let within = try #require(
      Recording(of: silence(milliseconds: 300) + word + silence(milliseconds: 500)))
    #expect(abs(within.samples.count - alone.samples.count) <= rate / 50)
    #expect(within.samples.count < 300 * rate / 1_000)
    #expect(abs(within.attack - 50 * rate / 1_000) <= rate / 100 + 12)
    #expect(within.samples.prefix(12).allSatisfy { $0 == 0 })
    #expect(within.samples.suffix(12).allSatisfy { $0 == 0 })
  }

  @Test(arguments: [0.001, 0.05, 1])
  func `any word becomes as loud as the others, below full scale`(level: Double) throws {
    let recording = try #require(Recording(of: vowel(milliseconds: 200, level: level / 10)))
    let samples = recording.samples.map { Double($0) / 32_768 }
    #expect((samples.map(abs).max() ?? 1) <= 0.8)
    #expect(abs(Recording.loudest(of: samples) - 0.25) < 0.03)
  }

  @Test func `silence has no recording`() {
    #expect(Recording(of: silence(milliseconds: 300)) == nil)
    #expect(Recording(of: []) == nil)
  }

  @Test(arguments: [24, 240, 960])
  func `the moving average is that of a Hann window`(frames: Int) {
    let values = hiss(milliseconds: 100, level: 1).map(abs)
    let reach = frames / 2
    let window = (-reach...reach).map { 0.5 + 0.5 * cos(.pi * Double($0) / Double(reach + 1)) }
    let expected = values.indices.map { frame in
      (max(0, frame - reach)...min(values.count - 1, frame + reach)).reduce(0) {
        $0 + values[$1] * window[$1 - frame + reach]
      } / window.reduce(0, +)
    }
    let found = Recording.smoothed(values, frames: frames)
    // Rounding of sums over the whole sound.
    #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 1e-9 })
  }

  @Test func `a file has two cue points for each recording`() throws {
    let recording = try #require(Recording(of: vowel(milliseconds: 100, level: 0.1)))
    let file = voiceFile(of: [recording, recording])
    func number(at index: Int) -> Int {
      (0..<4).reduce(0) { $0 | Int(file[index + $1]) << (8 * $1) }
    }
    #expect(String(decoding: file[0..<4], as: UTF8.self) == "RIFF")
    #expect(number(at: 4) == file.count - 8)
    let cues = 12 + 8 + 16
    #expect(String(decoding: file[cues..<cues + 4], as: UTF8.self) == "cue ")
    #expect(number(at: cues + 8) == 4)
    let points = (0..<4).map { number(at: cues + 12 + 24 * $0 + 20) }
    let length = recording.samples.count
    #expect(points == [0, recording.attack, length, length + recording.attack])
    let data = cues + 8 + 4 + 4 * 24
    #expect(number(at: data + 4) == 4 * length)
    #expect(file.count == data + 8 + 4 * length)
  }
}
