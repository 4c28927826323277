import Counts
import TestSupport
import Testing

/// Checks what holds for every grid.
private func expectSound(_ grid: Grid, _ note: Comment) {
  for (beat, next) in zip(grid.beats, grid.beats.dropFirst()) {
    #expect(next.frame - beat.frame >= 7_200, note)
    let isSuccessor = next.eight == beat.eight && next.count == beat.count + 1
    let startsEight =
      next.eight == beat.eight + 1 && (next.count == 1 || next.metre != beat.metre)
    let isApart = !grid.stretches.contains {
      $0.frames.contains(beat.frame) && $0.frames.contains(next.frame)
    }
    #expect(isSuccessor || startsEight || isApart, note)
    let isLast = beat.count == Metre.countsPerEight(beat.metre)
    #expect(!isLast || next.count == 1 || next.metre != beat.metre || isApart, note)
    #expect((next.eight, next.count) > (beat.eight, beat.count), note)
  }
  for beat in grid.beats {
    #expect((0..<grid.lengthFrames).contains(beat.frame), note)
    #expect((1...beat.metre).contains(beat.place), note)
    #expect((1...Metre.countsPerEight(beat.metre)).contains(beat.count), note)
    #expect(beat.eight >= 0, note)
  }
  var beats = 0
  var frame = 0
  for stretch in grid.stretches {
    #expect(stretch.beats.lowerBound == beats && !stretch.beats.isEmpty, note)
    #expect(stretch.frames.lowerBound >= frame, note)
    #expect(stretch.beats.allSatisfy { stretch.frames.contains(grid.beats[$0].frame) }, note)
    beats = stretch.beats.upperBound
    frame = stretch.frames.upperBound
  }
  #expect(beats == grid.beats.count && frame <= grid.lengthFrames, note)
}

