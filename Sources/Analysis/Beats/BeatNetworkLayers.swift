// The layers of the beat network, each a stream of its own.

#if canImport(Glibc)
  import Glibc
#endif

/// `sums += weights · inputs`, with the outputs side by side: weights are inputs × outputs.
@inline(__always)
private func accumulate(
  _ inputs: UnsafePointer<Float>, _ inputCount: Int, _ weights: UnsafePointer<SIMD4<Float>>,
  _ sums: inout Sums
) {
  var weight = weights
  for index in 0..<inputCount {
    let value = inputs[index]
    sums.0 += value * weight[0]
    sums.1 += value * weight[1]
    sums.2 += value * weight[2]
    sums.3 += value * weight[3]
    sums.4 += value * weight[4]
    weight += 5
  }
}

/// The 20 outputs of a layer.
private typealias Sums = (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)

@inline(__always)
private func larger(_ a: Sums, _ b: Sums) -> Sums {
  (
    pointwiseMax(a.0, b.0), pointwiseMax(a.1, b.1), pointwiseMax(a.2, b.2), pointwiseMax(a.3, b.3),
    pointwiseMax(a.4, b.4)
  )
}

@inline(__always)
private func store(_ sums: Sums, _ row: UnsafeMutablePointer<Float>) {
  for lane in 0..<4 {
    row[lane] = sums.0[lane]
    row[4 + lane] = sums.1[lane]
    row[8 + lane] = sums.2[lane]
    row[12 + lane] = sums.3[lane]
    row[16 + lane] = sums.4[lane]
  }
}

extension WeightReader {
  /// Takes weights whose last dimension is the 20 outputs.
  fileprivate mutating func takeRows(_ count: Int) -> [SIMD4<Float>] {
    let numbers = take(count * BeatNetwork.channels)
    return (0..<count * 5).map { index in
      SIMD4(
        numbers[4 * index], numbers[4 * index + 1], numbers[4 * index + 2], numbers[4 * index + 3])
    }
  }
}

@inline(__always)
private func bias(_ rows: UnsafePointer<SIMD4<Float>>) -> Sums {
  (rows[0], rows[1], rows[2], rows[3], rows[4])
}

/// Shrinks the 40 bands of three frames to one row: convolve 3 × 3, keep the largest of three
/// bands; convolve eight bands, keep the largest of five.
struct Front: Sendable {
  private static let pooled = 12
  private let first: [SIMD4<Float>]
  private let firstBias: [SIMD4<Float>]
  private let second: [SIMD4<Float>]
  private let secondBias: [SIMD4<Float>]
  /// The last three frames, the oldest first.
  private var frames = [Float](repeating: 0, count: 3 * MelBands.bandCount)
  private var narrow = [Float](repeating: 0, count: pooled * BeatNetwork.channels)
  private var count = 0

  init(_ reader: inout WeightReader) {
    first = reader.takeRows(9)
    firstBias = reader.takeRows(1)
    second = reader.takeRows(8 * BeatNetwork.channels)
    secondBias = reader.takeRows(1)
  }

  /// Takes the bands of a frame. Writes the row of the frame before, if there is one.
  mutating func push(_ bands: UnsafePointer<Float>, into row: UnsafeMutablePointer<Float>) -> Bool {
    let size = MelBands.bandCount
    frames.withUnsafeMutableBufferPointer { frames in
      for index in 0..<2 * size { frames[index] = frames[index + size] }
      for index in 0..<size { frames[2 * size + index] = bands[index] }
    }
    count += 1
    guard count > 1 else { return false }
    convolve(into: row)
    return true
  }

  private mutating func convolve(into row: UnsafeMutablePointer<Float>) {
    let (size, channels) = (MelBands.bandCount, BeatNetwork.channels)
    // All buffers have the sizes that `init` gave them.
    frames.withUnsafeBufferPointer { frames in
      narrow.withUnsafeMutableBufferPointer { narrow in
        first.withUnsafeBufferPointer { first in
          firstBias.withUnsafeBufferPointer { firstBias in
            for pool in 0..<Self.pooled {
              var best = bias(firstBias.baseAddress!)
              for band in 3 * pool..<3 * pool + 3 {
                var sums = bias(firstBias.baseAddress!)
                for time in 0..<3 {
                  accumulate(
                    frames.baseAddress! + time * size + band, 3, first.baseAddress! + time * 15,
                    &sums)
                }
                best = band == 3 * pool ? sums : larger(best, sums)
              }
              let place = narrow.baseAddress! + pool * channels
              store(best, place)
              for channel in 0..<channels { place[channel] = elu(place[channel]) }
            }
          }
        }
        second.withUnsafeBufferPointer { second in
          secondBias.withUnsafeBufferPointer { secondBias in
            var best = bias(secondBias.baseAddress!)
            for band in 0..<Self.pooled - 7 {
              var sums = bias(secondBias.baseAddress!)
              accumulate(
                narrow.baseAddress! + band * channels, 8 * channels, second.baseAddress!, &sums)
              best = band == 0 ? sums : larger(best, sums)
            }
            store(best, row)
            for channel in 0..<channels { row[channel] = elu(row[channel]) }
          }
        }
      }
    }
  }
}

