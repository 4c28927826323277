// A queue of stereo frames: appended at one end, dropped at the other, read at any position.

/// A window onto a stream of stereo frames, which are counted from the start of the stream.
///
/// Real time: fixed memory. Appending may move the kept frames to the front, once in a thousand
/// frames.
struct StereoQueue: ~Copyable {
  private let leftSamples: SampleBuffer
  private let rightSamples: SampleBuffer
  /// The number of the first frame in memory.
  private(set) var first = 0
  /// The number of the next frame to append.
  private(set) var end = 0

  /// Makes a queue with room for `capacity` frames.
  init(capacity: Int) {
    leftSamples = SampleBuffer(count: capacity)
    rightSamples = SampleBuffer(count: capacity)
  }

  /// The address that frame 0 of the left channel would have.
  var left: UnsafeMutablePointer<Float> { leftSamples.base - first }
  var right: UnsafeMutablePointer<Float> { rightSamples.base - first }

  /// Empties the queue: the next frame is number 0, preceded by `silent` frames of silence.
  mutating func reset(silent: Int) {
    precondition(silent <= leftSamples.count)
    first = -silent
    end = 0
    leftSamples.base.update(repeating: 0, count: silent)
    rightSamples.base.update(repeating: 0, count: silent)
  }

  /// Makes room for `count` frames; drops those before `keptFrom` if necessary.
  mutating func makeRoom(_ count: Int, keepingFrom keptFrom: Int) {
    guard end - first + count > leftSamples.count else { return }
    let dropped = min(max(keptFrom - first, 0), end - first)
    let rest = end - first - dropped
    precondition(rest + count <= leftSamples.count)
    leftSamples.base.update(from: leftSamples.base + dropped, count: rest)
    rightSamples.base.update(from: rightSamples.base + dropped, count: rest)
    first += dropped
  }

  /// Marks `count` frames at `end` as written.
  mutating func wrote(_ count: Int) { end += count }
}
