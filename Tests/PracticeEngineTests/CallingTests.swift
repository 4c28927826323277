// The caller: names on their exact frames, at every speed and in loops, never late and never over one
// another, and the music that gives way.

import TestSupport
import Testing

@testable import PracticeEngine

@Suite struct CallingTests {
  private let voice = TestVoice()

  /// A name's attack in the output.
  private struct Said: Equatable, CustomStringConvertible {
    var name: Int
    var frame: Int
    var description: String { "\(name) at \(frame)" }
  }

  /// An engine that calls, with silent music.
  private func rig(
    _ part: Range<Int> = 1_000..<200_000, calls: [(frame: Int, called: Int, name: Int)],
    names: TestVoice? = nil
  ) -> Rig {
    let rig = Rig(part: part)
    rig.setNames(names ?? voice)
    rig.setCalls(calls)
    rig.engine.setCaller(volume: 1, duck: 0.25)
    rig.engine.setMusicVolume(0)
    return rig
  }

  /// The attacks in an output: the frames that have exactly their value.
  private func said(_ output: Output, volume: Float = 1) -> [Said] {
    let attacks = (1...8).map { Float(TestVoice.mark + $0) / 32_768 * volume }
    return output.left.indices.compactMap { frame in
      attacks.firstIndex(of: output.left[frame]).map { Said(name: $0 + 1, frame: frame) }
    }
  }

  /// The output frames of a name.
  private func length(_ name: Int) -> Int { 2 * Int(voice.recordings[name - 1].frames) }

  /// The first output frame at which a number of source frames has passed.
  private func output(_ frames: Int, _ percent: Int) -> Int {
    (frames * 100 + percent - 1) / percent
  }

  // MARK: On its frame

  @Test(arguments: [25, 50, 75, 100, 150], [1, 128, 441])
  func `the attack of a name falls on its call's frame`(percent: Int, blockSize: Int) {
    let rig = rig(calls: [(60_001, 20_003, 1), (90_007, 61_009, 2), (120_000, 90_007, 3)])
    rig.engine.setSpeed(percent: percent)
    rig.render(77)
    rig.engine.play()
    let played = rig.render(output(130_000, percent), blockSize: blockSize)
    let expected = [(1, 20_003), (2, 61_009), (3, 90_007)].map {
      Said(name: $0.0, frame: output($0.1 - 1_000, percent))
    }
    #expect(said(played) == expected)
    // Whole, and nothing else.
    let start = expected[1].frame - voice.lead(2)
    #expect(played.left[start] == voice.value(2, at: 0))
    #expect(played.isSilent(start - 2_000..<start))
    #expect(played.isSilent(start + length(2)..<start + length(2) + 2_000))
  }

  @Test(arguments: [25, 50, 75, 100, 150], [128, 441])
  func `in a loop the name of the move at A is said before B`(percent: Int, blockSize: Int) {
    let (a, b) = (10_007, 90_010)
    let rig = rig(calls: [(a, a - 24_001, 1), (50_003, 30_009, 2), (b, b - 24_000, 3)])
    rig.engine.setLoop(.section, from: a, to: b)
    rig.engine.setSpeed(percent: percent)
    rig.engine.play()
    let played = rig.render(output(3 * (b - a), percent), blockSize: blockSize)
    let expected = (0..<3).flatMap { turn in
      [
        Said(name: 2, frame: output(turn * (b - a) + 30_009 - a, percent)),
        Said(name: 1, frame: output((turn + 1) * (b - a) - 24_001, percent)),
      ]
    }
    #expect(said(played) == expected)
  }

  @Test func `in the last turn the move at A is not called`() {
    let (a, b) = (10_000, 60_000)
    let rig = rig(calls: [(a, a - 24_000, 1)])
    rig.engine.setLoop(.section, from: a, to: b)
    rig.engine.setRepeatLimit(2)
    rig.engine.play()
    let played = rig.render(110_000)
    #expect(rig.engine.state == .ended)
    #expect(said(played) == [Said(name: 1, frame: 26_000)])
  }

