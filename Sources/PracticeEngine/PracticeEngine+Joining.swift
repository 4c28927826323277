// Playing along with another engine, in the middle of its countdown or its music.

extension PracticeEngine {
  /// Plays along with an engine that has played `frame`, or had `countdownFramesLeft` before it, `lateFrames`
  /// of the clock ago. Bounds, loop and speed are this engine's own, which should be those of the other one.
  ///
  /// While it plays, the old audio fades out and the new audio fades in, as when seeking.
  public mutating func join(at frame: Int, countdownFramesLeft: Int, lateFrames: Int) {
    guard state != .empty else { return }
    let late = max(0, lateFrames)
    let left = max(0, countdownFramesLeft - late)
    let played = max(0, late - max(0, countdownFramesLeft)) * transport.percent / 100
    let target = placeInBounds(frame + played)
    if state == .playing && left == 0 { return seek(to: target) }
    pause()
    seek(to: target)
    stopCalling()
    transport.join(countdownFramesLeft: left)
    configureReader()
    runFrames = 0
    caller.begin(at: reader.position, of: calls)
    announceMissingData()
  }

  /// Returns where playback is that went on past the end: in a loop further round, otherwise just before it.
  private func placeInBounds(_ frame: Int) -> Int {
    let length = boundsEnd - boundsStart
    if frame < boundsEnd || length <= 0 { return max(frame, boundsStart) }
    return turnsWithoutGap ? boundsStart + (frame - boundsStart) % length : boundsEnd - 1
  }
}
