import Counts
import Testing

@Suite struct PositionTests {
  private let length = 30 * second
  private let grid: Grid
  private let pickedUp: Grid

  init() {
    grid = Grid(
      analysis: steadyAnalysis(beats: 60), lengthFrames: length, corrections: [])
    pickedUp = Grid(
      analysis: steadyAnalysis(beats: 60, pickUp: 2), lengthFrames: length, corrections: [])
  }

  @Test func `a frame lies between two counts of an eight`() {
    #expect(grid.position(of: 12_000) == CountPosition(eight: 1, count: 1))
    #expect(
      grid.position(of: 12_000 + 12 * 24_000 + 6_000)
        == CountPosition(eight: 2, count: 5, fraction: 0.25))
    #expect(grid.position(of: 0) == CountPosition(eight: 0, count: 8, fraction: 0.5))
    #expect(pickedUp.position(of: 0) == CountPosition(eight: 0, count: 6, fraction: 0.5))
    #expect(grid.position(of: -1) == nil && grid.position(of: length) == nil)
  }

  @Test func `a count has a frame if its eight has it`() {
    #expect(grid.frame(of: CountPosition(eight: 3, count: 5)) == 12_000 + 20 * 24_000)
    #expect(grid.frame(of: CountPosition(eight: 0, count: 8, fraction: 0.75)) == 6_000)
    for (eight, count, fraction) in [
      (0, 7, 0.5), (0, 8, 0.25), (3, 9, 0), (3, 0, 0), (99, 1, 0), (-1, 8, 0), (1, 1, 1),
      (1, 1, -0.5),
    ] {
      #expect(grid.frame(of: CountPosition(eight: eight, count: count, fraction: fraction)) == nil)
    }
  }

  @Test func `a frame moves by counts and eights, and keeps its fraction`() {
    #expect(grid.frame(18_000, movedByCounts: 3) == 90_000)
    #expect(grid.frame(90_000, movedByCounts: -3) == 18_000)
    #expect(grid.frame(18_000, movedByCounts: -1) == nil)
    #expect(grid.frame(30_000, movedByCounts: -1) == 6_000)
    #expect(grid.frame(18_000, movedByCounts: 60) == nil)
    #expect(grid.frame(18_000, movedByEights: 2) == 18_000 + 16 * 24_000)
    #expect(grid.frame(18_000 + 16 * 24_000, movedByEights: -2) == 18_000)
    #expect(grid.frame(18_000, movedByEights: -1) == nil)
    #expect(grid.frame(18_000, movedByEights: 8) == nil)
  }

  @Test func `moved by eights into a short one, a frame takes its last count`() {
    var analysis = steadyAnalysis(beats: 60)
    analysis.eights = [analysis.frames[0], analysis.frames[8], analysis.frames[12]]
    let grid = Grid(analysis: analysis, lengthFrames: length, corrections: [])
    let seven = grid.beats[6].frame
    #expect(grid.frame(seven, movedByEights: 1) == grid.beats[11].frame)
    #expect(grid.frame(seven, movedByEights: 2) == grid.beats[18].frame)
  }

  @Test func `the nearest count and the nearest eight are found to snap to`() {
    #expect(grid.nearestBeat(to: 23_999)?.frame == 12_000)
    #expect(grid.nearestBeat(to: 24_000)?.frame == 12_000)
    #expect(grid.nearestBeat(to: 24_001)?.frame == 36_000)
    #expect(grid.nearestBeat(to: -50)?.frame == 12_000)
    #expect(grid.nearestBeat(to: .max)?.frame == grid.beats.last?.frame)
    #expect(grid.nearestEight(to: 108_000)?.frame == 12_000)
    #expect(grid.nearestEight(to: 108_001)?.frame == 204_000)
    #expect(pickedUp.nearestEight(to: 0)?.frame == 60_000)
  }

  @Test func `a length is told in eights and counts`() {
    #expect(
      grid.length(of: 12_000..<12_000 + 34 * 24_000)
        == CountLength(eights: 4, counts: 2, countsPerEight: 8))
    // Cut by ear, it may be off by a third of a count.
    #expect(
      grid.length(of: 4_000..<12_000 + 32 * 24_000)
        == CountLength(eights: 4, counts: 0, countsPerEight: 8))
    #expect(grid.length(of: 12_000..<23_000) == nil)
    #expect(grid.counts(in: 12_000..<12_000 + 30_000) == 1.25)
    let waltz = Grid(
      analysis: steadyAnalysis(beats: 60, metre: 3), lengthFrames: length, corrections: [])
    #expect(
      waltz.length(of: 12_000..<12_000 + 13 * 24_000)
        == CountLength(eights: 2, counts: 1, countsPerEight: 6))
  }

  @Test func `beats of a range and the period of a frame`() {
    #expect(grid.beats(in: 12_000..<60_000).map(\.frame) == [12_000, 36_000])
    #expect(grid.beats(in: 12_001..<60_001).map(\.frame) == [36_000, 60_000])
    #expect(grid.period(at: 40_000) == 24_000)
    #expect(grid.period(at: length) == nil)
  }
}

