// What the log says of parts.

import Practice
import TestSupport
import Testing

/// The local day of `noon`.
let today = 20_514

/// Returns a moment so many days before noon.
func moment(daysAgo: Int, utcOffset: Int = 0) -> Moment {
  Moment(milliseconds: noon - Int64(daysAgo) * dayMilliseconds, utcOffset: utcOffset)
}

/// Returns an entry of whole passes of a part.
func entry(
  daysAgo: Int, _ number: UInt64, percent: Int, passes: Int = 4, seconds: Int = 80
) -> PracticeEntry {
  let frames = part(number).frames
  return PracticeEntry(
    moment: moment(daysAgo: daysAgo),
    heard: [
      HeardSection(
        part: id(number), startFrame: frames.lowerBound, endFrame: frames.upperBound,
        passes: passes, seconds: seconds, percent: percent)
    ])
}

/// Returns a run-through of parts 1 to 3, in which moves of parts were missed.
func run(daysAgo: Int, percent: Int = 100, missed: [(part: UInt64, move: Int)] = []) -> RunThrough {
  RunThrough(
    moment: moment(daysAgo: daysAgo), percent: percent,
    covered: (UInt64(1)...3).map {
      let frames = part($0).frames
      return CoveredRange(
        part: id($0), startFrame: frames.lowerBound, endFrame: frames.upperBound)
    },
    misses: missed.map { miss in
      let move = part(miss.part).moves[miss.move]
      return Miss(part: id(miss.part), frame: (move.startFrame ?? 0) + second, move: move.id)
    })
}

/// Derives the history of parts 1 to 3.
func history(
  _ entries: [PracticeEntry] = [], _ runs: [RunThrough] = [],
  parts: [PracticePart] = [part(1), part(2), part(3)]
) -> History {
  History(
    log: PracticeLog(entries: entries, runs: runs), parts: parts, now: moment(daysAgo: 0))
}

@Suite struct HistoryTests {
  @Test func `without a log nothing is known`() {
    let empty = history()
    #expect(empty.today == today)
    #expect(empty.weeks.isEmpty)
    #expect(empty.weakness(ofPart: 0) == nil)
    #expect(empty.weakness(ofTransition: 0) == nil)
    #expect(empty.weakness(ofMove: 0, inPart: 0) == nil)
    #expect(empty.progress(of: 0).reachedPercent == 0)
  }

  @Test func `the highest speed of a whole pass is reached, on its first day`() {
    let log = history([
      entry(daysAgo: 9, 1, percent: 80), entry(daysAgo: 5, 1, percent: 96),
      entry(daysAgo: 2, 1, percent: 96), entry(daysAgo: 1, 1, percent: 70),
    ])
    let progress = log.progress(of: 0)
    #expect(progress.reachedPercent == 96)
    #expect(progress.reachedDay == today - 5)
    #expect(progress.atTempoDay == today - 5)
    #expect(progress.lastDay == today - 1)
    #expect(progress.passes == 16)
    #expect(log.days(of: 0).map(\.percent) == [80, 96, 96, 70])
  }

  @Test func `a section is no pass of the part, but takes its time`() {
    let log = history([
      PracticeEntry(
        moment: moment(daysAgo: 0),
        text: utf8("\(name(1)) 480000 960000 9 90 100 1\n\(name(1)) 500000 1440000 2 40 90 0"))
    ])
    let progress = log.progress(of: 0)
    // The second one covers 98 % of it: a border has moved.
    #expect(progress.reachedPercent == 90)
    #expect(progress.passes == 2)
    #expect(progress.seconds == 130)
  }

  @Test func `a speed at which a part was missed is not reached`() {
    let missed = run(daysAgo: 1, missed: [(part: 2, move: 1)])
    let log = history(
      [entry(daysAgo: 1, 1, percent: 100), entry(daysAgo: 1, 2, percent: 100)], [missed])
    #expect(log.progress(of: 0).reachedPercent == 100)
    #expect(log.progress(of: 1).reachedPercent == 0)
    let again = history([], [missed, run(daysAgo: 1, percent: 101)])
    #expect(again.progress(of: 1).reachedPercent == 101)
  }

  @Test func `a run-through counts where the log was off`() {
    let log = history([], [run(daysAgo: 3)])
    #expect(log.progress(of: 0).reachedPercent == 100)
    #expect(log.progress(of: 0).passes == 1)
    #expect(log.weeks.isEmpty)
  }

