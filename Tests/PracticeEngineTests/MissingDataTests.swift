// Playback when audio arrives late: the engine is silent and skips no frame.

import Testing

@testable import PracticeEngine

@Suite struct MissingDataTests {
  @Test func `playback waits for the first frame and starts with it`() {
    let rig = Rig(provided: false)
    rig.engine.play()
    let silence = rig.render(5_000)
    #expect(silence.isSilent(0..<5_000))
    #expect(rig.engine.state == .waiting)
    #expect(rig.events() == [EngineEvent(kind: .starved, value: 0, clock: 0)])
    rig.provide(0)
    #expect(rig.render(5_000).equals(.noise, from: 0, in: 0..<5_000))
  }

  @Test func `the countdown starts when the audio has arrived, so it ends exactly at the start`() {
    let rig = Rig(provided: false)
    rig.engine.setCountdown(frames: 48_000, sound: .clave, repeats: .every)
    rig.engine.play()
    rig.render(3_000)
    rig.provide(0)
    let output = rig.render(50_000)
    #expect(output.equals(.noise, from: 0, in: 48_000..<50_000))
    #expect(rig.events(.tick).map(\.clock) == [3_000])
  }

  @Test func `when data runs out playback stops and continues with the next frame`() {
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

  @Test func `stopping for missing data and continuing does not click`() {
    let rig = Rig(part: 0..<90_000, signal: .sine, provided: false)
    rig.provide(0, frames: 10_030)
    rig.engine.play()
    var whole = rig.render(12_000)
    rig.provide(0)
    whole.left += rig.render(2_000).left
    #expect(whole.largestStep(in: 9_000..<14_000) < Signal.sineStep + 0.004)
  }

  @Test func `playback across a chunk border is continuous`() {
    let rig = Rig(part: 400_000..<560_000)
    rig.engine.play()
    #expect(rig.render(160_000).equals(.noise, from: 400_000, in: 0..<160_000))
  }

  @Test func `pausing ends waiting for data`() {
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

  @Test func `a section without missing chunks ends waiting for look-ahead frames`() {
    let rig = waitingAhead()
    rig.engine.setLoop(.section, from: 465_000, to: 479_999)
    rig.render(20_000)
    #expect(rig.engine.state == .playing)
  }

  @Test func `a return to the normal speed ends waiting for look-ahead frames`() {
    let rig = waitingAhead()
    rig.engine.setSpeed(percent: 100)
    rig.render(20_000)
    #expect(rig.engine.state == .waiting)
    #expect(rig.engine.frame == 480_000)
    #expect(rig.engine.awaitedFrame == 480_000)
  }

  /// An engine that waits in the first chunk because the second one is missing.
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

  @Test func `the oldest unread events are dropped for the latest`() {
    let rig = Rig()
    rig.engine.setLoop(.section, from: 0, to: 10)
    rig.engine.play()
    rig.render(2_000)
    let events = rig.events()
    #expect(events.count == 64)
    #expect(events.last?.value == rig.engine.repeatCount)
  }

  @Test func `a pause at the first frame of a missing chunk does not click`() {
    let rig = Rig(part: 0..<960_000, signal: .sine, provided: false)
    rig.provide(0)
    rig.engine.seek(to: 470_000)
    rig.engine.play()
    rig.render(4_800)
    rig.engine.seek(to: 479_000)
    rig.render(1_000)
    #expect(rig.engine.frame == 480_000)
    rig.engine.pause()
    let output = rig.render(480)
    // The sine's last frame, faded; without it there would be silence at once.
    #expect(abs(output.left[0]) > 0 || abs(output.right[0]) > 0)
    #expect(output.largestStep(in: 0..<480) < Signal.sineStep)
  }
}
