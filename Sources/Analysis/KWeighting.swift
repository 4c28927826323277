// The K-weighting that loudness is measured with.

/// The two filters of BS.1770-4, annex 1, tables 1 and 2, over both channels at once.
struct KWeighting {
  private var shelf1 = SIMD2<Double>(repeating: 0)
  private var shelf2 = SIMD2<Double>(repeating: 0)
  private var pass1 = SIMD2<Double>(repeating: 0)
  private var pass2 = SIMD2<Double>(repeating: 0)

  /// Returns the sum over both channels of the squares of the filtered samples (full scale = 1).
  mutating func energy(
    of samples: UnsafeBufferPointer<Int16>, from start: Int, count: Int
  ) -> Double {
    var (s1, s2, p1, p2) = (shelf1, shelf2, pass1, pass2)
    var sum = SIMD2<Double>(repeating: 0)
    for frame in start..<start + count {
      let input = SIMD2(Double(samples[frame * 2]), Double(samples[frame * 2 + 1]))
      // Both in transposed direct form II.
      let shelved = input * 1.53512485958697 + s1
      s1 = input * -2.69169618940638 + shelved * 1.69065929318241 + s2
      s2 = input * 1.19839281085285 - shelved * 0.73248077421585
      let passed = shelved + p1
      p1 = shelved * -2 + passed * 1.99004745483398 + p2
      p2 = shelved - passed * 0.99007225036621
      sum += passed * passed
    }
    (shelf1, shelf2, pass1, pass2) = (s1, s2, p1, p2)
    return sum.sum() / (32_768 * 32_768)
  }

  /// Sets tiny remainders to zero: in silence they would become denormal numbers, which are slow.
  mutating func settle() {
    for path in [\KWeighting.shelf1, \.shelf2, \.pass1, \.pass2] {
      let state = self[keyPath: path]
      self[keyPath: path] = state.replacing(
        with: 0, where: (state .< 1e-9) .& (state .> -1e-9))
    }
  }
}
