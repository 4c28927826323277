// The decoded audio of one track in the engine: a fixed number of slots for chunks.

/// Holds decoded chunks. Slots are filled from the front, piece by piece.
///
/// Real time: looking up and reading neither allocate nor lock; `reserve` allocates the first time
/// that a slot is used, and is never called while rendering.
struct ChunkStore: ~Copyable {
  /// The number of slots: 24 chunks of 3.84 MB, so 92 MB and four minutes.
  static let capacity = 24

  private struct Place {
    var chunk = -1
    var filledFrames = 0
    /// The left channel's frames, then the right channel's.
    var samples: UnsafeMutablePointer<Float>?
  }

  // Unsafe so that rendering reads samples without reference counting or exclusivity checks. The
  // store alone owns the table and every buffer in it, and frees them in `deinit`.
  private let places: UnsafeMutablePointer<Place>

  init() {
    places = .allocate(capacity: Self.capacity)
    places.initialize(repeating: Place(), count: Self.capacity)
  }

  deinit {
    for index in 0..<Self.capacity { places[index].samples?.deallocate() }
    places.deallocate()
  }

  /// Reserves an empty slot for a chunk; keeps the samples if the chunk has a slot already.
  ///
  /// Returns false if all slots are taken.
  mutating func reserve(_ chunk: Int) -> Bool {
    guard chunk >= 0 else { return false }
    if index(of: chunk) != nil { return true }
    guard let free = index(of: -1) else { return false }
    if places[free].samples == nil {
      // Left uninitialized, so that an audio thread need not touch the whole buffer at once.
      // Nothing is read before `markFilled`, and floats are trivial, so they may be assigned
      // without initialization.
      places[free].samples = .allocate(capacity: 2 * EngineTimeline.chunkFrames)
    }
    places[free].chunk = chunk
    places[free].filledFrames = 0
    return true
  }

  /// Returns the buffer for the samples of a reserved chunk's channel (0 left, 1 right): room for
  /// `EngineTimeline.chunkFrames` of them, valid until the chunk is discarded.
  func destination(of chunk: Int, channel: Int) -> UnsafeMutablePointer<Float>? {
    guard let index = index(of: chunk), let samples = places[index].samples else { return nil }
    return samples + (channel == 0 ? 0 : EngineTimeline.chunkFrames)
  }

  /// Marks the first `frames` of a reserved chunk as written.
  mutating func markFilled(_ chunk: Int, frames: Int) {
    guard let index = index(of: chunk) else { return }
    places[index].filledFrames = min(max(frames, 0), EngineTimeline.chunkFrames)
  }

  /// The number of frames of a chunk that are loaded.
  func filledFrames(of chunk: Int) -> Int {
    index(of: chunk).map { places[$0].filledFrames } ?? 0
  }

  mutating func discard(_ chunk: Int) {
    guard chunk >= 0, let index = index(of: chunk) else { return }
    places[index].chunk = -1
    places[index].filledFrames = 0
  }

  mutating func discardAll() {
    for index in 0..<Self.capacity {
      places[index].chunk = -1
      places[index].filledFrames = 0
    }
  }

  /// Whether a frame of the track is loaded.
  func holds(frame: Int) -> Bool {
    frame >= 0
      && frame % EngineTimeline.chunkFrames < filledFrames(of: frame / EngineTimeline.chunkFrames)
  }

  /// Copies frames of the track from `frame` on, at most `count` and within one chunk.
  ///
  /// Returns the number of frames: zero if the data is missing.
  func copy(
    from frame: Int, count: Int, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>
  ) -> Int {
    guard frame >= 0, let index = index(of: frame / EngineTimeline.chunkFrames),
      let samples = places[index].samples
    else { return 0 }
    let offset = frame % EngineTimeline.chunkFrames
    let copied = min(count, places[index].filledFrames - offset)
    guard copied > 0 else { return 0 }
    left.update(from: samples + offset, count: copied)
    right.update(from: samples + EngineTimeline.chunkFrames + offset, count: copied)
    return copied
  }

  private func index(of chunk: Int) -> Int? {
    for index in 0..<Self.capacity where places[index].chunk == chunk { return index }
    return nil
  }
}
