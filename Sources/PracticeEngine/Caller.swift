// The voice that says names: one at a time, and which one is next.

/// Says names, and remembers how far they were said.
struct Caller {
  private var name = SampleVoice()
  /// The index of the next call in the table.
  private(set) var next = 0
  /// Whether the next call belongs to the coming turn of a loop.
  private(set) var isNextTurn = false
  /// The call that was said last since playback began at its position.
  private var last: EngineCall?
  /// The moves before this frame are called before the numbers of the current count-in.
  var introducedEnd = 0

  var isSounding: Bool { name.isSounding }
  /// The output frames until the name is over.
  var framesLeft: Int { name.framesLeft }

  /// Playback begins at `frame`.
  mutating func begin(at frame: Int, of calls: borrowing CallTable) {
    next = calls.firstIndex(from: frame)
    isNextTurn = false
    last = nil
  }

  /// The calls or the bounds have changed: finds its place again. What was said for a move that is still to
  /// come is not said again, unless it belongs to a turn that does not come any more.
  mutating func follow(_ calls: borrowing CallTable, from position: Int, turnStart: Int?) {
    if isNextTurn, turnStart == nil {
      isNextTurn = false
      last = nil
    }
    next = calls.firstIndex(from: isNextTurn ? turnStart ?? position : position)
    guard let last else { return }
    while let call = calls.call(next), call.frame <= last.frame {
      next += 1
      if call.frame == last.frame && call.recording == last.recording { break }
    }
  }

  /// All calls of this turn were handled; goes on with the first of the coming one.
  mutating func lookAhead(from start: Int, in calls: borrowing CallTable) {
    next = calls.firstIndex(from: start)
    isNextTurn = true
    last = nil
  }

  /// Playback goes on at `start` without a gap.
  mutating func turn(to start: Int, in calls: borrowing CallTable) {
    if !isNextTurn { begin(at: start, of: calls) }
    isNextTurn = false
  }

  /// Says a name, the next call's.
  mutating func say(_ call: EngineCall, _ sound: VoiceBank.Sound, volume: Float) {
    name.begin(sound.range, volume: volume)
    last = call
    next += 1
  }

  /// Leaves the next call out.
  mutating func skip() { next += 1 }

  /// Fades out within one fade.
  mutating func fadeOut() { name.fadeOut() }

  /// Stops at once, as its samples go.
  mutating func silence(into declicker: inout Declicker) { name.silence(into: &declicker) }

  mutating func mix(
    from names: borrowing VoiceBank, count: Int, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>
  ) {
    name.mix(from: names, count: count, left: left, right: right)
  }
}
