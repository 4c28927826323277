// Reproducible random numbers, so that a failing test can be repeated.

/// SplitMix64 (Steele, Lea & Flood, "Fast splittable pseudorandom number generators", 2014).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  /// The increment of the state.
  private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15
  private var state: UInt64

  /// Makes a generator; equal seeds give equal sequences.
  public init(seed: UInt64) {
    // The seed is scrambled, because states a few increments apart give the same sequence, shifted
    // by that many numbers.
    state = SeededGenerator.scrambled(seed &+ SeededGenerator.step)
  }

  public mutating func next() -> UInt64 {
    state &+= SeededGenerator.step
    return SeededGenerator.scrambled(state)
  }

  private static func scrambled(_ number: UInt64) -> UInt64 {
    var value = number
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
