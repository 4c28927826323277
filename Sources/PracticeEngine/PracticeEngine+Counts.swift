// What makes counts audible: the table of beats, clicks, and the count-in.

import Counts

extension PracticeEngine {
  /// The maximum number of beats in an engine.
  public static let beatCapacity = BeatTable.capacity

  /// The table's room for `beatCapacity` beats, to write them before `setBeats` and at no other time.
  public var beatDestination: UnsafeMutablePointer<EngineBeat> { beats.beats }

  /// Takes the first `count` beats of the table, for the loaded part, at any time: playback goes on, and
  /// a beat that has just been clicked is not clicked again.
  ///
  /// Their frames rise; those from the first on that does not are dropped.
  public mutating func setBeats(count: Int) {
    beats.take(count: count, position: reader.position)
    configureReader()
  }

  /// Sets what is counted before the start, from the next countdown on. Where no beats lie around the
  /// start, the countdown in seconds applies.
  public mutating func setCountIn(_ countIn: CountIn) {
    transport.countIn = countIn
    configureReader()
  }

  /// Sets the volume of the clicks, from the next one on: 0 is off, as at first; 1 their own level, 1.25
  /// the loudest.
  public mutating func setClick(volume: Float) {
    clickVolume = volume >= 0 ? min(volume, 1.25) : 0
    if clickVolume == 0 {
      clickVoice.fadeOut()
      if state == .playing { speaker.fadeOut() }
    }
  }

  /// Sets the volume of the part's audio alone: 0 leaves ticks and clicks, 1 the samples unchanged.
  public mutating func setMusicVolume(_ volume: Float) {
    let valid = volume >= 0 ? min(volume, 1) : 0
    if state == .playing { musicGain.move(to: valid) } else { musicGain.jump(to: valid) }
  }
}

extension PracticeEngine {
  /// Returns the numbers that lead to a frame at the current speed, if it is counted in.
  func countInSteps(to frame: Int) -> CountInSteps? {
    beats.steps(of: transport.countIn, to: frame, percent: transport.percent)
  }

  /// Begins the countdown that leads to the position, whose audio has arrived; without one, playback.
  mutating func beginCountdown() {
    let steps = countInSteps(to: reader.position)
    guard let steps else { return transport.dataArrived() }
    transport.dataArrived(
      steps: steps, leadFrames: leadFrames(of: steps.number(steps.count - 1)),
      introductionFrames: introductionFrames())
  }

  /// Starts the click, or the number, of the beat that is heard at a position of the track, if there is
  /// one.
  mutating func beginDueClick(at position: Int) {
    guard let due = beats.takeDue(at: position), clickVolume > 0 else { return }
    if clickSpeaks && !caller.isSounding && say(due.count, volume: clickVolume) { return }
    clickVoice.silence(into: &declicker)
    clickVoice.begin(TickBank.place(of: due.sound), volume: clickVolume)
  }

  /// Starts a tick of the countdown, or says its number in a count-in.
  mutating func beginDueTick(_ number: Int) {
    if transport.isCountIn && countInSpeaks && say(number, volume: tickVolume) { return }
    beginTick(transport.countdownSound)
  }
}
