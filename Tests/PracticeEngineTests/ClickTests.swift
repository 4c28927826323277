// The click: its exact frames at every speed, in loops and after seeks, and its level.

import Testing

@testable import PracticeEngine

@Suite struct ClickTests {
  /// Frames of beats that no speed divides.
  private let odd = [1_000, 13_003, 25_001, 37_010, 49_999, 60_002, 72_007]

  /// An engine that plays clicks alone.
  private func rig(_ part: Range<Int> = 1_000..<90_000, beats table: [EngineBeat]) -> Rig {
    let rig = Rig(part: part)
    rig.setBeats(table)
    rig.engine.setClick(volume: 1)
    rig.engine.setMusicVolume(0)
    return rig
  }

  /// The frames at which sound starts after at least 100 frames of silence.
  private func onsets(_ output: Output) -> [Int] {
    var silent = 100
    var found: [Int] = []
    for (frame, sample) in output.left.enumerated() {
      if sample != 0 && silent >= 100 { found.append(frame) }
      silent = sample == 0 ? silent + 1 : 0
    }
    return found
  }

  /// The first output frame at which a number of source frames has passed.
  private func output(_ frames: Int, _ percent: Int) -> Int {
    (frames * 100 + percent - 1) / percent
  }

  @Test(arguments: [25, 50, 75, 100, 150], [1, 128, 441])
  func `a click starts when its beat is heard`(percent: Int, blockSize: Int) {
    let rig = rig(beats: beats(at: odd))
    rig.engine.setSpeed(percent: percent)
    rig.render(77)
    rig.engine.play()
    let played = rig.render(output(74_000, percent), blockSize: blockSize)
    #expect(onsets(played) == odd.map { output($0 - 1_000, percent) })
  }

  @Test(arguments: [25, 50, 75, 100, 150])
  func `a beat at A clicks in each turn of a loop, and no beat twice or never`(percent: Int) {
    let (a, b) = (10_007, 30_010)
    // The last beat lies so close to B that a fast turn steps over it, into the beat at A.
    let rig = rig(beats: beats(at: [1_000, a, a + 9_001, b - 4_000]))
    rig.engine.setLoop(.section, from: a, to: b)
    rig.engine.setSpeed(percent: percent)
    rig.engine.play()
    let turns = 4
    let played = rig.render(output(turns * (b - a), percent))
    let expected = (0..<turns).flatMap { turn in
      [0, 9_001, b - a - 4_000].map { output(turn * (b - a) + $0, percent) }
    }
    #expect(onsets(played) == expected)
  }

  @Test func `a beat that a turn steps over clicks with the one after it`() {
    let (a, b) = (10_000, 30_000)
    let rig = rig(beats: [
      EngineBeat(frame: 12_000, count: 1, place: 2, metre: 4),
      EngineBeat(frame: Int32(b) - 1, count: 1, place: 1, metre: 4),
    ])
    rig.engine.setLoop(.section, from: a, to: b)
    rig.engine.setSpeed(percent: 150)
    rig.engine.play()
    #expect(onsets(rig.render(15_000)) == [output(2_000, 150), output(20_000 - 1, 150)])
  }

