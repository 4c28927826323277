// The store of decoded audio chunks.

import Testing

@testable import PracticeEngine

/// A class around the store for the test macros, which cannot capture a noncopyable value.
private final class StoreBox {
  private var store = ChunkStore()

  func reserve(_ chunk: Int) -> Bool { store.reserve(chunk) }
  func markFilled(_ chunk: Int, frames: Int) { store.markFilled(chunk, frames: frames) }
  func filledFrames(of chunk: Int) -> Int { store.filledFrames(of: chunk) }
  func discard(_ chunk: Int) { store.discard(chunk) }
  func holds(frame: Int) -> Bool { store.holds(frame: frame) }
}

@Suite struct ChunkStoreTests {
  @Test func `it accepts chunks up to its capacity`() {
    let store = StoreBox()
    var accepted = 0
    for chunk in 0...ChunkStore.capacity where store.reserve(chunk) { accepted += 1 }
    #expect(accepted == ChunkStore.capacity)
    store.discard(3)
    #expect(store.reserve(99))
  }

  @Test func `a full store takes at most 100 MB`() {
    let bytes = ChunkStore.capacity * EngineTimeline.chunkFrames * 2 * MemoryLayout<Float>.size
    #expect(bytes <= 100_000_000)
  }

  @Test func `reserving a chunk again keeps its frames`() {
    let store = StoreBox()
    _ = store.reserve(2)
    store.markFilled(2, frames: 500)
    for _ in 0..<ChunkStore.capacity { _ = store.reserve(2) }
    #expect(store.filledFrames(of: 2) == 500)
    #expect(store.reserve(7), "it still has the one place that it had")
  }

  @Test func `a discarded slot is empty when it is reserved again`() {
    let store = StoreBox()
    _ = store.reserve(2)
    store.markFilled(2, frames: 500)
    store.discard(2)
    _ = store.reserve(7)
    #expect(store.filledFrames(of: 7) == 0)
    #expect(store.filledFrames(of: 2) == 0)
  }

  @Test func `it reports which frames of the track it holds`() {
    let store = StoreBox()
    _ = store.reserve(1)
    store.markFilled(1, frames: 100)
    #expect(store.holds(frame: 480_000))
    #expect(store.holds(frame: 480_099))
    #expect(!store.holds(frame: 480_100))
    #expect(!store.holds(frame: 479_999))
    #expect(!store.holds(frame: -1))
  }

  @Test func `it refuses a negative chunk`() {
    let store = StoreBox()
    #expect(!store.reserve(-1))
  }
}
