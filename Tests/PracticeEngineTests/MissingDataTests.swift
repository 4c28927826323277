// What happens when audio is not there in time: silence, and not a frame lost.

import Testing

@testable import PracticeEngine

@Suite struct MissingDataTests {
  @Test func `it waits for the first frame and then starts with it`() {
    let rig = Rig(provided: false)
    rig.engine.play()
    let silence = rig.render(5_000)
    #expect(silence.isSilent(0..<5_000))
    #expect(rig.engine.state == .waiting)
    #expect(rig.events() == [EngineEvent(kind: .starved, value: 0, clock: 0)])
    rig.provide(0)
    #expect(rig.render(5_000).equals(.noise, from: 0, in: 0..<5_000))
  }

  @Test func `the countdown begins when the audio is there, so that its end is exact`() {
    let rig = Rig(provided: false)
    rig.engine.setCountdown(frames: 48_000, sound: .clave, repeats: .every)
    rig.engine.play()
    rig.render(3_000)
    rig.provide(0)
    let output = rig.render(50_000)
    #expect(output.equals(.noise, from: 0, in: 48_000..<50_000))
    #expect(rig.events(.tick).map(\.clock) == [3_000])
  }

  @Test func `when data runs out it holds its place and goes on with the next frame`() {
    let rig = Rig(part: 0..<90_000, provided: false)
    rig.provide(0, frames: 10_000)
    rig.engine.play()
    let output = rig.render(12_000)
    #expect(output.equals(.noise, from: 0, in: 0..<10_000))
    #expect(output.isSilent(10_240..<12_000))
    #expect(rig.engine.frame == 10_000)
    #expect(
      rig.events(.starved) == [EngineEvent(kind: .starved, value: 10_000, clock: 10_000)])
    rig.provide(0)
    let rest = rig.render(2_000)
    #expect(rest.equals(.noise, from: 10_240, in: 240..<2_000))
    #expect(rig.engine.frame == 12_000)
  }

  @Test func `running out and coming back does not click`() {
    let rig = Rig(part: 0..<90_000, signal: .sine, provided: false)
    rig.provide(0, frames: 10_030)
    rig.engine.play()
    var whole = rig.render(12_000)
    rig.provide(0)
    whole.left += rig.render(2_000).left
    #expect(whole.largestStep(in: 9_000..<14_000) < Signal.sineStep + 0.004)
  }

  @Test func `a chunk border is no border to the ear`() {
    let rig = Rig(part: 400_000..<560_000)
    rig.engine.play()
    #expect(rig.render(160_000).equals(.noise, from: 400_000, in: 0..<160_000))
  }

  @Test func `pausing while it waits ends the wait`() {
    let rig = Rig(provided: false)
    rig.engine.play()
    rig.render(100)
    rig.engine.pause()
    rig.provide(0)
    #expect(rig.render(1_000).isSilent(0..<1_000))
    #expect(rig.engine.state == .paused)
  }

  @Test func `a loop waits at A when A is missing`() {
    let rig = Rig(part: 400_000..<600_000, provided: false)
    rig.provide(1)
    rig.engine.setLoop(.section, from: 470_000, to: 490_000)
    rig.engine.seek(to: 485_000)
    rig.engine.play()
    rig.render(6_000)
    #expect(rig.engine.state == .waiting)
    #expect(rig.engine.frame == 470_000)
    rig.provide(0)
    #expect(rig.render(1_000).equals(.noise, from: 470_000, in: 0..<1_000))
    #expect(rig.engine.repeatCount == 1)
  }

  @Test func `slowed down it waits for what lies ahead until a section does without`() {
    let rig = waitingAhead()
    rig.engine.setLoop(.section, from: 465_000, to: 479_999)
    rig.render(20_000)
    #expect(rig.engine.state == .playing)
  }

  @Test func `slowed down it waits for what lies ahead until the speed does without`() {
    let rig = waitingAhead()
    rig.engine.setSpeed(percent: 100)
    rig.render(20_000)
    #expect(rig.engine.state == .waiting)
    #expect(rig.engine.frame == 480_000)
    #expect(rig.engine.awaitedFrame == 480_000)
  }

  /// An engine that stands in the first chunk for want of the second one.
  private func waitingAhead() -> Rig {
    let rig = Rig(part: 400_000..<600_000, provided: false)
    rig.provide(0)
    rig.engine.setSpeed(percent: 50)
    rig.engine.seek(to: 470_000)
    rig.engine.play()
    rig.render(40_000)
    #expect(rig.engine.state == .waiting)
    #expect(rig.engine.frame < 479_000)
    #expect(rig.engine.awaitedFrame == 480_000)
    return rig
  }

  @Test func `events that nobody fetches make room for the latest`() {
    let rig = Rig()
    rig.engine.setLoop(.section, from: 0, to: 10)
    rig.engine.play()
    rig.render(2_000)
    let events = rig.events()
    #expect(events.count == 64)
    #expect(events.last?.value == rig.engine.repeatCount)
  }
}