@Suite struct CountInTests {
  private let length = 30 * second

  private func grid(pickUp: Int = 0, metre: Int = 4) -> Grid {
    Grid(
      analysis: steadyAnalysis(beats: 60, metre: metre, pickUp: pickUp), lengthFrames: length,
      corrections: [])
  }

  @Test func `four counts lead to count 1 as 5, 6, 7, 8`() {
    let beats = grid().countIn(to: 12_000, speed: 1, length: .counts(4))
    #expect(
      beats == [
        CountInBeat(framesBefore: 96_000, number: 5, isDownbeat: true),
        CountInBeat(framesBefore: 72_000, number: 6, isDownbeat: false),
        CountInBeat(framesBefore: 48_000, number: 7, isDownbeat: false),
        CountInBeat(framesBefore: 24_000, number: 8, isDownbeat: false),
      ])
  }

  @Test func `at half the speed it is counted half as fast`() {
    let beats = grid().countIn(to: 12_000, speed: 0.5, length: .counts(2))
    #expect(beats.map(\.framesBefore) == [96_000, 48_000])
  }

  @Test func `a pick-up sounds on its own count`() {
    let beats = grid(pickUp: 2).countIn(to: 12_000, speed: 1, length: .counts(4))
    #expect(beats.map(\.number) == [3, 4, 5, 6])
    #expect(beats.map(\.framesBefore) == [96_000, 72_000, 48_000, 24_000])
  }

  @Test func `a start between two counts sounds between them`() {
    // A quarter of a beat after count 7, from the middle of the track.
    let start = 12_000 + 22 * 24_000 + 6_000
    let beats = grid().countIn(to: start, speed: 1, length: .counts(3))
    #expect(beats.map(\.number) == [5, 6, 7])
    #expect(beats.map(\.framesBefore) == [54_000, 30_000, 6_000])
    // The track's start lies half a beat after an eighth count that is not in it.
    let first = grid().countIn(to: 0, speed: 1, length: .counts(2))
    #expect(first.map(\.number) == [7, 8])
    #expect(first.map(\.framesBefore) == [36_000, 12_000])
  }

  @Test func `a bar counts its places, an eight its counts`() {
    let waltz = grid(metre: 3)
    let bar = waltz.countIn(to: 12_000, speed: 1, length: .bar)
    #expect(bar.map(\.number) == [1, 2, 3])
    #expect(bar.map(\.isDownbeat) == [true, false, false])
    #expect(waltz.countIn(to: 12_000, speed: 1, length: .eight).map(\.number) == Array(1...6))
    #expect(grid().countIn(to: 12_000, speed: 1, length: .eight).map(\.number) == Array(1...8))
    #expect(grid().countIn(to: 12_000, speed: 1, length: .bar).map(\.number) == [1, 2, 3, 4])
  }

  @Test func `it has the tempo of the beats that follow`() {
    var analysis = steadyAnalysis(beats: 60)
    for index in 20..<60 { analysis.frames[index] += (index - 19) * 2_400 }
    let grid = Grid(analysis: analysis, lengthFrames: 40 * second, corrections: [])
    let beats = grid.countIn(to: grid.beats[24].frame, speed: 1, length: .counts(1))
    #expect(beats.map(\.framesBefore) == [26_400])
  }

  @Test func `where there are no counts, nothing is counted`() {
    let silent = Grid(
      analysis: steadyAnalysis(beats: 60), lengthFrames: length,
      corrections: [correction(.noCounts, at: 0, to: 100_000)])
    #expect(silent.countIn(to: 50_000, speed: 1, length: .eight).isEmpty)
    #expect(grid().countIn(to: 12_000, speed: .nan, length: .eight).isEmpty)
    #expect(grid().countIn(to: 12_000, speed: 1, length: .counts(0)).isEmpty)
  }
}
