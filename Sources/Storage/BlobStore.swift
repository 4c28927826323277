// The files that users uploaded, each stored once under its hash.

import Locking

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

/// Stores files under their hash. When `place` returns, name and bytes are on the disk, so that the
/// caller may commit a record that refers to them.
///
/// `stage` reads, hashes and syncs, which takes time in proportion to the size. `place` is a
/// rename: only `place` should run under a lock.
public final class BlobStore: Sendable {
  private let folder: DataDirectory
  /// The total size of all blobs, once it was requested; locked while a blob is added or removed.
  private let total = OrderedMutex<Int?>(.blobs, nil)

  /// Opens the store of a prepared folder.
  public init(folder: DataDirectory) { self.folder = folder }

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

  /// Stages and places bytes from memory.
  public func add(contentsOf bytes: [UInt8]) throws -> BlobReference {
    try place(stage(contentsOf: bytes))
  }

  /// Returns whether the bytes with this hash are stored.
  public func contains(_ sha256: String) -> Bool { Files.exists(folder.blob(sha256)) }

  /// Removes a blob; first commit that no record refers to it. Does nothing if it does not exist.
  public func remove(_ sha256: String) throws {
    let path = folder.blob(sha256)
    try total.withLock { total in
      let size = total == nil || !Files.exists(path) ? 0 : try Files.size(of: path)
      try Files.remove(path)
      total = total.map { $0 - size }
    }
  }

  /// The total size of all blobs. The first call looks at every file.
  public func storedBytes() throws -> Int {
    try total.withLock { total in
      if let total { return total }
      let all = try all().reduce(0) { $0 + $1.size }
      total = all
      return all
    }
  }

  /// Returns all blobs, in order of hash, except those removed meanwhile.
  public func all() throws -> [BlobReference] {
    var found: [BlobReference] = []
    guard Files.exists(folder.blobs) else { return found }
    for shard in try Files.names(in: folder.blobs).sorted() where shard.utf8.count == 2 {
      for name in try Files.names(in: folder.blobs + "/" + shard).sorted() {
        let path = folder.blobs + "/" + shard + "/" + name
        guard folder.blob(name) == path else { continue }
        do {
          found.append(BlobReference(sha256: name, size: try Files.size(of: path)))
        } catch let error as StorageError where error.code == .notFound {
          // Another process that uses the library has removed it.
        }
      }
    }
    return found
  }

  /// Reads a blob again, polling `isCancelled`, and returns whether it still matches its hash.
  public func verify(_ sha256: String, isCancelled: () -> Bool = { false }) throws -> Bool {
    var hasher = SHA256Hasher()
    try hasher.update(reading: OpenFile(folder.blob(sha256), O_RDONLY)) { _ in
      if isCancelled() { throw StorageError.cancelled }
    }
    return hasher.digest() == sha256
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

  /// Moves staged bytes to their name. They replace an existing file of that name: it may have been
  /// damaged, and verifying it would take as long as reading it.
  ///
  /// The staged file is gone afterwards, also after an error.
  public func place(_ staged: StagedBlob) throws -> BlobReference {
    do {
      try rename(staged)
    } catch {
      try staged.discard()
      throw error
    }
    return staged.reference
  }

  private func rename(_ staged: StagedBlob) throws {
    let blob = staged.reference
    let target = folder.blob(blob.sha256)
    let shard = folder.blobs + "/" + blob.sha256.prefix(2)
    let isThere = Files.exists(target)
    try Files.makeFolder(shard)
    try total.withLock { total in
      let before = total != nil && isThere ? try Files.size(of: target) : 0
      try Files.move(staged.path, to: target)
      total = total.map { $0 - before + blob.size }
    }
    do {
      try syncNames(in: shard)
    } catch {
      // A later call must not treat this unsynced name as durable.
      if !isThere { try remove(blob.sha256) }
      throw error
    }
  }

  /// Syncs a shard folder and its own name.
  private func syncNames(in shard: String) throws {
    try Files.syncFolder(shard)
    try Files.syncFolder(folder.blobs)
  }
}
