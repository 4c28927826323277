import Counts
import TestSupport
import Testing

/// Beats each half second from a quarter of a second on, in a track of half a minute.
private let length = 30 * second
private let steady = steadyAnalysis(beats: 60)

private func frame(ofBeat index: Int) -> Int { 12_000 + index * 24_000 }

/// A part from one beat up to, but without, another, both perhaps off their beats by some frames.
private func part(_ first: Int, _ end: Int, off: Int = 0) -> Range<Int> {
  frame(ofBeat: first) + off..<frame(ofBeat: end) + off
}

@Suite struct PracticePositionTests {
  private let grid = Grid(analysis: steady, lengthFrames: length, corrections: [])

  private func place(_ beat: Int, in part: Range<Int>) -> [Int]? {
    grid.position(of: frame(ofBeat: beat), in: part).map { [$0.eight, $0.count] }
  }

  @Test func `the first eight of a part is eight 1`() {
    #expect(place(16, in: part(16, 32)) == [1, 1])
    #expect(place(31, in: part(16, 32)) == [2, 8])
    #expect(place(16, in: 0..<length) == [3, 1])
  }

  @Test func `a part counts its pick-up, and its first 1 begins eight 1`() {
    #expect(place(14, in: part(14, 32)) == [0, 7])
    #expect(place(16, in: part(14, 32)) == [1, 1])
    #expect(place(9, in: part(9, 32)) == [0, 2])
  }

  @Test func `a part cut a little after its 1 still begins with it`() {
    let late = part(16, 32, off: 11_999)
    #expect(grid.position(of: late.lowerBound, in: late).map { [$0.eight, $0.count] } == [1, 1])
    #expect(place(24, in: late) == [2, 1])
    #expect(place(24, in: part(16, 32, off: 12_000)) == [1, 1])
    #expect(place(16, in: part(16, 32, off: -2_000)) == [1, 1])
  }

  @Test func `a part without a 1 is eight 1`() {
    #expect(place(18, in: part(17, 20)) == [1, 3])
  }

  @Test func `a part that begins where nothing is counted counts from its first 1`() {
    let silent = Grid(
      analysis: steady, lengthFrames: length,
      corrections: [correction(.noCounts, at: 0, to: frame(ofBeat: 10))])
    let whole = 0..<length
    #expect(silent.position(of: 100, in: whole) == nil)
    #expect(silent.position(of: frame(ofBeat: 12), in: whole).map { $0.eight } == 0)
    #expect(silent.position(of: frame(ofBeat: 16), in: whole).map { $0.eight } == 1)
  }
}

@Suite struct StepTests {
  private let grid = Grid(analysis: steady, lengthFrames: length, corrections: [])

  private func forward(_ from: Int, in part: Range<Int> = 0..<length) -> Int? {
    grid.frame(from, steppedForward: true, in: part)
  }

  private func back(_ from: Int, in part: Range<Int> = 0..<length) -> Int? {
    grid.frame(from, steppedForward: false, in: part)
  }

  @Test func `forward leads to the next 1`() {
    #expect(forward(frame(ofBeat: 0)) == frame(ofBeat: 8))
    #expect(forward(frame(ofBeat: 3) + 1_000) == frame(ofBeat: 8))
    #expect(forward(0) == frame(ofBeat: 8), "the first 1 is half a count away")
  }

  @Test func `a 1 less than half a count away is where one is already`() {
    #expect(forward(frame(ofBeat: 7) + 11_999) == frame(ofBeat: 8))
    #expect(forward(frame(ofBeat: 7) + 12_001) == frame(ofBeat: 16))
  }

  @Test func `back leads to the 1 of this eight, and just after it to the one before`() {
    #expect(back(frame(ofBeat: 12)) == frame(ofBeat: 8))
    #expect(back(frame(ofBeat: 9)) == frame(ofBeat: 8))
    #expect(back(frame(ofBeat: 8) + 23_999) == frame(ofBeat: 0))
    #expect(back(frame(ofBeat: 8)) == frame(ofBeat: 0))
    #expect(back(frame(ofBeat: 0)) == 0)
  }

