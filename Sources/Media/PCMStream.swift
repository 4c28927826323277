// Reads raw samples from a media program, in pieces of whole frames.

/// 16-bit interleaved stereo samples from a pipe.
struct PCMStream {
  private static let bufferBytes = 1 << 19

  let process: ChildProcess

  /// Calls `body` with interleaved left and right samples until the stream ends; returns the number
  /// of frames. Drops the bytes of an incomplete last frame.
  @discardableResult
  func forEach(
    isCancelled: () -> Bool, _ body: (UnsafeBufferPointer<Int16>) throws -> Void
  ) throws -> Int {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Self.bufferBytes, alignment: 64)
    defer { buffer.deallocate() }
    // Bound once: the buffer holds only samples in this machine's byte order (little-endian).
    let samples = buffer.bindMemory(to: Int16.self)
    var filled = 0
    var frameCount = 0
    while true {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      let count = try process.read(into: rest, isCancelled: isCancelled)
      if count == 0 { return frameCount }
      filled += count
      let frames = filled / 4
      if frames > 0 {
        try body(UnsafeBufferPointer(rebasing: samples[..<(frames * 2)]))
        frameCount += frames
        let left = filled - frames * 4
        for index in 0..<left { buffer[index] = buffer[frames * 4 + index] }
        filled = left
      }
    }
  }
}
