// The timing of the stretcher: lengths, positions, and unchanged output at a speed of 1.

import AllocationCounter
import PracticeEngine
import TestSupport
import Testing

@Suite struct StretcherTests {
  @Test(arguments: [1, 7, 128, 1_000, 4_096])
  func `at a speed of 1 the output is bit-identical to the source`(blockSize: Int) {
    let rig = StretchRig(.noise)
    let output = rig.render(20_000, blockSize: blockSize)
    #expect(output.equals(.noise, from: 0, in: 0..<20_000))
  }

  @Test func `after a return to a speed of 1 the output is bit-identical to the source`() {
    let rig = StretchRig(.noise)
    _ = rig.render(1_000)
    rig.stretcher.setRate(hundredths: 77)
    _ = rig.render(10_000)
    rig.stretcher.setRate(hundredths: 100)
    // A new speed takes effect within 110 ms, and the transition takes 21 ms.
    _ = rig.render(12_000)
    let frame = rig.stretcher.sourceFrameHeard
    let output = rig.render(5_000)
    #expect(output.equals(.noise, from: frame, in: 0..<5_000))
  }

  @Test(arguments: [25, 50, 77, 90, 99, 101, 150, 200])
  func `the output length is the source length divided by the speed, rounded half up`(rate: Int) {
    for length in [1, 333, 4_321] {
      let rig = StretchRig(.sine, length: length, rate: rate)
      let output = rig.renderAll()
      #expect(output.count == (200 * length + rate) / (2 * rate))
      let isFinished = rig.stretcher.isFinished
      #expect(isFinished)
    }
  }

  @Test func `the position does not drift over many changes of speed`() {
    let rig = StretchRig(rate: 73) { _, _ in 0 }
    var random = SeededGenerator(seed: 8)
    // At a constant speed the position advances exactly, in hundredths of a frame since the start.
    // During a transition it advances at a speed between the old and the new one.
    for _ in 0..<20 {
      let rate = rig.stretcher.rate
      let before = rig.stretcher.sourceFrameHeard
      _ = rig.render(4_800)
      let steady = rig.stretcher.sourceFrameHeard
      #expect(abs(steady - before - 48 * rate) <= 1)
      let next = Int.random(in: 25...99, using: &random)
      rig.stretcher.setRate(hundredths: next)
      _ = rig.render(5_400)
      let moved = rig.stretcher.sourceFrameHeard - steady
      #expect(moved >= 54 * min(rate, next) - 1 && moved <= 54 * max(rate, next) + 1)
    }
  }

  @Test func `a hundred repeats at one speed end on the exact frame`() {
    let rig = StretchRig(rate: 33) { _, _ in 0 }
    for turn in 1...100 {
      _ = rig.render(1_234)
      let frame = rig.stretcher.sourceFrameHeard
      #expect(frame == turn * 1_234 * 33 / 100)
    }
  }

  @Test func `the output does not depend on the block size`() {
    let length = 6_000
    func rendered(_ blockSize: Int) -> Output {
      let rig = StretchRig(length: length, rate: 60) { frame, channel in
        Signal.sine.sample(frame, channel: channel)
          + (frame % 2_000 < 250 ? Signal.noise.sample(frame, channel: channel) * 0.4 : 0)
      }
      return rig.render(.max, blockSize: blockSize)
    }
    let reference = rendered(128)
    for blockSize in [1, 5, 127, 129, 1_000, 4_096] {
      #expect(rendered(blockSize) == reference)
    }
  }

  @Test(arguments: [50, 80, 125, 200])
  func `the first frame is the first source frame, at its level`(rate: Int) {
    let rig = StretchRig(rate: rate) { frame, _ in
      0.5 * Signal.sine.sample(frame + 300, channel: 0)
    }
    let output = rig.render(64)
    for frame in 0..<64 {
      #expect(abs(output.left[frame] - rig.source(frame, 0)) < 0.02)
    }
  }

  @Test(.enabled(if: segmance_allocation_count() >= 0, "sanitizers have their own allocator"))
  func `rendering and commands allocate nothing`() {
    var stretcher = Stretcher()
    let buffer = UnsafeMutablePointer<Float>.allocate(capacity: 4 * Stretcher.inputCapacity)
    defer { buffer.deallocate() }
    for index in 0..<(2 * Stretcher.inputCapacity) {
      buffer[index] = Signal.noise.sample(index, channel: 0)
    }
    let output = buffer + 2 * Stretcher.inputCapacity
    var isComplete = true
    let before = segmance_allocation_count()
    for block in 0..<600 {
      switch block % 200 {
      case 20: stretcher.setRate(hundredths: 60)
      case 60: stretcher.setSemitones(block % 400 == 60 ? 5 : -7)
      case 80: stretcher.setNaturalVoice(!stretcher.isNaturalVoice)
      case 100: stretcher.setSemitones(0)
      case 120: stretcher.setRate(hundredths: 100)
      case 190: stretcher.reset(ringingOut: true)
      default: break
      }
      while stretcher.wantedFrames > 0 {
        stretcher.give(
          left: buffer, right: buffer + Stretcher.inputCapacity, count: stretcher.wantedFrames)
      }
      let count = stretcher.render(frames: 128, left: output, right: output + 128)
      isComplete = isComplete && count == 128
    }
    #expect(isComplete)
    #expect(segmance_allocation_count() == before)
  }
}