  @Test func `a trainer's new speed moves the calls with their counts`() {
    let (a, b) = (12_000, 72_000)
    let rig = rig(calls: [(a + 48_000, a + 24_000, 2)])
    rig.engine.setLoop(.section, from: a, to: b)
    rig.engine.setTrainer(SpeedTrainer(from: 50, to: 200, step: 50, every: 1))
    rig.engine.play()
    var heard: [Int] = []
    var due: [Int] = []
    var clock = 0
    while rig.engine.repeatCount < 4 {
      let before = rig.engine.frame
      if !said(rig.render(1, blockSize: 1)).isEmpty { heard.append(clock) }
      clock += 1
      if before < a + 24_000 && rig.engine.frame >= a + 24_000 { due.append(clock) }
    }
    #expect(heard == due)
    #expect(heard.count == 4)
  }

  @Test(arguments: [60, 160])
  func `a new speed before a name moves its attack with its count`(percent: Int) {
    let rig = rig(calls: [(100_000, 60_000, 1)])
    rig.engine.play()
    rig.render(20_000)
    rig.engine.setSpeed(percent: percent)
    var heard: [Int] = []
    var due: [Int] = []
    for frame in 0..<90_000 {
      let before = rig.engine.frame
      if !said(rig.render(1, blockSize: 1)).isEmpty { heard.append(frame) }
      if before < 60_000 && rig.engine.frame >= 60_000 { due.append(frame + 1) }
    }
    #expect(heard == due)
    #expect(heard.count == 1)
  }

  // MARK: Room

  @Test(arguments: [50, 100, 150])
  func `a name that is too long for its room is said earlier, and over on its move`(percent: Int) {
    // One count of 3,000 frames before its move.
    let rig = rig(calls: [(61_003, 58_003, 4)])
    rig.engine.setSpeed(percent: percent)
    rig.engine.play()
    let played = rig.render(output(70_000, percent))
    let end = output(60_003, percent)
    let wanted = output(57_003, percent) - voice.lead(4)
    let start = min(wanted, end - length(4))
    #expect(said(played) == [Said(name: 4, frame: start + voice.lead(4))])
    if percent > 50 {
      #expect(start < wanted)
      // An odd last frame lies between the last sample and silence.
      #expect(played.left[end - 2] == voice.value(4, at: length(4) / 2 - 1))
    }
    #expect(played.isSilent(end..<end + 5_000))
  }

