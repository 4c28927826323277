// The sessions that are proposed, and saved plans.

import Practice
import TestSupport
import Testing

@Suite struct PlanTests {
  private func total(_ steps: [ProposedStep]) -> Double { steps.reduce(0) { $0 + $1.seconds } }

  /// A history in which three parts are at tempo, but for what was missed.
  private func practised(_ missed: [(part: UInt64, move: Int)] = []) -> History {
    let entries = (1...6).flatMap { day in
      [1, 2, 3].map { entry(daysAgo: day, $0, percent: 100) }
    }
    return history(entries, (1...3).map { run(daysAgo: $0, missed: missed) })
  }

  @Test func `without a log every step is new, and begins slowly`() throws {
    let steps = history().proposal(minutes: 20, performanceDay: nil)
    #expect(!steps.isEmpty)
    #expect(steps.allSatisfy { $0.reason.kind == .new && $0.step.kind == .part })
    #expect(Set(steps.map(\.step.firstPart)) == [0, 1, 2])
    #expect(steps.allSatisfy { $0.step.fromPercent == 60 && $0.step.toPercent == 70 })
  }

  @Test func `the weakest part comes first, with what was missed as its reason`() throws {
    let steps = practised([(part: 3, move: 2)]).proposal(minutes: 20, performanceDay: nil)
    let first = try #require(steps.first { $0.step.kind != .warmUp })
    #expect(first.step.kind == .part)
    #expect(first.step.firstPart == 2)
    #expect(first.reason.kind == .missed)
    #expect(first.reason.first == 3)
    #expect(first.reason.second == 3)
  }