  @Test func `weeks begin on Monday, local time`() {
    // Sunday 23:30 in UTC is Monday in Berlin.
    let late = Moment(milliseconds: noon - dayMilliseconds / 2 - 1_800_000, utcOffset: 60)
    let before = Moment(milliseconds: noon - dayMilliseconds / 2 - 1_800_000, utcOffset: 0)
    func week(_ moment: Moment) -> Int? {
      let heard = [
        HeardSection(
          part: id(77), startFrame: 0, endFrame: 9, passes: 0, seconds: 60, percent: 0)
      ]
      return History(
        log: PracticeLog(entries: [PracticeEntry(moment: moment, heard: heard)], runs: []),
        parts: [], now: Moment(milliseconds: noon, utcOffset: moment.utcOffset)
      ).weeks.first?.firstDay
    }
    #expect(week(late) == today)
    #expect(week(before) == today - 7)
  }

  @Test func `wrong clocks are mended: the future is now, before 2020 is the start of 2020`() {
    let future = PracticeEntry(
      moment: Moment(milliseconds: noon + 400 * dayMilliseconds, utcOffset: 840),
      heard: entry(daysAgo: 0, 1, percent: 90).heard)
    let past = PracticeEntry(
      moment: Moment(milliseconds: 0, utcOffset: 0), heard: entry(daysAgo: 0, 1, percent: 80).heard)
    let days = history([future, past]).days(of: 0)
    #expect(days.map(\.day) == [18_262, today])
    #expect(days.map(\.percent) == [80, 90])
  }

  @Test func `of a section that comes twice in an entry the larger numbers count`() {
    let text = "\(name(1)) 480000 1440000 3 60 80 1\n\(name(1)) 480000 1440000 2 70 90 1"
    let twice = PracticeEntry(moment: moment(daysAgo: 0), text: utf8(text))
    #expect(twice.heard.count == 1)
    #expect(history([twice]).progress(of: 0).passes == 3)
    #expect(history([twice]).progress(of: 0).seconds == 70)
  }

  @Test(arguments: [
    "", "x", "\(name(1)) 1 2 3 4 5", "\(name(1)) 5 5 3 4 5 1", "\(name(1)) 1 2 3 4 5 2",
    "\(name(1)) 1 2 3 4 5 1 6", "\(name(1)) 1 2 99999999999 4 5 1",
    "\(name(1)) 1 2 3 4 4294967297 1",
  ])
  func `what is no section is left out`(_ text: String) {
    #expect(PracticeEntry(moment: moment(daysAgo: 0), text: utf8(text)).heard.isEmpty)
  }

  // MARK: Weakness

  @Test func `what was missed is weak, and fades with each run-through that goes well`() throws {
    var runs = [run(daysAgo: 6, missed: [(part: 2, move: 1)])]
    var weakness = try #require(history([], runs).weakness(ofMove: 1, inPart: 1))
    #expect(weakness > 0.7)
    #expect(history([], runs).weakness(ofMove: 0, inPart: 1) == 0)
    for day in (1...4).reversed() {
      runs.append(run(daysAgo: day))
      let next = try #require(history([], runs).weakness(ofMove: 1, inPart: 1))
      #expect(next < 0.75 * weakness)
      weakness = next
    }
    #expect(weakness < 0.15)
  }

  @Test func `the last five run-throughs say how often a move was missed`() {
    let missed = run(daysAgo: 9, missed: [(part: 2, move: 1)])
    let once = history([], [missed, run(daysAgo: 8)])
    let (first, ofFirst) = once.misses(ofMove: 1, inPart: 1)
    #expect(first == 1 && ofFirst == 2)
    #expect(once.misses(ofMove: 0, inPart: 1).missed == 0)
    let later = (3...7).map { run(daysAgo: $0) }
    let (last, ofLast) = history([], [missed] + later).misses(ofMove: 1, inPart: 1)
    #expect(last == 0 && ofLast == 5)
    #expect(history().misses(ofMove: 0, inPart: 0).of == 0)
  }

  @Test func `a first move that begins just before its part is covered with it`() throws {
    var early = part(2)
    early.moves[0] = PracticeMove(
      id: early.moves[0].id, startFrame: early.frames.lowerBound - 40)
    let miss = Miss(part: id(2), frame: early.frames.lowerBound + second, move: early.moves[0].id)
    let covered = CoveredRange(
      part: id(2), startFrame: early.frames.lowerBound, endFrame: early.frames.upperBound)
    let missed = RunThrough(
      moment: moment(daysAgo: 1), percent: 100, covered: [covered], misses: [miss])
    let log = history([], [missed], parts: [early])
    #expect(try #require(log.weakness(ofMove: 0, inPart: 0)) > 0)
  }

  @Test func `days at tempo let a weakness fade, too`() throws {
    let missed = run(daysAgo: 6, missed: [(part: 2, move: 1)])
    let before = try #require(history([], [missed]).weakness(ofMove: 1, inPart: 1))
    let practised = history([entry(daysAgo: 2, 2, percent: 100)], [missed])
    let after = try #require(practised.weakness(ofMove: 1, inPart: 1))
    #expect(abs(after - 0.85 * before) < 1e-9)
  }

