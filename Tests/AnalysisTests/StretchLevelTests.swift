// The level of a stretch, from the levels of its track in steps, compared with what ffmpeg measures of the
// same stretch as a file.

import FoundationEssentials
import Practice
import TestSupport
import Testing

@testable import Analysis

#if canImport(Glibc)
  import Glibc
#endif

@Suite struct StretchLevelTests {
  private static let seconds = 40
  /// Forty seconds of beats over chords, whose level changes every few seconds by up to 30 dB.
  private static let song: [Int16] = {
    var random = SeededGenerator(seed: 16)
    let phrases = (0..<20).map { _ in pow(10, Double.random(in: -30...(-1), using: &random) / 20) }
    let pitches = (0..<80).map { _ in Double.random(in: 80...3_000, using: &random) }
    var samples: [Int16] = []
    samples.reserveCapacity(2 * seconds * 48_000)
    var rumble = 0.0
    for frame in 0..<seconds * 48_000 {
      let time = Double(frame) / 48_000
      let beat = time.truncatingRemainder(dividingBy: 0.47)
      let noise = Double.random(in: -1...1, using: &random)
      rumble += 0.02 * (noise - rumble)
      let pitch = pitches[Int(time * 2)]
      let chord = sin(2 * .pi * pitch * time) + sin(2 * .pi * pitch * 1.5 * time)
      let value = 0.2 * chord + 0.5 * exp(-30 * beat) * noise + rumble
      let level = phrases[Int(time / 2)]
      for side in [0.9, 0.6] {
        samples.append(Int16(max(-32_768, min(32_767, 32_767 * level * side * value))))
      }
    }
    return samples
  }()

  private static let steps: LevelSteps = {
    var meter = LevelMeter()
    meter.append(song)
    let levels = meter.finish()
    return LevelSteps(
      stepFrames: levels.stepFrames, loudness: levels.loudness.map { Int16($0) },
      peaks: levels.peaks.map { Int16($0) })
  }()

  /// What ffmpeg's filter ebur128 measures of a stretch.
  private func measured(_ range: Range<Int>) throws -> (loudness: Double, truePeak: Double) {
    let folder = try TemporaryFolder()
    let samples = Self.song[2 * range.lowerBound..<2 * range.upperBound]
    let data = samples.withUnsafeBytes { Data($0) }
    try data.write(to: URL(filePath: folder.path + "/cut.raw"))
    let (status, text) = try Program.run(
      "ffmpeg",
      [
        "-hide_banner", "-nostats", "-f", "s16le", "-ar", "48000", "-ac", "2", "-i", "cut.raw",
        "-af", "ebur128=metadata=1:peak=true:framelog=verbose,ametadata=print:file=-", "-f", "null",
        "/dev/null",
      ], in: folder.path)
    #expect(status == 0)
    func last(_ key: String) throws -> Double {
      let line = try #require(
        text.split(separator: "\n").last { $0.hasPrefix("lavfi.r128.\(key)=") })
      return try #require(Double(line.split(separator: "=")[1]))
    }
    let peak = max(try last("true_peaks_ch0"), try last("true_peaks_ch1"))
    return (try last("I"), 20 * log10(peak))
  }

  // Whole, on steps, between steps, short ones and those whose borders are in the middle of a change.
  @Test(
    arguments: [
      0..<40 * 48_000, 4_800 * 20..<4_800 * 300, 123_457..<789_012, 48_001..<48_001 + 3 * 48_000,
      1_000_003..<1_100_017, 95_000..<97_000 + 48_000, 1_234_567..<1_900_000,
    ])
  func `a stretch is as loud, and its peaks as high, as ffmpeg finds them`(range: Range<Int>) throws
  {
    let level = Self.steps.level(
      of: [LevelRange(startFrame: range.lowerBound, endFrame: range.upperBound)])
    let (loudness, truePeak) = try measured(range)
    let found = try #require(level.loudness)
    #expect(abs(found - loudness) <= 0.1, "\(found) and \(loudness) LUFS")
    #expect(abs(level.truePeak - truePeak) <= 0.2, "\(level.truePeak) and \(truePeak) dBTP")
  }
}
