// The calls of the loaded part: the names that are said before their moves.

/// One call: a name, said ahead of its move. Its layout is that of the wire: three numbers of 32 bits.
public struct EngineCall: Equatable, Sendable {
  /// The frame of the track on which the move begins. The name is over by then.
  public var frame: Int32
  /// The frame of the track on which the name's attack falls, if there is room; perhaps before the track.
  public var calledFrame: Int32
  /// The number of its recording, from 1.
  public var recording: Int32

  /// Makes a call.
  public init(frame: Int32, calledFrame: Int32, recording: Int32) {
    self.frame = frame
    self.calledFrame = calledFrame
    self.recording = recording
  }
}

/// A fixed table of calls.
///
/// Real time: only `init` allocates.
struct CallTable: ~Copyable {
  /// A move every two seconds for more than two hours.
  static let capacity = 4_096
  /// An hour and a half: a bound that keeps differences in 32 bits.
  static let mostAheadFrames = 1 << 28

  // Unsafe so that rendering reads calls without reference counting. This table alone owns it and frees
  // it in `deinit`; every index below is less than `count`, which is at most the capacity.
  let calls: UnsafeMutablePointer<EngineCall>
  private(set) var count = 0

  init() {
    calls = .allocate(capacity: Self.capacity)
    calls.initialize(
      repeating: EngineCall(frame: 0, calledFrame: 0, recording: 0), count: Self.capacity)
  }

  deinit { calls.deallocate() }

  /// Takes the first `count` calls that were written. Those from the first on that lies before the one
  /// before it, or is called after its move or more than `mostAheadFrames` before it, are dropped.
  mutating func take(count: Int) {
    self.count = 0
    var last: Int32 = 0
    while self.count < min(count, Self.capacity) {
      let call = calls[self.count]
      let ahead = Int64(call.frame) - Int64(call.calledFrame)
      guard call.frame >= last, (0...Int64(Self.mostAheadFrames)).contains(ahead) else { break }
      last = call.frame
      self.count += 1
    }
  }

  /// Returns a call by its index; nil after the last.
  func call(_ index: Int) -> EngineCall? { index < count ? calls[index] : nil }

  /// Returns the index of the first call whose move begins at or after a frame.
  func firstIndex(from frame: Int) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if calls[middle].frame < frame { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
