// Measures perceived loudness, so that parts from different sources can be matched.

#if canImport(Glibc)
  import Glibc
#endif

/// Measures integrated loudness after ITU-R BS.1770-4 and EBU R 128: stereo at 48 kHz, K-weighted,
/// in blocks of 400 ms every 100 ms, gated at −70 LUFS and then 10 LU below the ungated mean.
/// Memory does not grow with the length: blocks are kept as a histogram of 0.01 LU.
public struct LoudnessMeter: Sendable {
  private static let stepFrames = 4_800
  private static let floor = -70.0
  private static let binsPerUnit = 100.0
  private static let binCount = 8_500

  private var filter = KWeighting()
  private var framesInStep = 0
  private var stepEnergy = 0.0
  private var lastSteps = SIMD4<Double>(repeating: 0)
  private var stepCount = 0
  private var blockCounts = [Int](repeating: 0, count: binCount)
  private var blockEnergies = [Double](repeating: 0, count: binCount)

  public init() {}

  /// Takes interleaved left and right samples.
  public mutating func append(_ interleaved: UnsafeBufferPointer<Int16>) {
    precondition(interleaved.count.isMultiple(of: 2))
    let frameCount = interleaved.count / 2
    var index = 0
    while index < frameCount {
      let count = min(Self.stepFrames - framesInStep, frameCount - index)
      stepEnergy += filter.energy(of: interleaved, from: index, count: count)
      index += count
      framesInStep += count
      if framesInStep == Self.stepFrames { closeStep() }
    }
  }

  /// Takes interleaved left and right samples.
  public mutating func append(_ interleaved: [Int16]) {
    interleaved.withUnsafeBufferPointer { append($0) }
  }

  /// Returns the loudness in LUFS of what was appended so far, or nil when nothing of it is louder
  /// than the gate of −70 LUFS or it is shorter than one block of 400 ms.
  public func integrated() -> Double? {
    guard let ungated = mean(fromBin: 0) else { return nil }
    let gate = Self.loudness(ofEnergy: ungated) - 10
    return mean(fromBin: Self.bin(of: gate)).map(Self.loudness(ofEnergy:))
  }

  private mutating func closeStep() {
    lastSteps = SIMD4(lastSteps[1], lastSteps[2], lastSteps[3], stepEnergy)
    stepEnergy = 0
    framesInStep = 0
    stepCount += 1
    filter.settle()
    guard stepCount >= 4 else { return }
    let energy = lastSteps.sum() / Double(4 * Self.stepFrames)
    let loudness = Self.loudness(ofEnergy: energy)
    guard loudness > Self.floor else { return }
    let bin = Self.bin(of: loudness)
    blockCounts[bin] += 1
    blockEnergies[bin] += energy
  }

  private func mean(fromBin first: Int) -> Double? {
    let count = blockCounts[first...].reduce(0, +)
    return count == 0 ? nil : blockEnergies[first...].reduce(0, +) / Double(count)
  }

  private static func loudness(ofEnergy energy: Double) -> Double {
    -0.691 + 10 * log10(energy)
  }

  private static func bin(of loudness: Double) -> Int {
    let position = ((loudness - floor) * binsPerUnit).rounded(.down)
    return Int(max(0, min(position, Double(binCount - 1))))
  }
}
