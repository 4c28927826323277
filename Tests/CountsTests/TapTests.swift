import Counts
import TestSupport
import Testing

private let length = 60 * second

private func derived(_ analysis: BeatAnalysis?, _ taps: [Int]) -> Grid {
  Grid(analysis: analysis, lengthFrames: length, corrections: [CountsTests.taps(taps)])
}

@Suite struct TapTests {
  /// Taps each half second from 100,000 on, as a person makes them: up to 20 ms off.
  private func tapped(_ seed: UInt64, _ number: Int = 16) -> [Int] {
    var generator = SeededGenerator(seed: seed)
    return (0..<number).map {
      100_000 + $0 * 24_000 + Int.random(in: -960...960, using: &generator)
    }
  }

  /// Expects steady beats each half second, count 1 at the first tap.
  private func expectSteady(_ grid: Grid, _ note: Comment) {
    guard let one = grid.nearestBeat(to: 100_000), grid.beats.count > 110 else {
      Issue.record("no beats; \(note)")
      return
    }
    #expect(abs(one.frame - 100_000) < 960, note)
    #expect(one.count == 1 && one.place == 1, note)
    // Over the tapped eight seconds, not a tenth of a beat is lost.
    let last = grid.nearestBeat(to: 100_000 + 15 * 24_000)
    #expect(abs((last?.frame ?? 0) - 460_000) < 1_600, note)
    #expect(last?.count == 8, note)
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `taps make a steady grid of a track without analysis`(seed: UInt64) {
    expectSteady(derived(nil, tapped(seed)), "seed \(seed)")
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `missed, doubled and stray taps change little`(seed: UInt64) {
    var taps = tapped(seed)
    var generator = SeededGenerator(seed: seed)
    taps.removeSubrange(5...6)
    taps.remove(at: 9)
    taps.append(taps[3] + 4_500)
    taps.append(taps[7] + 600)
    taps.append(taps[8] + 11_000)
    taps.shuffle(using: &generator)
    expectSteady(derived(nil, taps), "seed \(seed)")
  }

  @Test func `too few taps, or none in time, change nothing`() {
    for taps in [[], [100_000], [100_000, 124_000], [100_000, 100_001, 100_002, 100_003]] {
      #expect(derived(nil, taps).beats.isEmpty)
    }
    let outside = correction(.taps, at: 0, to: 50_000, taps: tapped(1))
    #expect(Grid(analysis: nil, lengthFrames: length, corrections: [outside]).beats.isEmpty)
  }

  @Test func `where the analysis has the tapped tempo, its beats stay to the frame`() {
    var analysis = steadyAnalysis(beats: 110, first: 100_000 - 4 * 24_000)
    for index in analysis.frames.indices { analysis.frames[index] += index % 3 * 50 }
    let untouched = Grid(analysis: analysis, lengthFrames: length, corrections: [])
    #expect(derived(analysis, tapped(3)) == untouched)
    // A person who taps a tenth of a beat late taps the same beats.
    #expect(derived(analysis, tapped(3).map { $0 + 2_400 }) == untouched)
  }

  @Test func `analysed offbeats move by half a beat`() {
    let analysis = steadyAnalysis(beats: 110, first: 100_000 - 4 * 24_000 + 12_000)
    let moved = derived(analysis, tapped(4))
    #expect(moved.nearestBeat(to: 100_000)?.frame == 100_000)
    #expect(moved.beats[20].frame - moved.beats[19].frame == 24_000)
  }

  @Test func `taps at half the analysed tempo keep the tapped beats`() {
    let analysis = steadyAnalysis(period: 12_000, beats: 230, first: 16_000)
    let half = derived(analysis, tapped(5))
    #expect(half.nearestBeat(to: 100_000)?.frame == 100_000)
    #expect(half.beats.allSatisfy { $0.frame % 24_000 == 4_000 })
    let other = derived(analysis, tapped(5).map { $0 + 12_000 })
    #expect(other.beats.allSatisfy { $0.frame % 24_000 == 16_000 })
  }

  @Test func `taps at twice the analysed tempo double the beats`() {
    let analysis = steadyAnalysis(period: 48_000, beats: 60, first: 4_000)
    let double = derived(analysis, tapped(6))
    #expect(double.beats[0..<4].map(\.frame) == [4_000, 28_000, 52_000, 76_000])
    #expect(double.beats[0..<10].map(\.count) == [1, 2, 3, 4, 5, 6, 7, 8, 1, 2])
  }

  @Test func `taps in another tempo replace the beats from the first one on`() {
    let analysis = steadyAnalysis(period: 31_000, beats: 100, first: 2_000)
    let tapped = derived(analysis, tapped(7))
    #expect(tapped.beats[0..<3].map(\.frame) == [2_000, 33_000, 64_000])
    #expect(abs(tapped.beats[3].frame - 100_000) < 960)
    #expect(tapped.beats[3].count == 1)
    expectSteady(tapped, "from the first tap on")
  }
}
