// Bytes at a fixed place in memory, sent by many responses at once without a copy.

/// Holds bytes that never change and never move.
public final class SharedBytes: Sendable {
  /// Read-only after init and freed in deinit, so that any thread may read it.
  nonisolated(unsafe) let buffer: UnsafeRawBufferPointer

  /// Copies bytes to their place.
  public init(_ bytes: [UInt8]) {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    memory.copyBytes(from: bytes)
    buffer = UnsafeRawBufferPointer(memory)
  }

  deinit { buffer.deallocate() }

  /// The number of bytes.
  public var count: Int { buffer.count }

  /// Copies the bytes out.
  public var bytes: [UInt8] { Array(buffer) }
}
