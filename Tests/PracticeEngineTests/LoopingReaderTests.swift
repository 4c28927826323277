// The looping reader by itself: where it stops and where it jumps back.

import Testing

@testable import PracticeEngine

@Suite struct LoopingReaderTests {
  /// Reads from a store whose chunk 0 has `filled` frames; the value of each frame is its index.
  private func read(
    _ reader: inout LoopingReader, count: Int, filled: Int = 1_000
  ) -> (frames: [Float], read: LoopingReader.Read) {
    var store = ChunkStore()
    _ = store.reserve(0)
    for channel in 0...1 {
      guard let samples = store.destination(of: 0, channel: channel) else { continue }
      for frame in 0..<filled { samples[frame] = Float(frame) }
    }
    store.markFilled(0, frames: filled)
    let left = UnsafeMutablePointer<Float>.allocate(capacity: 2 * count)
    left.initialize(repeating: -1, count: 2 * count)
    defer { left.deallocate() }
    let read = reader.read(from: store, count: count, left: left, right: left + count)
    return ((0..<read.frames).map { left[$0] }, read)
  }

  @Test func `without a loop it reads the range once and stops at the end`() {
    var reader = LoopingReader(position: 10, start: 10, end: 15, turnsLeft: 0)
    let result = read(&reader, count: 8)
    #expect(result.frames == [10, 11, 12, 13, 14])
    #expect(result.read.stop == .end)
    #expect(reader.position == 15)
  }

  @Test func `it jumps back several times within one block`() {
    var reader = LoopingReader(position: 12, start: 10, end: 13, turnsLeft: LoopingReader.endless)
    let result = read(&reader, count: 8)
    #expect(result.frames == [12, 10, 11, 12, 10, 11, 12, 10])
    #expect(result.read.turns == 3)
    #expect(result.read.stop == .none)
  }

  @Test func `it jumps back at most as often as its limit`() {
    var reader = LoopingReader(position: 12, start: 10, end: 13, turnsLeft: 2)
    #expect(reader.framesLeft(limit: 100) == 7)
    #expect(reader.framesLeft(limit: 6) == 6)
    let result = read(&reader, count: 9)
    #expect(result.frames == [12, 10, 11, 12, 10, 11, 12])
    #expect(result.read.turns == 2)
    #expect(result.read.stop == .end)
    #expect(reader.framesLeft(limit: 100) == 0)
  }

  @Test func `it stops and keeps its position where frames are missing`() {
    var reader = LoopingReader(position: 997, start: 0, end: 2_000, turnsLeft: 0)
    let result = read(&reader, count: 8)
    #expect(result.frames == [997, 998, 999])
    #expect(result.read.stop == .missing)
    #expect(reader.position == 1_000)
  }

  @Test func `an empty range ends at once, even if it loops`() {
    var reader = LoopingReader(position: 5, start: 5, end: 5, turnsLeft: LoopingReader.endless)
    #expect(read(&reader, count: 4).read.stop == .end)
  }
}
