// Turns a stream of stereo samples into the minimum and maximum of every pixel, in one pass and
// without keeping the samples.

/// Collects the smallest and largest sample of every pixel, the way audiowaveform does: stereo is
/// mixed to one channel, and a 16-bit value becomes an 8-bit one by division by 256 toward zero.
public struct PeakBuilder: Sendable {
  /// How many frames of the 48 kHz timeline one pixel covers.
  public let framesPerPixel: Int

  private let sourceRate: Int
  private var pixelIndex = 0
  private var sourceFrame = 0
  private var pixelEnd: Int
  private var minimum: Int32 = .max
  private var maximum: Int32 = .min
  private var pairs: [Int8] = []

  /// Makes a builder; `sourceRate` is the rate of the samples that will be appended. With a rate
  /// other than the timeline's, a sample belongs to the pixel in which its time falls.
  public init(framesPerPixel: Int, sourceRate: Int = 48_000) {
    precondition(framesPerPixel > 0 && sourceRate > 0)
    self.framesPerPixel = framesPerPixel
    self.sourceRate = sourceRate
    pixelEnd = Self.firstFrame(ofPixel: 1, framesPerPixel: framesPerPixel, rate: sourceRate)
  }

  /// Takes interleaved left and right samples; an odd last sample is a programmer's mistake.
  public mutating func append(_ interleaved: UnsafeBufferPointer<Int16>) {
    precondition(interleaved.count.isMultiple(of: 2))
    // Raw loads: one 32-bit lane holds a left and a right sample, so that eight frames are mixed
    // in one step. Every load below stays inside `frameCount` frames of the buffer.
    let frames = UnsafeRawBufferPointer(interleaved)
    let frameCount = interleaved.count / 2
    var index = 0
    while index < frameCount {
      let count = min(pixelEnd - sourceFrame, frameCount - index)
      measure(frames, from: index, count: count)
      index += count
      sourceFrame += count
      if sourceFrame == pixelEnd { closePixel() }
    }
  }

  /// Takes interleaved left and right samples.
  public mutating func append(_ interleaved: [Int16]) {
    interleaved.withUnsafeBufferPointer { append($0) }
  }

  /// Hands over the pixels that are complete and forgets them, so that memory stays bounded.
  public mutating func takePairs() -> [Int8] {
    defer { pairs.removeAll(keepingCapacity: true) }
    return pairs
  }

  /// Closes the last, perhaps shorter, pixel and returns what `takePairs()` has not yet returned:
  /// minimum and maximum alternating.
  public mutating func finish() -> [Int8] {
    if minimum <= maximum { closePixel() }
    return takePairs()
  }

  private mutating func measure(_ frames: UnsafeRawBufferPointer, from start: Int, count: Int) {
    var low = SIMD8<Int32>(repeating: minimum)
    var high = SIMD8<Int32>(repeating: maximum)
    var index = start
    let end = start + count
    while index + 8 <= end {
      let both = frames.loadUnaligned(fromByteOffset: index * 4, as: SIMD8<Int32>.self)
      let sum = (both &>> 16) &+ ((both &<< 16) &>> 16)
      low = pointwiseMin(low, sum)
      high = pointwiseMax(high, sum)
      index += 8
    }
    var smallest = low.min()
    var largest = high.max()
    while index < end {
      let both = frames.loadUnaligned(fromByteOffset: index * 4, as: Int32.self)
      let sum = (both &>> 16) &+ ((both &<< 16) &>> 16)
      smallest = min(smallest, sum)
      largest = max(largest, sum)
      index += 1
    }
    minimum = smallest
    maximum = largest
  }

  private mutating func closePixel() {
    let low = Int8(clamping: minimum / 2 / 256)
    let high = Int8(clamping: maximum / 2 / 256)
    // A pixel narrower than a sample of a slow source shows the sample that sounds there.
    repeat {
      pairs.append(low)
      pairs.append(high)
      pixelIndex += 1
      pixelEnd = Self.firstFrame(
        ofPixel: pixelIndex + 1, framesPerPixel: framesPerPixel, rate: sourceRate)
    } while pixelEnd <= sourceFrame
    minimum = .max
    maximum = .min
  }

  private static func firstFrame(ofPixel pixel: Int, framesPerPixel: Int, rate: Int) -> Int {
    (pixel * framesPerPixel * rate + 47_999) / 48_000
  }
}
