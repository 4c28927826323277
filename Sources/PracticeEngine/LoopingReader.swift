// Reads the track's frames in the order in which they are to be heard, turning back at a loop's
// end without a seam. It knows nothing of commands, countdowns or fades: a stretcher can stand
// between it and them.

/// Reads one stretch of a track, once or round and round.
struct LoopingReader {
  /// Names why a read gave fewer frames than it was asked for.
  enum Stop {
    case none
    /// The stretch is over and does not repeat.
    case end
    /// The next frame is not there yet.
    case missing
  }

  struct Read {
    var frames = 0
    /// Counts how often the reading turned back from the end to the start.
    var turns = 0
    var stop = Stop.none
  }

  /// The frame that is read next.
  var position = 0
  /// Where the stretch starts; reading returns here.
  var start = 0
  /// Where the stretch ends, exclusive.
  var end = 0
  /// Counts how often reading still goes on at `start` when it reaches `end`; `endless` never ends.
  var turnsLeft = 0

  static let endless = Int.max

  /// Whether reading goes on at `start` when it next reaches `end`.
  var repeats: Bool { turnsLeft > 0 }

  /// Fills stereo output with the next frames. Real time: a copy, nothing else.
  mutating func read(
    from chunks: borrowing ChunkStore, count: Int, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>
  ) -> Read {
    var read = Read()
    while read.frames < count {
      if position >= end {
        guard repeats, start < end else {
          read.stop = .end
          return read
        }
        turnBack()
        read.turns += 1
      }
      let copied = chunks.copy(
        from: position, count: min(count - read.frames, end - position), left: left + read.frames,
        right: right + read.frames)
      if copied == 0 {
        read.stop = .missing
        return read
      }
      position += copied
      read.frames += copied
    }
    return read
  }

  /// Goes back to the start for one more turn.
  mutating func turnBack() {
    position = start
    if turnsLeft != Self.endless { turnsLeft -= 1 }
  }

  /// Counts the frames left before the reading ends, at most `limit`.
  func framesLeft(limit: Int) -> Int {
    let here = max(0, end - position)
    guard here < limit, repeats, start < end else { return min(limit, here) }
    let turns = (limit - here + end - start - 1) / (end - start)
    return turns <= turnsLeft ? limit : here + turnsLeft * (end - start)
  }
}
