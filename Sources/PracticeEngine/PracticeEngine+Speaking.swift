// Says numbers in place of the ticks of a count-in and of clicks. The attack of a number falls on the frame
// of its count, so it begins earlier.

extension PracticeEngine {
  /// The recordings of a voice: the counts of an eight.
  public static let voiceRecordingCapacity = 8
  /// The samples of a voice: 0.6 s for each recording.
  public static let voiceSampleCapacity =
    voiceRecordingCapacity * VoiceBank.framesPerSecond * 6 / 10

  /// The voice's room for `voiceRecordingCapacity` recordings and `voiceSampleCapacity` samples at 24,000 Hz.
  /// Write them just before `setVoice` and at no other time.
  public var recordingDestination: UnsafeMutablePointer<EngineRecording> { voice.recordings }
  public var voiceSampleDestination: UnsafeMutablePointer<Int16> { voice.samples }

  /// Takes the voice that was written, at any time; a number that sounds is cut off without a click. The
  /// first recording says "one". A number without a recording is ticked or clicked.
  public mutating func setVoice(recordings: Int, samples: Int) {
    speaker.silence(into: &declicker)
    voice.take(recordings: recordings, samples: samples)
  }

  /// Sets whether the numbers of a count-in are said, from the next one on, and those of the clicks.
  public mutating func setSpeaking(countIn: Bool, click: Bool) {
    countInSpeaks = countIn
    clickSpeaks = click
  }
}

/// A number to be said, so many output frames before its count.
private struct UpcomingNumber {
  var number: Int
  var frames: Int
  var volume: Float
}

extension PracticeEngine {
  /// The frames of a countdown before its first number, in which that begins to be said.
  func leadFrames(of number: Int) -> Int {
    countInSpeaks ? voice.sound(number)?.lead ?? 0 : 0
  }

  /// Says the number of a count that is heard now, unless it has begun already. Returns false if there is
  /// no recording of it.
  mutating func say(_ number: Int, volume: Float) -> Bool {
    if speaker.count(at: clock) { return true }
    guard let sound = voice.sound(number) else { return false }
    speaker.begin(sound, attackIn: 0, volume: volume, declicker: &declicker)
    return true
  }

  /// Begins the next number when it is time for it. Returns the frames until it will be, at least 1.
  ///
  /// A number that has begun begins again, further on, if its count has moved: the speed has changed, or
  /// other beats came.
  mutating func speakAhead(at position: Int) -> Int {
    guard countInSpeaks || clickSpeaks, !(state == .playing && caller.isSounding),
      let next = upcomingNumber(at: position),
      let sound = voice.sound(next.number)
    else {
      speaker.drop()
      return .max
    }
    if state == .playing && beats.isDue(at: position) {
      // The count before it is heard on this very frame.
      return max(1, next.frames - min(sound.lead, next.frames / 2))
    }
    let lead = speaker.lead(of: sound, before: next.frames, clock: clock)
    if next.frames > lead {
      speaker.drop()
      return next.frames - lead
    }
    if !speaker.leads(sound, to: next.frames) {
      speaker.begin(sound, attackIn: next.frames, volume: next.volume, declicker: &declicker)
    }
    return .max
  }

  /// Returns the next number to be said after this frame, at which `position` of the track is heard.
  private func upcomingNumber(at position: Int) -> UpcomingNumber? {
    switch state {
    case .countdown:
      guard countInSpeaks, let count = transport.nextCount else {
        return firstClick(from: position, after: transport.countdownFramesLeft)
      }
      return UpcomingNumber(number: count.number, frames: count.frames, volume: tickVolume)
    case .resting:
      guard !transport.countsBeforeRepeats else { return nil }
      return firstClick(from: transport.boundsStart, after: transport.restFramesLeft)
    case .playing:
      return nextClick(after: position)
    case .empty, .ready, .waiting, .paused, .ended:
      return nil
    }
  }

  /// Returns the first click of playback that begins at `start` after so many frames.
  private func firstClick(from start: Int, after frames: Int) -> UpcomingNumber? {
    guard clickSpeaks, clickVolume > 0, let beat = beats.beat(from: start),
      beat.frame < transport.boundsEnd
    else { return nil }
    // In 64 bits, as Int has 32 in WebAssembly.
    let percent = Int64(transport.percent)
    let played = (Int64(Int(beat.frame) - start) &* 100 + percent - 1) / percent
    return UpcomingNumber(
      number: Int(beat.count), frames: Int(min(Int64(frames) + played, Int64(Int32.max))),
      volume: clickVolume)
  }

  /// Returns the next click during playback, which may lie in the loop's next turn.
  private func nextClick(after position: Int) -> UpcomingNumber? {
    guard clickSpeaks, clickVolume > 0 else { return nil }
    let beat: EngineBeat
    let distance: Int
    if let here = beats.beat(after: position), here.frame < reader.end {
      beat = here
      distance = Int(here.frame) - position
    } else if reader.repeats, let first = beats.beat(from: reader.start), first.frame < reader.end {
      beat = first
      distance = reader.end - position + Int(first.frame) - reader.start
    } else {
      return nil
    }
    let frames =
      isStretched ? stretcher.framesUntil(Int64(sourceHeard) + Int64(distance)) : distance
    return UpcomingNumber(number: Int(beat.count), frames: frames, volume: clickVolume)
  }
}
