// The waveform's numbers: what a pixel covers and how samples become eight bits.

import Testing

@testable import Analysis

struct PeakBuilderTests {
  @Test func `a pixel holds the smallest and the largest mixed sample`() {
    var builder = PeakBuilder(framesPerPixel: 4)
    builder.append([0, 0, 512, 1024, -2560, 0, 100, 100, 256, 256, 0, 0, 0, 0, 0, 0])
    #expect(builder.finish() == [-5, 3, 0, 1])
  }

  @Test func `values are rounded toward zero like in audiowaveform`() {
    var builder = PeakBuilder(framesPerPixel: 1)
    builder.append([-255, -255, 255, 255, -256, -256, .min, .min, .max, .max])
    #expect(builder.finish() == [0, 0, 0, 0, -1, -1, -128, -128, 127, 127])
  }

  @Test func `opposite channels cancel out`() {
    var builder = PeakBuilder(framesPerPixel: 16)
    builder.append((0..<32).map { $0.isMultiple(of: 2) ? 20_000 : -20_000 })
    #expect(builder.finish() == [0, 0])
  }

  @Test func `the last pixel may be shorter`() {
    var builder = PeakBuilder(framesPerPixel: 64)
    builder.append([Int16](repeating: 5_120, count: 2 * 65))
    #expect(builder.finish() == [20, 20, 20, 20])
  }

  @Test func `no samples give no pixel`() {
    var builder = PeakBuilder(framesPerPixel: 64)
    #expect(builder.finish().isEmpty)
  }

  @Test(arguments: [1, 2, 7, 8, 9, 64, 100, 1_001])
  func `the result does not depend on the piece size`(pieceFrames: Int) {
    let samples = (0..<6_006).map { Int16(truncatingIfNeeded: ($0 &* 7_919) % 40_000 - 20_000) }
    var whole = PeakBuilder(framesPerPixel: 30)
    whole.append(samples)
    var pieces = PeakBuilder(framesPerPixel: 30)
    var collected: [Int8] = []
    for start in stride(from: 0, to: samples.count, by: pieceFrames * 2) {
      pieces.append(Array(samples[start..<min(start + pieceFrames * 2, samples.count)]))
      collected += pieces.takePairs()
    }
    #expect(collected + pieces.finish() == whole.finish())
  }

  @Test(arguments: [0, 1, 63, 64, 12_345, 99_999])
  func `a single sample is found in the pixel of its frame`(frame: Int) {
    var samples = [Int16](repeating: 0, count: 2 * 100_000)
    samples[frame * 2] = 30_000
    samples[frame * 2 + 1] = 30_000
    var builder = PeakBuilder(framesPerPixel: 64)
    builder.append(samples)
    let loud = builder.finish().enumerated().filter { $0.element != 0 }.map(\.offset)
    #expect(loud == [frame / 64 * 2 + 1])
  }

  @Test(arguments: [8_000, 44_100, 96_000])
  func `samples of another rate fall into the pixel of their time`(rate: Int) {
    var samples = [Int16](repeating: 0, count: 2 * rate)
    let frame = rate / 2 + 1
    samples[frame * 2] = 30_000
    samples[frame * 2 + 1] = 30_000
    var builder = PeakBuilder(framesPerPixel: 480, sourceRate: rate)
    builder.append(samples)
    let pairs = builder.finish()
    #expect(pairs.count == 200, "one second is a hundred pixels of 480 frames at 48 kHz")
    #expect(pairs.firstIndex { $0 != 0 } == frame * 48_000 / rate / 480 * 2 + 1)
  }

  @Test(arguments: [(91, 0), (92, 1), (183, 1), (184, 2), (4_410, 48), (4_409, 47)])
  func `a border between two samples of another rate belongs to the later one`(
    frame: Int, pixel: Int
  ) {
    // 100 frames at 48 kHz are 91.875 at 44.1 kHz.
    var samples = [Int16](repeating: 0, count: 2 * 5_000)
    samples[frame * 2] = 30_000
    samples[frame * 2 + 1] = 30_000
    var builder = PeakBuilder(framesPerPixel: 100, sourceRate: 44_100)
    builder.append(samples)
    #expect(builder.finish().firstIndex { $0 != 0 } == pixel * 2 + 1)
  }
}
