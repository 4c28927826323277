// What a tap means in a run-through.

import Practice
import TestSupport
import Testing

@Suite struct MissTests {
  private let parts = [part(1), part(2), part(3)]
  private var covered: [CoveredRange] {
    parts.map {
      CoveredRange(part: $0.id, startFrame: $0.frames.lowerBound, endFrame: $0.frames.upperBound)
    }
  }

  private func miss(
    _ frame: Int, _ part: UInt64, percent: Int = 100, covered: [CoveredRange]? = nil
  ) -> Miss? {
    RunThrough.miss(
      tappedAt: frame, of: id(part), percent: percent, covered: covered ?? self.covered,
      parts: parts)
  }

  @Test func `a tap means the move that was heard one reaction time earlier`() throws {
    // Move 101 begins at second 14, so a tap just after it means move 100.
    let early = try #require(miss(14 * second + second / 2, 1))
    #expect(early.move == id(100))
    #expect(early.frame == 14 * second + second / 2 - 38_400)
    #expect(miss(14 * second + second, 1)?.move == id(101))
  }

  @Test func `less of the song passes in a reaction time at a lower speed`() {
    #expect(miss(14 * second + second / 2, 1, percent: 50)?.move == id(101))
    #expect(miss(15 * second, 1, percent: 200)?.move == id(100))
  }

  @Test func `a tap just after a border means the end of the part before`() throws {
    let meant = try #require(miss(10 * second + 4_800, 2))
    #expect(meant.part == id(1))
    #expect(meant.frame == 30 * second - 33_600)
    #expect(meant.move == id(104))
  }

  @Test func `a reaction time reaches over a stretch that is shorter than it`() throws {
    let short = [
      CoveredRange(part: id(1), startFrame: 20 * second, endFrame: 21 * second),
      CoveredRange(part: id(2), startFrame: 10 * second, endFrame: 10 * second + 9_600),
      CoveredRange(part: id(3), startFrame: 10 * second, endFrame: 10 * second + 9_600),
    ]
    let meant = try #require(miss(10 * second + 9_600, 3, covered: short))
    #expect(meant.part == id(1))
    #expect(meant.frame == 21 * second - 19_200)
  }

  @Test func `nothing before the start of a run-through is meant`() {
    #expect(miss(10 * second, 1)?.frame == 10 * second)
    let from = [CoveredRange(part: id(2), startFrame: 15 * second, endFrame: 16 * second)]
    #expect(miss(15 * second + 100, 2, covered: from)?.frame == 15 * second)
  }

  @Test func `a tap at the end of what was heard counts, one beside it does not`() {
    let heard = [CoveredRange(part: id(1), startFrame: 10 * second, endFrame: 12 * second)]
    #expect(miss(12 * second, 1, covered: heard) != nil)
    #expect(miss(12 * second + 1, 1, covered: heard) == nil)
    #expect(miss(11 * second, 2, covered: heard) == nil)
    #expect(miss(11 * second, 1, covered: []) == nil)
  }

  @Test func `where a part was heard twice the later stretch is meant`() throws {
    let twice =
      covered + [CoveredRange(part: id(1), startFrame: 12 * second, endFrame: 13 * second)]
    // One reaction time before it, the end of part 3 was heard.
    #expect(miss(12 * second, 1, covered: twice)?.part == id(3))
  }

  @Test func `where no move lies, a miss has a frame alone`() throws {
    let bare = PracticePart(
      id: id(9), startFrame: 0, endFrame: 10 * second,
      moves: [
        PracticeMove(id: id(900), startFrame: nil),
        PracticeMove(id: id(901), startFrame: 5 * second),
      ])
    #expect(bare.move(at: 4 * second) == nil)
    #expect(bare.move(at: 5 * second) == 1)
    #expect(bare.move(at: 50 * second) == 1)
  }

  @Test func `a move is missed once, and misses stand in the order of the run-through`() {
    let late = Miss(part: id(2), frame: 11 * second, move: id(200))
    let early = Miss(part: id(1), frame: 29 * second, move: id(104))
    var misses = RunThrough.adding(late, to: [], covered: covered)
    misses = RunThrough.adding(early, to: misses, covered: covered)
    #expect(misses == [early, late])
    let again = Miss(part: id(2), frame: 12 * second, move: id(200))
    #expect(RunThrough.adding(again, to: misses, covered: covered) == misses)
    #expect(RunThrough.removing(again, from: misses) == [early])
  }

  @Test func `misses without a move are one if they are less than half a second apart`() {
    let first = Miss(part: id(1), frame: 11 * second, move: nil)
    let near = Miss(part: id(1), frame: 11 * second + 23_999, move: nil)
    let far = Miss(part: id(1), frame: 11 * second + 24_000, move: nil)
    #expect(RunThrough.adding(near, to: [first], covered: covered) == [first])
    #expect(RunThrough.adding(far, to: [first], covered: covered) == [first, far])
    #expect(RunThrough.removing(near, from: [first, far]) == [])
  }

  @Test func `lines are read as they are written`() {
    let misses = [
      Miss(part: id(1), frame: 0, move: nil), Miss(part: id(2), frame: 2_073_600_000, move: id(7)),
    ]
    #expect(RunThrough.misses(text: RunThrough.text(of: misses)) == misses)
    #expect(RunThrough.covered(text: RunThrough.text(of: covered)) == covered)
    #expect(
      String(decoding: RunThrough.text(of: misses), as: UTF8.self)
        == "\(name(1)) 0 -\n\(name(2)) 2073600000 \(name(7))")
  }

  @Test(arguments: [
    "", "\n", "\n\n\n", " ", "-", "x 1 -", "\(name(1))", "\(name(1)) 1", "\(name(1)) 1 x",
    "\(name(1)) 1 - -", "\(name(1)) -1 -", "\(name(1)) 99999999999999999999 -",
    "\(name(1)) 2073600001 -", "\(name(1).uppercased()) 1 -", " \(name(1)) 1 -",
    "\(name(1))  1 -", "\(name(1)) 1 -\r", "\(name(1).dropLast()) 1 -", "\u{0}",
  ])
  func `what is no miss is left out`(_ text: String) {
    #expect(RunThrough.misses(text: utf8(text)) == [])
    #expect(RunThrough.misses(text: utf8("\(text)\n\(name(3)) 5 -")).count == 1)
  }

  @Test func `any bytes can be read`() {
    var generator = SeededGenerator(seed: 24)
    let good = utf8("\(name(1)) 480000 960000\n\(name(1)) 500000 -\n\(name(2)) 5 \(name(3))\n")
    for _ in 0..<20_000 {
      var text = Array(
        (0..<3).flatMap { _ in good }.prefix(Int.random(in: 0...240, using: &generator)))
      for _ in 0..<Int.random(in: 0...6, using: &generator) where !text.isEmpty {
        let at = Int.random(in: 0..<text.count, using: &generator)
        text[at] = [UInt8.random(in: 0...255, using: &generator), 10, 32, 45, 57].randomElement()!
      }
      let covered = RunThrough.covered(text: text)
      let misses = RunThrough.misses(text: text)
      #expect(RunThrough.covered(text: RunThrough.text(of: covered)) == covered)
      #expect(RunThrough.misses(text: RunThrough.text(of: misses)) == misses)
      for range in covered {
        let meant = RunThrough.miss(
          tappedAt: Int.random(in: -1...2_100_000_000, using: &generator), of: range.part,
          percent: Int.random(in: -5...500, using: &generator), covered: covered, parts: parts)
        if let meant { #expect(covered.contains { $0.frames.contains(meant.frame) }) }
      }
    }
  }
}
