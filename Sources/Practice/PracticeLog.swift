// What the log holds: what was heard, and run-throughs. A log is a set, so that logs merge.

/// What was heard of one section of a part, with or without music.
public struct HeardSection: Sendable, Equatable {
  public var part: RecordID
  /// Frames of the part's track.
  public var frames: Range<Int>
  /// How often the section was heard from its start to its end.
  public var passes: Int
  /// For how long it was heard.
  public var seconds: Int
  /// The highest speed of a whole pass, in percent of the original; 0 if there was none.
  public var percent: Int
  public var hasMusic: Bool

  /// Makes a section. Frames that are not in order make an empty one.
  public init(
    part: RecordID, startFrame: Int, endFrame: Int, passes: Int, seconds: Int, percent: Int,
    hasMusic: Bool = true
  ) {
    self.part = part
    let start = min(max(startFrame, 0), Limit.frames)
    frames = start..<min(max(endFrame, start), Limit.frames)
    self.passes = min(max(passes, 0), HeardSection.mostPasses)
    self.seconds = min(max(seconds, 0), PracticeEntry.mostSeconds)
    self.percent = min(max(percent, 0), RunThrough.percents.upperBound)
    self.hasMusic = hasMusic
  }

  static let mostPasses = 10_000
  /// The largest number of a line; larger ones are none. It fits into 32 bits, as WebAssembly has them.
  static let mostNumber = 2_147_483_647

  /// Its place among the sections of an entry; two of one place are the same section.
  fileprivate func isBefore(_ other: HeardSection) -> Bool {
    if part != other.part { return part < other.part }
    if frames.lowerBound != other.frames.lowerBound {
      return frames.lowerBound < other.frames.lowerBound
    }
    if frames.upperBound != other.frames.upperBound {
      return frames.upperBound < other.frames.upperBound
    }
    return !hasMusic && other.hasMusic
  }

  fileprivate var numbers: [Int] {
    [frames.lowerBound, frames.upperBound, passes, seconds, percent, hasMusic ? 1 : 0]
  }
}

/// What was heard of a routine on one page, in at most an hour.
public struct PracticeEntry: Sendable, Equatable {
  /// When it began.
  public var moment: Moment
  /// By part and section, each once.
  public private(set) var heard: [HeardSection]

  /// No entry counts for longer: one hour, and as much again for a clock that was set meanwhile.
  public static let mostSeconds = 7_200
  /// The most sections of an entry: more than fit into its field.
  static let mostSections = 300

  /// Makes an entry. Of a section that comes twice the larger numbers count.
  public init(moment: Moment, heard: [HeardSection]) {
    self.moment = moment
    self.heard = []
    let count = min(heard.count, PracticeEntry.mostSections)
    for place in order(of: count, by: { heard[$0].isBefore(heard[$1]) }) {
      let section = heard[place]
      guard let last = self.heard.last, !last.isBefore(section) else {
        self.heard.append(section)
        continue
      }
      let index = self.heard.count - 1
      self.heard[index].passes = max(last.passes, section.passes)
      self.heard[index].seconds = max(last.seconds, section.seconds)
      self.heard[index].percent = max(last.percent, section.percent)
    }
  }

  /// Reads an entry's lines "PART STARTFRAME ENDFRAME PASSES SECONDS PERCENT MUSIC". What is none is left
  /// out.
  public init(moment: Moment, text: [UInt8]) {
    var lines = LineReader(text)
    var heard: [HeardSection] = []
    while heard.count < PracticeEntry.mostSections, lines.nextLine() {
      guard let part = lines.id(), let start = lines.number(upTo: Limit.frames),
        let end = lines.number(upTo: Limit.frames),
        let passes = lines.number(upTo: HeardSection.mostNumber),
        let seconds = lines.number(upTo: HeardSection.mostNumber),
        let percent = lines.number(upTo: HeardSection.mostNumber),
        let music = lines.number(upTo: 1), lines.word() == nil, start < end
      else { continue }
      heard.append(
        HeardSection(
          part: part, startFrame: start, endFrame: end, passes: passes, seconds: seconds,
          percent: percent, hasMusic: music == 1))
    }
    self.init(moment: moment, heard: heard)
  }

  fileprivate func isBefore(_ other: PracticeEntry) -> Bool {
    if moment != other.moment { return moment < other.moment }
    for (left, right) in zip(heard, other.heard) where left != right {
      if left.part != right.part { return left.part < right.part }
      return left.numbers.lexicographicallyPrecedes(right.numbers)
    }
    return heard.count < other.heard.count
  }
}

/// A set of entries and run-throughs. Merging is commutative, associative and idempotent: two that say
/// the same at the same moment are one.
public struct PracticeLog: Sendable, Equatable {
  /// By time.
  public let entries: [PracticeEntry]
  /// By time.
  public let runs: [RunThrough]

  /// Makes a log, in any order and with duplicates.
  public init(entries: [PracticeEntry], runs: [RunThrough]) {
    self.entries = PracticeLog.unique(entries) { $0.isBefore($1) }
    self.runs = PracticeLog.unique(runs) { $0.isBefore($1) }
  }

  /// Returns what either log holds.
  public func merged(with other: PracticeLog) -> PracticeLog {
    PracticeLog(entries: entries + other.entries, runs: runs + other.runs)
  }

  private static func unique<Element>(
    _ elements: [Element], isBefore: (Element, Element) -> Bool
  ) -> [Element] {
    var kept: [Element] = []
    kept.reserveCapacity(elements.count)
    for place in order(of: elements.count, by: { isBefore(elements[$0], elements[$1]) }) {
      let element = elements[place]
      if let last = kept.last, !isBefore(last, element) { continue }
      kept.append(element)
    }
    return kept
  }
}

extension RunThrough {
  fileprivate func isBefore(_ other: RunThrough) -> Bool {
    if moment != other.moment { return moment < other.moment }
    if percent != other.percent { return percent < other.percent }
    for (left, right) in zip(covered, other.covered) where left != right {
      if left.part != right.part { return left.part < right.part }
      return (left.frames.lowerBound, left.frames.upperBound)
        < (right.frames.lowerBound, right.frames.upperBound)
    }
    if covered.count != other.covered.count { return covered.count < other.covered.count }
    for (left, right) in zip(misses, other.misses) where left != right {
      if left.part != right.part { return left.part < right.part }
      if left.frame != right.frame { return left.frame < right.frame }
      guard let own = left.move, let others = right.move else { return left.move == nil }
      return own < others
    }
    return misses.count < other.misses.count
  }
}
