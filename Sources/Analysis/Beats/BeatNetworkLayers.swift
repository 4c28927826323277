// The layers of the beat network, each a stream of its own.

#if canImport(Glibc)
  import Glibc
#endif

/// Eight channels.
typealias Lanes = SIMD8<Float>

/// The 32 outputs of a layer.
struct LayerRow {
  static let count = 32
  static let lanesCount = count / Lanes.scalarCount

  var lanes: (Lanes, Lanes, Lanes, Lanes)

  @inline(__always)
  init(_ place: UnsafePointer<Lanes>) { lanes = (place[0], place[1], place[2], place[3]) }

  /// Adds `inputs` · `weights`, which are inputs × outputs.
  @inline(__always)
  mutating func add(
    _ inputs: UnsafePointer<Float>, _ inputCount: Int, _ weights: UnsafePointer<Lanes>
  ) {
    var weight = weights
    for index in 0..<inputCount {
      let value = Lanes(repeating: inputs[index])
      lanes.0 += value * weight[0]
      lanes.1 += value * weight[1]
      lanes.2 += value * weight[2]
      lanes.3 += value * weight[3]
      weight += Self.lanesCount
    }
  }

  /// Keeps the larger of both in each channel.
  @inline(__always)
  mutating func keepLarger(_ other: LayerRow) {
    lanes.0 = larger(lanes.0, other.lanes.0)
    lanes.1 = larger(lanes.1, other.lanes.1)
    lanes.2 = larger(lanes.2, other.lanes.2)
    lanes.3 = larger(lanes.3, other.lanes.3)
  }

  @inline(__always)
  func store(_ place: UnsafeMutablePointer<Float>) {
    let place = UnsafeMutableRawPointer(place)
    place.storeBytes(of: lanes.0, as: Lanes.self)
    place.storeBytes(of: lanes.1, toByteOffset: 32, as: Lanes.self)
    place.storeBytes(of: lanes.2, toByteOffset: 64, as: Lanes.self)
    place.storeBytes(of: lanes.3, toByteOffset: 96, as: Lanes.self)
  }
}

@inline(__always)
private func larger(_ one: Lanes, _ other: Lanes) -> Lanes {
  one.replacing(with: other, where: other .> one)
}

/// The exponential linear unit of `count` numbers, a multiple of eight: `x` above zero, and below it
/// e^x − 1, within 2e-7.
@inline(__always)
private func applyUnit(_ numbers: UnsafeMutablePointer<Float>, _ count: Int) {
  let place = UnsafeMutableRawPointer(numbers)
  for offset in stride(from: 0, to: count * MemoryLayout<Float>.stride, by: 32) {
    let value = place.loadUnaligned(fromByteOffset: offset, as: Lanes.self)
    let turns = value.replacing(with: -60, where: value .< -60) * 1.442695
    // The nearest whole number, in the lowest bits of the mantissa.
    let shifted = turns + 12_582_912
    let rest = turns - (shifted - 12_582_912)
    var power = Lanes(repeating: 0.000_154_035_3)
    power = power * rest + 0.001_333_355_8
    power = power * rest + 0.009_618_129
    power = power * rest + 0.055_504_11
    power = power * rest + 0.240_226_51
    power = power * rest + 0.693_147_18
    power = power * rest + 1
    let exponent = unsafeBitCast(shifted, to: SIMD8<Int32>.self) &<< 23
    let exponential = unsafeBitCast(
      unsafeBitCast(power, to: SIMD8<Int32>.self) &+ exponent, to: Lanes.self)
    place.storeBytes(
      of: value.replacing(with: exponential - 1, where: value .< 0), toByteOffset: offset,
      as: Lanes.self)
  }
}

/// Shrinks the 80 bands of three frames to seven places: convolve 3 × 3, keep the largest of three
/// bands; convolve six of these, keep the largest of three. Each version of a sound for itself.
struct BandFront: Sendable {
  /// The channels after the first convolution, in two parts.
  private static let narrowChannels = 16
  private static let narrowCount = 26
  private static let taps = 6
  private static let placeCount = 7

