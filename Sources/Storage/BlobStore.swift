// The files that users uploaded, each stored once under its hash: what the library asks of their store.

#if canImport(Glibc)
  import Glibc
#endif

/// A reference to stored bytes.
public struct BlobReference: Sendable, Hashable {
  /// The SHA-256 of the bytes in lower-case hexadecimal.
  public let sha256: String
  /// The number of bytes.
  public let size: Int

  public init(sha256: String, size: Int) {
    self.sha256 = sha256
    self.size = size
  }

  /// Whether a text is a SHA-256 as blobs are named by it.
  static func isHash(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }
}

/// A hashed and synced temporary file that is not yet part of the store.
public struct StagedBlob: Sendable {
  /// Its current path, under `tmp`.
  public let path: String
  /// Its future name in the store.
  public let reference: BlobReference

  /// Removes the file. Does nothing if it was placed already.
  public func discard() throws { try Files.remove(path) }
}

/// Stored bytes as a file of this machine. The file stays as long as this object lives.
public final class LocalBlob: Sendable {
  /// The path of the file. It must not be written to.
  public let path: String
  private let release: @Sendable () -> Void

  init(path: String, release: @escaping @Sendable () -> Void = {}) {
    self.path = path
    self.release = release
  }

  deinit { release() }

  /// Gives the file a second name under `tmp`, which whoever opens it can remove: the bytes stay as long as
  /// it is open. nil if the disk knows no second names.
  public func linked(in folder: DataDirectory) -> String? {
    let path = folder.temporaryPath("sent")
    return link(self.path, path) == 0 ? path : nil
  }
}

/// Bytes that are where they are to stay, but belong to no record yet. They are not removed as long as this
/// object lives.
public final class SentBlob: Sendable {
  /// Their name in the store.
  public let reference: BlobReference
  /// The same for other servers that use the bucket. A record may only be committed while it lasts.
  public let hold: (any BlobHold)?
  private let release: @Sendable () -> Void

  init(
    _ reference: BlobReference, hold: (any BlobHold)? = nil,
    release: @escaping @Sendable () -> Void = {}
  ) {
    self.reference = reference
    self.hold = hold
    self.release = release
  }

  deinit { release() }
}

/// Keeps other servers that use the same bucket from deleting a blob, or all, while it lives and they hear of
/// this server.
public protocol BlobHold: AnyObject, Sendable {
  /// Its name in the database.
  var id: String { get }
}

/// Where servers that use the same bucket say which blobs they need.
public protocol BlobHolds: Sendable {
  /// Keeps the blob with this hash from being deleted; throws if that is about to happen.
  func hold(_ sha256: String) throws -> any BlobHold

  /// Keeps all blobs from being deleted, but those in `leaving`.
  func holdAll() throws -> (hold: any BlobHold, leaving: [String])
}

/// Stores files under their hash. When `place` returns, name and bytes are where they are to stay, so that the
/// caller may commit a record that refers to them.
///
/// `stage` and `send` take time in proportion to the size. `place` takes none: only `place` should run under
/// a lock.
public protocol BlobStore: AnyObject, Sendable {
  /// The data folder of the library.
  var folder: DataDirectory { get }

  /// Whether every blob is a file of this machine, which reading and looking for it needs no time to get.
  var isLocal: Bool { get }

  /// Sends a synced file of these bytes to where they are to stay, if that is not this disk.
  func send(_ path: String, _ reference: BlobReference) throws -> SentBlob

  /// Gives staged bytes that were sent their name. The staged file is gone afterwards, also after an error.
  func place(_ staged: StagedBlob, _ sent: SentBlob) throws -> BlobReference

  /// Returns whether the bytes with this hash are stored, without waiting.
  func contains(_ sha256: String) -> Bool

  /// Removes a blob; first commit that no record refers to it. Does nothing if it does not exist. Bytes that
  /// are elsewhere are deleted by the next `finishRemovals`.
  func remove(_ sha256: String) throws

  /// Deletes what was removed, where that takes time.
  func finishRemovals() throws

  /// The total size of all blobs. The first call may look at every file.
  func storedBytes() throws -> Int

  /// Returns all blobs, in order of hash, except those removed meanwhile.
  func all() throws -> [BlobReference]

  /// Looks again what is stored, where that takes time, and deletes what unfinished uploads left.
  func refresh() throws

  /// Reads a blob again, polling `isCancelled`, and returns whether it still matches its hash.
  func verify(_ sha256: String, isCancelled: () -> Bool) throws -> Bool

  /// Returns a blob as a local file. Throws `notFound`, at the latest to who opens the file.
  ///
  /// - Parameter isPassing: it is read once, and should not displace what is read often.
  func local(_ sha256: String, isPassing: Bool) throws -> LocalBlob

  /// Returns a blob as a local file, if it is one already.
  func localAtHand(_ sha256: String) -> LocalBlob?

  /// Keeps the bytes of a snapshot from being removed while the object lives, where a link can't.
  func pin(_ hashes: [String]) throws -> [SentBlob]

  /// The bytes that a running backup reads: their size, and how to open them; nil if they are not stored.
  func source(
    of sha256: String, in staging: BackupStaging
  ) throws -> (source: BackupSource, file: BackupManifest.File)?
}

extension BlobStore {
  /// Copies a file from any disk into a temporary file; the source stays.
  public func stage(copyOf path: String) throws -> StagedBlob {
    let source = try OpenFile(path, O_RDONLY)
    try folder.requireSpace(for: source.size())
    return try stage { file, hasher in
      try hasher.update(reading: source, also: { try file.write($0) })
    }
  }

  /// Writes bytes from memory to a temporary file.
  public func stage(contentsOf bytes: [UInt8]) throws -> StagedBlob {
    try folder.requireSpace(for: bytes.count)
    return try stage { file, hasher in
      try bytes.withUnsafeBytes {
        hasher.update($0)
        try file.write($0)
      }
    }
  }

  /// Stages, sends and places bytes from memory.
  public func add(contentsOf bytes: [UInt8]) throws -> BlobReference {
    try place(stage(contentsOf: bytes))
  }

  /// Sends and places staged bytes.
  public func place(_ staged: StagedBlob) throws -> BlobReference {
    let sent: SentBlob
    do {
      sent = try send(staged.path, staged.reference)
    } catch {
      try staged.discard()
      throw error
    }
    return try place(staged, sent)
  }

  /// Reads a blob again, and returns whether it still matches its hash.
  public func verify(_ sha256: String) throws -> Bool { try verify(sha256) { false } }

  /// Runs `body` with the path of a blob as a local file.
  public func withLocal<Result>(
    _ sha256: String, _ body: (_ path: String) throws -> Result
  ) throws -> Result {
    let local = try local(sha256, isPassing: false)
    return try withExtendedLifetime(local) { try body(local.path) }
  }

  private func stage(
    _ fill: (borrowing OpenFile, inout SHA256Hasher) throws -> Void
  ) throws -> StagedBlob {
    let path = folder.temporaryPath("blob")
    var hasher = SHA256Hasher()
    do {
      let file = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL)
      try fill(file, &hasher)
      try file.sync()
    } catch {
      try Files.remove(path)
      throw error
    }
    return StagedBlob(
      path: path, reference: BlobReference(sha256: hasher.digest(), size: hasher.byteCount))
  }
}
