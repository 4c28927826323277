// The rules of practice as numbers alone, without a sample.

import Testing

@testable import PracticeEngine

@Suite struct TransportTests {
  /// A transport with a part of 1,000 frames from frame 500 on.
  private func loaded(countdownFrames: Int = 0) -> Transport {
    var transport = Transport()
    transport.load(partStart: 500, partEnd: 1_500)
    transport.countdownFrames = countdownFrames
    return transport
  }

  @Test func `a start waits for data, then counts down, then plays`() {
    var transport = loaded(countdownFrames: 96_000)
    transport.start(afresh: true)
    #expect(transport.state == .waiting)
    transport.dataArrived()
    #expect(transport.state == .countdown)
    #expect(transport.dueTick == 2)
    let isOverAfterOne = transport.advanceCountdown(by: 48_000)
    #expect(!isOverAfterOne)
    #expect(transport.dueTick == 1)
    let isOverAfterTwo = transport.advanceCountdown(by: 48_000)
    #expect(isOverAfterTwo)
    #expect(transport.state == .playing)
    #expect(transport.runningCountdownFrames == 0)
  }

  @Test func `running out of data in the middle brings no second countdown`() {
    var transport = loaded(countdownFrames: 48_000)
    transport.start(afresh: true)
    transport.dataArrived()
    _ = transport.advanceCountdown(by: 48_000)
    transport.starve()
    #expect(transport.state == .waiting)
    transport.dataArrived()
    #expect(transport.state == .playing)
  }

  @Test func `the end is the end unless something repeats`() {
    var transport = loaded()
    let repeatsAtFirst = transport.reachEnd()
    #expect(!repeatsAtFirst)
    #expect(transport.state == .ended)
    transport.setLoop(.whole, from: 0, to: 0)
    let repeatsThen = transport.reachEnd()
    #expect(repeatsThen)
    #expect(transport.repeatCount == 1)
    #expect(transport.state == .waiting)
  }

  @Test func `another loop counts its repeats from the beginning`() {
    var transport = loaded()
    transport.setLoop(.whole, from: 0, to: 0)
    transport.countTurns(7)
    transport.setLoop(.section, from: 600, to: 900)
    #expect(transport.repeatCount == 0)
    transport.countTurns(2)
    transport.setLoop(.section, from: 610, to: 900)
    #expect(transport.repeatCount == 2)
  }

  @Test func `a start afresh counts anew and one after a pause counts on`() {
    var transport = loaded()
    transport.setLoop(.whole, from: 0, to: 0)
    transport.countTurns(3)
    transport.start(afresh: false)
    #expect(transport.repeatCount == 3)
    transport.start(afresh: true)
    #expect(transport.repeatCount == 0)
  }

  @Test func `pausing does nothing to what does not play`() {
    var transport = loaded()
    transport.pause()
    #expect(transport.state == .ready)
    transport.end()
    transport.pause()
    #expect(transport.state == .ended)
  }

  @Test func `a loop with a countdown before each repeat is not gapless`() {
    var transport = loaded(countdownFrames: 48_000)
    transport.setLoop(.whole, from: 0, to: 0)
    #expect(!transport.loopsWithoutGap)
    transport.countdownRepeats = .first
    #expect(transport.loopsWithoutGap)
    transport.setLoop(.off, from: 0, to: 0)
    #expect(!transport.loopsWithoutGap)
  }
}
