// The levels of what is loaded: by how much its audio is raised or lowered, and from which frame on.

/// A gain, and where it begins. Its layout is that of the wire: two numbers of 32 bits.
public struct EngineLevel: Equatable, Sendable {
  /// The frame of the track from which it holds.
  public var frame: Int32
  /// The factor: 1 leaves the samples unchanged.
  public var gain: Float

  /// Makes a level.
  public init(frame: Int32, gain: Float) {
    self.frame = frame
    self.gain = gain
  }
}

/// A fixed table of levels. Real time: only `init` allocates.
struct LevelTable: ~Copyable {
  /// As many parts as a run may have.
  static let capacity = 4_096
  /// 20 dB.
  static let greatestGain: Float = 10

  // Unsafe so that rendering reads levels without reference counting. This table alone owns it and frees
  // it in `deinit`; every index below is less than `count`, which is at most the capacity.
  let levels: UnsafeMutablePointer<EngineLevel>
  private(set) var count = 0

  init() {
    levels = .allocate(capacity: Self.capacity)
    levels.initialize(repeating: EngineLevel(frame: 0, gain: 1), count: Self.capacity)
  }

  deinit { levels.deallocate() }

  /// Takes the first `count` levels that were written. Those from the first on that does not lie after the
  /// one before it, or whose gain is none from 0 to `greatestGain`, are dropped.
  mutating func take(count: Int) {
    self.count = 0
    var last: Int32 = -1
    while self.count < min(count, Self.capacity) {
      let level = levels[self.count]
      guard level.frame > last, level.gain >= 0, level.gain <= Self.greatestGain else { break }
      last = level.frame
      self.count += 1
    }
  }

  /// Returns the gain at a frame; 1 before the first level.
  func gain(at frame: Int) -> Float {
    let next = firstIndex(after: frame)
    return next == 0 ? 1 : levels[next - 1].gain
  }

  /// Returns the first level after a frame that differs from the one before it.
  func change(after frame: Int) -> EngineLevel? {
    var index = firstIndex(after: frame)
    while index < count {
      if levels[index].gain != (index == 0 ? 1 : levels[index - 1].gain) { return levels[index] }
      index += 1
    }
    return nil
  }

  private func firstIndex(after frame: Int) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if Int(levels[middle].frame) <= frame { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
