// The bytes that people gave us, each stored once under the name of its hash.

import Locking

#if canImport(Glibc)
  import Glibc
#endif

/// Points at stored bytes.
public struct BlobReference: Sendable, Hashable {
  /// The SHA-256 of the bytes in lower-case hexadecimal.
  public let sha256: String
  /// How many bytes there are.
  public let size: Int

  public init(sha256: String, size: Int) {
    self.sha256 = sha256
    self.size = size
  }
}

/// Bytes in a file of their own, hashed and on the disk, that have no name in the store yet.
public struct StagedBlob: Sendable {
  /// Where they lie now: under `tmp`.
  public let path: String
  /// What the store will call them.
  public let reference: BlobReference

  /// Throws the bytes away. It is no error when the store has them by now.
  public func discard() throws { try Files.remove(path) }
}

/// Stores files under their hash. What `place` returned is on the disk, name and bytes, so that the
/// caller may commit a record that points at it.
///
/// `stage` reads, hashes and syncs, which takes as long as there are bytes. `place` is a rename: it
/// alone belongs under a lock.
public final class BlobStore: Sendable {
  private let folder: DataDirectory
  /// The bytes of all that is stored, once somebody has asked; held while a name comes or goes.
  private let total = OrderedMutex<Int?>(.blobs, nil)

  /// Opens the store of a prepared folder.
  public init(folder: DataDirectory) { self.folder = folder }

  /// Copies a file of any disk beside the store; the file stays.
  public func stage(copyOf path: String) throws -> StagedBlob {
    let source = try OpenFile(path, O_RDONLY)
    try folder.requireSpace(for: source.size())
    return try stage { file, hasher in
      try hasher.update(reading: source, also: { try file.write($0) })
    }
  }

  /// Writes bytes from memory beside the store.
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

  /// Removes bytes; commit first that nothing points at them. Absent bytes are no error.
  public func remove(_ sha256: String) throws {
    let path = folder.blob(sha256)
    try total.withLock { total in
      let size = total == nil || !Files.exists(path) ? 0 : try Files.size(of: path)
      try Files.remove(path)
      total = total.map { $0 - size }
    }
  }

  /// The bytes of all that is stored. The first time it looks at every file.
  public func storedBytes() throws -> Int {
    try total.withLock { total in
      if let total { return total }
      let all = try all().reduce(0) { $0 + $1.size }
      total = all
      return all
    }
  }

  /// Returns everything that is stored, in order of hash, but for what vanishes meanwhile.
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
          // Another process, which has the library open, has removed it.
        }
      }
    }
    return found
  }

  /// Reads the bytes again, asking `isCancelled`, and returns whether they still have their hash.
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

  /// Gives staged bytes their name. They replace bytes of the same name: those may have been damaged
  /// from outside, and reading them again to find out would take as long as they are large.
  ///
  /// The staged file is gone afterwards, also when this throws.
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
      // No later call may take a name for one that lasts.
      if !isThere { try remove(blob.sha256) }
      throw error
    }
  }

  /// Returns when the names on a shelf, and the shelf's own, are on the disk.
  private func syncNames(in shard: String) throws {
    try Files.syncFolder(shard)
    try Files.syncFolder(folder.blobs)
  }
}
