// Spoken numbers: their attacks on the exact frames of their counts, and what happens to them when the
// voice, the speed or the place changes while one is said.

import Testing

@testable import PracticeEngine

@Suite struct SpokenNumberTests {
  /// Frames of beats that no speed divides.
  private let odd = [1_000, 13_003, 25_001, 37_010, 49_999, 60_002, 72_007]
  private let voice = TestVoice()

  /// An attack in the output.
  private struct Said: Equatable, CustomStringConvertible {
    var number: Int
    var frame: Int
    var description: String { "\(number) at \(frame)" }
  }

  /// An engine that says clicks, with silent music.
  private func rig(
    _ part: Range<Int> = 1_000..<90_000, beats table: [EngineBeat], signal: Signal = .noise
  ) -> Rig {
    let rig = Rig(part: part, signal: signal)
    rig.setBeats(table)
    rig.setVoice(voice)
    rig.engine.setClick(volume: 1)
    rig.engine.setMusicVolume(0)
    rig.engine.setSpeaking(countIn: true, click: true)
    return rig
  }

  /// The attacks in an output: the frames that have exactly their value.
  private func said(_ output: Output, volume: Float = 1) -> [Said] {
    let attacks = (1...8).map { Float(TestVoice.mark + $0) / 32_768 * volume }
    return output.left.indices.compactMap { frame in
      attacks.firstIndex(of: output.left[frame]).map { Said(number: $0 + 1, frame: frame) }
    }
  }

  /// The first output frame at which a number of source frames has passed.
  private func output(_ frames: Int, _ percent: Int) -> Int {
    (frames * 100 + percent - 1) / percent
  }

  // MARK: The click

  @Test(arguments: [25, 50, 75, 100, 150], [1, 128, 441])
  func `a number's attack falls on its beat`(percent: Int, blockSize: Int) {
    let rig = rig(beats: beats(at: odd))
    rig.engine.setSpeed(percent: percent)
    rig.render(77)
    rig.engine.play()
    let played = rig.render(output(74_000, percent), blockSize: blockSize)
    let expected = odd.enumerated().map { index, beat in
      Said(number: index + 1, frame: output(beat - 1_000, percent))
    }
    // The first begins with its attack, and fades in.
    #expect(said(played) == Array(expected.dropFirst()))
    // All others are heard from their beginning on, alone once the number before has faded.
    for (number, attack) in expected.dropFirst().map({ ($0.number, $0.frame) }) {
      let start = attack - voice.lead(number)
      for frame in [120, 700] {
        #expect(played.left[start + 2 * frame] == voice.value(number, at: frame))
      }
    }
  }

  @Test(arguments: [25, 50, 75, 100, 150], [128, 441])
  func `in a loop the number at A begins before B`(percent: Int, blockSize: Int) {
    let (a, b) = (10_007, 40_010)
    let rig = rig(beats: beats(at: [1_000, a, a + 15_001]))
    rig.engine.setLoop(.section, from: a, to: b)
    rig.engine.setSpeed(percent: percent)
    rig.engine.play()
    let turns = 4
    let played = rig.render(output(turns * (b - a), percent), blockSize: blockSize)
    let expected = (0..<turns).flatMap { turn in
      [
        Said(number: 2, frame: output(turn * (b - a), percent)),
        Said(number: 3, frame: output(turn * (b - a) + 15_001, percent)),
      ]
    }
    #expect(said(played) == Array(expected.dropFirst()))
    let second = expected[2].frame - voice.lead(2)
    #expect(played.left[second] == voice.value(2, at: 0))
  }

  @Test func `a trainer's new speed moves the numbers with their beats`() {
    // The second beat lies so close to A that the speed changes while its number is said.
    let (a, b) = (12_000, 52_000)
    let frames = [a + 4_801, a + 23_003]
    let rig = rig(beats: beats(at: frames))
    rig.setVoice(TestVoice(attack: 4_100))
    rig.engine.setLoop(.section, from: a, to: b)
    rig.engine.setTrainer(SpeedTrainer(from: 60, to: 200, step: 45, every: 1))
    rig.engine.play()
    var attacks: [Int] = []
    var heard: [Int] = []
    var clock = 0
    while rig.engine.repeatCount < 4 {
      let frame = rig.engine.frame
      let played = rig.render(1, blockSize: 1)
      if frames.contains(where: { frame < $0 && rig.engine.frame >= $0 }) {
        attacks.append(clock + 1)
      }
      heard += said(played).map { $0.frame + clock }
      clock += 1
    }
    #expect(attacks.count == 8)
    #expect(heard == attacks)
  }

