// The loudness of stretches from steps, and the gains that make recordings equally loud. That the steps are
// right, and what another program measures, is tested with the analysis.

// If SEGMANCE_VECTORS names a folder, random levels and their answers are written there as levels.json, which
// Tests/Practice/vectors.test.mjs compares with those of the WebAssembly build.

import FoundationEssentials
import Practice
import TestSupport
import Testing

/// Songs with what is played of them, and their levels and gains.
private struct LevelCase: Encodable {
  struct Song: Encodable {
    var loudness, peaks: [Int16]
    var ranges: [[Int]]
    var level: [Double?]
  }

  var songs: [Song]
  var factors: [Double]
}

@Suite struct LevelTests {
  private func steps(_ levels: [(loudness: Int16, count: Int)]) -> LevelSteps {
    let loudness = levels.flatMap { Array(repeating: $0.loudness, count: $0.count) }
    return LevelSteps(stepFrames: 4_800, loudness: loudness, peaks: loudness.map { $0 + 1_000 })
  }

  @Test func `even steps are as loud as each of them`() throws {
    let level = steps([(-2_345, 30)]).level(of: [LevelRange(startFrame: 0, endFrame: 144_000)])
    #expect(abs(try #require(level.loudness) + 23.45) < 1e-9)
    #expect(level.truePeak == -13.45)
  }

  @Test func `what lies outside of a stretch does not count`() throws {
    let steps = steps([(-1_000, 20), (-3_000, 40), (-1_000, 20)])
    let level = steps.level(of: [LevelRange(startFrame: 96_000, endFrame: 288_000)])
    #expect(abs(try #require(level.loudness) + 30) < 1e-9)
    #expect(level.truePeak == -20)
    #expect(steps.level(of: [LevelRange(startFrame: 95_999, endFrame: 288_000)]).truePeak == 0)
  }

  // EBU Tech 3341, table 1, 3 to 5, in steps.
  @Test func `quiet blocks are gated`() throws {
    let all = [LevelRange(startFrame: 0, endFrame: 48_000 * 1_000)]
    for levels in [
      [(-3_600, 100), (-2_300, 600), (-3_600, 100)],
      [(-7_200, 100), (-3_600, 100), (-2_300, 600), (-3_600, 100), (-7_200, 100)],
      [(-2_600, 200), (-2_000, 201), (-2_600, 200)],
    ] as [[(loudness: Int16, count: Int)]] {
      let loudness = try #require(steps(levels).level(of: all).loudness)
      #expect(abs(loudness + 23) <= 0.1, "\(loudness)")
    }
  }

  @Test func `silence, nothing and less than a block have no loudness`() {
    let steps = steps([(-12_000, 20), (-2_000, 20)])
    for (start, end) in [(0, 96_000), (5, 5), (9, 3), (100_000, 119_199), (900_000, 990_000)] {
      #expect(steps.level(of: [LevelRange(startFrame: start, endFrame: end)]).loudness == nil)
    }
    #expect(steps.level(of: []).loudness == nil)
    #expect(steps.level(of: [LevelRange(startFrame: 100_000, endFrame: 119_200)]).loudness != nil)
  }

  @Test func `stretches of one track are measured together`() throws {
    let steps = steps([(-1_000, 100), (-4_000, 100), (-1_600, 100)])
    func loudness(_ seconds: [(Int, Int)]) throws -> Double {
      let ranges = seconds.map { LevelRange(startFrame: $0.0 * 48_000, endFrame: $0.1 * 48_000) }
      return try #require(steps.level(of: ranges).loudness)
    }
    let (loud, soft) = (try loudness([(0, 10)]), try loudness([(20, 30)]))
    let both = try loudness([(0, 10), (20, 30)])
    #expect(loud > both && both > soft)
    let turned = try loudness([(20, 30), (0, 10)])
    #expect(abs(both - turned) < 1e-9)
  }

