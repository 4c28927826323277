// Playing along with another engine: two engines, one of which joins at some moment.

import PracticeEngine
import TestSupport
import Testing

@Suite struct JoiningTests {
  private let second = 48_000

  /// What an engine plays next, as somebody who joins is told it.
  private func join(_ follower: Rig, to leader: Rig, late: Int = 0) {
    let (frame, left) = (leader.engine.frame, leader.engine.countdownFramesLeft)
    leader.render(late)
    follower.engine.join(at: frame, countdownFramesLeft: left, lateFrames: late)
  }

  @Test(arguments: [0, 1, 127, 3_000, 20_000])
  func `who joins plays the same frame from the next one on`(late: Int) {
    let (leader, follower) = (Rig(), Rig())
    leader.engine.play()
    leader.render(30_000)
    join(follower, to: leader, late: late)
    leader.render(1_000)
    follower.render(1_000)
    #expect(follower.engine.frame == leader.engine.frame)
    let (one, other) = (leader.render(4_000), follower.render(4_000))
    // Not as the expectation itself, which would print all samples.
    let isSame = one == other
    #expect(isSame)
  }

  @Test(arguments: [0, 20_000, 70_000, 130_000])
  func `who joins in a countdown hears what is left of it and starts with the others`(late: Int) {
    let (leader, follower) = (Rig(), Rig())
    for rig in [leader, follower] {
      rig.engine.setCountdown(frames: 3 * second, sound: .clave, repeats: .every)
    }
    leader.engine.play()
    leader.render(10_000)
    join(follower, to: leader, late: late)
    _ = (leader.events(), follower.events())
    leader.render(3 * second)
    follower.render(3 * second)
    #expect(follower.engine.frame == leader.engine.frame)
    #expect(leader.events(.tick).map(\.value) == follower.events(.tick).map(\.value))
    let (one, other) = (leader.render(4_000), follower.render(4_000))
    // Not as the expectation itself, which would print all samples.
    let isSame = one == other
    #expect(isSame)
  }

  @Test func `who joins in a loop at another speed is as far round as the others`() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<40 {
      let (leader, follower) = (Rig(part: 0..<100_000), Rig(part: 0..<100_000))
      let percent = Int.random(in: 25...200, using: &random)
      for rig in [leader, follower] {
        rig.engine.setLoop(
          .section, from: 10_000, to: Int.random(in: 20_000...20_000, using: &random))
        rig.engine.setSpeed(percent: percent)
      }
      leader.engine.play()
      leader.render(Int.random(in: 5_000...60_000, using: &random))
      join(follower, to: leader, late: Int.random(in: 0...30_000, using: &random))
      follower.render(2_048)
      leader.render(2_048)
      let distance = abs(leader.engine.frame - follower.engine.frame)
      // Rounding, at the speed and at the start of the stretcher.
      #expect(min(distance, 10_000 - distance) <= 64, "\(percent)")
    }
  }

  @Test func `joining while playing moves without a click`() {
    let (leader, follower) = (Rig(signal: .sine), Rig(signal: .sine))
    leader.engine.play()
    follower.engine.play()
    leader.render(20_000)
    let before = follower.render(19_700)
    join(follower, to: leader)
    let after = follower.render(2_000)
    let whole = Output(left: before.left + after.left, right: before.right + after.right)
    #expect(whole.largestStep(in: 1_000..<whole.count) < 2 * Signal.sineStep)
    leader.render(2_000)
    #expect(follower.engine.frame == leader.engine.frame)
  }

  @Test func `joining past the end of what does not loop stays before it`() {
    let rig = Rig(part: 0..<10_000)
    rig.engine.join(at: 9_000, countdownFramesLeft: 0, lateFrames: 5_000)
    #expect(rig.engine.frame == 9_999)
    rig.engine.unload()
    rig.engine.join(at: 5, countdownFramesLeft: 5, lateFrames: 5)
    #expect(rig.engine.state == .empty)
  }

  @Test func `after joining a countdown the next start has the whole one again`() {
    let rig = Rig()
    rig.engine.setCountdown(frames: second, sound: .clave, repeats: .every)
    rig.engine.join(at: 0, countdownFramesLeft: 500, lateFrames: 0)
    rig.engine.pause()
    rig.engine.play()
    rig.render(1)
    #expect(rig.engine.countdownFramesLeft == second - 1)
  }
}
