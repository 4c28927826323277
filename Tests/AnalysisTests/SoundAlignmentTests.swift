// Recordings are located in their music, and uncertain results are reported as such.

import TestSupport
import Testing

@testable import Analysis

#if canImport(Glibc)
  import Glibc
#endif

@Suite struct SoundAlignmentTests {
  /// 20 ms, a difference that is not perceived.
  private static let toleranceFrames = 960

  private func find(_ recording: DownsampledAudio, _ music: DownsampledAudio) -> SoundAlignment? {
    SoundAlignment.find(recording: recording, music: music) { _ in }
  }

  @Test(arguments: UInt64(1)...20)
  func `a recording in a noisy room is found within 20 ms with certainty`(seed: UInt64) throws {
    var random = SeededGenerator(seed: 100 + seed)
    let music = ChanceMusic(seconds: .random(in: 15...30, using: &random), seed: seed)
    let recording = RoomRecording(
      begins: .random(in: -7...12, using: &random), seconds: .random(in: 18...30, using: &random),
      noiseDecibels: .random(in: 0...20, using: &random),
      reverberation: .random(in: 0.2...0.8, using: &random),
      drift: .random(in: -100e-6...100e-6, using: &random), seed: seed)
    let answer = try #require(find(recording.sound(of: music.samples), music.sound))
    let expected = Int(recording.lag(musicCount: music.samples.count)) * 6
    #expect(abs(answer.offset - expected) <= Self.toleranceFrames)
    #expect(answer.isCertain)
    #expect((0...1).contains(answer.confidence))
  }

  @Test func `a copy is at 0 with certainty`() throws {
    let music = ChanceMusic(seconds: 20, seed: 5).sound
    let answer = try #require(find(music, music))
    #expect(answer.offset == 0)
    #expect(answer.isCertain)
    #expect(answer.confidence > 0.9)
  }

  @Test func `recordings with clock drift are aligned in their middle`() throws {
    let music = ChanceMusic(seconds: 400, seed: 6)
    let recording = RoomRecording(begins: -20, seconds: 400, drift: 100e-6, seed: 6)
    let answer = try #require(find(recording.sound(of: music.samples), music.sound))
    let expected = Int(recording.lag(musicCount: music.samples.count)) * 6
    // Far less than the 38 ms that the clocks drift apart.
    #expect(abs(answer.offset - expected) <= 240)
    #expect(answer.isCertain)
  }

  @Test(arguments: [12_345, -54_321]) func `frames are kept through the filter`(delay: Int) throws {
    // At 48 kHz, each sample of the music is repeated six times; the filter removes the steps.
    let values = ChanceMusic(seconds: 12, seed: 7).samples
    func heard(from first: Int, count: Int) -> DownsampledAudio {
      let stereo = (first..<first + count).flatMap { frame -> [Int16] in
        let place = frame.quotientAndRemainder(dividingBy: 6).quotient
        let value = frame >= 0 && place < values.count ? Int16(8_000 * values[place]) : 0
        return [value, value]
      }
      var sound = DownsampledAudio()
      // Pieces of odd lengths, as from a pipe.
      stereo.inPieces(of: 4_801) { sound.append($0) }
      return sound
    }
    let music = heard(from: 0, count: 480_000)
    let recording = heard(from: delay, count: 480_000)
    let answer = try #require(find(recording, music))
    #expect(abs(answer.offset - delay) <= 6)
    #expect(answer.isCertain)
    let lengthFrames = music.lengthFrames
    #expect((479_800...480_000).contains(lengthFrames))
  }

  @Test(arguments: UInt64(1)...8) func `other music is never certain`(seed: UInt64) {
    let music = ChanceMusic(seconds: 25, seed: 200 + seed)
    let other = ChanceMusic(seconds: 30, seed: 300 + seed)
    let recording = RoomRecording(seconds: 28, noiseDecibels: 10, seed: seed)
    let answer = find(recording.sound(of: other.samples), music.sound)
    #expect(answer?.isCertain == false)
  }

  @Test func `music that repeats itself exactly is never certain`() {
    let bar = ChanceMusic(seconds: 4, seed: 9).samples
    let loop = (0..<8).flatMap { _ in bar }
    let recording = RoomRecording(begins: -9, seconds: 10, seed: 9).sound(of: loop)
    let answer = find(recording, DownsampledAudio(values: loop))
    #expect(answer?.isCertain == false)
  }

  @Test func `silence, nothing and a single sample give no answer`() {
    let music = ChanceMusic(seconds: 10, seed: 3).sound
    let silence = DownsampledAudio(values: [Double](repeating: 0, count: 80_000))
    let nothing = DownsampledAudio()
    let sample = DownsampledAudio(values: [1])
    for quiet in [silence, nothing, sample] {
      #expect(find(quiet, music) == nil)
      #expect(find(music, quiet) == nil)
      #expect(find(quiet, quiet) == nil)
    }
  }

  @Test func `a recording of one second is not certain and causes no error`() {
    let music = ChanceMusic(seconds: 20, seed: 4)
    let short = RoomRecording(begins: -5, seconds: 1, noiseDecibels: 0, seed: 4)
    let answer = find(short.sound(of: music.samples), music.sound)
    #expect(answer?.isCertain != true)
  }

  @Test func `clicks, steps and the loudest noise give finite numbers`() {
    var random = SeededGenerator(seed: 8)
    let music = ChanceMusic(seconds: 12, seed: 8).sound
    var click = [Double](repeating: 0, count: 90_000)
    click[40_000] = 1
    let step = (0..<90_000).map { $0 < 30_000 ? -1.0 : 1.0 }
    let noise = (0..<90_000).map { _ in Bool.random(using: &random) ? 2.0 : -2.0 }
    for values in [click, step, noise] {
      let strange = DownsampledAudio(values: values)
      for (recording, piece) in [(strange, music), (music, strange)] {
        guard let answer = find(recording, piece) else { continue }
        #expect((0...1).contains(answer.confidence))
        #expect(!answer.isCertain)
      }
    }
  }

  @Test func `progress rises and an error thrown by it ends the work`() {
    struct Enough: Error {}
    let music = ChanceMusic(seconds: 20, seed: 2).sound
    var told: [Double] = []
    _ = SoundAlignment.find(recording: music, music: music) { told.append($0) }
    #expect(told == told.sorted())
    #expect(told.allSatisfy { (0...1).contains($0) })
    #expect(told.count > 50)
    #expect(throws: Enough.self) {
      try SoundAlignment.find(recording: music, music: music) { if $0 > 0.5 { throw Enough() } }
    }
  }

  @Test func `sound after two hours is dropped`() {
    var sound = DownsampledAudio()
    let minute = [Int16](repeating: 100, count: 2 * 60 * 48_000)
    for _ in 0..<121 { minute.inPieces(of: minute.count) { sound.append($0) } }
    // Bound to names: a failure would print hours of samples.
    let (isFull, lengthFrames) = (sound.isFull, sound.lengthFrames)
    #expect(isFull)
    #expect(lengthFrames <= DownsampledAudio.longestFrames + 60 * 48_000)
  }
}
