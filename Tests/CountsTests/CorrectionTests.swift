import Counts
import TestSupport
import Testing

/// A track of half a minute: beats each half second, the first after a quarter.
private let length = 30 * second
private let steady = steadyAnalysis(beats: 60)

private func derived(
  _ corrections: [Correction], from analysis: BeatAnalysis? = steady
) -> Grid {
  Grid(analysis: analysis, lengthFrames: length, corrections: corrections)
}

private func counts(_ grid: Grid, _ range: Range<Int>) -> [Int] { grid.beats[range].map(\.count) }

private func frames(_ grid: Grid, _ range: Range<Int>) -> [Int] { grid.beats[range].map(\.frame) }

@Suite struct GridTests {
  @Test func `an analysed track counts from its first eight`() {
    let grid = derived([])
    #expect(counts(grid, 0..<10) == [1, 2, 3, 4, 5, 6, 7, 8, 1, 2])
    #expect(grid.beats[0] == Beat(frame: 12_000, place: 1, count: 1, eight: 1, metre: 4))
    #expect(grid.beats[9] == Beat(frame: 228_000, place: 2, count: 2, eight: 2, metre: 4))
    #expect(grid.stretches.map(\.frames) == [0..<length])
  }

  @Test func `beats before the first eight count up to its last count`() {
    let grid = derived([], from: steadyAnalysis(beats: 60, pickUp: 3))
    #expect(counts(grid, 0..<5) == [6, 7, 8, 1, 2])
    #expect(grid.beats[0..<5].map(\.eight) == [0, 0, 0, 1, 1])
    #expect(grid.beats[0..<5].map(\.place) == [2, 3, 4, 1, 2])
  }

  @Test func `beats go on to both ends of the track by the nearest tempo`() {
    var analysis = steadyAnalysis(beats: 20, first: 200_000)
    for index in 11..<20 { analysis.frames[index] += (index - 10) * 6_000 }
    let grid = derived([], from: analysis)
    #expect(frames(grid, 0..<3) == [8_000, 32_000, 56_000])
    #expect(grid.beats.suffix(2).map(\.frame) == [1_400_000, 1_430_000])
    #expect(counts(grid, 6..<10) == [7, 8, 1, 2])
  }

  @Test(arguments: [(2, 8), (3, 6), (4, 8), (5, 5), (6, 6), (7, 7)])
  func `an eight has as many counts as dancers count`(metre: Int, length: Int) {
    let grid = derived([], from: steadyAnalysis(beats: 60, metre: metre))
    #expect(counts(grid, 0..<length + 1) == Array(1...length) + [1])
    #expect(grid.beats[0..<metre + 1].map(\.place) == Array(1...metre) + [1])
  }

  @Test func `an eight that the analysis begins early is begun early`() {
    var analysis = steady
    analysis.eights = [analysis.frames[0], analysis.frames[8], analysis.frames[12]]
    let grid = derived([], from: analysis)
    #expect(counts(grid, 8..<14) == [1, 2, 3, 4, 1, 2])
    #expect(grid.beats[8..<14].map(\.eight) == [2, 2, 2, 2, 3, 3])
  }

  @Test func `a gap without beats is filled by the tempo before it`() {
    var analysis = steady
    analysis.frames.removeSubrange(20..<30)
    analysis.places.removeSubrange(20..<30)
    #expect(derived([], from: analysis).beats.map(\.frame) == derived([]).beats.map(\.frame))
  }

  @Test func `without an analysis there is nothing to count`() {
    let empty = derived(
      [correction(.one), correction(.double, 1), correction(.metre, 2, value: 3)], from: nil)
    #expect(empty.beats.isEmpty && empty.stretches.isEmpty)
  }
}

@Suite struct CorrectionTests {
  @Test func `a one counts from there on, and back to the start`() {
    let grid = derived([correction(.one, at: 12_000 + 10 * 24_000 + 5_000)])
    #expect(counts(grid, 0..<12) == [7, 8, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2])
    #expect(grid.beats[10].place == 1)
  }