  @Test(arguments: [50, 100, 150])
  func `after a seek, clicks are those of the new place`(percent: Int) {
    let rig = rig(beats: beats(at: odd))
    rig.engine.setSpeed(percent: percent)
    rig.engine.play()
    rig.render(12_000)
    rig.engine.seek(to: 49_990)
    #expect(
      onsets(rig.render(output(25_000, percent)))
        == [49_999, 60_002, 72_007].map { output($0 - 49_990, percent) })
    rig.engine.seek(to: 13_003)
    #expect(onsets(rig.render(1_000)) == [0])
  }

  @Test func `a pause and a countdown between do not move clicks`() {
    let rig = rig(beats: beats(at: odd))
    rig.engine.setTickVolume(0)
    rig.engine.setCountdown(frames: 48_000, sound: .clave, repeats: .every)
    rig.engine.play()
    rig.render(48_000 + 12_003)
    rig.engine.pause()
    rig.render(500)
    rig.engine.play()
    #expect(onsets(rig.render(48_000 + 12_500)) == [48_000, 48_000 + 25_001 - 13_003])
  }

  @Test func `a click of the next bar is higher`() {
    let rig = rig(beats: beats(at: [1_000, 13_000]))
    rig.engine.play()
    let played = rig.render(24_000)
    func crossings(_ frames: Range<Int>) -> Int {
      frames.dropFirst().filter { played.left[$0] * played.left[$0 - 1] < 0 }.count
    }
    #expect(crossings(0..<2_000) > crossings(12_000..<14_000) * 5 / 4)
    let loudest = [0..<2_400, 12_000..<14_400].map { $0.map { abs(played.left[$0]) }.max() ?? 0 }
    #expect(loudest.allSatisfy { abs($0 - 0.8) < 0.0001 })
  }

  @Test(arguments: [(0, 0), (0.5, 0.4), (1.25, 1), (9, 1), (-1, 0), (.nan, 0)] as [(Float, Float)])
  func `the volume scales the next click`(volume: Float, peak: Float) {
    let rig = rig(beats: beats(at: [1_000]))
    rig.engine.setClick(volume: volume)
    rig.engine.play()
    #expect(abs((rig.render(4_000).left.map(abs).max() ?? 0) - peak) < 0.0001)
  }

  @Test func `without a volume, playback with beats is bit-exact`() {
    let rig = Rig(part: 1_000..<90_000)
    rig.setBeats(beats(at: odd))
    rig.engine.play()
    #expect(rig.render(89_000).equals(.noise, from: 1_000, in: 0..<89_000))
  }

  @Test func `between clicks the music is bit-exact`() {
    let rig = Rig(part: 1_000..<90_000)
    rig.setBeats(beats(at: odd))
    rig.engine.setClick(volume: 1)
    rig.engine.play()
    let played = rig.render(13_000)
    #expect(played.left[0] != Signal.noise.sample(1_000, channel: 0))
    #expect(played.equals(.noise, from: 3_400, in: 2_400..<12_003))
    #expect(!played.equals(.noise, from: 13_003, in: 12_003..<12_010))
  }

  @Test func `other beats can come while the music plays`() {
    let rig = rig(beats: beats(at: odd))
    rig.engine.play()
    #expect(onsets(rig.render(12_004)) == [0, 12_003])
    // The beat that was just clicked stays; the next ones move.
    rig.setBeats(beats(at: [1_000, 13_003, 26_000, 31_000]))
    #expect(
      onsets(rig.render(20_000)).filter { $0 > 2_400 } == [26_000, 31_000].map { $0 - 13_004 })
    rig.setBeats([])
    #expect(onsets(rig.render(20_000)).filter { $0 > 2_400 } == [])
  }

  @Test(arguments: [25, 100])
  func `the same beats once more, just after a click, change nothing`(percent: Int) {
    func played(again: Bool) -> Output {
      let rig = rig(beats: beats(at: odd))
      rig.engine.setSpeed(percent: percent)
      rig.engine.play()
      rig.render(output(12_003, percent) + 1)
      if again { rig.setBeats(beats(at: odd)) }
      return rig.render(60_000)
    }
    let isSame = played(again: true) == played(again: false)
    #expect(isSame)
  }

  @Test func `a click that the next one cuts off does not crack`() {
    let alone = rig(beats: beats(at: [1_000], firstCount: 2))
    alone.engine.play()
    let single = alone.render(4_000)
    let rig = rig(beats: beats(at: [1_000, 1_501], firstCount: 2))
    rig.engine.play()
    let both = rig.render(4_000)
    let rest = (501..<1_500).map { both.left[$0] - single.left[$0 - 501] }
    #expect(abs(both.left[500]) > 0.01)
    #expect(abs(rest[0] - both.left[500]) < 0.001)
    let steps = zip(rest, rest.dropFirst()).map { abs($1 - $0) }
    #expect((steps.max() ?? 1) < abs(both.left[500]) / 100)
    #expect(abs(rest[240]) < 0.000_001)
  }

  @Test func `a pause fades the click out`() {
    let rig = rig(beats: beats(at: [1_000]))
    rig.engine.play()
    rig.render(300)
    rig.engine.pause()
    let output = rig.render(1_000)
    #expect(!output.isSilent(0..<240))
    #expect(output.isSilent(240..<1_000))
  }

  @Test func `the music alone falls silent and comes back without a click`() {
    let rig = Rig(part: 0..<90_000, signal: .sine)
    rig.engine.play()
    rig.render(5_000)
    rig.engine.setMusicVolume(0)
    let falling = rig.render(2_000)
    #expect(falling.largestStep(in: 0..<2_000) < Signal.sineStep + 0.5 / 240)
    #expect(falling.isSilent(240..<2_000))
    #expect(rig.engine.frame == 7_000)
    rig.engine.setMusicVolume(1)
    let rising = rig.render(2_000)
    #expect(rising.largestStep(in: 0..<2_000) < Signal.sineStep + 0.5 / 240)
    #expect(rising.equals(.sine, from: 7_240, in: 240..<2_000))
    rig.engine.setMusicVolume(0.5)
    var halved = rig.render(300)
    rig.engine.pause()
    halved.left += rig.render(500).left
    #expect(halved.largestStep(in: 200..<800) < Signal.sineStep)
  }

  @Test func `ticks stay while the music is silent`() {
    let rig = Rig(part: 0..<9_000)
    rig.engine.setMusicVolume(0)
    rig.engine.setCountdown(frames: 48_000, sound: .clave, repeats: .every)
    rig.engine.play()
    let output = rig.render(57_000)
    #expect(!output.isSilent(0..<1_000))
    #expect(output.isSilent(48_000..<57_000))
  }

  @Test func `beats that do not rise are dropped with those after them, and another part has none`()
  {
    let rig = rig(beats: beats(at: [1_000, 9_000, 9_000, 17_000]))
    rig.engine.play()
    #expect(onsets(rig.render(20_000)) == [0, 8_000])
    rig.setBeats(beats(at: (0..<20_000).map { $0 * 4 + 30_000 }))
    let kept = rig.engine.beats.count
    #expect(kept == 16_384)
    rig.engine.load(partStart: 1_000, partEnd: 90_000)
    rig.engine.play()
    #expect(rig.render(20_000).isSilent(2_400..<20_000))
  }
}
