// Renders the sound: advances through a block from event to event, so that everything happens on
// its exact frame for any block size.

extension PracticeEngine {
  /// Fills stereo output with the next frames.
  ///
  /// Real time: no allocation, no locks, no reference counting, no throwing. The work is bounded
  /// by the number of frames and of loop turns in them.
  public mutating func render(
    frames: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  ) {
    var done = 0
    while done < frames {
      done += renderStretch(limit: frames - done, left: left + done, right: right + done)
    }
    gain.apply(count: frames, left: left, right: right)
  }

  /// Fills at most `limit` frames until the next event. Returns how many, possibly zero.
  private mutating func renderStretch(
    limit: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  ) -> Int {
    switch state {
    case .waiting:
      guard chunks.holds(frame: reader.position), chunks.holds(frame: awaitedFrame) else { break }
      beginCountdown()
      if state == .playing { beginAudio() }
      return 0
    case .countdown:
      return renderCountdown(limit: limit, left: left, right: right)
    case .playing:
      return isStretched
        ? renderStretched(limit: limit, left: left, right: right)
        : renderAudio(limit: limit, left: left, right: right)
    case .resting:
      return renderRest(limit: limit, left: left, right: right)
    case .empty, .ready, .paused, .ended:
      break
    }
    silence(limit, left, right)
    finishStretch(limit, left, right)
    return limit
  }

  private mutating func renderCountdown(
    limit: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  ) -> Int {
    let tick = transport.dueTick
    if tick > 0 {
      beginDueTick(tick)
      record(.tick, tick)
    }
    let count = min(
      limit, transport.framesToNextTick, speakAhead(at: reader.position),
      callAhead(at: reader.position))
    silence(count, left, right)
    finishStretch(count, left, right)
    if transport.advanceCountdown(by: count) { beginAudio() }
    return count
  }

  private mutating func renderRest(
    limit: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  ) -> Int {
    let count = min(
      limit, transport.restFramesLeft, speakAhead(at: reader.position),
      callAhead(at: reader.position))
    silence(count, left, right)
    finishStretch(count, left, right)
    transport.advanceRest(by: count)
    announceMissingData()
    return count
  }

  private mutating func renderAudio(
    limit: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  ) -> Int {
    // One turn at a time, so that each repeat has its event at its own frame.
    if reader.position >= reader.end && reader.repeats && reader.start < reader.end {
      turnBack()
      countTurns(1)
      // The trainer's next speed begins with the turn.
      if isStretched { return 0 }
    }
    let first = reader.position
    let wanted = min(
      limit, reader.end - first, beats.framesToNext(after: first), followLevels(at: first),
      speakAhead(at: first), callAhead(at: first))
    let read = reader.read(from: chunks, count: wanted, left: left, right: right)
    let count = read.frames
    if count > 0 {
      if fadeInLeft > 0 { fadeIn(count, left, right) }
      applyMusicVolume(count, left, right)
      beginDueClick(at: first)
      lastLeft = left[count - 1]
      lastRight = right[count - 1]
      runFrames += Int64(count)
      finishStretch(count, left, right)
    }
    switch read.stop {
    case .none: if reader.position >= reader.end && !reader.repeats { reachEnd(fadingIn: false) }
    case .end: reachEnd(fadingIn: false)
    case .missing: starve(at: reader.position)
    }
    return count
  }

  /// Audio begins at the position: exactly at a border, elsewhere with a fade.
  private mutating func beginAudio() {
    beginStretching()
    beginLevel()
    beats.begin(at: reader.position)
    fadeInLeft = transport.isBorder(reader.position) ? 0 : EngineTimeline.fadeFrames
    runFrames = 0
    record(.started, reader.position)
  }

  /// The audio reached the end of its range.
  mutating func reachEnd(fadingIn: Bool) {
    declicker.capture(left: lastLeft, right: lastRight)
    lastLeft = 0
    lastRight = 0
    if reader.repeats {
      turnBack()
      beginLevel()
      restartStretcher()
      countTurns(1)
      fadeInLeft = fadingIn ? EngineTimeline.fadeFrames : 0
      runFrames = 0
    } else if transport.reachEnd() {
      record(.looped, transport.repeatCount)
      reader.position = transport.boundsStart
      caller.begin(at: reader.position, of: calls)
      announceMissingData()
    } else {
      record(.ended, 0)
    }
  }

  mutating func starve(at frame: Int) {
    declicker.capture(left: lastLeft, right: lastRight)
    lastLeft = 0
    lastRight = 0
    speaker.drop()
    transport.starve()
    awaitedFrame = frame
    record(.starved, frame)
  }

  /// Playback goes on at the start of its range.
  mutating func turnBack() {
    beats.turn(from: reader.end, to: reader.start)
    reader.turnBack()
    caller.turn(to: reader.start, in: calls)
  }

  /// Applies the volume and the level of the part's audio, and gives way to a name.
  mutating func applyMusicVolume(
    _ count: Int, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>
  ) {
    musicGain.apply(count: count, left: left, right: right)
    levelGain.apply(count: count, left: left, right: right)
    duck.apply(count: count, left: left, right: right)
  }

  mutating func fadeIn(
    _ count: Int, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>
  ) {
    for frame in 0..<min(count, fadeInLeft) {
      fadeInLeft -= 1
      let level = self.level
      left[frame] *= level
      right[frame] *= level
    }
  }

  private func silence(
    _ count: Int, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>
  ) {
    left.update(repeating: 0, count: count)
    right.update(repeating: 0, count: count)
  }

  /// Adds the sounds beside the audio, and advances the clock.
  mutating func finishStretch(
    _ count: Int, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>
  ) {
    if tail.isSounding
      && !tail.mix(from: chunks, count: count, left: left, right: right, scratch: scratch)
    {
      tail.silence(into: &declicker)
    }
    if ringing.isSounding { ringing.mix(count: count, left: left, right: right) }
    if declicker.isSounding { declicker.mix(count: count, left: left, right: right) }
    if tickVoice.isSounding {
      tickVoice.mix(from: ticks, count: count, left: left, right: right)
    }
    if clickVoice.isSounding {
      clickVoice.mix(from: ticks, count: count, left: left, right: right)
    }
    if speaker.isSounding {
      speaker.mix(from: voice, count: count, left: left, right: right)
    }
    if caller.isSounding {
      caller.mix(from: names, count: count, left: left, right: right)
    }
    clock += Int64(count)
  }
}
