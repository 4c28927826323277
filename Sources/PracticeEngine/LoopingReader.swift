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
  /// Whether reading goes on at `start` when it reaches `end`.
  var repeats = false

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
        position = start
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

  /// Counts the frames left before the reading ends, at most `limit`; a loop never ends.
  func framesLeft(limit: Int) -> Int {
    repeats ? limit : max(0, min(limit, end - position))
  }
}
