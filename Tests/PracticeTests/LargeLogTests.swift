// As much practice as in ten years.

import Practice
import TestSupport
import Testing

@Suite struct LargeLogTests {
  /// Returns a log of 7,500 entries and 500 run-throughs of eight parts, since 2020.
  static func tenYears() -> (log: PracticeLog, parts: [PracticePart]) {
    var generator = SeededGenerator(seed: 10)
    let parts = (1...8).map { part(UInt64($0)) }
    let entries = (0..<7_500).map { number in
      var made = entry(daysAgo: number / 4, 1, percent: 100)
      let heard = (1...6).map { _ in
        entry(
          daysAgo: 0, UInt64.random(in: 1...8, using: &generator),
          percent: Int.random(in: 12...20, using: &generator) * 5
        ).heard[0]
      }
      made = PracticeEntry(moment: made.moment, heard: heard)
      return made
    }
    let runs = (0..<500).map { number in
      run(daysAgo: 4 * number, missed: [(UInt64.random(in: 1...3, using: &generator), 1)])
    }
    return (PracticeLog(entries: entries.shuffled(using: &generator), runs: runs), parts)
  }

  @Test func `ten years of practice are derived`() {
    let (log, parts) = LargeLogTests.tenYears()
    let clock = ContinuousClock()
    var derived = history()
    let times = (0..<5).map { _ in
      clock.measure {
        let again = PracticeLog(entries: log.entries, runs: log.runs)
        derived = History(log: again, parts: parts, now: moment(daysAgo: 0))
      }
    }
    #expect(derived.days(of: 0).count > 1_000)
    #expect(derived.weeks.count > 250)
    print("ten years of log:", times.min() ?? .zero)
  }
}
