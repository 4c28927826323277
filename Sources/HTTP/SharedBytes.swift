// Bytes at a fixed address, which many responses send without copying.

/// Immutable bytes at a fixed address.
public final class SharedBytes: Sendable {
  /// Read-only after init and freed in deinit, so that any thread may read it.
  nonisolated(unsafe) let buffer: UnsafeRawBufferPointer

  /// Copies `bytes`.
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
