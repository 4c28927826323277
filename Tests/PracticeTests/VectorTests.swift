// Derives histories of random and hostile logs and asks everything of them. If SEGMANCE_VECTORS names a
// folder, logs and answers are written there as practice.json. Tests/Practice/vectors.test.mjs asks the
// WebAssembly build the same, through the client's wrapper.

import FoundationEssentials
import Practice
import TestSupport
import Testing

/// A log and what it says, as the client's wrapper takes and gives them.
private struct Case: Encodable {
  struct Move: Encodable {
    var id: String
    var startFrame: Int
  }

  struct Part: Encodable {
    var id: String
    var startFrame, endFrame: Int
    var targetRate: Double
    var hasAudio = true
    var moves: [Move]
  }

  struct Entry: Encodable {
    var startedAt: Double
    var utcOffset: Int
    var heard: String
  }

  struct Run: Encodable {
    var startedAt: Double
    var utcOffset, percent: Int
    var covered, misses: String
  }

  /// The answers of one part; numbers as the module passes them.
  struct Answer: Encodable {
    var weakness, transition: Double?
    var moves: [Double?]
    var reached, passes: Int
    var seconds: Double
    var days: [[Int]]
    var block: [Int]
  }

  struct Session: Encodable {
    var minutes: Double
    var performanceDay: Int
    var steps: [[Double]]
  }

  var now: Double
  var utcOffset: Int
  var parts: [Part]
  var entries: [Entry]
  var runs: [Run]
  var answers: [Answer]
  var weeks: [[Double]]
  var sessions: [Session]
}

@Suite struct VectorTests {
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private func heard(_ entry: PracticeEntry) -> String {
    entry.heard.map { section in
      var id: [UInt8] = []
      section.part.write(to: &id)
      let numbers = [
        section.frames.lowerBound, section.frames.upperBound, section.passes, section.seconds,
        section.percent, section.hasMusic ? 1 : 0,
      ]
      return text(id) + numbers.map { " \($0)" }.joined()
    }.joined(separator: "\n")
  }

  private func numbers(_ step: PlanStep<Int>) -> [Int] {
    [
      Int(step.kind.rawValue), step.firstPart, step.lastPart, step.passes, step.fromPercent,
      step.toPercent, step.stepPercent, step.restSeconds,
    ]
  }

  private func made(_ generator: inout SeededGenerator) -> Case {
    let count = Int.random(in: 1...9, using: &generator)
    let parts = (1...count).map {
      part(
        UInt64($0), seconds: $0 < 4 ? 20 : Int.random(in: 1...80, using: &generator),
        target: Int.random(in: 20...44, using: &generator) * 4)
    }
    let log = (0..<4).map { _ in generator.log() }.reduce(PracticeLog(entries: [], runs: [])) {
      $0.merged(with: $1)
    }
    let now = Moment(milliseconds: noon, utcOffset: Int.random(in: -600...600, using: &generator))
    let history = History(log: log, parts: parts, now: now)
    return Case(
      now: Double(now.milliseconds), utcOffset: now.utcOffset,
      parts: parts.map { part in
        .init(
          id: name(part.id.low), startFrame: part.frames.lowerBound,
          endFrame: part.frames.upperBound,
          targetRate: Double(part.targetPercent) / 100,
          moves: part.moves.map { .init(id: name($0.id.low), startFrame: $0.startFrame ?? 0) })
      },
      entries: log.entries.map {
        .init(
          startedAt: Double($0.moment.milliseconds), utcOffset: $0.moment.utcOffset,
          heard: heard($0))
      },
      runs: log.runs.map {
        .init(
          startedAt: Double($0.moment.milliseconds), utcOffset: $0.moment.utcOffset,
          percent: $0.percent, covered: text(RunThrough.text(of: $0.covered)),
          misses: text(RunThrough.text(of: $0.misses)))
      },
      answers: parts.indices.map { index in
        let progress = history.progress(of: index)
        return .init(
          weakness: history.weakness(ofPart: index),
          transition: history.weakness(ofTransition: index),
          moves: parts[index].moves.indices.map { history.weakness(ofMove: $0, inPart: index) },
          reached: progress.reachedPercent, passes: progress.passes, seconds: progress.seconds,
          days: history.days(of: index).map { [$0.day, $0.passes, $0.percent] },
          block: numbers(history.block(of: index)))
      },
      weeks: history.weeks.map { [Double($0.firstDay), $0.seconds] },
      sessions: [4.0, 20, 75].map { minutes in
        let day = today + Int.random(in: -3...20, using: &generator)
        return .init(
          minutes: minutes, performanceDay: day,
          steps: history.proposal(minutes: minutes, performanceDay: day).map { proposed in
            numbers(proposed.step).map { Double($0) } + [
              proposed.seconds, Double(proposed.reason.kind.rawValue),
              Double(proposed.reason.first), Double(proposed.reason.second),
            ]
          })
      })
  }

  @Test func `histories answer, and leave their answers for the other build`() throws {
    var generator = SeededGenerator(seed: 2_024)
    let cases = (0..<60).map { _ in made(&generator) }
    #expect(cases.flatMap(\.answers).count { ($0.weakness ?? 0) > 0.3 } > 30)
    #expect(cases.flatMap(\.sessions).reduce(0) { $0 + $1.steps.count } > 500)
    guard let folder = ProcessInfo.processInfo.environment["SEGMANCE_VECTORS"] else { return }
    try JSONEncoder().encode(cases).write(
      to: URL(filePath: folder).appending(path: "practice.json"))
  }
}
