// Ten minutes of practice with random commands, and invariants that always hold.

import TestSupport
import Testing

@testable import PracticeEngine

@Suite struct RandomCommandsTests {
  // Five runs of two minutes, which run in parallel.
  @Test(arguments: UInt64(1)...5)
  func `ten minutes of random commands violate no invariant`(seed: UInt64) {
    let practice = RandomPractice(seed: seed)
    while practice.rendered < 120 * 48_000 {
      practice.giveCommand()
      practice.render()
    }
    // Playback ran for a minimum time, in addition to countdowns and waiting for data.
    #expect(practice.playedFrames > 12 * 48_000)
  }
}

/// An engine with random commands, and a model of its expected state.
///
/// The left channel is a sine of 120 Hz and the right one is inverted. Ticks are the same in both
/// channels, so half of the difference contains no ticks. Every border is at the start of a period
/// of the sine, so a step that is larger than the sine's own is a click.
private final class RandomPractice {
  private var engine = PracticeEngine()
  private var random: SeededGenerator
  private let sine: [[Float]]
  private var left = [Float](repeating: 0, count: 8_192)
  private var right = [Float](repeating: 0, count: 8_192)
  private(set) var rendered = 0
  private(set) var playedFrames = 0
  private var history: [String] = []

  // Commanded values.
  private var part = 0..<0
  private var bounds = 0..<0
  private var loopMode = LoopMode.off
  private var chosenPercent = 100
  private var trainer = SpeedTrainer()
  private var rest = 0
  private var countdown = (frames: 0, repeats: CountdownRepeats.every)
  private var volume: Float = 1
  private var musicVolume: Float = 1
  private var hasLevels = false
  private var repeatLimit = 0
  /// The maximum repeat count: from the limit, or the count at the time when the limit was set.
  private var repeatCeiling = Int.max

  // Earlier events that no later command has invalidated.
  private var latestTick: EngineEvent?
  /// The latest turn of the loop, and the rest before the start that must follow.
  private var latestTurn: (clock: Int64, rest: Int)?
  private var lastSide: Float = 0