  @Test func `a session ends with a run-through when there is time`() throws {
    let performance = practised().proposal(minutes: 20, performanceDay: today + 9)
    let last = try #require(performance.last)
    #expect(last.step.kind == .runThrough)
    #expect(last.step.firstPart == 0 && last.step.lastPart == 2)
    #expect(last.reason.kind == .performance && last.reason.first == 9)
    #expect(practised().proposal(minutes: 20, performanceDay: nil).last?.reason.kind == .check)
    #expect(
      !practised().proposal(minutes: 2, performanceDay: nil).contains {
        $0.step.kind == .runThrough
      })
    #expect(
      !history().proposal(minutes: 20, performanceDay: nil).contains { $0.step.kind == .runThrough }
    )
  }

  @Test func `a transition that was missed is practised`() throws {
    let steps = practised([(part: 2, move: 0)]).proposal(minutes: 20, performanceDay: nil)
    let join = try #require(steps.first { $0.step.kind == .transition })
    #expect(join.step.firstPart == 0 && join.step.lastPart == 1)
    #expect(join.reason.kind == .missed && join.reason.first == 3)
  }

  @Test func `chains grow backwards`() {
    let parts = (1...12).map { part(UInt64($0)) }
    let entries = (1...6).flatMap { day in
      (1...12).map { entry(daysAgo: day, UInt64($0), percent: 90) }
    }
    let log = History(
      log: PracticeLog(entries: entries, runs: []), parts: parts, now: moment(daysAgo: 0))
    let chains = log.proposal(minutes: 30, performanceDay: nil).map(\.step)
      .filter { $0.kind == .chain }
    #expect(chains.count > 1)
    for (earlier, later) in zip(chains, chains.dropFirst()) {
      #expect(later.firstPart < earlier.firstPart)
      #expect(later.lastPart == earlier.lastPart || later.lastPart < earlier.firstPart)
    }
  }

  @Test func `a part is climbed from what was reached, up to its target`() {
    let log = history([entry(daysAgo: 1, 1, percent: 75)])
    let block = log.block(of: 0)
    #expect(block.fromPercent == 75)
    #expect(block.toPercent == 85)
    #expect(block.percent(ofPass: 1) == 80)
    let slow = history(
      [entry(daysAgo: 1, 1, percent: 75)], parts: [part(1, target: 80)]
    ).block(of: 0)
    #expect(slow.toPercent == 80)
  }

  @Test func `why a part is there says what weighs most`() {
    func reason(_ entries: [PracticeEntry]) -> Reason? {
      history(entries, parts: [part(1)]).proposal(minutes: 5, performanceDay: nil).first {
        $0.step.kind == .part
      }?.reason
    }
    #expect(reason([entry(daysAgo: 1, 1, percent: 75)])?.kind == .slow)
    #expect(reason([entry(daysAgo: 1, 1, percent: 75)])?.first == 75)
    #expect(reason([entry(daysAgo: 6, 1, percent: 100)])?.kind == .notPractised)
    #expect(reason([entry(daysAgo: 6, 1, percent: 100)])?.first == 6)
    #expect(reason([entry(daysAgo: 0, 1, percent: 100)])?.kind == .keep)
  }

  @Test func `long sessions have rests`() {
    let steps = practised().proposal(minutes: 120, performanceDay: nil)
    #expect(steps.contains { $0.step.kind == .rest && $0.reason.kind == .rest })
    #expect(total(steps) <= 7_200)
  }

  @Test func `a performance that is over counts as none, today's is in 0 days`() {
    #expect(
      practised().proposal(minutes: 20, performanceDay: today - 1)
        == practised().proposal(minutes: 20, performanceDay: nil))
    let last = practised().proposal(minutes: 20, performanceDay: today).last
    #expect(last?.reason.kind == .performance && last?.reason.first == 0)
  }

  @Test func `parts without audio are left out`() {
    let silent = PracticePart(id: id(2), startFrame: 0, endFrame: 0)
    let log = history(
      (1...3).map { entry(daysAgo: $0, 1, percent: 100) }, parts: [part(1), silent, part(3)])
    for minutes in [5.0, 20, 120] {
      for step in log.proposal(minutes: minutes, performanceDay: today + 3).map(\.step)
      where step.kind != .runThrough && step.kind != .rest {
        #expect(!(step.firstPart...step.lastPart).contains(1))
      }
    }
    #expect(history(parts: [silent]).proposal(minutes: 20, performanceDay: nil).isEmpty)
    #expect(history(parts: []).proposal(minutes: 20, performanceDay: nil).isEmpty)
  }

  @Test(arguments: [0.0, 0.5, 5, 10, 20, 60, 120, 240, 1e9, -5, .nan, .infinity])
  func `every session fits into its minutes, whatever the log`(_ minutes: Double) {
    var generator = SeededGenerator(seed: 7)
    for count in [1, 2, 3, 8, 40] {
      for round in 0..<6 {
        let parts = (1...count).map {
          part(
            UInt64($0), seconds: Int.random(in: 4...90, using: &generator),
            target: Int.random(in: 70...110, using: &generator))
        }
        let log = (0..<4).reduce(PracticeLog(entries: [], runs: [])) { log, _ in
          round == 0 ? log : log.merged(with: generator.log())
        }
        let derived = History(log: log, parts: parts, now: moment(daysAgo: 0))
        let steps = derived.proposal(
          minutes: minutes, performanceDay: today + Int.random(in: -2...30, using: &generator))
        #expect(!steps.isEmpty || minutes.isNaN || minutes < 5)
        #expect(steps.count <= 100)
        #expect(total(steps) <= 60 * min(max(minutes.isNaN ? 0 : minutes, 0), 240) + 0.001)
        for step in steps where step.step.kind != .rest {
          #expect(parts.indices.contains(step.step.firstPart))
          #expect(parts.indices.contains(step.step.lastPart))
          #expect(step.step.firstPart <= step.step.lastPart)
          #expect(step.step.toPercent <= 110)
          #expect(step.seconds > 0)
        }
      }
    }
  }

  // MARK: Saved plans

  @Test func `a plan is read as it was written`() {
    let steps = StepKind.allCases.map { kind in
      PlanStep<RecordID?>(
        kind: kind, firstPart: kind == .rest ? nil : id(1), lastPart: kind == .rest ? nil : id(2),
        passes: 3, fromPercent: 70, toPercent: 100, stepPercent: 5, restSeconds: 4)
    }
    #expect(SavedPlan.steps(text: SavedPlan.text(of: steps)) == steps)
    #expect(
      String(decoding: SavedPlan.text(of: [steps[1]]), as: UTF8.self)
        == "part \(name(1)) \(name(2)) 3 70 100 5 4")
  }

  @Test(arguments: [
    "", "part", "dance \(name(1)) \(name(1)) 1 50 60 5 0", "part - - 1 50 60 5 0",
    "part \(name(1)) - 1 50 60 5 0", "part \(name(1)) \(name(1)) 1 50 60 5",
    "part \(name(1)) \(name(1)) 1 50 60 5 0 0", "part \(name(1)) \(name(1)) 100 50 60 5 0",
    "part \(name(1)) \(name(1)) 1 50 201 5 0", "part \(name(1)) \(name(1)) 1 50 60 5 3601",
  ])
  func `what is no step is left out`(_ text: String) {
    #expect(SavedPlan.steps(text: utf8(text)) == [])
  }

  @Test func `any bytes can be read as a plan`() {
    var generator = SeededGenerator(seed: 3)
    let good = utf8("part \(name(1)) \(name(2)) 3 70 100 5 4\nrest - - 1 100 100 0 60\n")
    for _ in 0..<10_000 {
      var text = Array((good + good).prefix(Int.random(in: 0...200, using: &generator)))
      for _ in 0..<Int.random(in: 0...5, using: &generator) where !text.isEmpty {
        text[Int.random(in: 0..<text.count, using: &generator)] =
          [UInt8.random(in: 0...255, using: &generator), 10, 32, 45, 57][
            Int.random(in: 0..<5, using: &generator)]
      }
      let steps = SavedPlan.steps(text: text)
      #expect(SavedPlan.steps(text: SavedPlan.text(of: steps)) == steps)
    }
    let long = Array(repeating: good, count: 1_000).flatMap { $0 }
    #expect(SavedPlan.steps(text: long).count == PlanLimit.steps)
  }
}
