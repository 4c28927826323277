// Derives the grids of random and hostile songs and asks everything of them. If SEGMANCE_VECTORS names a
// folder, questions and answers are written there as counts.json. Tests/Counts/vectors.test.mjs asks the
// WebAssembly build the same, through the client's wrapper.

import Counts
import FoundationEssentials
import TestSupport
import Testing

/// A grid and what it answers. All numbers are Doubles, as in JavaScript.
private struct Case: Encodable {
  struct Beats: Encodable {
    var tempo, metre: Double
    var frames, places, eights: [Double]
  }

  struct Record: Encodable {
    var id, kind, taps: String
    var order, startFrame, endFrame, value: Double
  }

  struct Answer: Encodable {
    /// The number that was asked with: a frame, and how far to move.
    var frame, number: Double
    var position: [Double]?
    var back: Int?
    var moved, movedEights, beat, eight, period: Int?
    /// In the part from `frame` on, at a frame in it.
    var practised: [Double]?
    var stepped, stop, next: Int?
    var counts: Double
    var length: [Int]?
    var countIn: [[Int]]
    /// In a part of 20 seconds from `frame` on, whose count `number` is asked for.
    var count: Double?
    var frameOfCount: Int?
    var place: [Double]?
    var countOfPlace: Double?
    var tapped: [Int]?
  }

  var analysis: Beats?
  var lengthFrames: Double
  var corrections: [Record]
  var beats: [[Int]]
  var stretches: [[Int]]
  var answers: [Answer]
}

@Suite struct VectorTests {
  /// Makes the grid from Doubles, as the WebAssembly build does.
  private func grid(_ made: Case) -> Grid {
    let integers = { (numbers: [Double]) in numbers.map { Int(bounding: $0) } }
    return Grid(
      analysis: made.analysis.map {
        BeatAnalysis(
          tempo: $0.tempo, metre: Int(bounding: $0.metre), confidence: 1,
          frames: integers($0.frames), places: integers($0.places), eights: integers($0.eights))
      },
      lengthFrames: Int(bounding: made.lengthFrames),
      corrections: made.corrections.compactMap { record in
        guard let id = Correction.ID(utf8: record.id.utf8),
          let kind = Correction.Kind.allCases.first(where: { "\($0)" == record.kind })
        else { return nil }
        return Correction(
          id: id, order: Int64(bounding: record.order), kind: kind,
          frame: Int(bounding: record.startFrame), end: Int(bounding: record.endFrame),
          value: record.value, taps: Correction.taps(utf8: record.taps.utf8))
      })
  }

  private func input(_ generator: inout SeededGenerator, isHostile: Bool) -> Case {
    let length = 120 * second
    let analysis =
      isHostile ? generator.hostileAnalysis() : generator.analysis(lengthFrames: length)
    let corrections =
      isHostile
      ? (0..<8).map { _ in generator.hostileCorrection() }
      : generator.corrections(lengthFrames: length)
    let doubles = { (numbers: [Int]) in numbers.map { Double($0) } }
    return Case(
      analysis: analysis.map {
        .init(
          tempo: $0.tempo, metre: Double($0.metre), frames: doubles($0.frames),
          places: doubles($0.places), eights: doubles($0.eights))
      },
      lengthFrames: isHostile && generator.chance(in: 8) ? 2_073_600_000 : Double(length),
      corrections: corrections.enumerated().map { index, correction in
        let tail = String(100_000_000_000 + (index * 7) % 8)
        return .init(
          id: "0193a5b0-0000-7000-8000-\(tail)", kind: "\(correction.kind)",
          taps: correction.taps.map { "\($0)" }.joined(separator: " "),
          order: Double(correction.order), startFrame: Double(correction.frame),
          endFrame: Double(correction.end), value: correction.value)
      }, beats: [], stretches: [], answers: [])
  }

  private func answer(_ grid: Grid, _ frame: Double, _ number: Double) -> Case.Answer {
    let at = Int(bounding: frame)
    let steps = Int(bounding: number)
    let range = at..<max(at, Int(bounding: frame + 100_000 * number))
    let position = grid.position(of: at)
    let part = at..<max(at, Int(bounding: frame + 960_000))
    let place = grid.position(ofCount: Double(steps) + 0.25, in: part)
    let taps = (0..<4).map { Int(bounding: frame + 40_000 * Double($0)) }
    let length: CountInLength = steps > 0 ? .counts(steps) : steps == -1 ? .bar : .eight
    let inside = Int(bounding: frame + 37_000 * number)
    return Case.Answer(
      frame: frame, number: number,
      position: position.map { [Double($0.eight), Double($0.count), $0.fraction] },
      back: position.flatMap { grid.frame(of: $0) },
      moved: grid.frame(at, movedByCounts: steps),
      movedEights: grid.frame(at, movedByEights: steps),
      beat: grid.nearestBeat(to: at)?.frame, eight: grid.nearestEight(to: at)?.frame,
      period: grid.period(at: at),
      practised: grid.position(of: inside, in: range).map {
        [Double($0.eight), Double($0.count), $0.fraction]
      },
      stepped: grid.frame(inside, steppedForward: steps % 2 == 0, in: range),
      stop: grid.nearestStop(to: inside, in: range),
      next: grid.nextStop(from: inside, forward: steps % 2 == 0, in: range),
      counts: grid.counts(in: range),
      length: grid.length(of: range).map { [$0.eights, $0.counts, $0.countsPerEight] },
      countIn: grid.countIn(to: at, speed: 0.25 + number * 0.31, length: length).map {
        [$0.framesBefore, $0.number, $0.isDownbeat ? 1 : 0]
      }, count: grid.count(of: Int(bounding: frame + 30_000), in: part),
      frameOfCount: grid.frame(ofCount: Double(steps) + 0.25, in: part),
      place: place.map { [Double($0.eight), Double($0.count), $0.fraction] },
      countOfPlace: place.flatMap { grid.count(of: $0, in: part) },
      tapped: grid.counts(ofTaps: taps, in: part))
  }

  @Test func `grids answer, and leave their answers for the other build`() throws {
    var generator = SeededGenerator(seed: 22)
    var cases: [Case] = []
    for index in 0..<80 {
      let isHostile = index % 4 == 3
      var made = input(&generator, isHostile: isHostile)
      let grid = grid(made)
      made.beats = grid.beats.map { [$0.frame, $0.place, $0.count, $0.eight, $0.metre] }
      made.stretches = grid.stretches.map {
        [$0.beats.lowerBound, $0.beats.upperBound, $0.frames.lowerBound, $0.frames.upperBound]
      }
      for _ in 0..<12 {
        let frame =
          isHostile
          ? Double(generator.hostileInteger())
          : Double.random(in: 0...5_760_000, using: &generator).rounded()
        made.answers.append(
          answer(grid, frame, Double(Int.random(in: -4...9, using: &generator))))
      }
      cases.append(made)
    }
    #expect(cases.count { $0.beats.count > 20 } > 40)
    #expect(cases.flatMap(\.answers).count { $0.back != nil } > 300)
    #expect(cases.flatMap(\.answers).allSatisfy { $0.back == nil || $0.back == Int($0.frame) })
    guard let folder = ProcessInfo.processInfo.environment["SEGMANCE_VECTORS"] else { return }
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    try encoder.encode(cases).write(to: URL(filePath: folder).appending(path: "counts.json"))
  }
}
