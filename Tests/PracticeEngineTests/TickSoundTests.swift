// The eight tick sounds: level, difference from each other, and decay.

import PracticeEngine
import Testing

@Suite struct TickSoundTests {
  private func preview(_ sound: TickSound) -> [Float] {
    let rig = Rig(provided: false)
    rig.engine.preview(tick: sound)
    return rig.render(48_000).left
  }

  /// The share of energy above about 3 kHz, by a simple difference filter.
  private func brightness(_ samples: [Float]) -> Float {
    var high: Float = 0
    var all: Float = 0
    for index in 1..<samples.count {
      let step = samples[index] - samples[index - 1]
      high += step * step
      all += samples[index] * samples[index]
    }
    return high / all
  }

  @Test(arguments: TickSound.allCases)
  func `a sound starts within 10 ms, is loud, and ends before the next tick`(sound: TickSound) {
    let samples = preview(sound)
    let peak = samples.map(abs).max() ?? 0
    #expect(abs(peak - 0.8) < 0.0001)
    #expect(samples[..<480].contains { abs($0) > 0.2 }, "heard within 10 ms")
    #expect(samples[36_000...].allSatisfy { $0 == 0 })
    #expect(abs(samples[35_990]) < 0.001)
  }

  @Test(arguments: [(0, 0), (0.5, 0.4), (1.25, 1), (9, 1), (-1, 0), (.nan, 0)] as [(Float, Float)])
  func `the volume scales the next tick, up to full scale`(volume: Float, peak: Float) {
    let rig = Rig(provided: false)
    rig.engine.setTickVolume(volume)
    rig.engine.preview(tick: .bongo)
    #expect(abs((rig.render(48_000).left.map(abs).max() ?? 0) - peak) < 0.0001)
  }

  @Test func `every sound differs from every other`() {
    let all = TickSound.allCases.map(preview)
    for first in all.indices {
      for second in all.indices where second > first {
        var same: Float = 0
        for index in 0..<4_800 { same += all[first][index] * all[second][index] }
        let energies = [first, second].map { all[$0][..<4_800].reduce(0) { $0 + $1 * $1 } }
        let likeness = abs(same) / (energies[0] * energies[1]).squareRoot()
        #expect(likeness < 0.5, "\(TickSound.allCases[first]) and \(TickSound.allCases[second])")
      }
    }
  }

  @Test func `metal sounds have more high frequencies than drums`() {
    #expect(brightness(preview(.hiHat)) > 0.8)
    #expect(brightness(preview(.tambourine)) > 0.5)
    #expect(brightness(preview(.kick)) < 0.01)
    #expect(brightness(preview(.bongo)) < 0.05)
    #expect(brightness(preview(.clave)) > 0.08 && brightness(preview(.clave)) < 0.25)
  }

  @Test func `a preview is not mixed with what is playing`() {
    let rig = Rig()
    rig.engine.play()
    rig.render(1_000)
    rig.engine.preview(tick: .clave)
    #expect(rig.render(1_000).equals(.noise, from: 1_000, in: 0..<1_000))
  }

  @Test func `play silences a preview`() {
    let rig = Rig()
    rig.engine.preview(tick: .piano)
    rig.render(100)
    rig.engine.play()
    #expect(rig.render(1_000).equals(.noise, from: 240, in: 240..<1_000))
  }
}
