// Playback at another speed or pitch: a second reader runs ahead and feeds the stretcher, while the
// engine's own reader keeps the position that is heard.

extension PracticeEngine {
  /// Applies the current speed and pitch to the stretcher; plain playback starts to pass through it
  /// on this frame if necessary.
  mutating func configureStretcher() {
    // With other bounds or another speed, waiting playback may need fewer frames than it requested.
    if state == .waiting { awaitedFrame = reader.position }
    let isPlain = transport.percent == 100 && transport.semitones == 0
    if !isStretched {
      guard !isPlain, state == .playing else { return }
      isStretched = true
      stretcher.setRate(hundredths: 100)
      stretcher.setSemitones(0)
      stretcher.setNaturalVoice(transport.isNaturalVoice)
      restartStretcher()
    }
    stretcher.setRate(hundredths: transport.percent)
    let isSame =
      stretcher.semitones == transport.semitones
      && (transport.semitones == 0 || stretcher.isNaturalVoice == transport.isNaturalVoice)
    if isSame { return }
    letRing()
    stretcher.setSemitones(transport.semitones)
    stretcher.setNaturalVoice(transport.isNaturalVoice)
    beginAnew()
  }

  /// Starts to stretch at the position, when audio begins there.
  mutating func beginStretching() {
    isStretched = transport.percent != 100 || transport.semitones != 0
    guard isStretched else { return }
    stretcher.setRate(hundredths: transport.percent)
    stretcher.setSemitones(transport.semitones)
    stretcher.setNaturalVoice(transport.isNaturalVoice)
    restartStretcher()
  }

  /// Clears the stretcher's input and reads again from the position that is heard.
  mutating func restartStretcher() {
    guard isStretched else { return }
    stretcher.reset()
    ahead = reader
    aheadTurns = 0
    sourceHeard = 0
  }

  /// Applies new bounds to the reader ahead. Frames that it read beyond them are read again, and the sound
  /// goes on without a gap.
  mutating func followBounds(from old: LoopingReader) {
    guard isStretched else { return }
    let isSame =
      old.start == reader.start && old.end == reader.end && old.turnsLeft == reader.turnsLeft
    if isSame { return }
    if aheadTurns == 0 && ahead.position < min(old.end, reader.end) {
      ahead.start = reader.start
      ahead.end = reader.end
      ahead.turnsLeft = reader.turnsLeft
    } else {
      letRing()
      beginAnew()
    }
  }

  /// While playing, keeps what would be heard next, to fade it into what is stretched anew; where that is not
  /// loaded, or if it happens twice within a fade, the last frame is led to zero.
  private mutating func letRing() {
    guard state == .playing else { return }
    if !ringing.isSounding && stretchRinging() {
      ringing.begin(level: level * musicGain.value * levelGain.value * duck.value)
    } else {
      declicker.capture(left: lastLeft, right: lastRight)
    }
    lastLeft = 0
    lastRight = 0
  }

  private mutating func stretchRinging() -> Bool {
    var done = 0
    while done < EngineTimeline.fadeFrames {
      guard feedStretcher() else { return false }
      let count = stretcher.render(
        frames: EngineTimeline.fadeFrames - done, left: ringing.left.base + done,
        right: ringing.right.base + done)
      if count == 0 { return false }
      done += count
    }
    return true
  }

  /// Reads and stretches again from the position that is heard; while playing, with a fade.
  private mutating func beginAnew() {
    guard state == .playing else { return }
    fadeInLeft = EngineTimeline.fadeFrames
    restartStretcher()
  }

  /// Fills at most `limit` frames through the stretcher. Returns how many, possibly zero.
  mutating func renderStretched(
    limit: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  ) -> Int {
    if stretcher.outputFrames >= stretchLimit {
      letRing()
      beginAnew()
    }
    while reader.position >= reader.end {
      guard reader.repeats, reader.start < reader.end else {
        reachEnd(fadingIn: false)
        return 0
      }
      // At another speed the position that is heard may lie between two output frames.
      let beyond = reader.position - reader.end
      turnBack()
      reader.position += beyond
      aheadTurns -= 1
      countTurns(1)
    }
    let isMissing = !feedStretcher()
    // Clicks begin on the first output frame at or after their beat, which ends a stretch of rendering.
    let first = reader.position
    let reach = min(
      reader.end - first, beats.framesToNext(after: first), followLevels(at: first))
    let target = Int64(sourceHeard) + Int64(reach)
    let wanted = min(
      limit, stretcher.framesToReach(target), speakAhead(at: first), callAhead(at: first))
    let count = stretcher.render(frames: wanted, left: left, right: right)
    if count > 0 {
      if fadeInLeft > 0 { fadeIn(count, left, right) }
      applyMusicVolume(count, left, right)
      beginDueClick(at: first)
      lastLeft = left[count - 1]
      lastRight = right[count - 1]
      let source = stretcher.sourceFrameHeard
      reader.position += source - sourceHeard
      runFrames += Int64(source - sourceHeard)
      sourceHeard = source
      finishStretch(count, left, right)
    }
    if stretcher.isFinished {
      reader.position = reader.end
      reachEnd(fadingIn: false)
    } else if count == 0 && isMissing {
      starve(at: ahead.position)
    } else if stretcher.isPassing {
      isStretched = false
    }
    return count
  }

  /// Gives the stretcher the frames it wants, and after the end the frames that follow in the
  /// track, as far as they are loaded. Returns false if a frame that must be heard is missing.
  private mutating func feedStretcher() -> Bool {
    while stretcher.wantedFrames > 0 {
      let read = ahead.read(
        from: chunks, count: stretcher.wantedFrames, left: scratch,
        right: scratch + Self.scratchFrames)
      aheadTurns += read.turns
      stretcher.give(left: scratch, right: scratch + Self.scratchFrames, count: read.frames)
      switch read.stop {
      case .none: break
      case .end: stretcher.finish()
      case .missing: return false
      }
    }
    while stretcher.welcomeFrames > 0 {
      let count = chunks.copy(
        from: ahead.position, count: stretcher.welcomeFrames, left: scratch,
        right: scratch + Self.scratchFrames)
      if count == 0 { break }
      ahead.position += count
      stretcher.give(left: scratch, right: scratch + Self.scratchFrames, count: count)
    }
    return true
  }
}