  /// Borders are multiples of this length, which is three periods of the sine.
  private static let grid = 1_200
  private static let trackFrames = 2 * EngineTimeline.chunkFrames
  /// The sine's own step an octave up, plus the step of overlapping fades of 240 frames.
  private static let largestStep: Float = 0.5 * 2 * 3.1416 * 240 / 48_000 + 0.014

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    let period = (0..<Self.grid).map {
      Float(0.5 * Mathematics.sine(turns: Double(3 * $0 % Self.grid) / Double(Self.grid)))
    }
    sine = [1, -1].map { sign in
      (0..<EngineTimeline.chunkFrames).map { sign * period[$0 % Self.grid] }
    }
    for chunk in 0...1 { provide(chunk, frames: EngineTimeline.chunkFrames) }
    load()
  }

  // MARK: Commands

  /// Gives one command and checks its effects.
  func giveCommand() {
    let clock = engine.clock
    // Playing is the most frequent command.
    if [.ready, .paused, .ended].contains(engine.state) && chance(2) { return play() }
    switch Int.random(in: 0..<27, using: &random) {
    case 0...4: play()
    case 5: pause()
    case 6, 7: seek()
    case 8: setLoop(.whole)
    case 9, 10: setLoop(.section)
    case 11: setLoop(.off)
    case 12, 13: setSpeed()
    case 14: setTrainer()
    case 15: setLimit()
    case 16: setRest()
    case 17: setCountdown()
    case 18: setVolume()
    case 19: chance(3) ? load() : preview()
    case 20: chance(6) ? unload() : discard()
    case 22: setBeats()
    case 23: setMusicVolume()
    case 24: setVoice()
    case 25: setCalls()
    case 26: setLevels()
    default: break
    }
    // Missing chunks arrive later, sometimes in pieces.
    for chunk in 0...1 where filled(chunk) < EngineTimeline.chunkFrames && chance(4) {
      provide(chunk, frames: chance(3) ? number(0...479_999) : EngineTimeline.chunkFrames)
    }
    follow(events(from: clock))
    checkState()
  }

  private func load() {
    let a = border(0...600_000)
    part = a..<min(a + border(6_000...400_000), Self.trackFrames)
    note("load \(part)")
    dropExpectations()
    loopMode = .off
    bounds = part
    engine.load(partStart: part.lowerBound, partEnd: part.upperBound)
    hasLevels = false
  }

  private func unload() {
    note("unload")
    dropExpectations()
    part = 0..<0
    bounds = part
    loopMode = .off
    engine.unload()
  }

  private func play() {
    note("play")
    engine.play()
    checkState()
  }

  private func pause() {
    note("pause")
    dropExpectations()
    engine.pause()
  }

  private func seek() {
    let frame = number(0...Self.trackFrames)
    note("seek \(frame)")
    dropExpectations()
    engine.seek(to: frame)
  }

  private func setLoop(_ mode: LoopMode) {
    let a = border(part.lowerBound...max(part.lowerBound, part.upperBound))
    // Most sections are short, so that they turn often. Some are empty, outside or reversed.
    let b = a + (chance(3) ? border(0...48_000) - 24_000 : border(0...9_600))
    note("loop \(mode) \(a) \(b)")
    dropExpectations()
    engine.setLoop(mode, from: a, to: b)
    guard engine.state != .empty else { return }
    let low = min(max(min(a, b), part.lowerBound), part.upperBound)
    let high = min(max(max(a, b), part.lowerBound), part.upperBound)
    let isSection = mode == .section && low < high
    loopMode = mode == .section && !isSection ? .off : mode
    bounds = isSection ? low..<high : part
  }

  private func setSpeed() {
    let percent = chance(4) ? 100 : number(0...300)
    note("speed \(percent)")
    chosenPercent = min(max(percent, 25), 200)
    engine.setSpeed(percent: percent)
    guard chance(3) else { return }
    let semitones = chance(2) ? 0 : number(-20...20)
    let isNatural = chance(2)
    note("semitones \(semitones), natural voice \(isNatural)")
    engine.setTransposition(semitones: semitones, isNaturalVoice: isNatural)
  }

  private func setTrainer() {
    trainer = SpeedTrainer(
      from: number(25...200), to: number(25...200), step: number(0...40), every: number(0...2))
    note("trainer \(trainer)")
    engine.setTrainer(trainer)
  }

  private func setLimit() {
    repeatLimit = number(0...4)
    repeatCeiling = repeatLimit == 0 ? .max : max(repeatLimit - 1, engine.repeatCount)
    note("limit \(repeatLimit)")
    engine.setRepeatLimit(repeatLimit)
  }

  private func setRest() {
    rest = chance(2) ? 0 : number(1...9_000)
    note("rest \(rest)")
    engine.setRest(frames: rest)
  }

  private func setCountdown() {
    countdown = (chance(3) ? number(1...100_000) : 0, chance(2) ? .every : .first)
    note("countdown \(countdown)")
    latestTurn = nil
    engine.setCountdown(frames: countdown.frames, sound: anySound(), repeats: countdown.repeats)
  }

  private func setVolume() {
    volume = chance(2) ? 1 : Float(number(0...100)) / 100
    note("volume \(volume)")
    engine.setVolume(volume)
  }

  private func setBeats() {
    let start = number(0...part.lowerBound + 1)
    let period = number(2_000...60_000)
    let count = number(0...60)
    let volume = chance(3) ? 0 : Float(number(0...100)) / 100
    note("beats from \(start) every \(period), \(count) of them, click at \(volume)")
    for index in 0..<count {
      engine.beatDestination[index] = EngineBeat(
        frame: Int32(start + index * period), count: Int32(index % 8 + 1),
        place: Int32(index % 4 + 1), metre: 4)
    }
    engine.setBeats(count: count)
    engine.setClick(volume: volume)
  }

  /// Mostly gives a voice of silence and noise, and sometimes one that is cut off.
  private func setVoice() {
    let samples = number(0...60_000)
    let (countIn, click) = (chance(2), chance(3))
    note("a voice of \(samples) samples, says count-ins: \(countIn), clicks: \(click)")
    for index in 0..<samples {
      engine.voiceSampleDestination[index] = Int16(index % 7_001)
    }
    for index in 0..<8 {
      engine.recordingDestination[index] = EngineRecording(
        start: Int32(index * 6_000), frames: Int32(number(-1...6_000)),
        attack: Int32(number(-1...6_000)))
    }
    engine.setVoice(recordings: number(0...8), samples: samples)
    engine.setSpeaking(countIn: countIn, click: click)
  }

  private func setCalls() {
    let volume: Float = chance(3) ? 0 : 0.01
    let duck = Float(number(50...100)) / 100
    note("calls at \(volume), the music at \(duck)")
    if chance(2) {
      let samples = number(0...300_000)
      engine.reserveNames(samples: samples)
      // A ramp, so that a name makes no step of its own.
      for index in 0..<samples { engine.nameSampleDestination[index] = Int16(index % 7_001) }
      for index in 0..<8 {
        engine.nameDestination[index] = EngineRecording(
          start: Int32(index * 6_000), frames: Int32(number(-1...60_000)),
          attack: Int32(number(-1...6_000)))
      }
      engine.setNames(recordings: number(0...9), samples: samples)
    }
    var frame = part.lowerBound
    let count = number(0...60)
    for index in 0..<count {
      frame += number(-10...40_000)
      engine.callDestination[index] = EngineCall(
        frame: Int32(frame), calledFrame: Int32(frame - number(-10...90_000)),
        recording: Int32(number(0...9)))
    }
    engine.setCalls(count: count)
    engine.setCaller(volume: volume, duck: duck)
  }

  private func setMusicVolume() {
    musicVolume = chance(2) ? 1 : Float(number(0...100)) / 100
    note("music volume \(musicVolume)")
    engine.setMusicVolume(musicVolume)
  }

  private func setLevels() {
    let levels = (0..<number(0...5)).map { _ in
      EngineLevel(
        frame: Int32(number(0...Self.trackFrames)), gain: Float(number(0...100)) / 100)
    }.sorted { $0.frame < $1.frame }
    note("levels \(levels)")
    for (index, level) in levels.enumerated() { engine.levelDestination[index] = level }
    engine.setLevels(count: levels.count)
    hasLevels = !levels.isEmpty
  }

  private func preview() {
    note("preview")
    engine.preview(tick: anySound())
  }

  private func discard() {
    let chunk = number(0...1)
    note("discard \(chunk)")
    dropExpectations()
    if chance(2) { engine.discard(chunk: chunk) } else { engine.discardAllChunks() }
  }

  private func provide(_ chunk: Int, frames: Int) {
    guard engine.reserve(chunk: chunk), frames > filled(chunk) else { return }
    note("chunk \(chunk) to \(frames)")
    for channel in 0...1 {
      guard let samples = engine.destination(chunk: chunk, channel: channel) else { continue }
      sine[channel].withUnsafeBufferPointer { sine in
        guard let sine = sine.baseAddress else { return }
        samples.update(from: sine, count: frames)
      }
    }
    engine.markFilled(chunk: chunk, frames: frames)
  }

  private func filled(_ chunk: Int) -> Int { engine.chunks.filledFrames(of: chunk) }

  /// Drops the expectations that earlier events set.
  private func dropExpectations() {
    latestTick = nil
    latestTurn = nil
  }

  // MARK: Sound

  /// Renders some blocks, and checks the output and the events.
  func render() {
    let blockSize = [64, 128, 441, 1_000, 4_096][number(0...4)]
    for _ in 0..<number(1...3) {
      let count = number(1...8_192)
      let before = (engine.state, engine.clock, engine.isSounding, engine.runFrames)
      let (largest, loudest) = renderBlocks(count, blockSize)
      rendered += count
      check(engine.clock == before.1 + Int64(count), "the clock counts every frame")
      check(largest < Self.largestStep, "nothing clicks: a step of \(largest)")
      check(loudest < 3.3, "nothing is louder than its parts: \(loudest)")
      if !before.2 && before.0 != .waiting { check(loudest == 0, "silence is silent") }
      let newEvents = events(from: before.1)
      if before.0 == .playing && engine.state == .playing { playedFrames += count }
      if before.0 == .playing && engine.state == .playing && newEvents.isEmpty {
        let run = engine.runFrames - before.3
        check(run >= count / 4 - 1 && run <= 2 * count + 2, "it runs at a possible speed: \(run)")
        if count > 2_000 && volume == 1 && musicVolume == 1 && !hasLevels {
          // A name may have halved it.
          check(loudest > 0.2, "playing is heard: \(loudest)")
        }
      }
      follow(newEvents)
      checkState()
    }
  }

  /// Returns the largest step without ticks, and the loudest sample with ticks.
  private func renderBlocks(_ frames: Int, _ blockSize: Int) -> (Float, Float) {
    var largest: Float = 0
    var loudest: Float = 0
    var done = 0
    while done < frames {
      let count = min(blockSize, frames - done)
      left.withUnsafeMutableBufferPointer { left in
        right.withUnsafeMutableBufferPointer { right in
          guard let left = left.baseAddress, let right = right.baseAddress else { return }
          engine.render(frames: count, left: left, right: right)
          for frame in 0..<count {
            let side = (left[frame] - right[frame]) / 2
            largest = max(largest, abs(side - lastSide))
            loudest = max(loudest, max(abs(left[frame]), abs(right[frame])))
            // A comparison with NaN is always false, so NaN needs its own check.
            if !side.isFinite { loudest = .infinity }
            lastSide = side
          }
        }
      }
      done += count
    }
    return (largest, loudest)
  }

  // MARK: Invariants

  private func events(from clock: Int64) -> [EngineEvent] {
    var events: [EngineEvent] = []
    var latest = clock
    while let event = engine.nextEvent() {
      check(event.clock >= latest && event.clock <= engine.clock, "events come in order")
      latest = event.clock
      events.append(event)
    }
    check(events.count < EventRing.capacity, "no event was lost")
    return events
  }

  /// Checks the order of events and their values.
  private func follow(_ events: [EngineEvent]) {
    var count: Int?
    for (index, event) in events.enumerated() {
      switch event.kind {
      case .tick:
        if let latestTick {
          check(event.value == latestTick.value - 1, "ticks count down by one")
          check(event.clock == latestTick.clock + 48_000, "ticks are a second apart")
        }
        check(event.value > 0, "no tick at the start itself")
        latestTick = event
      case .started:
        if let latestTick {
          check(latestTick.value == 1, "the last tick is number one")
          check(event.clock == latestTick.clock + 48_000, "a second from tick to start")
        }
        if let latestTurn {
          let counted = countdown.repeats == .every ? countdown.frames : 0
          check(
            event.clock == latestTurn.clock + Int64(latestTurn.rest + counted),
            "rest and countdown are as long as they were set")
        }
        check(bounds.contains(event.value), "it starts within its bounds")
        dropExpectations()
      case .looped:
        if let count { check(event.value == count + 1, "repeats are counted one by one") }
        check(loopMode != .off, "only a loop repeats")
        count = event.value
        dropExpectations()
        latestTurn = (event.clock, rest)
      case .ended:
        check(index == events.count - 1, "nothing follows the end")
        check(engine.state == .ended, "what ended has ended")
        dropExpectations()
      case .starved:
        check(part.contains(event.value), "only what is heard is waited for")
        dropExpectations()
      }
    }
    if let count { check(engine.repeatCount == count, "the repeats are those that were told") }
  }

  /// Checks the invariants of the state.
  private func checkState() {
    let state = engine.state
    check((state == .empty) == part.isEmpty, "only without a part is it empty")
    check(engine.boundsStart == bounds.lowerBound, "A is where it was set")
    check(engine.boundsEnd == bounds.upperBound, "B is where it was set")
    if state != .ended {
      // At twice the speed the end can lie between two frames of the output.
      let positions = bounds.lowerBound...(bounds.upperBound + 1)
      check(positions.contains(engine.frame), "the place lies within the bounds: \(engine.frame)")
    }
    let isTrained = trainer.every > 0 && loopMode != .off
    check(
      engine.percent == (isTrained ? trainedPercent() : chosenPercent),
      "the speed is the one that was set: \(engine.percent)")
    if engine.repeatCount < repeatLimit { repeatCeiling = repeatLimit - 1 }
    check(engine.repeatCount <= repeatCeiling, "the limit holds: \(engine.repeatCount)")
    check((state == .resting) == (engine.restFramesLeft > 0), "resting is what has rest left")
    check((0...9_000).contains(engine.restFramesLeft), "a rest is as long as it was set at most")
    let running = engine.runningCountdownFrames
    check((state == .countdown) == (running > 0), "only a countdown counts")
    check((0...100_000).contains(running), "a countdown is as long as it was set at most")
    check((0...running).contains(engine.countdownFramesLeft), "a countdown has its length at most")
  }

  private func trainedPercent() -> Int {
    let distance = engine.repeatCount / trainer.every * trainer.step
    return trainer.from <= trainer.to
      ? min(trainer.to, trainer.from + distance) : max(trainer.to, trainer.from - distance)
  }

  private func check(
    _ holds: Bool, _ rule: @autoclosure () -> String, line: Int = #line
  ) {
    if holds { return }
    #expect(
      holds, "\(rule()) (line \(line), frame \(rendered)), after: \(history.suffix(15))")
  }

  // MARK: Random values

  private func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }
  private func chance(_ one: Int) -> Bool { number(1...one) == 1 }
  private func border(_ range: ClosedRange<Int>) -> Int {
    number(range.lowerBound / Self.grid...range.upperBound / Self.grid) * Self.grid
  }
  private func anySound() -> TickSound {
    TickSound.allCases[number(0...TickSound.allCases.count - 1)]
  }
  private func note(_ command: String) { history.append("\(rendered): \(command)") }
}
