// The count-in: numbers in the song's tempo that lead to the first frame of the music.

import PracticeEngine
import Testing

@Suite struct CountInTests {
  private let beat = 24_000

  /// A track at 120 beats a minute, with count 1 at frame 12,000 and count 2 of the eight before at 0.
  private func rig(
    start: Int, length: CountIn = .four, metre: Int = 4, perEight: Int = 8
  ) -> Rig {
    let rig = Rig(part: start..<460_000)
    rig.setBeats(
      beats(at: (0..<19).map { 12_000 + $0 * beat }, metre: metre, perEight: perEight))
    rig.engine.setCountIn(length)
    return rig
  }

  /// Starts, and returns the numbers with their frames before the start.
  private func counted(_ rig: Rig) -> [[Int]] {
    _ = rig.events()
    rig.engine.play()
    rig.render(400_000)
    let events = rig.events()
    guard let start = events.first(where: { $0.kind == .started })?.clock else { return [] }
    return events.filter { $0.kind == .tick }.map { [$0.value, Int(start - $0.clock)] }
  }

  @Test(arguments: [(25, 96_000), (50, 48_000), (75, 32_000), (100, 24_000), (150, 16_000)])
  func `four counts lead to count 1 at the practised speed`(percent: Int, period: Int) {
    let rig = rig(start: 12_000)
    rig.engine.setSpeed(percent: percent)
    #expect(counted(rig) == [[5, 4 * period], [6, 3 * period], [7, 2 * period], [8, period]])
  }

  @Test func `the music starts on the frame to which the numbers lead`() {
    let rig = rig(start: 12_000)
    rig.engine.setTickVolume(0)
    rig.engine.play()
    #expect(rig.render(100_000).equals(.noise, from: 12_000, in: 96_000..<100_000))
  }

  @Test func `a pick-up is counted to`() {
    let rig = rig(start: 12_000 + 6 * beat)
    #expect(counted(rig).map { $0[0] } == [3, 4, 5, 6])
  }

  @Test func `a start between two counts keeps its fraction`() {
    // A quarter of a beat after count 3.
    let rig = rig(start: 12_000 + 2 * beat + 6_000)
    rig.engine.setSpeed(percent: 50)
    #expect(counted(rig) == [[8, 156_000], [1, 108_000], [2, 60_000], [3, 12_000]])
  }

  @Test func `the fraction is that of the frames, where beats are uneven`() {
    let rig = Rig(part: 30_000..<400_000)
    rig.setBeats(beats(at: [0, 20_000, 44_000, 64_000, 88_000, 108_000]))
    rig.engine.setCountIn(.four)
    // The mean of the four beats from 20,000 on is 22,000.
    #expect(counted(rig) == [[7, 76_000], [8, 54_000], [1, 32_000], [2, 10_000]])
  }

  @Test func `an eight and a bar have their own lengths and numbers`() {
    #expect(counted(rig(start: 12_000, length: .eight)).map { $0[0] } == Array(1...8))
    #expect(counted(rig(start: 12_000, length: .bar)).map { $0[0] } == Array(1...4))
    #expect(counted(rig(start: 12_000 + beat, length: .bar)).map { $0[0] } == [2, 3, 4, 1])
    let waltz = { rig(start: 12_000 + 3 * beat, length: $0, metre: 3, perEight: 6) }
    #expect(counted(waltz(.eight)).map { $0[0] } == [4, 5, 6, 1, 2, 3])
    #expect(counted(waltz(.bar)).map { $0[0] } == [1, 2, 3])
  }

