// Where moves lie in a part: counts from its first 1, and counts from taps.

import Counts
import TestSupport
import Testing

@Suite struct MoveTests {
  private let length = 60 * second

  /// A beat each half second, the first after a quarter of one; the first eight after two beats.
  private let grid = Grid(
    analysis: steadyAnalysis(beats: 119, pickUp: 2), lengthFrames: 60 * second, corrections: [])

  private func frame(ofBeat index: Int) -> Int { 12_000 + index * 24_000 }

  @Test func `counts of a move begin with the first 1 of its part`() {
    let part = frame(ofBeat: 8)..<frame(ofBeat: 50)
    #expect(grid.count(of: frame(ofBeat: 10), in: part) == 0)
    #expect(grid.count(of: frame(ofBeat: 12) + 12_000, in: part) == 2.5)
    #expect(grid.count(of: frame(ofBeat: 8), in: part) == -2)
    #expect(grid.frame(ofCount: 2.5, in: part) == frame(ofBeat: 12) + 12_000)
    #expect(grid.frame(ofCount: -2, in: part) == frame(ofBeat: 8))
  }

  @Test(arguments: [-11_999, -1, 0, 1, 11_999])
  func `a border near a 1 does not move the counts`(shift: Int) {
    let part = frame(ofBeat: 10) + shift..<frame(ofBeat: 50)
    #expect(grid.count(of: frame(ofBeat: 10), in: part) == 0)
  }

  @Test func `frames and counts are inverse where there are counts`() {
    var generator = SeededGenerator(seed: 23)
    for _ in 0..<200 {
      let grid = Grid(
        analysis: generator.analysis(lengthFrames: length), lengthFrames: length,
        corrections: generator.corrections(lengthFrames: length))
      let start = Int.random(in: 0..<length, using: &generator)
      let part = start..<min(length, start + 20 * second)
      for _ in 0..<20 {
        let frame = Int.random(in: -10..<length + 10, using: &generator)
        guard let count = grid.count(of: frame, in: part) else {
          #expect(grid.position(of: frame) == nil)
          continue
        }
        #expect(grid.frame(ofCount: count, in: part) == frame)
      }
    }
  }

  @Test func `a count 1 shortly before the track is the first of a part that begins with it`() {
    // The beats that are found begin with count 2; the 1 would be 10 ms before the track.
    let grid = Grid(
      analysis: steadyAnalysis(beats: 100, first: -480), lengthFrames: length, corrections: [])
    #expect(grid.beats.first?.count == 2)
    let part = 0..<20 * second
    #expect(grid.position(of: 0, in: part).map { [$0.eight, $0.count] } == [1, 1])
    #expect(grid.frame(ofCount: 0, in: part) == 0)
    #expect(grid.frame(ofCount: 1, in: part) == 23_520)
    #expect(grid.position(ofCount: 0, in: part) == CountPosition(eight: 1, count: 1))
    #expect(grid.position(ofCount: 8, in: part) == CountPosition(eight: 2, count: 1))
    #expect(grid.count(of: CountPosition(eight: 1, count: 1), in: part) == 0)
    #expect(grid.counts(ofTaps: [400, 2 * second + 300], in: part) == [0, 4])
    #expect(grid.frame(ofCount: -1, in: part) == nil)
  }

  @Test func `hostile counts and parts have no frame`() {
    let part = 0..<length
    for count in [Double.nan, .infinity, -.infinity, 1e300, -1e300, 200, -4] {
      #expect(grid.frame(ofCount: count, in: part) == nil, "\(count)")
    }
    let none = Grid(analysis: nil, lengthFrames: length, corrections: [])
    #expect(none.frame(ofCount: 0, in: part) == nil && none.count(of: 0, in: part) == nil)
    #expect(none.counts(ofTaps: [0], in: part) == nil)
    #expect(grid.counts(ofTaps: [], in: part) == [])
    for part in [0..<0, length..<length, -5..<0, Int.max - 1..<Int.max, Int.min..<Int.max] {
      _ = grid.frame(ofCount: 0, in: part)
      _ = grid.counts(ofTaps: [Int.min / 4, -1, 0, length, Int.max / 4], in: part)
    }
  }

  @Test func `two taps on one count mean two counts`() {
    let part = frame(ofBeat: 2)..<length
    let taps = [2, 6, 6, 10].map { frame(ofBeat: $0) }
    #expect(grid.counts(ofTaps: taps, in: part) == [0, 4, 5, 8])
  }

  /// A tap through a part: moves of one to eight counts, tapped with a scatter of 40 ms, all of them late.
  private func share(tempo: Double, latency: Double, _ generator: inout SeededGenerator) -> (
    right: Int, all: Int
  ) {
    let period = Int(2_880_000 / tempo)
    let grid = Grid(
      analysis: steadyAnalysis(period: period, beats: length / period),
      lengthFrames: length, corrections: [])
    var counts: [Int] = []
    var count = 0
    for _ in 0..<12 {
      counts.append(count)
      count += Int.random(in: 1...8, using: &generator)
    }
    let taps = counts.compactMap { count -> Int? in
      let scatter = (0..<12).reduce(-6.0) { sum, _ in sum + .random(in: 0..<1, using: &generator) }
      return grid.frame(ofCount: Double(count), in: 0..<length).map {
        $0 + Int((scatter * 0.04 + latency) * Double(second))
      }
    }
    let laid = grid.counts(ofTaps: taps, in: 0..<length) ?? []
    return (zip(laid, counts).count { $0 == $1 }, taps.count)
  }

  @Test(arguments: [60.0, 90, 120, 150, 180])
  func `98 of 100 taps mean the count that was meant, with latencies up to 250 ms`(tempo: Double) {
    var generator = SeededGenerator(seed: 4)
    for latency in [0, 0.05, 0.1, 0.15, 0.2, 0.25] {
      var right = 0
      var all = 0
      for _ in 0..<100 {
        let share = share(tempo: tempo, latency: latency, &generator)
        right += share.right
        all += share.all
      }
      #expect(Double(right) >= 0.98 * Double(all), "\(right) of \(all), \(latency) s late")
    }
  }
}
