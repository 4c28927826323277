// The beginning with natural voice: its work is spread over some steps, and nobody hears it.

import Foundation
import PracticeEngine
import TestSupport
import Testing

@Suite struct NaturalBeginningTests {
  private func rig(
    _ signal: Signal, semitones: Int, rate: Int, length: Int? = nil
  ) -> StretchRig {
    let rig = StretchRig(signal, length: length, rate: rate)
    rig.stretcher.setSemitones(semitones)
    rig.stretcher.setNaturalVoice(true)
    return rig
  }

  @Test(arguments: [-12, -5, 3, 7, 12], [50, 100, 200])
  func `no step after a jump reads much of the source`(semitones: Int, rate: Int) {
    let rig = rig(.noise, semitones: semitones, rate: rate)
    _ = rig.render(12_800)
    rig.jump(to: 96_000)
    var given = 0
    for step in 0..<40 {
      _ = rig.render(128)
      // What is filtered costs most. The first step also reads what a window and attacks need.
      #expect(rig.given - given < (step == 0 ? 6_500 : 3_700))
      given = rig.given
    }
  }

  @Test(arguments: [-7, -3, 4, 12], [50, 100, 150])
  func `a tone begins at its level, and goes on without a step`(semitones: Int, rate: Int) {
    let rig = rig(.sine, semitones: semitones, rate: rate)
    let own = Signal.sineStep * Float(exp2(Double(semitones) / 12))
    for isJump in [false, true] {
      if isJump { rig.jump(to: 96_027) }
      let output = rig.render(28_800)
      func loudest(_ frames: Range<Int>) -> Float { output.left[frames].map { abs($0) }.max() ?? 0 }
      // That of the rest: the mean of what is loudest in 5 ms.
      let rest = stride(from: 9_600, to: 28_560, by: 240).map { loudest($0..<($0 + 240)) }
      let level = rest.reduce(0, +) / Float(rest.count)
      #expect(output.largestStep(in: 450..<9_600) < 1.2 * own * level / 0.5)
      for from in stride(from: 300, to: 2_400, by: 150) {
        // Up to 540 frames the material itself is heard, and the filter rings after the sudden onset.
        let bound: Float = from < 540 ? 0.85 : 0.45
        #expect(abs(20 * log10(loudest(from..<(from + 240)) / level)) < bound)
      }
    }
  }

  @Test(arguments: [-5, 5], [50, 75, 100, 150])
  func `attacks within the beginning are heard once, at their places`(semitones: Int, rate: Int) {
    for frames in [[20], [150], [300], [500], [640], [100, 1_400]] {
      let rig = rig(.clicks(Set(frames)), semitones: semitones, rate: rate, length: 30_000)
      let output = rig.render(6_000).left.map { abs($0) }
      let loudest = output.max() ?? 0
      #expect(loudest > 0.2)
      let heard = output.indices.filter { output[$0] > 0.25 * loudest }
      let wanted = frames.map { $0 * 100 / rate }
      #expect(wanted.allSatisfy { place in heard.contains { abs($0 - place) < 4 } })
      #expect(heard.allSatisfy { place in wanted.contains { abs($0 - place) < 4 } })
    }
  }

  @Test func `another pitch within the beginning does not click`() {
    let rig = rig(.sine, semitones: 3, rate: 100)
    var output = rig.render(4_000)
    let own = output.largestStep(in: 1..<4_000)
    for (semitones, frames) in [(5, 300), (4, 200), (5, 128), (3, 77), (5, 900), (3, 4_000)] {
      rig.stretcher.setSemitones(semitones)
      let more = rig.render(frames)
      output.left += more.left
      output.right += more.right
    }
    #expect(output.largestStep(in: 1..<output.count) < 1.6 * own)
    let tail = output.largestStep(in: (output.count - 3_000)..<output.count)
    #expect(abs(20 * log10(tail / own)) < 0.5)
  }
}
