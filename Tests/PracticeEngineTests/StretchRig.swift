// A stretcher with helpers that feed it from a known source and collect its output.

import PracticeEngine

final class StretchRig {
  var stretcher = Stretcher()
  /// Returns the sample of a source frame and channel.
  let source: (Int, Int) -> Float
  let sourceLength: Int?
  /// The number of source frames given since the last reset; the first is `firstFrame`.
  private(set) var given = 0
  private(set) var firstFrame = 0

  /// Makes a stretcher. A source without a length is endless.
  init(length: Int? = nil, rate: Int = 100, source: @escaping (Int, Int) -> Float) {
    self.source = source
    sourceLength = length
    stretcher.setRate(hundredths: rate)
    stretcher.reset()
  }

  convenience init(_ signal: Signal, length: Int? = nil, rate: Int = 100) {
    self.init(length: length, rate: rate) { signal.sample($0, channel: $1) }
  }

  /// Continues at another frame of the source.
  func jump(to frame: Int, ringingOut: Bool = true) {
    stretcher.reset(ringingOut: ringingOut)
    given = 0
    firstFrame = frame
  }

  /// Renders and returns the next frames, or fewer at the end of the source.
  func render(_ frames: Int, blockSize: Int = 128) -> Output {
    var output = Output()
    var left = [Float](repeating: .nan, count: blockSize)
    var right = left
    while output.count < frames {
      let wanted = min(blockSize, frames - output.count)
      var count = 0
      // One block can take several steps; each step needs its input frames first.
      while count < wanted {
        feed()
        let made = left.withUnsafeMutableBufferPointer { left in
          right.withUnsafeMutableBufferPointer { right in
            guard let left = left.baseAddress, let right = right.baseAddress else { return 0 }
            return stretcher.render(
              frames: wanted - count, left: left + count, right: right + count)
          }
        }
        if made == 0 { break }
        count += made
      }
      output.left += left[..<count]
      output.right += right[..<count]
      if count < wanted { break }
    }
    return output
  }

  /// Renders to the end of the source.
  func renderAll() -> Output { render(.max) }

  private func feed() {
    while stretcher.wantedFrames > 0 {
      let wanted = stretcher.wantedFrames
      let count = min(wanted, (sourceLength ?? .max) - given)
      let frames = (firstFrame + given)..<(firstFrame + given + count)
      let left = frames.map { source($0, 0) }
      let right = frames.map { source($0, 1) }
      left.withUnsafeBufferPointer { left in
        right.withUnsafeBufferPointer { right in
          guard let left = left.baseAddress, let right = right.baseAddress else { return }
          stretcher.give(left: left, right: right, count: count)
        }
      }
      given += count
      if count < wanted { stretcher.finish() }
    }
  }
}
