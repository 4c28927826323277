// Raises or lowers the part's audio, so that the parts of a routine sound equally loud.

extension PracticeEngine {
  /// The maximum number of levels in an engine.
  public static let levelCapacity = LevelTable.capacity

  /// The table's room for `levelCapacity` levels, to write them before `setLevels` and at no other time.
  public var levelDestination: UnsafeMutablePointer<EngineLevel> { levels.levels }

  /// Takes the first `count` levels of the table, for what is loaded, at any time: playback goes on, and
  /// moves to its new level within a fade. Without levels the samples stay unchanged.
  ///
  /// Their frames rise; those from the first on that does not are dropped.
  public mutating func setLevels(count: Int) {
    levels.take(count: count)
    if state != .playing { beginLevel() }
  }
}

extension PracticeEngine {
  /// Audio begins at the position: at its level.
  mutating func beginLevel() { levelGain.jump(to: levels.gain(at: reader.position)) }

  /// Moves to the level that `position` asks for. Returns the frames of the track until another one is due.
  ///
  /// A rise begins where the level changes, a fall ends there, so that at no frame a peak is louder than its
  /// own level makes it.
  mutating func followLevels(at position: Int) -> Int {
    guard levels.count > 0 || levelGain.target != 1 else { return .max }
    let here = levels.gain(at: position)
    var next = levels.change(after: position) ?? EngineLevel(frame: .max, gain: here)
    if reader.repeats, reader.end <= Int(next.frame) {
      next = EngineLevel(frame: Int32(reader.end), gain: levels.gain(at: reader.start))
    }
    let distance = Int(next.frame) - position
    let percent = isStretched ? transport.percent : 100
    let fall = EngineTimeline.fadeFrames * percent / 100
    let falls = next.gain < here
    if falls && distance <= fall {
      moveLevel(to: next.gain, within: distance * 100 / percent)
      return distance
    }
    moveLevel(to: here, within: EngineTimeline.fadeFrames)
    return falls ? distance - fall : distance
  }

  private mutating func moveLevel(to gain: Float, within frames: Int) {
    if levelGain.target == gain { return }
    levelGain.move(to: gain, frames: max(min(frames, EngineTimeline.fadeFrames), 1))
  }
}
