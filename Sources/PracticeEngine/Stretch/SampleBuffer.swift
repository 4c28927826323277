// Memory for samples and spectra: allocated once, aligned for vectors of four, freed by its owner.

/// A fixed number of floats, initially zero.
///
/// Real time: only `init` allocates. Unsafe inside so that rendering reads and writes without
/// reference counting; the callers that compute indices check them.
struct SampleBuffer: ~Copyable {
  let base: UnsafeMutablePointer<Float>
  let count: Int

  init(count: Int) {
    self.count = count
    let bytes = UnsafeMutableRawPointer.allocate(
      byteCount: count * MemoryLayout<Float>.stride, alignment: 16)
    base = bytes.bindMemory(to: Float.self, capacity: count)
    base.initialize(repeating: 0, count: count)
  }

  deinit { UnsafeMutableRawPointer(base).deallocate() }

  subscript(index: Int) -> Float {
    get { base[index] }
    nonmutating set { base[index] = newValue }
  }

  func clear() { base.update(repeating: 0, count: count) }
}

typealias Four = SIMD4<Float>

extension UnsafeMutablePointer<Float> {
  /// Reads four consecutive floats. The address need not be aligned.
  @inline(__always)
  func four(_ index: Int) -> Four {
    UnsafeRawPointer(self + index).loadUnaligned(as: Four.self)
  }

  /// Writes four consecutive floats.
  @inline(__always)
  func setFour(_ index: Int, _ value: Four) {
    UnsafeMutableRawPointer(self + index).storeBytes(of: value, as: Four.self)
  }

  /// Sums this many samples, a multiple of four.
  @inline(__always)
  func sum(_ count: Int) -> Float {
    var sum = Four()
    var i = 0
    while i < count {
      sum += four(i)
      i += 4
    }
    return sum.sum()
  }

  /// Writes the 16 numbers of four vectors transposed: first all first elements, then all second
  /// ones.
  @inline(__always)
  func setColumns(_ index: Int, _ a: Four, _ b: Four, _ c: Four, _ d: Four) {
    let ab = a.pairs(with: b), cd = c.pairs(with: d)
    let first = SIMD8(lowHalf: ab.low, highHalf: cd.low)
    let second = SIMD8(lowHalf: ab.high, highHalf: cd.high)
    setFour(index, first.evenHalf)
    setFour(index + 4, first.oddHalf)
    setFour(index + 8, second.evenHalf)
    setFour(index + 12, second.oddHalf)
  }
}

extension Four {
  /// The first two numbers of this and another vector, and the last two of both.
  ///
  /// Uses whole pairs: if single numbers are taken out of a vector that was just computed, the
  /// compiler computes each of them separately.
  @inline(__always)
  func pairs(with other: Four) -> (low: Four, high: Four) {
    // Unsafe: the same 16 bytes as another type.
    let a = unsafeBitCast(self, to: SIMD2<UInt64>.self)
    let b = unsafeBitCast(other, to: SIMD2<UInt64>.self)
    return (
      unsafeBitCast(SIMD2(a.x, b.x), to: Four.self), unsafeBitCast(SIMD2(a.y, b.y), to: Four.self)
    )
  }

  /// The four numbers in reverse order.
  @inline(__always)
  var reversed: Four {
    let pair = unsafeBitCast(self, to: SIMD2<UInt64>.self)
    let turned = unsafeBitCast(SIMD2(pair.y, pair.x), to: Four.self)
    return Four(turned.y, turned.x, turned.w, turned.z)
  }
}
