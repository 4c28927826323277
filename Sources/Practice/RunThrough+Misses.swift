// Which move a tap means, and how misses are added and taken back.

extension RunThrough {
  /// The seconds from a mistake to the tap that reports it.
  ///
  /// Reporting one's own error is slower than correcting it: the share of errors that are reported rises
  /// with the time up to the next signal and levels off at 800 ms for people of 20 and 1,000 ms for people
  /// of 71 years (Rabbitt, "Consciousness is slower than you think", 2002). A finger that is not at the
  /// button adds to that, but a move lasts longer than the rest of the error.
  public static let reactionSeconds = 0.8

  /// Two misses without a move are one if they are nearer than half a second.
  static let sameFrames = 24_000

  /// Returns what a tap means that is pressed while `frame` of `part` is heard: the frame one reaction time
  /// earlier at this speed, over the borders of what was covered, but not before its start.
  ///
  /// Nil if `covered` does not hold the frame that is heard. Of several stretches that do, the last counts:
  /// it is the one that is being played. At the end of a stretch its end counts as held.
  public static func miss(
    tappedAt frame: Int, of part: RecordID, percent: Int, covered: [CoveredRange],
    parts: [PracticePart]
  ) -> Miss? {
    guard
      var index = covered.lastIndex(where: {
        $0.part == part && $0.frames.lowerBound <= frame && frame <= $0.frames.upperBound
      })
    else { return nil }
    let speed = Double(min(max(percent, percents.lowerBound), percents.upperBound)) / 100
    var back = Int(reactionSeconds * speed * Limit.framesPerSecond)
    var heard = frame
    while heard - covered[index].frames.lowerBound < back {
      guard index > 0 else {
        back = heard - covered[index].frames.lowerBound
        break
      }
      back -= heard - covered[index].frames.lowerBound
      index -= 1
      heard = covered[index].frames.upperBound
    }
    // The end of a stretch is heard no more.
    let range = covered[index]
    let meant = min(max(heard - back, range.frames.lowerBound), max(range.frames.upperBound - 1, 0))
    let found = parts.first { $0.id == range.part }
    let move = found.flatMap { part in part.move(at: meant).map { part.moves[$0].id } }
    return Miss(part: range.part, frame: meant, move: move)
  }

  /// Returns `misses` with another one, in the order of `covered`. A move is missed once.
  public static func adding(_ miss: Miss, to misses: [Miss], covered: [CoveredRange]) -> [Miss] {
    if misses.contains(where: { isSame($0, miss) }) { return misses }
    let place = order(of: miss, in: covered)
    var result = misses
    let index = misses.firstIndex { place < order(of: $0, in: covered) } ?? misses.count
    result.insert(miss, at: index)
    return result
  }

  /// Returns `misses` without those that mean the same as `miss`.
  public static func removing(_ miss: Miss, from misses: [Miss]) -> [Miss] {
    misses.filter { !isSame($0, miss) }
  }

  /// Tells whether two misses mean the same move; without a move, about the same frame.
  static func isSame(_ left: Miss, _ right: Miss) -> Bool {
    guard left.part == right.part, left.move == right.move else { return false }
    return left.move != nil || abs(left.frame - right.frame) < sameFrames
  }

  /// The place of a miss in what was covered.
  private static func order(of miss: Miss, in covered: [CoveredRange]) -> (Int, Int) {
    let index = covered.firstIndex { $0.part == miss.part && $0.frames.contains(miss.frame) }
    return (index ?? covered.count, miss.frame)
  }
}