  @Test(arguments: UInt64(1)...200)
  func `gains keep every promise, whatever the recordings`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let levels = (0..<Int.random(in: 1...12, using: &random)).map { _ in
      let loudness = Double.random(in: -60...0, using: &random)
      let isSilent = Int.random(in: 0..<8, using: &random) == 0
      return Level(
        loudness: isSilent ? nil : loudness,
        truePeak: loudness + Double.random(in: 3...22, using: &random))
    }
    let gains = EvenLoudness.gains(of: levels)
    #expect(gains.count == levels.count)
    let heard = levels.indices.filter { levels[$0].loudness != nil }
    guard heard.count > 1 else {
      #expect(gains.allSatisfy { $0 == 0 })
      return
    }
    let before = heard.map { levels[$0].loudness ?? 0 }
    let after = heard.map { (levels[$0].loudness ?? 0) + gains[$0] }
    let target = after.max() ?? 0
    #expect(target <= (before.max() ?? 0) + 1e-9)
    for index in levels.indices {
      guard let loudness = levels[index].loudness else {
        #expect(gains[index] == 0)
        continue
      }
      #expect(gains[index] <= 20 + 1e-9)
      #expect(levels[index].truePeak + gains[index] <= -1 + 1e-9)
      // Softer than the others only where a rise is not possible.
      let isAtBorder =
        gains[index] > 20 - 1e-9 || levels[index].truePeak + gains[index] > -1 - 1e-9
      #expect(abs(loudness + gains[index] - target) < 1e-9 || isAtBorder)
    }
    // Nothing is lowered by more than it must be: to match, or for its own peak.
    let floor = (before.max() ?? 0) - 6
    #expect(target >= floor - 1e-9 || after.allSatisfy { $0 <= floor + 1e-9 })
    // The order does not matter.
    let turned = EvenLoudness.gains(of: levels.reversed())
    #expect(zip(turned.reversed(), gains).allSatisfy { abs($0 - $1) < 1e-12 })
  }

  @Test func `random songs have levels and gains, which WebAssembly must agree with`() throws {
    var random = SeededGenerator(seed: 25)
    let cases = (0..<60).map { _ in
      let songs = (0..<Int.random(in: 1...6, using: &random)).map { _ in
        let loudness = Int16.random(in: -12_000...0, using: &random)
        let count = Int.random(in: 0...200, using: &random)
        let steps = LevelSteps(
          stepFrames: 4_800,
          loudness: (0..<count).map { _ in
            max(-12_000, loudness + Int16.random(in: -1_500...300, using: &random))
          },
          peaks: (0..<count).map { _ in Int16.random(in: -12_000...200, using: &random) })
        let ranges = (0..<Int.random(in: 0...3, using: &random)).map { _ in
          LevelRange(
            startFrame: Int.random(in: -9...900_000, using: &random),
            endFrame: Int.random(in: 0...1_100_000, using: &random))
        }
        return (steps, ranges, steps.level(of: ranges))
      }
      let gains = EvenLoudness.gains(of: songs.map(\.2))
      #expect(gains.allSatisfy { $0 <= 20.001 && $0.isFinite })
      return LevelCase(
        songs: songs.map { steps, ranges, level in
          .init(
            loudness: steps.loudness, peaks: steps.peaks,
            ranges: ranges.map { [$0.startFrame, $0.endFrame] },
            level: [level.loudness, level.truePeak.isFinite ? level.truePeak : nil])
        },
        factors: gains.map { EvenLoudness.factor(decibels: $0) })
    }
    guard let folder = ProcessInfo.processInfo.environment["SEGMANCE_VECTORS"] else { return }
    try JSONEncoder().encode(cases).write(to: URL(filePath: folder + "/levels.json"))
  }

  @Test
  func `quiet recordings are raised as far as their peaks allow, and loud ones come down to them`()
  {
    func gains(_ levels: [(Double, Double)]) -> [Double] {
      EvenLoudness.gains(of: levels.map { Level(loudness: $0.0, truePeak: $0.1) })
        .map { ($0 * 1_000).rounded() / 1_000 }
    }
    // Room enough for all: as loud as the loudest.
    #expect(gains([(-14, -3), (-26, -15)]) == [0, 12])
    // The loudest has a peak above the ceiling.
    #expect(gains([(-8, 0.5), (-20, -14)]) == [-1.5, 10.5])
    // The quiet one reaches -18 + 4: all meet there.
    #expect(gains([(-9, 0), (-18, -5)]) == [-5, 4])
    // It reaches too little: the others come down by 6, and it stays softer.
    #expect(gains([(-9, 0), (-24, -3)]) == [-6, 2])
    #expect(gains([(-9, 0)]) == [0])
    #expect(gains([]) == [])
  }
}
