// What the log says of the parts of a routine: derived, never stored.

/// What was practised of a part on one local day.
public struct PracticeDay: Sendable, Equatable {
  /// Days since 1970-01-01.
  public var day: Int
  /// Whole passes of the part.
  public var passes = 0
  /// The highest speed of a whole pass, in percent of the original; 0 if there was none.
  public var percent = 0
  /// Seconds that were heard, of sections, too.
  public var seconds = 0.0
  /// Whole run-throughs of the part, and the highest speed of one that went well.
  var runs = 0
  var runPercent = 0
  /// The lowest speed of one in which it was missed; nil if there was none.
  var missedPercent: Int?
  var isLastRunMissed = false

  init(day: Int) { self.day = day }
}

/// The seconds that were practised in one week.
public struct PracticeWeek: Sendable, Equatable {
  /// Its Monday, in days since 1970-01-01.
  public var firstDay: Int
  public var seconds: Double
}

/// The history of one part.
struct PartHistory: Equatable {
  /// Rising.
  var days: [PracticeDay] = []
  /// The day of the last run-through that covered it.
  var lastRunDay: Int?
  /// The speed of the last run-through that covered it.
  var lastRunPercent = 0
  var tally = MissTally()
  var memory = Memory()
  /// Of each move.
  var moves: [MissTally] = []
  /// Of the transition from this part into the next.
  var transition = MissTally()
  var transitionMemory = Memory()
  /// Days on which the transition was practised, with how it went; rising.
  var transitionDays: [(day: Int, isMissed: Bool)] = []

  static func == (left: PartHistory, right: PartHistory) -> Bool {
    left.days == right.days && left.lastRunDay == right.lastRunDay
      && left.lastRunPercent == right.lastRunPercent && left.tally == right.tally
      && left.memory == right.memory && left.moves == right.moves
      && left.transition == right.transition && left.transitionMemory == right.transitionMemory
      && left.transitionDays.elementsEqual(right.transitionDays) { $0 == $1 }
  }

  /// Returns the index of the record of a day, which it makes if there is none. Days mostly rise.
  mutating func index(of day: Int) -> Int {
    var index = days.count
    while index > 0, days[index - 1].day > day { index -= 1 }
    if index > 0, days[index - 1].day == day { return index - 1 }
    days.insert(PracticeDay(day: day), at: index)
    return index
  }

  /// Notes that the transition was practised on a day, and how it went at last.
  mutating func practiseTransition(on day: Int, isMissed: Bool) {
    var index = transitionDays.count
    while index > 0, transitionDays[index - 1].day > day { index -= 1 }
    if index > 0, transitionDays[index - 1].day == day {
      // A section that was heard says nothing of how it went: a run-through of the same day does.
      transitionDays[index - 1].isMissed = isMissed
    } else {
      transitionDays.insert((day, isMissed), at: index)
    }
  }
}

/// What a log says of parts: a pure function of the log, the parts and the time.
///
/// - Complexity: O(n log n) in the lines of the log.
public struct History: Equatable {
  /// The parts, in the order of the routine.
  public let parts: [PracticePart]
  /// The local day of `now`.
  public let today: Int
  /// The weeks with practice, rising; of all entries, also of parts that are not known.
  public private(set) var weeks: [PracticeWeek] = []
  var histories: [PartHistory]
  /// The indices of the parts by their ids.
  private let byId: [Int]

  /// A section is the whole part if it covers this share of it: a border may have moved a little since.
  static let wholeShare = 0.9
  /// So much of a target speed is at tempo: what nobody hears.
  static let tempoShare = 0.95
  /// What lies nearer to a border belongs to the transition: an eight at 120 beats a minute.
  static let transitionFrames = 192_000

  /// Derives the history. Of parts with the same id the first counts.
  public init(log: PracticeLog, parts: [PracticePart], now: Moment) {
    self.parts = parts
    today = now.day
    histories = parts.map { part in
      var history = PartHistory()
      history.moves = Array(repeating: MissTally(), count: part.moves.count)
      return history
    }
    // Of the same ids the first stays first: the sort is stable.
    byId = order(of: parts.count) { parts[$0].id < parts[$1].id }
    for entry in log.entries { take(entry, on: min(entry.moment.day(now: now), today)) }
    for run in log.runs { take(run, on: min(run.moment.day(now: now), today)) }
    for index in histories.indices { remember(index) }
  }

  public static func == (left: History, right: History) -> Bool {
    left.parts == right.parts && left.today == right.today && left.weeks == right.weeks
      && left.histories == right.histories
  }

  /// Returns the index of a part by its id.
  public func index(of id: RecordID) -> Int? {
    var low = 0
    var high = byId.count
    while low < high {
      let middle = (low + high) / 2
      if parts[byId[middle]].id < id { low = middle + 1 } else { high = middle }
    }
    return low < byId.count && parts[byId[low]].id == id ? byId[low] : nil
  }

  // MARK: Entries

  private mutating func take(_ entry: PracticeEntry, on day: Int) {
    var total = 0.0
    /// The parts of which only the end, or only the start, was heard.
    var ends: [Int] = []
    var starts: [Int] = []
    for section in entry.heard {
      let seconds = min(Double(section.seconds), Double(PracticeEntry.mostSeconds) - total)
      total += seconds
      guard let index = index(of: section.part) else { continue }
      let at = histories[index].index(of: day)
      histories[index].days[at].seconds += seconds
      let frames = parts[index].frames
      let isWhole = History.covers(section.frames, frames)
      if isWhole, section.percent > 0, section.passes > 0 {
        histories[index].days[at].passes += section.passes
        histories[index].days[at].percent = max(
          histories[index].days[at].percent, section.percent)
      } else if section.passes > 0, !isWhole {
        if abs(section.frames.upperBound - frames.upperBound) < History.joinFrames {
          ends.append(index)
        }
        if abs(section.frames.lowerBound - frames.lowerBound) < History.joinFrames {
          starts.append(index)
        }
      }
    }
    if total > 0 { add(total, toWeekOf: day) }
    for index in ends where starts.contains(index + 1) {
      histories[index].practiseTransition(on: day, isMissed: false)
    }
  }