  @Test func `a name waits for the one before`() {
    // The second would begin in the middle of the first, and has room until its move.
    let rig = rig(calls: [(60_000, 30_000, 1), (61_000, 33_000, 2)])
    rig.engine.play()
    let start = 29_000 - voice.lead(1)
    #expect(
      said(rig.render(80_000)) == [
        Said(name: 1, frame: 29_000), Said(name: 2, frame: start + length(1) + voice.lead(2)),
      ])
  }

  @Test func `a name without room is left out`() {
    // The second would have to be over before the first is.
    let rig = rig(calls: [(40_000, 30_000, 1), (42_000, 33_000, 2), (90_000, 60_000, 3)])
    rig.engine.play()
    #expect(
      said(rig.render(90_000)) == [Said(name: 1, frame: 29_000), Said(name: 3, frame: 59_000)])
  }

  @Test func `no name sounds over another, wherever the calls lie and whatever the speed`() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<40 {
      var calls: [(frame: Int, called: Int, name: Int)] = []
      var frame = 1_000
      while frame < 190_000 {
        frame += Int(random.next() % 20_000)
        calls.append((frame, frame - Int(random.next() % 40_000), 1 + Int(random.next() % 8)))
      }
      let percent = 50 + 5 * Int(random.next() % 30)
      let rig = rig(calls: calls)
      rig.engine.setSpeed(percent: percent)
      rig.engine.play()
      let attacks = said(rig.render(output(199_000, percent)))
      #expect(attacks.count > 3)
      var free = 0
      var next = 0
      for attack in attacks {
        let start = attack.frame - voice.lead(attack.name)
        #expect(start >= free)
        free = start + length(attack.name)
        // Over when its move begins; names come in order.
        let index = calls[next...].firstIndex {
          $0.name == attack.name && output($0.frame - 1_000, percent) >= free
        }
        guard let index else {
          Issue.record("\(attack) has no move")
          return
        }
        next = index + 1
      }
    }
  }

  // MARK: Starts and stops

  @Test func `after a seek, a name whose time has passed is said at once if there is room`() {
    let calls = [
      (frame: 60_000, called: 40_000, name: 1), (frame: 70_000, called: 55_000, name: 2),
    ]
    let rig = rig(calls: calls)
    rig.engine.play()
    rig.render(5_000)
    rig.engine.seek(to: 60_000 - length(1))
    #expect(
      said(rig.render(length(1) + 20_000)) == [
        Said(name: 1, frame: voice.lead(1)), Said(name: 2, frame: length(1) + voice.lead(2)),
      ])
    rig.engine.seek(to: 60_000 - length(1) + 1)
    #expect(said(rig.render(30_000)) == [Said(name: 2, frame: length(1) - 1 - 5_000)])
  }

  @Test func `a pause and a seek fade a name out, and the music comes back`() {
    let rig = rig(calls: [(60_000, 20_000, 1)])
    rig.engine.play()
    rig.render(19_100)
    rig.engine.pause()
    #expect(rig.engine.isSounding == true)
    let rest = rig.render(1_000)
    #expect(!rest.isSilent(0..<240))
    #expect(rest.isSilent(240..<1_000))
    #expect(rig.engine.isSounding == false)
    rig.engine.setMusicVolume(1)
    rig.engine.seek(to: 100_000)
    rig.engine.play()
    let played = rig.render(5_000)
    let isFull = played.equals(.noise, from: 100_240, in: 240..<5_000)
    #expect(isFull)
  }

  @Test func `the calls once more while a name is said change nothing`() {
    func played(again: Bool) -> Output {
      let rig = rig(calls: [(60_000, 20_000, 1), (60_000, 40_000, 2), (100_000, 70_000, 3)])
      rig.engine.setSpeed(percent: 70)
      rig.engine.play()
      rig.render(output(20_000, 70))
      if again { rig.setCalls([(60_000, 20_000, 1), (60_000, 40_000, 2), (100_000, 70_000, 3)]) }
      return rig.render(120_000)
    }
    #expect(said(played(again: false)).count == 2)
    let isSame = played(again: true) == played(again: false)
    #expect(isSame)
  }

  @Test func `in a loop, the calls once more after the next turn's name change nothing`() {
    func played(again: Bool) -> Output {
      let rig = rig(calls: [(10_000, -14_000, 1), (50_000, 30_000, 2)])
      rig.engine.setLoop(.section, from: 10_000, to: 90_000)
      rig.engine.play()
      rig.render(79_000)
      if again { rig.setCalls([(10_000, -14_000, 1), (50_000, 30_000, 2)]) }
      return rig.render(120_000)
    }
    let isSame = played(again: true) == played(again: false)
    #expect(isSame)
  }

  @Test func `switched off while a name is said, it fades`() {
    let rig = rig(calls: [(60_000, 20_000, 1), (100_000, 70_000, 2)])
    rig.engine.play()
    rig.render(19_500)
    rig.engine.setCaller(volume: 0, duck: 0.25)
    let rest = rig.render(100_000)
    #expect(rest.isSilent(240..<100_000))
  }

  // MARK: Before the music

  @Test(arguments: [50, 100, 150])
  func `before a count-in the first name is said, then the numbers`(percent: Int) {
    let rig = rig(
      12_000..<460_000,
      calls: [(12_000, 12_000 - 96_000, 1), (12_000, 12_000 - 48_000, 2), (108_000, 12_000, 3)])
    rig.setBeats(beats(at: (0..<19).map { 12_000 + $0 * 24_000 }))
    let numbers = TestVoice(attack: 1_000)
    rig.setVoice(numbers)
    rig.engine.setSpeaking(countIn: true, click: false)
    rig.engine.setCountIn(.four)
    rig.engine.setSpeed(percent: percent)
    rig.engine.play()
    let names = length(1) + length(2)
    let count = names + 9_600 + 2_000
    let period = 2_400_000 / percent
    let played = rig.render(count + 4 * period + 1_000)
    #expect(
      said(played) == [
        Said(name: 1, frame: voice.lead(1)), Said(name: 2, frame: length(1) + voice.lead(2)),
        Said(name: 5, frame: count), Said(name: 6, frame: count + period),
        Said(name: 7, frame: count + 2 * period), Said(name: 8, frame: count + 3 * period),
        // Its attack falls on the first frame of the music.
        Said(name: 3, frame: count + 4 * period),
      ])
    #expect(played.isSilent(names..<names + 9_600))
    #expect(rig.events(.started).map(\.clock) == [Int64(count + 4 * period)])
  }

  @Test func `a seek during the names calls the other move`() {
    let rig = rig(12_000..<460_000, calls: [(12_000, -36_000, 1), (108_000, 60_000, 2)])
    rig.setBeats(beats(at: (0..<19).map { 12_000 + $0 * 24_000 }))
    rig.engine.setTickVolume(0)
    rig.engine.setCountIn(.four)
    rig.engine.play()
    rig.render(1_000)
    rig.engine.seek(to: 108_000)
    // The other one fades first.
    #expect(said(rig.render(200_000)) == [Said(name: 2, frame: 240 + voice.lead(2))])
    #expect(rig.events(.started).map(\.clock) == [Int64(1_000 + length(2) + 9_600 + 96_000)])
  }

  @Test func `before each repeat with a count-in the name is said again`() {
    let rig = rig(12_000..<460_000, calls: [(12_000, -36_000, 1)])
    rig.setBeats(beats(at: (0..<19).map { 12_000 + $0 * 24_000 }))
    rig.engine.setTickVolume(0)
    rig.engine.setCountIn(.four)
    rig.engine.setLoop(.section, from: 12_000, to: 60_000)
    rig.engine.play()
    let turn = length(1) + 9_600 + 96_000 + 48_000
    #expect(
      said(rig.render(2 * turn)) == [
        Said(name: 1, frame: voice.lead(1)), Said(name: 1, frame: turn + voice.lead(1)),
      ])
  }

  @Test func `in a countdown in seconds and in a rest the name is said on its frame`() {
    let (a, b) = (20_000, 60_000)
    let rig = rig(calls: [(a, a - 40_000, 1)])
    rig.engine.setTickVolume(0)
    rig.engine.setCountdown(frames: 96_000, sound: .clave, repeats: .first)
    rig.engine.setLoop(.section, from: a, to: b)
    rig.engine.setRest(frames: 50_000)
    rig.engine.play()
    #expect(
      said(rig.render(96_000 + 40_000 + 50_000 + 1_000)) == [
        Said(name: 1, frame: 56_000), Said(name: 1, frame: 96_000 + 40_000 + 10_000),
      ])
  }

  @Test func `without a countdown the move at the start is not called`() {
    let rig = rig(calls: [(1_000, -23_000, 1), (60_000, 40_000, 2)])
    rig.engine.play()
    #expect(said(rig.render(50_000)).map(\.name) == [2])
  }

  @Test func `a spoken click gives way to a name`() {
    let rig = rig(calls: [(60_000, 30_000, 1)])
    rig.setBeats(beats(at: (0..<8).map { 1_000 + $0 * 10_000 }))
    rig.setVoice(TestVoice(attack: 1_000))
    rig.engine.setSpeaking(countIn: true, click: true)
    rig.engine.setClick(volume: 1)
    rig.engine.play()
    let start = 29_000 - voice.lead(1)
    let played = rig.render(65_000)
    let names = said(played).filter { $0.frame >= start && $0.frame < start + length(1) }
    #expect(names == [Said(name: 1, frame: 29_000)])
    // With the click of the beat in it.
    let isClicked = played.left[30_000] != voice.value(1, at: 500 + 907 + 100)
    #expect(isClicked)
    #expect(said(played).map(\.frame) == [10_000, 20_000, 29_000, 40_000, 50_000, 60_000])
  }

  // MARK: The music gives way

  @Test(arguments: [1, 128, 441])
  func `the music sinks as a name begins, and comes back after it, on exact frames`(blockSize: Int)
  {
    var silent = voice
    silent.samples = silent.samples.map { _ in 0 }
    let rig = rig(calls: [(100_000, 30_000, 1)], names: silent)
    rig.engine.setMusicVolume(1)
    rig.engine.play()
    let played = rig.render(99_000, blockSize: blockSize)
    let start = 29_000 - voice.lead(1)
    let end = start + length(1)
    func error(_ frame: Int, _ level: Float) -> Float {
      abs(played.left[frame] - level * Signal.noise.sample(frame + 1_000, channel: 0))
    }
    let isExact = played.equals(.noise, from: 1_000, in: 0..<start)
    #expect(isExact)
    for frame in [0, 1, 599, 1_198] {
      #expect(error(start + frame, 1 - 0.75 * Float(frame + 1) / 1_200) < 1e-5)
    }
    for frame in start + 1_199..<end {
      #expect(played.left[frame] == 0.25 * Signal.noise.sample(frame + 1_000, channel: 0))
    }
    for frame in [0, 6_000, 11_998] {
      #expect(error(end + frame, 0.25 + 0.75 * Float(frame + 1) / 12_000) < 1e-4)
    }
    let isExactAfter = played.equals(.noise, from: 1_000 + end + 11_999, in: end + 11_999..<99_000)
    #expect(isExactAfter)
  }

  @Test func `between two names in a row the music stays down`() {
    var silent = voice
    silent.samples = silent.samples.map { _ in 0 }
    let rig = rig(calls: [(100_000, 30_000, 1), (100_000, 30_000, 2)], names: silent)
    rig.engine.setMusicVolume(1)
    rig.engine.play()
    let played = rig.render(99_000)
    let start = 29_000 - voice.lead(1)
    for frame in start + 1_200..<start + length(1) + length(2) {
      #expect(played.left[frame] == 0.25 * Signal.noise.sample(frame + 1_000, channel: 0))
    }
  }

  @Test func `without calls, or switched off, a track is played to the bit`() {
    let rig = Rig(part: 1_000..<90_000)
    rig.setNames(voice)
    rig.setCalls([(60_000, 20_000, 1)])
    rig.engine.play()
    let played = rig.render(80_000)
    let isExact = played.equals(.noise, from: 1_000, in: 0..<80_000)
    #expect(isExact)
    rig.engine.setCaller(volume: 1, duck: 0)
    rig.setCalls([])
    rig.engine.seek(to: 1_000)
    let again = rig.render(80_000)
    let isExactAgain = again.equals(.noise, from: 1_240, in: 240..<80_000)
    #expect(isExactAgain)
  }

  // MARK: Data

  @Test func `unusable calls and names are left out`() {
    let rig = rig(
      calls: [(40_000, 20_000, 0), (50_000, 30_000, 9), (60_000, 40_000, -1), (70_000, 50_000, 2)])
    rig.engine.play()
    #expect(said(rig.render(100_000)) == [Said(name: 2, frame: 49_000)])
    // A call that falls back, or is called after its move, and all after it.
    for bad in [(frame: 60_000, called: 50_000, name: 1), (frame: 90_000, called: 90_001, name: 1)]
    {
      rig.setCalls([(70_000, 50_000, 2), bad, (150_000, 120_000, 3)])
      rig.engine.seek(to: 1_000)
      #expect(said(rig.render(150_000)).map(\.name) == [2])
    }
    rig.engine.setNames(recordings: -1, samples: .max)
    rig.engine.setCalls(count: .max)
    rig.engine.seek(to: 1_000)
    rig.render(100_000)
  }

  @Test func `names can be replaced while one is said, without a click`() {
    let rig = rig(calls: [(60_000, 20_000, 1), (100_000, 60_000, 2)])
    rig.engine.play()
    rig.render(19_500)
    let before = rig.render(1).left[0]
    rig.setNames(voice)
    let rest = rig.render(50_000)
    #expect(abs(rest.left[0] - before) < 0.01)
    #expect(rest.isSilent(240..<30_000))
    #expect(said(rest).map(\.name) == [2])
  }

  @Test func `more names than there is room for are refused`() {
    let rig = Rig()
    rig.engine.reserveNames(samples: .max)
    rig.engine.setNames(recordings: 5, samples: .max)
    rig.engine.reserveNames(samples: -5)
    rig.engine.reserveNames(samples: 3)
    rig.engine.nameSampleDestination[PracticeEngine.nameSampleCapacity - 1] = 1
    rig.engine.setNames(recordings: .max, samples: 3)
  }
}