  @Test func `a start shortly before the first beat follows the count before it`() {
    #expect(
      counted(rig(start: 0)) == [[5, 84_000], [6, 60_000], [7, 36_000], [8, 12_000]])
  }

  @Test func `the last beat has the tempo of those before it`() {
    #expect(
      counted(rig(start: 12_000 + 18 * beat + 1)).map { $0[1] } == [72_001, 48_001, 24_001, 1])
  }

  @Test func `without beats around the start, the countdown in seconds applies`() {
    for start in [0, 200_000] {
      let rig = Rig(part: start..<460_000)
      rig.setBeats(beats(at: [50_000, 74_000, 98_000, 400_000, 424_000]))
      rig.engine.setCountIn(.four)
      rig.engine.setCountdown(frames: 96_000, sound: .clave, repeats: .every)
      #expect(counted(rig) == [[2, 96_000], [1, 48_000]])
    }
    let rig = Rig()
    rig.engine.setCountIn(.eight)
    #expect(counted(rig).isEmpty)
  }

  @Test func `the count-in comes before the seconds, and only where it is set`() {
    let rig = rig(start: 12_000)
    rig.engine.setCountdown(frames: 96_000, sound: .clave, repeats: .every)
    rig.engine.setCountIn(.seconds)
    #expect(counted(rig) == [[2, 96_000], [1, 48_000]])
    rig.engine.pause()
    rig.engine.seek(to: 12_000)
    rig.engine.setCountIn(.four)
    #expect(counted(rig).map { $0[0] } == [5, 6, 7, 8])
  }

  @Test func `each repeat is counted in at the trainer's speed`() {
    let rig = rig(start: 12_000)
    rig.engine.setLoop(.section, from: 12_000, to: 60_000)
    rig.engine.setTrainer(SpeedTrainer(from: 50, to: 100, step: 50, every: 1))
    rig.engine.play()
    rig.render(4 * 48_000 + 2 * 48_000 + 4 * 24_000 + 48_000)
    let events = rig.events()
    #expect(
      events.map(\.kind).prefix(11) == [.tick, .tick, .tick, .tick, .started, .looped]
        + [.tick, .tick, .tick, .tick, .started])
    let second = 6 * 48_000
    #expect(
      events.filter { $0.kind == .tick }.prefix(8).map { Int($0.clock) }
        == (0..<4).map { $0 * 48_000 } + (0..<4).map { second + $0 * 24_000 })
  }

  @Test func `only the first pass is counted in where the countdown is, without a gap after it`() {
    let rig = rig(start: 12_000)
    rig.engine.setCountdown(frames: 0, sound: .clave, repeats: .first)
    rig.engine.setLoop(.section, from: 12_000, to: 20_000)
    rig.engine.play()
    #expect(rig.engine.turnsWithoutGap == true)
    rig.render(96_000 + 40_000)
    #expect(rig.events(.tick).count == 4)
    rig.engine.setCountdown(frames: 0, sound: .clave, repeats: .every)
    #expect(rig.engine.turnsWithoutGap == false)
    rig.engine.setBeats(count: 0)
    #expect(rig.engine.turnsWithoutGap == true)
  }

  @Test func `a rest comes before the count-in`() {
    let rig = rig(start: 12_000)
    rig.engine.setLoop(.section, from: 12_000, to: 20_000)
    rig.engine.setRest(frames: 5_000)
    rig.engine.play()
    rig.render(96_000 + 8_000 + 5_000 + 10)
    #expect(rig.events(.tick).last?.clock == 109_000)
  }

  @Test func `a seek during the count-in counts to the new place`() {
    let rig = rig(start: 12_000)
    rig.engine.play()
    rig.render(30_000)
    #expect(rig.engine.countInNumber == 6)
    #expect(rig.engine.countdownFramesLeft == 66_000)
    rig.engine.seek(to: 12_000 + 3 * beat)
    rig.render(10)
    #expect(rig.engine.countInNumber == 8)
    rig.render(100_000)
    let events = rig.events()
    #expect(events.filter { $0.kind == .tick }.map(\.value) == [5, 6, 8, 1, 2, 3])
    #expect(events.last { $0.kind == .started }?.clock == 126_000)
    #expect(rig.engine.countInNumber == 0)
  }

  @Test func `pausing cancels the count-in and play starts it again`() {
    let rig = rig(start: 12_000)
    rig.engine.play()
    rig.render(30_000)
    rig.engine.pause()
    #expect(rig.engine.countdownFramesLeft == 0)
    #expect(counted(rig).map { $0[0] } == [5, 6, 7, 8])
  }

  @Test func `the last number and the first click are a beat apart`() {
    let rig = rig(start: 12_000 + 6_000)
    rig.engine.setClick(volume: 1)
    rig.engine.setMusicVolume(0)
    rig.engine.setTickVolume(0)
    rig.engine.play()
    let output = rig.render(120_000)
    let last = rig.events(.tick).last.map { Int($0.clock) } ?? 0
    #expect(output.isSilent(0..<last + beat))
    #expect(output.left[last + beat] != 0)
  }
}
