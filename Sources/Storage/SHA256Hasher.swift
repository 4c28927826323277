// The hash that names a blob, through Nettle.

import CNettle
import Text

/// Computes a SHA-256 incrementally. A copy continues independently.
package struct SHA256Hasher: Sendable {
  private var context = sha256_ctx()
  /// The number of bytes hashed so far.
  package private(set) var byteCount = 0

  package init() { nettle_sha256_init(&context) }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    nettle_sha256_update(&context, bytes.count, base.assumingMemoryBound(to: UInt8.self))
    byteCount += bytes.count
  }

  /// Returns the hash of all bytes so far in lower-case hexadecimal.
  package func digest() -> String { digestBytes().hexadecimal }

  /// Returns the hash of all bytes so far, 32 bytes.
  package func digestBytes() -> [UInt8] {
    var copy = context
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
    nettle_sha256_digest(&copy, digest.count, &digest)
    return digest
  }

  /// Hashes the rest of `file`, and passes every piece to `also`.
  package mutating func update(
    reading file: borrowing OpenFile, also: (UnsafeRawBufferPointer) throws -> Void = { _ in }
  ) throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
    defer { buffer.deallocate() }
    while case let count = try file.read(into: buffer), count > 0 {
      let piece = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      update(piece)
      try also(piece)
    }
  }
}