  @Test(arguments: [40, 160])
  func `a new speed while a number is said moves its attack with its count`(percent: Int) {
    let rig = rig(beats: beats(at: odd, firstCount: 2))
    rig.engine.play()
    let attack = 12_003
    rig.render(attack - voice.lead(3) + 1_000)
    rig.engine.setSpeed(percent: percent)
    var heard: [Int] = []
    var due = 0
    for frame in 0..<30_000 {
      let before = rig.engine.frame
      if !said(rig.render(1, blockSize: 1)).isEmpty { heard.append(frame) }
      if before < 13_003 && rig.engine.frame >= 13_003 { due = frame + 1 }
    }
    #expect(heard.first == due)
    #expect(due != attack - (attack - voice.lead(3) + 1_000))
  }

  @Test(arguments: [50, 100, 150])
  func `after a seek, a number fades in, with its attack in place`(percent: Int) {
    let rig = rig(beats: beats(at: odd))
    rig.engine.setSpeed(percent: percent)
    rig.engine.play()
    rig.render(9_000)
    rig.engine.seek(to: 48_999)
    let played = rig.render(output(25_000, percent))
    #expect(
      said(played)
        == [(5, 49_999), (6, 60_002), (7, 72_007)].map {
          Said(number: $0.0, frame: output($0.1 - 48_999, percent))
        })
    // The rest of the number before, and the one that begins in its middle, fade within 240 frames.
    #expect(abs(played.left[0]) < 0.2)
  }

  @Test func `other beats can come while a number is said`() {
    let rig = rig(beats: beats(at: odd))
    rig.engine.play()
    rig.render(12_003 - voice.lead(2) + 500)
    rig.setBeats(beats(at: [1_000, 14_000, 37_000]))
    #expect(
      said(rig.render(40_000)).map(\.frame)
        == [13_000, 36_000].map { $0 - (12_003 - voice.lead(2) + 500) })
    // A beat that is gone is not said to its end.
    let other = self.rig(beats: beats(at: odd))
    other.engine.play()
    other.render(12_003 - voice.lead(2) + 500)
    other.setBeats(beats(at: [1_000]))
    let rest = other.render(20_000)
    #expect(said(rest) == [])
    #expect(rest.isSilent(240..<20_000))
  }

  @Test func `the same beats once more while a number is said change nothing`() {
    func played(again: Bool) -> Output {
      let rig = rig(beats: beats(at: odd))
      rig.engine.setSpeed(percent: 70)
      rig.engine.play()
      rig.render(output(12_003, 70) - 700)
      if again { rig.setBeats(beats(at: odd)) }
      return rig.render(40_000)
    }
    let isSame = played(again: true) == played(again: false)
    #expect(isSame)
  }

  @Test func `between fast counts a number has half of the time for its lead`() {
    let rig = rig(beats: beats(at: (0..<20).map { 1_000 + 3_600 * $0 }))
    rig.engine.play()
    let played = rig.render(60_000)
    #expect(
      said(played)
        == (1..<17).map { Said(number: $0 % 8 + 1, frame: 3_600 * $0) })
    // The number before sounds alone until then.
    #expect(played.left[3_600 + 1_798] == voice.value(2, at: voice.lead(2) / 2 + 899))
  }

  @Test func `a number that still sounds fades when the next begins`() {
    let rig = rig(beats: beats(at: [1_000, 6_000]))
    rig.engine.play()
    let both = rig.render(20_000)
    let alone = self.rig(beats: beats(at: [6_000], firstCount: 2))
    alone.engine.play()
    let second = alone.render(20_000)
    let start = 5_000 - voice.lead(2)
    #expect(both.left[start + 240..<20_000].elementsEqual(second.left[start + 240..<20_000]))
    #expect(both.left[start + 100] != second.left[start + 100])
  }

  @Test func `a pause fades a number out`() {
    let rig = rig(beats: beats(at: odd))
    rig.engine.play()
    rig.render(12_100)
    rig.engine.pause()
    #expect(rig.engine.isSounding == true)
    let output = rig.render(1_000)
    #expect(!output.isSilent(0..<240))
    #expect(output.isSilent(240..<1_000))
    #expect(rig.engine.isSounding == false)
  }

  @Test func `the volume of the click is that of its numbers`() {
    let rig = rig(beats: beats(at: odd))
    rig.engine.setClick(volume: 0.5)
    rig.engine.play()
    #expect(said(rig.render(30_000), volume: 0.5).map(\.number) == [2, 3])
    rig.engine.setClick(volume: 0)
    let rest = rig.render(40_000)
    #expect(rest.isSilent(240..<40_000))
  }

  @Test func `between numbers the music is bit-exact`() {
    let rig = rig(beats: beats(at: [1_000, 61_000]))
    rig.engine.setMusicVolume(1)
    rig.engine.play()
    let played = rig.render(55_000)
    #expect(played.equals(.noise, from: 11_000, in: 10_000..<55_000))
  }

  @Test func `after a rest the first number of the repeat is whole`() {
    let (a, b) = (13_003, 30_000)
    let rig = rig(beats: beats(at: odd))
    rig.engine.setLoop(.section, from: a, to: b)
    rig.engine.setRest(frames: 10_000)
    rig.engine.play()
    let played = rig.render(40_000)
    let second = b - a + 10_000
    #expect(
      said(played) == [
        Said(number: 3, frame: 25_001 - a), Said(number: 2, frame: second),
        Said(number: 3, frame: second + 25_001 - a),
      ])
    #expect(played.left[second - voice.lead(2)] == voice.value(2, at: 0))
  }

  // MARK: The count-in

  /// A track at 120 beats a minute, with count 1 at frame 12,000.
  private func counting(
    from start: Int, _ length: CountIn, metre: Int = 4, perEight: Int = 8, click: Bool = false
  ) -> Rig {
    let rig = rig(
      start..<460_000,
      beats: beats(at: (0..<19).map { 12_000 + $0 * 24_000 }, metre: metre, perEight: perEight))
    rig.engine.setCountIn(length)
    if !click { rig.engine.setClick(volume: 0) }
    return rig
  }

  @Test(arguments: [25, 50, 75, 100, 150], [1, 128, 441])
  func `the attacks of a count-in lead to the music, and its first number is whole`(
    percent: Int, blockSize: Int
  ) {
    let rig = counting(from: 12_000, .four)
    rig.engine.setMusicVolume(1)
    rig.engine.setSpeed(percent: percent)
    rig.engine.play()
    let period = 2_400_000 / percent
    let lead = voice.lead(5)
    let played = rig.render(lead + 4 * period + 1_000, blockSize: blockSize)
    #expect(
      said(played) == (0..<4).map { Said(number: 5 + $0, frame: lead + $0 * period) })
    #expect(played.left[0] == voice.value(5, at: 0))
    #expect(
      rig.events().map(\.clock) == (0...4).map { Int64(lead + $0 * period) })
    if percent == 100 {
      let start = lead + 4 * period
      #expect(played.equals(.noise, from: 12_000, in: start..<start + 1_000))
    }
  }

  @Test func `the first count of the music is said from its beginning, before the music`() {
    for percent in [50, 100, 150] {
      // Half a beat after count 2, so that the music begins between two counts.
      let rig = counting(from: 48_000, .four, click: true)
      rig.engine.setSpeed(percent: percent)
      rig.engine.play()
      let played = rig.render(voice.lead(7) + output(190_000, percent))
      let starts = rig.events(.started).map { Int($0.clock) }
      #expect(starts == [voice.lead(7) + output(84_000, percent)])
      let numbers = [7, 8, 1, 2, 3, 4, 5, 6]
      #expect(said(played).map(\.number) == numbers)
      let third = starts[0] + output(12_000, percent)
      #expect(said(played)[4].frame == third)
      #expect(played.left[third - voice.lead(3)] == voice.value(3, at: 0))
    }
    let onCount = counting(from: 12_000, .four, click: true)
    onCount.engine.play()
    let played = onCount.render(voice.lead(5) + 120_000)
    let start = voice.lead(5) + 96_000
    #expect(said(played)[4] == Said(number: 1, frame: start))
    #expect(played.left[start - voice.lead(1)] == voice.value(1, at: 0))
  }

  @Test func `four counts from one are 1 to 4 wherever the part begins`() {
    for (start, behind) in [(12_000, 24_000), (84_000, 24_000), (12_000 + 30_000, 6_000)] {
      let rig = counting(from: start, .fourFromOne)
      rig.engine.play()
      let lead = voice.lead(1)
      let played = rig.render(lead + 3 * 24_000 + behind + 10)
      #expect(
        said(played) == (0..<4).map { Said(number: $0 + 1, frame: lead + $0 * 24_000) })
      let events = rig.events()
      #expect(events.filter { $0.kind == .tick }.map(\.value) == [1, 2, 3, 4])
      #expect(events.last?.clock == Int64(lead + 3 * 24_000 + behind))
    }
    let waltz = counting(from: 12_000 + 24_000, .fourFromOne, metre: 3, perEight: 6)
    waltz.engine.play()
    #expect(said(waltz.render(80_000)).map(\.number) == [1, 2, 3, 4])
  }

  @Test func `a pick-up, an eight and the bar of a waltz have their numbers`() {
    func numbers(_ rig: Rig) -> [Int] {
      rig.engine.play()
      return said(rig.render(300_000)).map(\.number)
    }
    #expect(numbers(counting(from: 12_000 + 6 * 24_000, .four)) == [3, 4, 5, 6])
    #expect(numbers(counting(from: 12_000, .eight)) == Array(1...8))
    let waltz = { counting(from: 12_000 + 3 * 24_000, $0, metre: 3, perEight: 6) }
    #expect(numbers(waltz(.eight)) == [4, 5, 6, 1, 2, 3])
    #expect(numbers(waltz(.bar)) == [1, 2, 3])
  }

  @Test func `the screen shows the first number while it begins`() {
    let rig = counting(from: 12_000, .four)
    rig.engine.play()
    rig.render(100)
    #expect(rig.engine.countInNumber == 5)
    rig.render(voice.lead(5) + 24_000)
    #expect(rig.engine.countInNumber == 6)
  }

  @Test func `a seek during a count-in begins it again with its first number whole`() {
    let rig = counting(from: 12_000, .four)
    rig.engine.play()
    rig.render(40_000)
    rig.engine.seek(to: 12_000 + 3 * 24_000)
    let played = rig.render(60_000)
    #expect(
      said(played) == [
        Said(number: 8, frame: voice.lead(8)), Said(number: 1, frame: voice.lead(8) + 24_000),
        Said(number: 2, frame: voice.lead(8) + 48_000),
      ])
    // What was said before is gone after one fade.
    #expect(played.left[240...].first == voice.value(8, at: 120))
  }

  @Test func `a countdown in seconds ticks, and the first click is said in it`() {
    let rig = rig(beats: beats(at: odd))
    rig.engine.setTickVolume(0)
    rig.engine.setCountdown(frames: 48_000, sound: .clave, repeats: .every)
    rig.engine.play()
    let played = rig.render(60_000)
    #expect(said(played).prefix(1) == [Said(number: 1, frame: 48_000)])
    #expect(played.isSilent(0..<48_000 - voice.lead(1)))
  }

  @Test func `late audio does not move a number away from its count`() {
    let rig = Rig(part: 470_000..<500_000, provided: false)
    rig.provide(0)
    rig.setBeats(beats(at: [470_000, 481_001, 492_000]))
    rig.setVoice(voice)
    rig.engine.setClick(volume: 1)
    rig.engine.setMusicVolume(0)
    rig.engine.setSpeaking(countIn: true, click: true)
    rig.engine.play()
    rig.render(20_000)
    #expect(rig.engine.state == .waiting)
    rig.provide(1)
    #expect(
      said(rig.render(15_000))
        == [Said(number: 2, frame: 1_001), Said(number: 3, frame: 12_000)])
  }

  // MARK: The voice

  @Test func `without speaking, a voice changes nothing`() {
    func played(voiced: Bool) -> Output {
      let rig = Rig(part: 12_000..<460_000)
      rig.setBeats(beats(at: (0..<19).map { 12_000 + $0 * 24_000 }))
      rig.engine.setClick(volume: 1)
      rig.engine.setCountIn(.four)
      if voiced { rig.setVoice(voice) }
      rig.engine.play()
      return rig.render(150_000)
    }
    let isSame = played(voiced: true) == played(voiced: false)
    #expect(isSame)
  }

  @Test(arguments: [
    (count: 0, samples: 0), (count: 8, samples: 0), (count: -5, samples: -5),
    (count: 0, samples: .max),
  ])
  func `without a usable voice it ticks and clicks`(count: Int, samples: Int) {
    func played(speaking: Bool) -> Output {
      let rig = Rig(part: 12_000..<460_000)
      rig.setBeats(beats(at: (0..<19).map { 12_000 + $0 * 24_000 }))
      rig.setVoice(voice)
      rig.engine.setVoice(recordings: count, samples: samples)
      rig.engine.setSpeaking(countIn: speaking, click: speaking)
      rig.engine.setClick(volume: 1)
      rig.engine.setCountIn(.four)
      rig.engine.play()
      return rig.render(150_000)
    }
    let isSame = played(speaking: true) == played(speaking: false)
    #expect(isSame)
  }

  @Test(arguments: [
    EngineRecording(start: 0, frames: 100, attack: 100),
    EngineRecording(start: 0, frames: 100, attack: -1),
    EngineRecording(start: -1, frames: 100, attack: 0),
    EngineRecording(start: 0, frames: 0, attack: 0),
    EngineRecording(start: 0, frames: -7, attack: -9),
    EngineRecording(start: 1_000, frames: .max, attack: 5),
    EngineRecording(start: .max, frames: .max, attack: .max),
    EngineRecording(start: .min, frames: .min, attack: .min),
  ])
  func `a recording beyond the samples is clicked, and the others are said`(
    recording: EngineRecording
  ) {
    var broken = voice
    broken.recordings[1] = recording
    let rig = rig(beats: beats(at: odd))
    rig.setVoice(broken)
    rig.engine.play()
    let played = rig.render(74_000)
    #expect(said(played).map(\.number) == [3, 4, 5, 6, 7])
    #expect(played.left[12_003] != 0)
    #expect(played.left[12_003 - 200] == 0)
  }

  @Test func `more than there is room for is cut off, and numbers above eight are clicked`() {
    let rig = rig(beats: beats(at: odd, firstCount: 8, perEight: 10))
    let room = PracticeEngine.voiceSampleCapacity
    for index in 0..<room { rig.engine.voiceSampleDestination[index] = 1_001 }
    rig.engine.recordingDestination[7] = EngineRecording(
      start: Int32(room) - 2_000, frames: 2_000, attack: 1_000)
    rig.engine.setVoice(recordings: .max, samples: .max)
    rig.engine.play()
    let played = rig.render(30_000)
    let eight = Float(1_001) / 32_768
    #expect(played.left[1_000] == eight)
    // A click, of number 9, and no sample beyond the last.
    #expect(played.isSilent(2_000..<12_003))
    #expect(!played.isSilent(12_003..<12_103))
  }

  @Test func `another voice while a number is said is heard at once, without a click`() {
    // A sine of 100 Hz instead of noise, whose steps are small.
    func sine(_ level: Double) -> TestVoice {
      var voice = self.voice
      for index in voice.samples.indices {
        voice.samples[index] = Int16(
          level * Mathematics.sine(turns: Double(index % 240) / 240) * 32_767)
      }
      return voice
    }
    let rig = rig(beats: beats(at: odd, firstCount: 2))
    rig.setVoice(sine(0.5))
    rig.engine.play()
    let start = 12_003 - voice.lead(3)
    var played = rig.render(start + 1_111)
    rig.setVoice(sine(-0.5))
    played.left += rig.render(20_000).left
    // A fade of 240 frames adds its own slope to the sine's.
    let step = Float(0.5 * 2 * Mathematics.pi * 100 / 48_000 + 4 * 0.5 / 240)
    #expect((1..<played.count).allSatisfy { abs(played.left[$0] - played.left[$0 - 1]) < step })
    // The attack of the new voice, on the count.
    let attack = Int(voice.recordings[2].start + voice.recordings[2].attack)
    #expect(played.left[12_003] == Float(sine(-0.5).samples[attack]) / 32_768)
    #expect(played.left[12_003] != 0)
  }

  @Test func `between two stored samples lies the curve through them`() {
    var tone = voice
    // 3 kHz, at 24,000 samples a second.
    for index in tone.samples.indices {
      tone.samples[index] = Int16(
        16_000 * Mathematics.sine(turns: Double(index % 8) / 8))
    }
    let rig = rig(beats: beats(at: odd))
    rig.setVoice(tone)
    rig.engine.play()
    let played = rig.render(14_000)
    let start = 12_003 - voice.lead(2)
    let first = Int(voice.recordings[1].start)
    for frame in 100..<2_000 {
      let exact = 16_000.0 / 32_768 * Mathematics.sine(turns: Double(2 * first + frame) / 16)
      #expect(abs(Double(played.left[start + frame]) - exact) < 0.0005)
    }
  }
}
