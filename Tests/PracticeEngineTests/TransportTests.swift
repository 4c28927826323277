// The transport's states and counters, without audio.

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

  @Test func `running out of data during playback starts no second countdown`() {
    var transport = loaded(countdownFrames: 48_000)
    transport.start(afresh: true)
    transport.dataArrived()
    _ = transport.advanceCountdown(by: 48_000)
    transport.starve()
    #expect(transport.state == .waiting)
    transport.dataArrived()
    #expect(transport.state == .playing)
  }

  @Test func `reaching the end stops playback without a loop and repeats with one`() {
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

  @Test func `setting another loop mode resets the repeat count`() {
    var transport = loaded()
    transport.setLoop(.whole, from: 0, to: 0)
    transport.countTurns(7)
    transport.setLoop(.section, from: 600, to: 900)
    #expect(transport.repeatCount == 0)
    transport.countTurns(2)
    transport.setLoop(.section, from: 610, to: 900)
    #expect(transport.repeatCount == 2)
  }

  @Test func `a new start resets the repeat count and a start after a pause keeps it`() {
    var transport = loaded()
    transport.setLoop(.whole, from: 0, to: 0)
    transport.countTurns(3)
    transport.start(afresh: false)
    #expect(transport.repeatCount == 3)
    transport.start(afresh: true)
    #expect(transport.repeatCount == 0)
  }

  @Test func `pausing a part that does not play changes nothing`() {
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
    #expect(transport.turnsLeft == 0)
    transport.countdownRepeats = .first
    #expect(transport.turnsLeft == LoopingReader.endless)
    transport.restFrames = 1
    #expect(transport.turnsLeft == 0)
    transport.restFrames = 0
    transport.setLoop(.off, from: 0, to: 0)
    #expect(transport.turnsLeft == 0)
  }

  @Test func `the limit counts played turns and a new start resets the count`() {
    var transport = loaded()
    transport.setLoop(.whole, from: 0, to: 0)
    transport.repeatLimit = 3
    #expect(transport.turnsLeft == 2)
    transport.countTurns(2)
    #expect(transport.turnsLeft == 0)
    let goesOn = transport.reachEnd()
    #expect(!goesOn)
    #expect(transport.state == .ended)
    transport.start(afresh: true)
    #expect(transport.turnsLeft == 2)
    transport.countTurns(1)
    transport.repeatLimit = 1
    #expect(transport.turnsLeft == 0)
  }

  @Test(arguments: [CountdownRepeats.every, .first])
  func `a rest comes before the repeat and its countdown`(repeats: CountdownRepeats) {
    var transport = loaded(countdownFrames: 48_000)
    transport.countdownRepeats = repeats
    transport.restFrames = 900
    transport.setLoop(.whole, from: 0, to: 0)
    let goesOn = transport.reachEnd()
    #expect(goesOn)
    #expect(transport.state == .resting)
    transport.advanceRest(by: 899)
    #expect(transport.state == .resting)
    #expect(transport.restFramesLeft == 1)
    transport.advanceRest(by: 1)
    #expect(transport.state == .waiting)
    transport.dataArrived()
    #expect(transport.state == (repeats == .every ? .countdown : .playing))
  }

  @Test func `a pause ends a rest and play starts a countdown`() {
    var transport = loaded(countdownFrames: 48_000)
    transport.countdownRepeats = .first
    transport.restFrames = 900
    transport.setLoop(.whole, from: 0, to: 0)
    _ = transport.reachEnd()
    transport.pause()
    #expect(transport.state == .paused)
    #expect(transport.restFramesLeft == 0)
    transport.start(afresh: false)
    transport.dataArrived()
    #expect(transport.state == .countdown)
  }

  @Test func `the trainer changes the speed by its step up or down to its limit`() {
    var transport = loaded()
    transport.chosenPercent = 90
    transport.trainer = SpeedTrainer(from: 60, to: 75, step: 10, every: 2)
    #expect(transport.percent == 90)  // Nothing repeats.
    transport.setLoop(.whole, from: 0, to: 0)
    var heard: [Int] = []
    for _ in 0..<7 {
      heard.append(transport.percent)
      transport.countTurns(1)
    }
    #expect(heard == [60, 60, 70, 70, 75, 75, 75])
    transport.start(afresh: true)
    #expect(transport.percent == 60)
    #expect(SpeedTrainer(from: 100, to: 80, step: 8, every: 1).percent(afterRepeats: 2) == 84)
    #expect(SpeedTrainer(from: 100, to: 80, step: 8, every: 1).percent(afterRepeats: .max) == 80)
    transport.trainer.every = 0
    #expect(transport.percent == 90)
  }
}