/// A convolution over frames that lie `dilation` apart. A residual layer adds a mixture of its
/// outputs to its input; another one puts them out.
struct DilatedLayer: Sendable {
  /// How many frames after the input the output comes.
  let delay: Int

  private let taps: Int
  private let dilation: Int
  private let isResidual: Bool
  private let weights: [SIMD4<Float>]
  private let biases: [SIMD4<Float>]
  private let mix: [SIMD4<Float>]
  private let mixBiases: [SIMD4<Float>]
  /// The last inputs, the frame `n` at `n % frameCount`; silence before the first.
  private var ring: [Float]
  private var count = 0
  private var inner = [Float](repeating: 0, count: BeatNetwork.channels)

  init(_ reader: inout WeightReader, taps: Int, dilation: Int, isResidual: Bool) {
    self.taps = taps
    self.dilation = dilation
    self.isResidual = isResidual
    delay = taps / 2 * dilation
    weights = reader.takeRows(taps * BeatNetwork.channels)
    biases = reader.takeRows(1)
    mix = isResidual ? reader.takeRows(BeatNetwork.channels) : []
    mixBiases = isResidual ? reader.takeRows(1) : []
    ring = [Float](repeating: 0, count: (2 * delay + 1) * BeatNetwork.channels)
  }

  /// Takes a row. Writes the one of `delay` frames before, if there is one.
  mutating func push(
    _ row: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>
  ) -> Bool {
    let channels = BeatNetwork.channels
    let size = 2 * delay + 1
    let newest = count % size
    // All buffers have the sizes that `init` gave them.
    return ring.withUnsafeMutableBufferPointer { ring in
      for channel in 0..<channels { ring[newest * channels + channel] = row[channel] }
      count += 1
      guard count > delay else { return false }
      inner.withUnsafeMutableBufferPointer { inner in
        weights.withUnsafeBufferPointer { weights in
          biases.withUnsafeBufferPointer { biases in
            var sums = bias(biases.baseAddress!)
            for tap in 0..<taps {
              // The oldest frame is the one after the newest, in the ring.
              let frame = (newest + 1 + tap * dilation) % size
              accumulate(
                ring.baseAddress! + frame * channels, channels,
                weights.baseAddress! + tap * channels * 5, &sums)
            }
            store(sums, inner.baseAddress!)
          }
        }
        for channel in 0..<channels { inner[channel] = elu(inner[channel]) }
        guard isResidual else {
          for channel in 0..<channels { output[channel] = inner[channel] }
          return
        }
        mix.withUnsafeBufferPointer { mix in
          mixBiases.withUnsafeBufferPointer { mixBiases in
            var sums = bias(mixBiases.baseAddress!)
            accumulate(inner.baseAddress!, channels, mix.baseAddress!, &sums)
            store(sums, output)
          }
        }
        let middle = (newest + 1 + delay) % size
        for channel in 0..<channels { output[channel] += ring[middle * channels + channel] }
      }
      return true
    }
  }
}

/// Makes an activation of the last layer's row.
struct EndLayer: Sendable {
  private let weights: [Float]
  private let biases: [Float]

  init(_ reader: inout WeightReader) {
    weights = reader.take(2 * BeatNetwork.channels)
    biases = reader.take(2)
  }

  func activation(of row: UnsafePointer<Float>) -> BeatActivation {
    var (beat, downbeat) = (biases[0], biases[1])
    for channel in 0..<BeatNetwork.channels {
      let value = elu(row[channel])
      beat += value * weights[channel]
      downbeat += value * weights[BeatNetwork.channels + channel]
    }
    return BeatActivation(beat: 1 / (1 + expf(-beat)), downbeat: 1 / (1 + expf(-downbeat)))
  }
}
