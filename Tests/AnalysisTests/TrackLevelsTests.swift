// The levels of a track in steps: tones whose levels are known, and peaks between samples.

import TestSupport
import Testing

@testable import Analysis

#if canImport(Glibc)
  import Glibc
#endif

@Suite struct TrackLevelsTests {
  private func levels(_ samples: [Int16], pieceFrames: Int = 480_000) -> TrackLevels {
    var meter = LevelMeter()
    for start in stride(from: 0, to: samples.count, by: 2 * pieceFrames) {
      meter.append(Array(samples[start..<min(start + 2 * pieceFrames, samples.count)]))
    }
    return meter.finish()
  }

  /// A stereo tone with a phase in parts of a turn, in dB below full scale.
  private func tone(_ hertz: Double, _ level: Double, frames: Int, phase: Double = 0) -> [Int16] {
    let amplitude = 32_767 * pow(10, level / 20)
    return (0..<2 * frames).map { index in
      let turns = hertz * Double(index / 2) / 48_000 + phase
      return Int16((amplitude * sin(2 * .pi * turns)).rounded())
    }
  }

  @Test func `each step of the reference tone has its level`() {
    // 1 kHz at −23 dBFS in both channels is −23 LUFS.
    let found = levels(tone(1_000, -23, frames: 48_000))
    #expect(found.stepFrames == 4_800)
    #expect(found.loudness.count == 10 && found.peaks.count == 10)
    // The first holds the filter's start.
    #expect(found.loudness.dropFirst().allSatisfy { abs($0 + 2_300) <= 5 }, "\(found.loudness)")
    #expect(found.peaks.allSatisfy { abs($0 + 2_300) <= 5 }, "\(found.peaks)")
  }

  // EBU Tech 3341, table 1, 15 to 19: peaks between the samples, within +0.2 and −0.4 dB. These tones hold on,
  // so that no filter's ringing adds to them.
  @Test(arguments: [0.125, 0.0625, 0.1875, 0], [12_000.0, 8_000, 6_000])
  func `peaks between the samples are found`(phase: Double, hertz: Double) {
    let found = levels(tone(hertz, -6, frames: 24_000, phase: phase))
    #expect(found.peaks[1..<4].allSatisfy { abs($0 + 600) <= 15 }, "\(found.peaks)")
  }

  @Test(arguments: [1_000.0, 5_003, 11_987, 15_011, 18_013, 19_997])
  func `a tone's true peak is its amplitude up to 20 kHz`(hertz: Double) {
    let found = levels(tone(hertz, -3, frames: 24_000, phase: 0.01))
    #expect(found.peaks[1..<4].allSatisfy { abs($0 + 300) <= 20 }, "\(found.peaks)")
  }

  @Test func `a peak belongs to its step`() {
    var samples = [Int16](repeating: 0, count: 2 * 48_000)
    samples[2 * 9_600] = 16_384
    samples[2 * 19_199 + 1] = -8_192
    let found = levels(samples)
    #expect(abs(found.peaks[2] + 602) <= 1)
    #expect(abs(found.peaks[3] + 1_204) <= 1)
    #expect(found.peaks[4...].dropFirst().allSatisfy { $0 == -12_000 })
    #expect(found.peaks[0] == -12_000)
  }

  @Test(arguments: [1, 4_799, 4_800, 4_801, 4_810, 9_620, 24_017])
  func `a short last step has its own level`(frames: Int) {
    // It begins and ends with an edge, which overshoots.
    let samples = tone(1_000, -10, frames: frames, phase: 0.25)
    let found = levels(samples)
    let count = (frames + 4_799) / 4_800
    #expect(found.loudness.count == count && found.peaks.count == count)
    #expect(levels(samples, pieceFrames: 1_003) == found)
    #expect(levels(samples, pieceFrames: 7) == found)
    #expect(found.peaks.allSatisfy { $0 >= -1_100 && $0 < -700 })
  }

  @Test func `nothing has no levels, and silence has the lowest`() {
    #expect(levels([]) == TrackLevels(stepFrames: 4_800, loudness: [], peaks: []))
    let silent = levels([Int16](repeating: 0, count: 2 * 14_400))
    #expect(silent.loudness == [-12_000, -12_000, -12_000])
    #expect(silent.peaks == [-12_000, -12_000, -12_000])
  }
}