  /// Numbers that come out, for each place those of all channels.
  static let outputCount = placeCount * LayerRow.count

  private let first: [Lanes]
  private let firstBias: [Lanes]
  private let second: [Lanes]
  private let secondBias: [Lanes]
  private let versionCount: Int
  /// The last three frames of each version, the oldest first.
  private var frames: [Float]
  /// The narrower bands of one version.
  private var narrow = [Float](repeating: 0, count: narrowCount * narrowChannels)
  private var count = 0

  init(_ reader: inout WeightReader, versionCount: Int) {
    self.versionCount = versionCount
    frames = [Float](repeating: 0, count: versionCount * 3 * MelBands.bandCount)
    first = reader.takeLanes(9 * Self.narrowChannels)
    firstBias = reader.takeLanes(Self.narrowChannels)
    second = reader.takeLanes(Self.taps * Self.narrowChannels * LayerRow.count)
    secondBias = reader.takeLanes(LayerRow.count)
  }

  /// Takes the bands of a frame of each version. Writes the places of the frame before, if there is
  /// one.
  mutating func push(_ bands: UnsafePointer<Float>, into row: UnsafeMutablePointer<Float>) -> Bool {
    let size = MelBands.bandCount
    frames.withUnsafeMutableBufferPointer { frames in
      for version in 0..<versionCount {
        let oldest = 3 * version * size
        for index in oldest..<oldest + 2 * size { frames[index] = frames[index + size] }
        for index in 0..<size { frames[oldest + 2 * size + index] = bands[version * size + index] }
      }
    }
    count += 1
    guard count > 1 else { return false }
    for version in 0..<versionCount {
      narrowBands(of: version)
      convolve(into: row + version * Self.outputCount)
    }
    return true
  }

  private mutating func narrowBands(of version: Int) {
    let size = MelBands.bandCount
    let oldest = 3 * version * size
    let (biasLow, biasHigh) = (firstBias[0], firstBias[1])
    // All buffers have the sizes that `init` gave them.
    frames.withUnsafeBufferPointer { frames in
      narrow.withUnsafeMutableBufferPointer { narrow in
        first.withUnsafeBufferPointer { first in
          for pool in 0..<Self.narrowCount {
            var (bestLow, bestHigh) = (Lanes(repeating: -.infinity), Lanes(repeating: -.infinity))
            for band in 3 * pool..<3 * pool + 3 {
              var (low, high) = (biasLow, biasHigh)
              for time in 0..<3 {
                for offset in 0..<3 {
                  let value = Lanes(repeating: frames[oldest + time * size + band + offset])
                  low += value * first[2 * (3 * time + offset)]
                  high += value * first[2 * (3 * time + offset) + 1]
                }
              }
              bestLow = larger(bestLow, low)
              bestHigh = larger(bestHigh, high)
            }
            let place = UnsafeMutableRawPointer(narrow.baseAddress! + pool * Self.narrowChannels)
            place.storeBytes(of: bestLow, as: Lanes.self)
            place.storeBytes(of: bestHigh, toByteOffset: 32, as: Lanes.self)
          }
        }
        applyUnit(narrow.baseAddress!, narrow.count)
      }
    }
  }

  private func convolve(into row: UnsafeMutablePointer<Float>) {
    narrow.withUnsafeBufferPointer { narrow in
      second.withUnsafeBufferPointer { second in
        secondBias.withUnsafeBufferPointer { bias in
          for pool in 0..<Self.placeCount {
            var best = LayerRow(bias.baseAddress!)
            for band in 3 * pool..<3 * pool + 3 {
              var sums = LayerRow(bias.baseAddress!)
              sums.add(
                narrow.baseAddress! + band * Self.narrowChannels, Self.taps * Self.narrowChannels,
                second.baseAddress!)
              if band == 3 * pool { best = sums } else { best.keepLarger(sums) }
            }
            best.store(row + pool * LayerRow.count)
          }
        }
      }
    }
    applyUnit(row, Self.outputCount)
  }
}