  @Test func `a second one rules from there on, and leaves what is before`() {
    let grid = derived([
      correction(.one, at: 12_000 + 2 * 24_000), correction(.one, 1, at: 12_000 + 14 * 24_000),
    ])
    #expect(counts(grid, 0..<4) == [7, 8, 1, 2])
    #expect(counts(grid, 12..<16) == [3, 4, 1, 2])
  }

  @Test func `a one less than a bar from another replaces it`() {
    let grid = derived([
      correction(.one, at: 12_000 + 2 * 24_000), correction(.one, 1, at: 12_000 + 5 * 24_000),
    ])
    #expect(counts(grid, 0..<7) == [4, 5, 6, 7, 8, 1, 2])
  }

  @Test func `nudging by beats moves the counts, by frames the beats`() {
    #expect(counts(derived([correction(.nudgeBeats, value: 1)]), 0..<3) == [8, 1, 2])
    #expect(counts(derived([correction(.nudgeBeats, value: -2)]), 0..<3) == [3, 4, 5])
    let later = derived([correction(.nudgeFrames, value: 480)])
    #expect(frames(later, 0..<3) == [12_480, 36_480, 60_480])
    #expect(counts(later, 0..<3) == [1, 2, 3])
    let much = derived([correction(.nudgeFrames, value: 30_000)])
    #expect(frames(much, 0..<2) == [18_000, 42_000])
    #expect(counts(much, 0..<2) == [8, 1])
  }

  @Test func `nudging there and back changes nothing`() {
    let there = correction(.nudgeBeats, value: 3)
    let back = correction(.nudgeBeats, 1, value: -3)
    #expect(derived([there, back]) == derived([]))
  }

  @Test func `a one after a nudge is where it was said, before one it moves along`() {
    let one = 12_000 + 4 * 24_000
    let after = derived([correction(.nudgeBeats, 0, value: 1), correction(.one, 1, at: one)])
    #expect(after.beats[4].count == 1)
    let before = derived([correction(.nudgeBeats, 1, value: 1), correction(.one, 0, at: one)])
    #expect(before.beats[5].count == 1)
  }

  @Test func `half time keeps the ones`() {
    let half = derived([correction(.halve)], from: steadyAnalysis(beats: 60, pickUp: 1))
    #expect(frames(half, 0..<3) == [36_000, 84_000, 132_000])
    #expect(counts(half, 0..<9) == [1, 2, 3, 4, 5, 6, 7, 8, 1])
    #expect(half.beats[0..<5].map(\.place) == [1, 2, 3, 4, 1])
  }