@Suite struct GridPropertyTests {
  private let length = 120 * second

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `corrections give one grid in whatever order they arrive`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let analysis = generator.analysis(lengthFrames: length)
    let corrections = generator.corrections(lengthFrames: length)
    let grid = Grid(analysis: analysis, lengthFrames: length, corrections: corrections)
    expectSound(grid, "seed \(seed)")
    for _ in 0..<3 {
      let again = Grid(
        analysis: analysis, lengthFrames: length,
        corrections: corrections.shuffled(using: &generator))
      #expect(again == grid)
    }
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `merging the corrections of two devices gives the grid of all`(seed: UInt64) {
    var generator = SeededGenerator(seed: 1_000 + seed)
    let analysis = generator.analysis(lengthFrames: length)
    let shared = generator.corrections(lengthFrames: length, most: 3)
    let one = generator.corrections(lengthFrames: length, most: 4)
    let other = generator.corrections(lengthFrames: length, most: 4)
    let grids = [shared + one + other, other + shared + one, one + other + shared].map {
      Grid(analysis: analysis, lengthFrames: length, corrections: $0)
    }
    #expect(grids[0] == grids[1] && grids[0] == grids[2])
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `removing corrections restores the grid`(seed: UInt64) {
    var generator = SeededGenerator(seed: 2_000 + seed)
    let analysis = generator.analysis(lengthFrames: length)
    var corrections: [Correction] = []
    var grids = [Grid(analysis: analysis, lengthFrames: length, corrections: [])]
    for order in 0..<5 {
      corrections.append(generator.correction(order, lengthFrames: length))
      grids.append(Grid(analysis: analysis, lengthFrames: length, corrections: corrections))
    }
    while !corrections.isEmpty {
      corrections.removeLast()
      grids.removeLast()
      let grid = Grid(analysis: analysis, lengthFrames: length, corrections: corrections)
      #expect(grid == grids.last)
    }
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `a frame's position leads back to it`(seed: UInt64) {
    var generator = SeededGenerator(seed: 3_000 + seed)
    let grid = Grid(
      analysis: generator.analysis(lengthFrames: length), lengthFrames: length,
      corrections: generator.corrections(lengthFrames: length))
    for _ in 0..<200 {
      let frame = Int.random(in: -5...length + 5, using: &generator)
      let isCounted = grid.stretches.contains { $0.frames.contains(frame) }
      let position = grid.position(of: frame)
      #expect((position != nil) == isCounted)
      guard let position else { continue }
      #expect((0..<1).contains(position.fraction))
      #expect(grid.frame(of: position) == frame, "seed \(seed), frame \(frame)")
    }
    for beat in grid.beats {
      #expect(
        grid.position(of: beat.frame) == CountPosition(eight: beat.eight, count: beat.count))
    }
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `a frame moved by counts comes back, and lies so many counts away`(seed: UInt64) {
    var generator = SeededGenerator(seed: 4_000 + seed)
    let grid = Grid(
      analysis: generator.analysis(lengthFrames: length), lengthFrames: length,
      corrections: generator.corrections(lengthFrames: length))
    for _ in 0..<100 {
      let frame = Int.random(in: 0..<length, using: &generator)
      let number = Int.random(in: 0...20, using: &generator)
      guard let moved = grid.frame(frame, movedByCounts: number),
        grid.position(of: moved) != nil
      else { continue }
      #expect(abs(grid.counts(in: frame..<max(frame, moved)) - Double(number)) < 0.001)
      if let back = grid.frame(moved, movedByCounts: -number) {
        // A rounded frame of a shorter beat stands for several of a longer one.
        #expect(abs(back - frame) <= 12, "seed \(seed), frame \(frame), by \(number)")
      }
    }
  }

  @Test(arguments: 0..<300 as Range<UInt64>)
  func `no values of analysis or corrections stop it`(seed: UInt64) {
    var generator = SeededGenerator(seed: 5_000 + seed)
    let analysis =
      generator.chance(in: 3)
      ? generator.analysis(lengthFrames: length) : generator.hostileAnalysis()
    let corrections = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
      generator.hostileCorrection()
    }
    let lengths = [length, length, length, 0, 1, -5, 7_200, .min]
    let grid = Grid(
      analysis: analysis, lengthFrames: lengths.randomElement(using: &generator) ?? 0,
      corrections: corrections)
    expectSound(grid, "seed \(seed)")
    for _ in 0..<30 {
      let frame = generator.hostileInteger()
      _ = grid.position(of: frame)
      _ = grid.frame(
        of: CountPosition(
          eight: generator.hostileInteger(), count: generator.hostileInteger(),
          fraction: generator.hostileNumber()))
      _ = grid.frame(frame, movedByCounts: generator.hostileInteger())
      _ = grid.frame(frame, movedByEights: generator.hostileInteger())
      _ = grid.nearestBeat(to: frame)
      _ = grid.nearestEight(to: frame)
      _ = grid.period(at: frame)
      let other = max(frame, generator.hostileInteger())
      _ = grid.beats(in: frame..<other)
      _ = grid.length(of: frame..<other)
      let numbers = grid.countIn(
        to: frame, speed: generator.hostileNumber(), length: .counts(generator.hostileInteger()))
      #expect(numbers.count <= 64)
    }
  }

  @Test func `a hundred thousand corrections of twelve hours end soon`() {
    var generator = SeededGenerator(seed: 7)
    let length = Grid.longestTrackFrames
    let corrections = (0..<100_000).map {
      generator.chance(in: 2)
        ? generator.hostileCorrection() : generator.correction($0, lengthFrames: length)
    }
    let grid = Grid(
      analysis: steadyAnalysis(period: 20_000, beats: 103_000), lengthFrames: length,
      corrections: corrections)
    #expect(grid.beats.count <= 288_000)
    #expect(
      grid
        == Grid(
          analysis: steadyAnalysis(period: 20_000, beats: 103_000), lengthFrames: length,
          corrections: Array(
            corrections.sorted { ($0.order, $0.id) < ($1.order, $1.id) }
              .suffix(Correction.mostApplied))))
  }
}