  @Test func `a part that is missed, slow or forgotten is weaker`() throws {
    let well = (1...5).map { entry(daysAgo: $0, 1, percent: 100) }
    let good = try #require(history(well).weakness(ofPart: 0))
    #expect(good < 0.1)
    let missed = try #require(
      history(well, [run(daysAgo: 1, missed: [(part: 1, move: 0)])]).weakness(ofPart: 0))
    #expect(missed > good + 0.5)
    let slow = try #require(
      history((1...5).map { entry(daysAgo: $0, 1, percent: 60) }).weakness(ofPart: 0))
    #expect(slow > good + 0.15)
    let forgotten = try #require(
      history((41...45).map { entry(daysAgo: $0, 1, percent: 100) }).weakness(ofPart: 0))
    #expect(forgotten > good + 0.2)
  }

  @Test func `a miss near a border is of the transition`() throws {
    let log = history([], [run(daysAgo: 1, missed: [(part: 2, move: 0)])])
    #expect(try #require(log.weakness(ofTransition: 0)) > 0.7)
    #expect(try #require(log.weakness(ofTransition: 1)) < 0.1)
    #expect(log.weakness(ofTransition: 2) == nil)
  }

  @Test func `the end of a part and the start of the next one are practice of their transition`() {
    let text = "\(name(1)) 1200000 1440000 4 20 100 1\n\(name(2)) 480000 720000 4 20 100 1"
    let log = history([PracticeEntry(moment: moment(daysAgo: 1), text: utf8(text))])
    #expect(log.weakness(ofTransition: 0) != nil)
    #expect(log.weakness(ofTransition: 1) == nil)
  }

  // MARK: Merging

  @Test func `logs merge in any order, any number of times: 10,000 histories`() {
    var generator = SeededGenerator(seed: 24)
    let parts = [part(1), part(2), part(3)]
    let now = moment(daysAgo: 0)
    for _ in 0..<10_000 {
      let pieces = (0..<3).map { _ in generator.log() }
      let (a, b, c) = (pieces[0], pieces[1], pieces[2])
      let whole = a.merged(with: b).merged(with: c)
      #expect(whole == c.merged(with: b.merged(with: a)))
      #expect(whole == b.merged(with: whole).merged(with: whole))
      let merged = History(log: whole, parts: parts, now: now)
      let entries = (a.entries + b.entries + c.entries + a.entries).shuffled(using: &generator)
      let runs = (a.runs + b.runs + c.runs + c.runs).shuffled(using: &generator)
      let other = History(
        log: PracticeLog(entries: entries, runs: runs), parts: parts, now: now)
      #expect(merged == other)
      for index in parts.indices {
        let weakness = merged.weakness(ofPart: index) ?? 0
        #expect(weakness >= 0 && weakness <= 1)
        #expect(merged.days(of: index).allSatisfy { $0.day <= today && $0.day >= 18_261 })
        let days = merged.days(of: index).map(\.day)
        #expect(days == Array(Set(days)).sorted())
      }
    }
  }
}

extension SeededGenerator {
  /// Returns a few entries and run-throughs of three parts and one that is not known; some moments and some
  /// records come twice.
  mutating func log() -> PracticeLog {
    let entries = (0..<Int.random(in: 0...5, using: &self)).map { _ in
      PracticeEntry(
        moment: anyMoment(),
        heard: (0..<Int.random(in: 0...3, using: &self)).map { _ in
          let number = UInt64.random(in: 1...4, using: &self)
          let isWhole = Bool.random(using: &self)
          return HeardSection(
            part: id(number), startFrame: isWhole ? 480_000 : 900_000, endFrame: 1_440_000,
            passes: Int.random(in: 0...3, using: &self),
            seconds: Int.random(in: 0...90, using: &self),
            percent: Int.random(in: 0...5, using: &self) * 25,
            hasMusic: Bool.random(using: &self))
        })
    }
    let runs = (0..<Int.random(in: 0...3, using: &self)).map { _ in
      var made = run(
        daysAgo: 0, percent: Int.random(in: 2...4, using: &self) * 25,
        missed: Bool.random(using: &self)
          ? [] : [(UInt64.random(in: 1...3, using: &self), Int.random(in: 0...4, using: &self))])
      made.moment = anyMoment()
      return made
    }
    return PracticeLog(entries: entries, runs: runs)
  }

  private mutating func anyMoment() -> Moment {
    let wrong: [Int64] = [0, -5, noon + 90 * dayMilliseconds, .max, .min]
    let milliseconds =
      Int.random(in: 0..<8, using: &self) == 0
      ? wrong.randomElement(using: &self) ?? 0
      : noon - Int64.random(in: 0...40, using: &self) * 9_000_000
    return Moment(
      milliseconds: milliseconds,
      utcOffset: [0, 0, 60, -480, 840, .max].randomElement(using: &self) ?? 0)
  }
}
