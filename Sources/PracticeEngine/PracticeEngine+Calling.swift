// The caller: says the names of moves ahead of them, over the music, which gives way to them.

extension PracticeEngine {
  /// The maximum number of calls in an engine.
  public static let callCapacity = CallTable.capacity
  /// The maximum number of names in an engine.
  public static let nameCapacity = 1_024
  /// The maximum number of samples of all names: 250 s.
  public static let nameSampleCapacity = 250 * VoiceBank.framesPerSecond

  /// Makes room for so many samples of names, at most `nameSampleCapacity`; what was there before is gone,
  /// and a name that sounds is cut off without a click. Allocates if there was less room.
  public mutating func reserveNames(samples: Int) {
    caller.silence(into: &declicker)
    names.take(recordings: 0, samples: 0)
    let wanted = min(max(samples, 0), Self.nameSampleCapacity)
    guard wanted > names.sampleCapacity else { return }
    // In steps of ten seconds, so that a freed block fits again.
    let step = 10 * VoiceBank.framesPerSecond
    names = VoiceBank(
      recordings: Self.nameCapacity, samples: (wanted + step - 1) / step * step)
  }

  /// The room for `nameCapacity` recordings, and for the reserved samples at 24,000 Hz. Write them after
  /// `reserveNames` and at no other time.
  public var nameDestination: UnsafeMutablePointer<EngineRecording> { names.recordings }
  public var nameSampleDestination: UnsafeMutablePointer<Int16> { names.samples }

  /// Takes the names that were written.
  public mutating func setNames(recordings: Int, samples: Int) {
    names.take(recordings: recordings, samples: samples)
  }

  /// The table's room for `callCapacity` calls, to write them before `setCalls` and at no other time.
  public var callDestination: UnsafeMutablePointer<EngineCall> { calls.calls }

  /// Takes the first `count` calls of the table, for the loaded part, at any time: playback goes on, and a
  /// name that was said for a coming move is not said again.
  ///
  /// Their frames do not fall; those from the first on whose frame does are dropped.
  public mutating func setCalls(count: Int) {
    calls.take(count: count)
    followCalls()
  }

  /// Sets the volume of the caller: 0 is off, as at first; 1 the names' own level, 1.25 the loudest. While a
  /// name is said, the part's audio has the volume `duck`, from 0 to 1.
  public mutating func setCaller(volume: Float, duck: Float) {
    callVolume = volume >= 0 ? min(volume, 1.25) : 0
    duckLevel = duck >= 0 ? min(duck, 1) : 0
    if callVolume == 0 { caller.fadeOut() }
  }
}

/// A call that is still to come, in output frames.
private struct UpcomingCall {
  var call: EngineCall
  /// The frames until its attack is due; 0 or less if that time has passed.
  var framesToAttack: Int
  /// The frames until the name must be over.
  var framesToEnd: Int
}

extension PracticeEngine {
  /// The music sinks within 25 ms as a name begins, and comes back within a quarter of a second.
  private static let duckFrames = 1_200
  private static let returnFrames = 12_000
  /// The silence between the names and the numbers of a count-in.
  private static let pauseFrames = 9_600

  /// Finds the caller's place again after a change of the calls or the bounds.
  mutating func followCalls() {
    caller.follow(calls, from: reader.position, turnStart: reader.repeats ? reader.start : nil)
  }

  /// Fades a name out, as the audio stops or goes on elsewhere; that begins at full volume.
  mutating func stopCalling() {
    caller.fadeOut()
    isDucked = false
    duck.jump(to: 1)
  }

  /// Begins the next name when it is time for it. Returns the frames until one begins or ends, at least 1.
  ///
  /// A name is said so that its attack falls on the call's frame; earlier, if it would not be over when its
  /// move begins; and at once, if its time has passed and it is still over by then. It waits for the name
  /// before, and is left out where it would not be over in time.
  mutating func callAhead(at position: Int) -> Int {
    if !caller.isSounding { endDuck() }
    while callVolume > 0, let upcoming = upcomingCall(at: position) {
      guard let sound = names.sound(Int(upcoming.call.recording)) else {
        caller.skip()
        continue
      }
      let latest = upcoming.framesToEnd - sound.range.frames
      let wanted = min(upcoming.framesToAttack - sound.lead, latest)
      let start = max(wanted, caller.framesLeft, 0)
      guard start <= latest else {
        caller.skip()
        continue
      }
      if start > 0 { return caller.isSounding ? min(start, caller.framesLeft) : start }
      caller.say(upcoming.call, sound, volume: callVolume)
      beginDuck()
    }
    return caller.isSounding ? caller.framesLeft : .max
  }

