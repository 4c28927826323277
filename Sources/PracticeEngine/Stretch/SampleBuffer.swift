// Memory for samples and spectra: allocated once, aligned for vectors of four, freed by its owner.

/// A fixed number of floats, zero at first.
///
/// Real time: only `init` allocates. Unsafe inside so that rendering reads and writes without
/// reference counting; indices are checked by those who compute them.
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
  /// Reads four neighbours. The address need not be aligned.
  @inline(__always)
  func four(_ index: Int) -> Four {
    UnsafeRawPointer(self + index).loadUnaligned(as: Four.self)
  }

  /// Writes four neighbours.
  @inline(__always)
  func setFour(_ index: Int, _ value: Four) {
    UnsafeMutableRawPointer(self + index).storeBytes(of: value, as: Four.self)
  }
}

extension Four {
  /// The same four, last first.
  @inline(__always)
  var reversed: Four { Four(w, z, y, x) }
}