  @Test func `in fast music half a second is still just after a 1`() {
    let fast = Grid(
      analysis: steadyAnalysis(period: 12_000, beats: 120), lengthFrames: length, corrections: [])
    let one = 12_000 + 8 * 12_000
    #expect(fast.frame(one + 23_999, steppedForward: false, in: 0..<length) == 12_000)
    #expect(fast.frame(one + 24_000, steppedForward: false, in: 0..<length) == one)
  }

  @Test func `steps stay in the part`() {
    let swan = part(10, 20)
    #expect(forward(frame(ofBeat: 17), in: swan) == swan.upperBound)
    #expect(back(frame(ofBeat: 14), in: swan) == swan.lowerBound)
    #expect(back(swan.lowerBound, in: swan) == swan.lowerBound)
  }

  @Test func `where nothing is counted there is no step`() {
    let silent = Grid(
      analysis: steady, lengthFrames: length,
      corrections: [correction(.noCounts, at: frame(ofBeat: 10), to: frame(ofBeat: 20))])
    #expect(silent.frame(frame(ofBeat: 12), steppedForward: true, in: 0..<length) == nil)
    let last = frame(ofBeat: 9) + 20_000
    #expect(silent.frame(last, steppedForward: true, in: 0..<length) == frame(ofBeat: 24))
  }
}

@Suite struct StopTests {
  private let grid = Grid(analysis: steady, lengthFrames: length, corrections: [])
  private let swan = part(8, 16, off: 3_000)

  @Test func `a marker snaps to the nearest count of the part, or to its border`() {
    #expect(grid.nearestStop(to: frame(ofBeat: 10) + 11_000, in: swan) == frame(ofBeat: 10))
    #expect(grid.nearestStop(to: frame(ofBeat: 10) + 13_000, in: swan) == frame(ofBeat: 11))
    #expect(grid.nearestStop(to: swan.lowerBound + 5_000, in: swan) == swan.lowerBound)
    #expect(grid.nearestStop(to: 0, in: swan) == swan.lowerBound)
    #expect(grid.nearestStop(to: length, in: swan) == swan.upperBound)
    #expect(grid.nearestStop(to: length, in: 0..<length) == length)
    #expect(grid.nearestStop(to: length - 10_000, in: 0..<length) == frame(ofBeat: 59))
  }

  @Test func `a marker goes from count to count, and to the borders`() {
    #expect(grid.nextStop(from: frame(ofBeat: 10), forward: true, in: swan) == frame(ofBeat: 11))
    let after = frame(ofBeat: 10) + 1
    #expect(grid.nextStop(from: after, forward: false, in: swan) == frame(ofBeat: 10))
    #expect(grid.nextStop(from: frame(ofBeat: 9), forward: false, in: swan) == swan.lowerBound)
    #expect(grid.nextStop(from: swan.lowerBound, forward: false, in: swan) == nil)
    #expect(grid.nextStop(from: frame(ofBeat: 16), forward: true, in: swan) == swan.upperBound)
    #expect(grid.nextStop(from: swan.upperBound, forward: true, in: swan) == nil)
    #expect(grid.nextStop(from: frame(ofBeat: 59), forward: true, in: 0..<length) == length)
  }

  @Test func `where nothing is counted nothing snaps, and hostile numbers are safe`() {
    let silent = Grid(
      analysis: steady, lengthFrames: length,
      corrections: [correction(.noCounts, at: frame(ofBeat: 10), to: frame(ofBeat: 20))])
    #expect(silent.nearestStop(to: frame(ofBeat: 12), in: 0..<length) == nil)
    let empty = Grid(analysis: nil, lengthFrames: 0, corrections: [])
    for hostile in [Int.min, -1, 0, Int.max] {
      for range in [Int.min..<Int.max, Int.max - 1..<Int.max, Int.min..<Int.min + 1] {
        for grid in [grid, empty] {
          _ = grid.position(of: hostile, in: range)
          _ = grid.frame(hostile, steppedForward: true, in: range)
          _ = grid.frame(hostile, steppedForward: false, in: range)
          _ = grid.nearestStop(to: hostile, in: range)
          _ = grid.nextStop(from: hostile, forward: true, in: range)
          _ = grid.nextStop(from: hostile, forward: false, in: range)
        }
      }
    }
  }
}
