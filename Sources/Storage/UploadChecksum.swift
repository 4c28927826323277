// What a sender says of the bytes of one request: tus's extension "checksum".

import CNettle

/// The hash that the bytes of one request must have. It takes them piece by piece.
public struct UploadChecksum: Sendable {
  /// How the hash is made, by tus's names.
  public enum Algorithm: String, CaseIterable, Sendable {
    case sha1, sha256

    /// The length of such a hash in bytes.
    public var byteCount: Int { Int(self == .sha1 ? SHA1_DIGEST_SIZE : SHA256_DIGEST_SIZE) }
  }

  private enum Progress {
    case sha1(sha1_ctx)
    case sha256(SHA256Hasher)
  }

  private var progress: Progress
  private let expected: [UInt8]

  /// Expects bytes with the hash `expected`, of the algorithm's length.
  public init(_ algorithm: Algorithm, expected: [UInt8]) {
    self.expected = expected
    switch algorithm {
    case .sha1:
      var context = sha1_ctx()
      nettle_sha1_init(&context)
      progress = .sha1(context)
    case .sha256: progress = .sha256(SHA256Hasher())
    }
  }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    switch progress {
    case .sha1(var context):
      guard let base = bytes.baseAddress else { return }
      nettle_sha1_update(&context, bytes.count, base.assumingMemoryBound(to: UInt8.self))
      progress = .sha1(context)
    case .sha256(var hasher):
      hasher.update(bytes)
      progress = .sha256(hasher)
    }
  }

  /// Whether all bytes so far have the expected hash.
  var holds: Bool {
    switch progress {
    case .sha1(var context):
      var digest = [UInt8](repeating: 0, count: Algorithm.sha1.byteCount)
      nettle_sha1_digest(&context, digest.count, &digest)
      return digest == expected
    case .sha256(let hasher): return hasher.digestBytes() == expected
    }
  }
}
