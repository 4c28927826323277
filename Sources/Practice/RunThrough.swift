// A routine played through without stopping, and what was missed in it.

/// A stretch of a part that a run-through has played.
public struct CoveredRange: Sendable, Equatable {
  public var part: RecordID
  /// Frames of the part's track.
  public var frames: Range<Int>

  /// Makes a stretch. Frames that are not in order make an empty one.
  public init(part: RecordID, startFrame: Int, endFrame: Int) {
    self.part = part
    let start = min(max(startFrame, 0), Limit.frames)
    frames = start..<min(max(endFrame, start), Limit.frames)
  }
}

/// One thing that went wrong in a run-through.
public struct Miss: Sendable, Equatable {
  public var part: RecordID
  /// The frame of the part's track at which it went wrong.
  public var frame: Int
  /// The move of that frame; nil if no move lies there.
  public var move: RecordID?

  /// Makes a miss.
  public init(part: RecordID, frame: Int, move: RecordID?) {
    self.part = part
    self.frame = min(max(frame, 0), Limit.frames)
    self.move = move
  }
}

/// A run-through, as its record says.
public struct RunThrough: Sendable, Equatable {
  /// When it began.
  public var moment: Moment
  /// The speed in percent of the original.
  public var percent: Int
  /// What was heard, in order.
  public var covered: [CoveredRange]
  /// What was missed, in the order of `covered`.
  public var misses: [Miss]

  /// The most stretches, and the most misses, that a run-through has: what fits into the fields.
  public static let mostLines = 200
  /// The speeds that can be, in percent.
  public static let percents = 1...400

  /// Makes a run-through; a speed that can't be is clamped.
  public init(moment: Moment, percent: Int, covered: [CoveredRange], misses: [Miss]) {
    self.moment = moment
    self.percent = min(
      max(percent, RunThrough.percents.lowerBound), RunThrough.percents.upperBound)
    self.covered = Array(covered.prefix(RunThrough.mostLines))
    self.misses = Array(misses.prefix(RunThrough.mostLines))
  }

  /// Reads stretches of lines "PART STARTFRAME ENDFRAME". What is none is left out, and an empty one.
  public static func covered(text: [UInt8]) -> [CoveredRange] {
    var lines = LineReader(text)
    var ranges: [CoveredRange] = []
    while ranges.count < mostLines, lines.nextLine() {
      guard let part = lines.id(), let start = lines.number(upTo: Limit.frames),
        let end = lines.number(upTo: Limit.frames), lines.word() == nil, start < end
      else { continue }
      ranges.append(CoveredRange(part: part, startFrame: start, endFrame: end))
    }
    return ranges
  }

  /// Reads misses of lines "PART FRAME MOVE", with "-" for no move. What is none is left out.
  public static func misses(text: [UInt8]) -> [Miss] {
    var lines = LineReader(text)
    var misses: [Miss] = []
    while misses.count < mostLines, lines.nextLine() {
      guard let part = lines.id(), let frame = lines.number(upTo: Limit.frames),
        let word = lines.word(), lines.word() == nil
      else { continue }
      let move = RecordID(word)
      guard move != nil || word.elementsEqual([UInt8(ascii: "-")]) else { continue }
      let miss = Miss(part: part, frame: frame, move: move)
      if !misses.contains(miss) { misses.append(miss) }
    }
    return misses
  }

  /// Returns the lines of stretches, with a line break between two.
  public static func text(of covered: [CoveredRange]) -> [UInt8] {
    var text: [UInt8] = []
    for range in covered.prefix(mostLines) {
      if !text.isEmpty { text.append(UInt8(ascii: "\n")) }
      range.part.write(to: &text)
      for number in [range.frames.lowerBound, range.frames.upperBound] {
        text.append(UInt8(ascii: " "))
        write(number, to: &text)
      }
    }
    return text
  }

  /// Returns the lines of misses, with a line break between two: the first that fit into a field.
  public static func text(of misses: [Miss]) -> [UInt8] {
    var text: [UInt8] = []
    for miss in misses.prefix(mostMisses) {
      if !text.isEmpty { text.append(UInt8(ascii: "\n")) }
      miss.part.write(to: &text)
      text.append(UInt8(ascii: " "))
      write(miss.frame, to: &text)
      text.append(UInt8(ascii: " "))
      if let move = miss.move { move.write(to: &text) } else { text.append(UInt8(ascii: "-")) }
    }
    return text
  }

  /// The most misses that are written: 85 bytes each, in a field of 12,000.
  public static let mostMisses = 140
}