  @Test func `double time adds beats halfway`() {
    let double = derived([correction(.double)])
    #expect(frames(double, 0..<4) == [0, 12_000, 24_000, 36_000])
    #expect(counts(double, 0..<10) == [8, 1, 2, 3, 4, 5, 6, 7, 8, 1])
    #expect(
      derived([correction(.double), correction(.halve, 1)]).beats.map(\.frame)
        == derived([]).beats.map(\.frame))
  }

  @Test func `no tempo rises above 400 or falls below 20`() {
    let doubled = derived((0..<9).map { correction(.double, $0) })
    #expect(frames(doubled, 1..<2)[0] - frames(doubled, 0..<1)[0] == 12_000)
    let halved = derived((0..<9).map { correction(.halve, $0) })
    #expect(frames(halved, 1..<2)[0] - frames(halved, 0..<1)[0] == 96_000)
  }

  @Test func `a metre holds from its beat to the next metre`() {
    let grid = derived([
      correction(.metre, at: 12_000 + 16 * 24_000, value: 3),
      correction(.metre, 1, at: 12_000 + 32 * 24_000, value: 4),
    ])
    #expect(counts(grid, 14..<24) == [7, 8, 1, 2, 3, 4, 5, 6, 1, 2])
    #expect(grid.beats[16..<20].map(\.place) == [1, 2, 3, 1])
    #expect(counts(grid, 30..<36) == [3, 4, 1, 2, 3, 4])
    #expect(grid.beats[31].metre == 3 && grid.beats[32].metre == 4)
  }

  @Test func `a one in another metre rules back to where the metre begins`() {
    let grid = derived([
      correction(.metre, at: 0, value: 3), correction(.one, 1, at: 12_000 + 2 * 24_000),
    ])
    #expect(counts(grid, 0..<5) == [5, 6, 1, 2, 3])
  }

  @Test func `a tempo holds from its beat to the next tempo, and counts go on`() {
    let grid = derived([
      correction(.tempo, 1, at: 12_000 + 4 * 24_000, value: 60),
      correction(.tempo, 0, at: 12_000 + 10 * 24_000, value: 100),
    ])
    #expect(
      frames(grid, 3..<9) == [84_000, 108_000, 156_000, 204_000, 252_000, 280_800])
    #expect(counts(grid, 3..<9) == [4, 5, 6, 7, 8, 1])
  }

  @Test func `a one and the first eight stay where beats are replaced`() {
    let grid = derived([
      correction(.one, at: 12_000 + 10 * 24_000), correction(.tempo, 1, value: 60),
    ])
    #expect(frames(grid, 4..<7) == [204_000, 252_000, 300_000])
    #expect(counts(grid, 4..<7) == [8, 1, 2])
    let pickUp = derived(
      [correction(.tempo, value: 120)], from: steadyAnalysis(beats: 60, pickUp: 3))
    #expect(counts(pickUp, 0..<5) == [6, 7, 8, 1, 2])
  }

  @Test func `a tempo makes a grid of a track without analysis`() {
    let grid = derived([correction(.tempo, at: 100_000, value: 120)], from: nil)
    #expect(frames(grid, 0..<5) == [4_000, 28_000, 52_000, 76_000, 100_000])
    #expect(counts(grid, 0..<5) == [5, 6, 7, 8, 1])
    #expect(grid.beats.last?.frame == 1_420_000)
  }

  @Test func `a stretch without counts hides them, and counting goes on below`() {
    let silent = correction(.noCounts, at: 12_000 + 3 * 24_000, to: 12_000 + 9 * 24_000)
    let grid = derived([silent])
    #expect(counts(grid, 0..<5) == [1, 2, 3, 2, 3])
    #expect(grid.beats[0..<4].map(\.eight) == [1, 1, 1, 2])
    #expect(grid.stretches.map(\.frames) == [0..<84_000, 228_000..<length])
    #expect(grid.position(of: 84_000) == nil && grid.position(of: 227_999) == nil)
    #expect(grid.frame(60_000, movedByCounts: 1) == 228_000)
  }

  @Test func `an intro without counts leaves the first eight the first`() {
    let grid = derived([correction(.noCounts, at: 0, to: 12_000 + 24 * 24_000)])
    #expect(grid.beats[0] == Beat(frame: 588_000, place: 1, count: 1, eight: 1, metre: 4))
    #expect(grid.position(of: 587_999) == nil)
  }

  @Test func `the order decides, then the id`() {
    let tempi = [
      correction(.tempo, 3, id: 1, value: 100), correction(.tempo, 3, id: 2, value: 120),
    ]
    for corrections in [tempi, tempi.reversed()] {
      #expect(derived(corrections, from: nil).beats[1].frame == 24_000)
    }
  }

  @Test func `an id is read from the text of a UUID`() throws {
    let text = "0193a5b0-0000-7000-8000-00000000000f"
    #expect(
      Correction.ID(utf8: text.utf8)
        == Correction.ID(high: 0x0193_a5b0_0000_7000, low: 0x8000_0000_0000_000f))
    #expect(Correction.ID(utf8: text.dropLast().utf8) == nil)
    #expect(Correction.ID(utf8: (text + "0").utf8) == nil)
    #expect(Correction.ID(utf8: text.replacing("f", with: "g").utf8) == nil)
    let later = try #require(Correction.ID(utf8: "0193a5b0-0000-7000-8000-000000000010".utf8))
    #expect(try #require(Correction.ID(utf8: text.utf8)) < later)
  }
}
