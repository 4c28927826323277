// Reads the track's frames in playback order, with gapless loops. It is independent of commands,
// countdowns and fades, so that a stretcher can be placed between it and them.

/// Reads one range of a track, once or in a loop.
struct LoopingReader {
  /// Why a read returned fewer frames than requested.
  enum Stop {
    case none
    /// The range has ended and does not repeat.
    case end
    /// The next frame is not loaded yet.
    case missing
  }

  struct Read {
    var frames = 0
    /// How often reading has jumped from the end to the start.
    var turns = 0
    var stop = Stop.none
  }

  /// The next frame to read.
  var position = 0
  /// The start of the range, to which a loop returns.
  var start = 0
  /// The end of the range, exclusive.
  var end = 0
  /// How many more times reading continues at `start` when it reaches `end`; `endless` never ends.
  var turnsLeft = 0

  static let endless = Int.max

  /// Whether reading continues at `start` when it next reaches `end`.
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

  /// Jumps to the start for one more turn.
  mutating func turnBack() {
    position = start
    if turnsLeft != Self.endless { turnsLeft -= 1 }
  }

  /// The number of frames left before reading ends, at most `limit`.
  func framesLeft(limit: Int) -> Int {
    let here = max(0, end - position)
    guard here < limit, repeats, start < end else { return min(limit, here) }
    let turns = (limit - here + end - start - 1) / (end - start)
    return turns <= turnsLeft ? limit : here + turnsLeft * (end - start)
  }
}