  /// Returns the frames that the names before a count-in take which leads to the position: those of the
  /// next move and of all that begins with it, if they are to be said before the music.
  mutating func introductionFrames() -> Int {
    caller.introducedEnd = 0
    guard callVolume > 0, let first = calls.call(caller.next) else { return 0 }
    var frames = 0
    var index = caller.next
    while let call = calls.call(index), call.frame == first.frame,
      Int(call.calledFrame) < reader.position, Int(call.frame) < transport.boundsEnd
    {
      if let sound = names.sound(Int(call.recording)) { frames += sound.range.frames }
      index += 1
    }
    guard frames > 0 else { return 0 }
    caller.introducedEnd = Int(first.frame) + 1
    return frames + Self.pauseFrames
  }

  private mutating func beginDuck() {
    guard !isDucked else { return }
    isDucked = true
    if state == .playing {
      duck.move(to: duckLevel, frames: Self.duckFrames)
    } else {
      duck.jump(to: duckLevel)
    }
  }

  private mutating func endDuck() {
    guard isDucked else { return }
    isDucked = false
    if state == .playing { duck.move(to: 1, frames: Self.returnFrames) } else { duck.jump(to: 1) }
  }

  /// Returns the next call after this frame, at which `position` of the track is heard.
  private mutating func upcomingCall(at position: Int) -> UpcomingCall? {
    switch state {
    case .countdown:
      guard let call = nextCall() else { return nil }
      return upcoming(call, from: position, after: transport.countdownFramesLeft)
    case .resting:
      guard !transport.countsBeforeRepeats, let call = nextCall() else { return nil }
      return upcoming(call, from: transport.boundsStart, after: transport.restFramesLeft)
    case .playing:
      return playingCall(at: position)
    case .empty, .ready, .waiting, .paused, .ended:
      return nil
    }
  }

  private func nextCall() -> EngineCall? {
    calls.call(caller.next).flatMap { Int($0.frame) < transport.boundsEnd ? $0 : nil }
  }

  /// Returns a call of playback that begins at `start` after so many frames.
  private func upcoming(_ call: EngineCall, from start: Int, after frames: Int) -> UpcomingCall? {
    // In 64 bits, as Int has 32 in WebAssembly.
    let percent = Int64(transport.percent)
    func output(_ frame: Int32) -> Int {
      let played = (Int64(frame) - Int64(start)) &* 100
      let rounded = played >= 0 ? (played + percent - 1) / percent : played / percent
      return Int(min(max(Int64(frames) + rounded, 0), Int64(Int32.max)))
    }
    let end = output(call.frame)
    guard transport.isCountIn, Int(call.calledFrame) < start else {
      return UpcomingCall(call: call, framesToAttack: output(call.calledFrame), framesToEnd: end)
    }
    // Before the numbers or after them, but not over them.
    guard Int(call.frame) < caller.introducedEnd else { return nil }
    return UpcomingCall(
      call: call, framesToAttack: 0, framesToEnd: transport.introductionFramesLeft)
  }

  /// Returns the next call during playback, which may lie in the loop's next turn.
  private mutating func playingCall(at position: Int) -> UpcomingCall? {
    if !caller.isNextTurn {
      if let call = calls.call(caller.next), Int(call.frame) < reader.end {
        return playingCall(call, distance: Int(call.frame) - position)
      }
      guard reader.repeats else { return nil }
      caller.lookAhead(from: reader.start, in: calls)
    }
    guard reader.repeats, let call = calls.call(caller.next), Int(call.frame) < reader.end else {
      return nil
    }
    return playingCall(call, distance: reader.end - position + Int(call.frame) - reader.start)
  }

  private func playingCall(_ call: EngineCall, distance: Int) -> UpcomingCall {
    func output(_ frames: Int) -> Int {
      guard frames > 0, isStretched else { return max(frames, 0) }
      return stretcher.framesUntil(Int64(sourceHeard) + Int64(frames))
    }
    let ahead = Int(call.frame) - Int(call.calledFrame)
    return UpcomingCall(
      call: call, framesToAttack: output(distance - ahead), framesToEnd: output(distance))
  }
}
