// Sound as alignment hears it: mono at 8 kHz, which is what a phone's microphone and a room leave of
// music in any case.

#if canImport(Glibc)
  import Glibc
#endif

/// A stretch of sound that grows piece by piece, at a sixth of the timeline's rate.
public struct DownsampledAudio: Sendable {
  /// One sample stands for so many frames of the timeline.
  static let framesPerSample = 6
  static let samplesPerSecond = 48_000 / framesPerSample
  /// What comes after so many frames is not heard (two hours): it bounds memory.
  public static let longestFrames = 2 * 3_600 * 48_000

  /// Sample n is centred on frame 6·n.
  var samples: [Int16] = []

  private let filter: [Float]
  /// Mono frames that still take part in samples to come.
  private var pending = [Float](repeating: 0, count: reach)

  /// The low-pass filter reaches so many frames to either side.
  private static let reach = 96
  private static let lanes = 16

  /// Begins with nothing.
  public init() {
    // A windowed sinc that ends at 3.6 kHz (J. O. Smith, "Spectral Audio Signal Processing", 2011).
    let cutoff = 2 * 3_600.0 / 48_000
    var taps = (-Self.reach...Self.reach).map { index -> Double in
      let x = Double.pi * cutoff * Double(index)
      let sinc = index == 0 ? 1 : sin(x) / x
      return sinc * (0.5 + 0.5 * cos(Double.pi * Double(index) / Double(Self.reach + 1)))
    }
    let sum = taps.reduce(0, +)
    taps += [Double](repeating: 0, count: (Self.lanes - taps.count % Self.lanes) % Self.lanes)
    filter = taps.map { Float($0 / sum) }
  }

  /// How many frames of the timeline its samples stand for.
  public var lengthFrames: Int { samples.count * Self.framesPerSample }

  /// Whether nothing more will be heard.
  public var isFull: Bool { lengthFrames >= Self.longestFrames }

  /// Takes the next interleaved samples, left and right.
  public mutating func append(_ interleaved: UnsafeBufferPointer<Int16>) {
    if isFull { return }
    pending.reserveCapacity(pending.count + interleaved.count / 2)
    for frame in 0..<interleaved.count / 2 {
      pending.append((Float(interleaved[2 * frame]) + Float(interleaved[2 * frame + 1])) / 2)
    }
    guard pending.count >= filter.count else { return }
    let count = (pending.count - filter.count) / Self.framesPerSample + 1
    for index in 0..<count { samples.append(filtered(at: index * Self.framesPerSample)) }
    pending.removeFirst(count * Self.framesPerSample)
  }

  /// The sample whose filter begins at `start` of what is pending.
  private func filtered(at start: Int) -> Int16 {
    var sums = SIMD16<Float>(repeating: 0)
    pending.withUnsafeBytes { pending in
      filter.withUnsafeBytes { filter in
        for index in stride(from: 0, to: self.filter.count, by: Self.lanes) {
          let taps = filter.loadUnaligned(fromByteOffset: 4 * index, as: SIMD16<Float>.self)
          sums +=
            taps
            * pending.loadUnaligned(fromByteOffset: 4 * (start + index), as: SIMD16<Float>.self)
        }
      }
    }
    return Int16(min(max(sums.sum().rounded(), -32_768), 32_767))
  }
}
