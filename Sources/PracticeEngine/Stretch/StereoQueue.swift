// Stereo frames that wait to be used: appended at one end, dropped at the other, read anywhere.

/// A window onto a stream of stereo frames, which are counted from wherever the stream began.
///
/// Real time: fixed memory. Appending may move what is kept to the front, once in a thousand frames.
struct StereoQueue: ~Copyable {
  private let leftSamples: SampleBuffer
  private let rightSamples: SampleBuffer
  /// The number of the frame that lies first in memory.
  private(set) var first = 0
  /// The number of the frame that comes next.
  private(set) var end = 0

  /// Makes a queue that holds `capacity` frames at most.
  init(capacity: Int) {
    leftSamples = SampleBuffer(count: capacity)
    rightSamples = SampleBuffer(count: capacity)
  }

  /// The address of frame 0 of the left channel, wherever that would lie.
  var left: UnsafeMutablePointer<Float> { leftSamples.base - first }
  var right: UnsafeMutablePointer<Float> { rightSamples.base - first }

  /// Empties the queue: the next frame is number 0, and `silent` frames of silence lie before it.
  mutating func reset(silent: Int) {
    precondition(silent <= leftSamples.count)
    first = -silent
    end = 0
    leftSamples.base.update(repeating: 0, count: silent)
    rightSamples.base.update(repeating: 0, count: silent)
  }

  /// Makes room for `count` frames, dropping those before `keptFrom` when it is needed.
  mutating func makeRoom(_ count: Int, keepingFrom keptFrom: Int) {
    guard end - first + count > leftSamples.count else { return }
    let dropped = min(max(keptFrom - first, 0), end - first)
    let rest = end - first - dropped
    precondition(rest + count <= leftSamples.count)
    leftSamples.base.update(from: leftSamples.base + dropped, count: rest)
    rightSamples.base.update(from: rightSamples.base + dropped, count: rest)
    first += dropped
  }

  /// Says that `count` frames were written at `end`.
  mutating func wrote(_ count: Int) { end += count }
}
