// Sounds for the analysis tests: clicks, drums, strings, chords and noise.

import TestSupport

#if canImport(Glibc)
  import Glibc
#endif

/// Stereo sound at 48 kHz that grows note by note.
struct Sound {
  var left: [Double]
  var right: [Double]
  private var random = SeededGenerator(seed: 11)

  init(seconds: Double) {
    left = [Double](repeating: 0, count: Int(seconds * 48_000))
    right = left
  }

  /// Interleaved samples of 16 bits.
  var samples: [Int16] {
    var result: [Int16] = []
    result.reserveCapacity(left.count * 2)
    for index in left.indices {
      result.append(Int16(max(-1, min(1, left[index])) * 32_767))
      result.append(Int16(max(-1, min(1, right[index])) * 32_767))
    }
    return result
  }

  /// Adds the value of `sample` for each second since `frame`.
  mutating func add(
    at frame: Int, seconds: Double, leftOnly: Bool = false, _ sample: (Double) -> Double
  ) {
    let end = min(left.count, frame + Int(seconds * 48_000))
    for index in frame..<max(frame, end) {
      let value = sample(Double(index - frame) / 48_000)
      left[index] += value
      if !leftOnly { right[index] += value }
    }
  }

  /// One loud sample.
  mutating func click(at frame: Int) { add(at: frame, seconds: 1 / 48_000) { _ in 0.8 } }

  /// A snare: noise that dies away within a tenth of a second.
  mutating func drum(at frame: Int, leftOnly: Bool = false) {
    var random = random
    add(at: frame, seconds: 0.3, leftOnly: leftOnly) {
      Double.random(in: -0.7...0.7, using: &random) * exp(-$0 * 30)
    }
    self.random = random
  }

  /// A plucked string: six partials that die away, loud after two milliseconds.
  mutating func pluck(at frame: Int, hertz: Double) {
    add(at: frame, seconds: 1) { time in
      var partials = 0.0
      for partial in 1...6 {
        partials += sin(2 * .pi * hertz * Double(partial) * time) / Double(partial)
      }
      return 0.25 * partials * exp(-4 * time) * min(1, time / 0.002) * min(1, (1 - time) / 0.1)
    }
  }

  /// A steady tone with fades of 50 ms.
  mutating func tone(at frame: Int, seconds: Double, hertz: Double, level: Double = 0.2) {
    add(at: frame, seconds: seconds) { time in
      level * sin(2 * .pi * hertz * time) * min(1, time / 0.05, (seconds - time) / 0.05)
    }
  }

  /// Noise at a constant level.
  mutating func noise(at frame: Int, seconds: Double, level: Double) {
    var random = random
    add(at: frame, seconds: seconds) { _ in Double.random(in: -level...level, using: &random) }
    self.random = random
  }
}

extension [Int16] {
  /// Passes the samples in pieces of `frames` frames.
  func inPieces(of frames: Int, _ body: (UnsafeBufferPointer<Int16>) -> Void) {
    withUnsafeBufferPointer { samples in
      for start in stride(from: 0, to: samples.count, by: frames * 2) {
        let end = Swift.min(start + frames * 2, samples.count)
        body(UnsafeBufferPointer(rebasing: samples[start..<end]))
      }
    }
  }
}