  /// An end that is nearer to the border than a quarter of a second is at it.
  private static let joinFrames = 12_000

  /// Tells whether frames cover a part.
  private static func covers(_ frames: Range<Int>, _ part: Range<Int>) -> Bool {
    !part.isEmpty
      && Double(frames.clamped(to: part).count) >= wholeShare * Double(part.count)
  }

  private mutating func add(_ seconds: Double, toWeekOf day: Int) {
    // 1970-01-01 was a Thursday.
    let monday = day - (day + 3) % 7
    var index = weeks.count
    while index > 0, weeks[index - 1].firstDay > monday { index -= 1 }
    if index > 0, weeks[index - 1].firstDay == monday {
      weeks[index - 1].seconds += seconds
    } else {
      weeks.insert(PracticeWeek(firstDay: monday, seconds: seconds), at: index)
    }
  }

  // MARK: Run-throughs

  private mutating func take(_ run: RunThrough, on day: Int) {
    var wasTaken = Array(repeating: false, count: parts.count)
    for (place, range) in run.covered.enumerated() {
      guard let index = index(of: range.part), !wasTaken[index] else { continue }
      wasTaken[index] = true
      let part = parts[index]
      let misses = run.misses.filter { $0.part == part.id }
      for (number, move) in part.moves.enumerated() {
        guard isCovered(move, of: part, by: range.frames) else { continue }
        histories[index].moves[number].add(
          isMissed: misses.contains { isMiss($0, of: number, part) })
      }
      takeTransition(from: index, in: run, at: place, on: day)
      guard History.covers(range.frames, part.frames) else { continue }
      let isMissed = misses.contains { History.covers(range.frames, $0.frame) }
      histories[index].tally.add(isMissed: isMissed)
      histories[index].lastRunDay = max(histories[index].lastRunDay ?? day, day)
      histories[index].lastRunPercent = run.percent
      let at = histories[index].index(of: day)
      histories[index].days[at].runs += 1
      histories[index].days[at].isLastRunMissed = isMissed
      if isMissed {
        histories[index].days[at].missedPercent = min(
          histories[index].days[at].missedPercent ?? run.percent, run.percent)
      } else {
        histories[index].days[at].runPercent = max(
          histories[index].days[at].runPercent, run.percent)
      }
    }
  }

  private static func covers(_ frames: Range<Int>, _ frame: Int) -> Bool {
    frames.lowerBound <= frame && frame <= frames.upperBound
  }

  private func isCovered(_ move: PracticeMove, of part: PracticePart, by frames: Range<Int>) -> Bool
  {
    guard let start = move.startFrame else { return History.covers(frames, part.frames) }
    // The first count 1 may lie just before the part's border, and a run-through may begin just after it.
    return frames.lowerBound - History.joinFrames <= start && start < frames.upperBound
  }

  /// Tells whether a miss is one of a move: it names it, or names none and lies in it.
  private func isMiss(_ miss: Miss, of number: Int, _ part: PracticePart) -> Bool {
    if let move = miss.move { return move == part.moves[number].id }
    return part.move(at: miss.frame) == number
  }

  /// Takes how the transition from a part into the next went, if the run-through went over it.
  private mutating func takeTransition(
    from index: Int, in run: RunThrough, at place: Int, on day: Int
  ) {
    guard index + 1 < parts.count, place + 1 < run.covered.count else { return }
    let (own, next) = (run.covered[place], run.covered[place + 1])
    let (end, start) = (parts[index].frames.upperBound, parts[index + 1].frames.lowerBound)
    guard next.part == parts[index + 1].id, abs(own.frames.upperBound - end) < History.joinFrames,
      abs(next.frames.lowerBound - start) < History.joinFrames
    else { return }
    let isMissed = run.misses.contains {
      ($0.part == own.part && $0.frame > end - History.transitionFrames / 2)
        || ($0.part == next.part && $0.frame < start + History.transitionFrames)
    }
    histories[index].transition.add(isMissed: isMissed)
    histories[index].practiseTransition(on: day, isMissed: isMissed)
  }

  // MARK: Memory

  /// Lets the memory of a part and of its transition go through their days.
  private mutating func remember(_ index: Int) {
    let tempo = History.tempoShare * Double(parts[index].targetPercent)
    for at in histories[index].days.indices {
      var day = histories[index].days[at]
      // A speed at which it was missed is not reached, unless another run-through went well.
      if let missed = day.missedPercent, day.percent >= missed { day.percent = 0 }
      // Without a log of what was heard, run-throughs alone tell.
      day.percent = max(day.percent, day.runPercent)
      day.passes = max(day.passes, day.runs)
      histories[index].days[at] = day
      // A minute at least, or a pass: what was only opened is no practice.
      guard day.passes > 0 || day.seconds >= 60 else { continue }
      histories[index].memory.review(
        on: day.day,
        day.runs > 0 && day.isLastRunMissed
          ? .missed : Double(day.percent) >= tempo ? .good : .slow)
    }
    for (day, isMissed) in histories[index].transitionDays {
      histories[index].transitionMemory.review(on: day, isMissed ? .missed : .good)
    }
  }
}