/// A convolution over frames that lie `dilation` apart. A residual layer adds a mixture of its
/// outputs to its input; another one puts them out.
struct DilatedLayer: Sendable {
  /// How many frames after the input the output comes.
  let delay: Int

  private let versionCount: Int
  private let inputCount: Int
  private let taps: Int
  private let dilation: Int
  private let isResidual: Bool
  private let weights: [Lanes]
  private let biases: [Lanes]
  private let mix: [Lanes]
  private let mixBiases: [Lanes]
  /// The last inputs, those of frame `n` in all versions at `n % frameCount`; silence before the first.
  private var ring: [Float]
  private var count = 0

  /// Takes what training wrote. A residual layer has as many inputs as outputs.
  init(
    _ reader: inout WeightReader, versionCount: Int, inputCount: Int, taps: Int, dilation: Int,
    isResidual: Bool
  ) {
    self.versionCount = versionCount
    self.inputCount = inputCount
    self.taps = taps
    self.dilation = dilation
    self.isResidual = isResidual
    delay = taps / 2 * dilation
    weights = reader.takeLanes(taps * inputCount * LayerRow.count)
    biases = reader.takeLanes(LayerRow.count)
    mix = isResidual ? reader.takeLanes(LayerRow.count * LayerRow.count) : []
    mixBiases = isResidual ? reader.takeLanes(LayerRow.count) : []
    ring = [Float](repeating: 0, count: (2 * delay + 1) * versionCount * inputCount)
  }

  /// Takes a row of each version. Writes those of `delay` frames before, if there are some.
  mutating func push(
    _ rows: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>
  ) -> Bool {
    let size = 2 * delay + 1
    let newest = count % size
    let frameWidth = versionCount * inputCount
    // All buffers have the sizes that `init` gave them.
    return ring.withUnsafeMutableBufferPointer { ring in
      for index in 0..<frameWidth { ring[newest * frameWidth + index] = rows[index] }
      count += 1
      guard count > delay else { return false }
      let oldest = newest + 1
      for version in 0..<versionCount {
        /// The version's inputs, so many frames after the oldest.
        func inputs(_ frame: Int) -> UnsafePointer<Float> {
          let place = (oldest + frame) % size * frameWidth + version * inputCount
          return UnsafePointer(ring.baseAddress! + place)
        }
        let output = output + version * LayerRow.count
        var sums = Self.sums(biases)
        weights.withUnsafeBufferPointer { weights in
          for tap in 0..<taps {
            sums.add(
              inputs(tap * dilation), inputCount,
              weights.baseAddress! + tap * inputCount * LayerRow.lanesCount)
          }
        }
        sums.store(output)
        applyUnit(output, LayerRow.count)
        guard isResidual else { continue }
        var mixed = Self.sums(mixBiases)
        mix.withUnsafeBufferPointer { mixed.add(output, LayerRow.count, $0.baseAddress!) }
        mixed.store(output)
        let middle = inputs(delay)
        for channel in 0..<LayerRow.count { output[channel] += middle[channel] }
      }
      return true
    }
  }

  @inline(__always)
  private static func sums(_ lanes: [Lanes]) -> LayerRow {
    lanes.withUnsafeBufferPointer { LayerRow($0.baseAddress!) }  // It has `lanesCount` elements.
  }
}

/// Makes an activation of the last layer's row.
struct EndLayer: Sendable {
  private let weights: [Float]
  private let biases: [Float]

  init(_ reader: inout WeightReader) {
    weights = reader.take(2 * LayerRow.count)
    biases = reader.take(2)
  }

  func activation(of row: UnsafeMutablePointer<Float>) -> BeatActivation {
    applyUnit(row, LayerRow.count)
    var (beat, downbeat) = (biases[0], biases[1])
    for channel in 0..<LayerRow.count {
      beat += row[channel] * weights[channel]
      downbeat += row[channel] * weights[LayerRow.count + channel]
    }
    return BeatActivation(beat: 1 / (1 + expf(-beat)), downbeat: 1 / (1 + expf(-downbeat)))
  }
}
