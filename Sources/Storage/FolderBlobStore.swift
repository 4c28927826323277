// The store of blobs on this disk: a folder.

import Locking

#if canImport(Glibc)
  import Glibc
#endif

/// Stores blobs in the folder `blobs`.
///
/// `stage` reads, hashes and syncs; `place` is a rename.
public final class FolderBlobStore: BlobStore {
  public let folder: DataDirectory
  /// The total size of all blobs, once it was requested; locked while a blob is added or removed.
  private let total = OrderedMutex<Int?>(.blobs, nil)

  /// Opens the store of a prepared folder.
  public init(folder: DataDirectory) { self.folder = folder }

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
  public func verify(_ sha256: String, isCancelled: () -> Bool) throws -> Bool {
    var hasher = SHA256Hasher()
    try hasher.update(reading: OpenFile(folder.blob(sha256), O_RDONLY)) { _ in
      if isCancelled() { throw StorageError.cancelled }
    }
    return hasher.digest() == sha256
  }

  /// Moves staged bytes to their name. They replace an existing file of that name: it may have been
  /// damaged, and verifying it would take as long as reading it.
  ///
  /// The staged file is gone afterwards, also after an error.
  public func place(_ staged: StagedBlob, _ sent: SentBlob) throws -> BlobReference {
    do {
      try rename(staged)
    } catch {
      try staged.discard()
      throw error
    }
    return staged.reference
  }

  public var isLocal: Bool { true }

  /// Does nothing: the bytes are on the disk where they are to stay.
  public func send(_ path: String, _ reference: BlobReference) -> SentBlob { SentBlob(reference) }

  /// Does nothing: `remove` has deleted them.
  public func finishRemovals() {}

  /// Does nothing: `all` looks into the folder.
  public func refresh() {}

  /// Returns the blob's own file.
  public func local(_ sha256: String, isPassing: Bool) -> LocalBlob {
    LocalBlob(path: folder.blob(sha256))
  }

  public func localAtHand(_ sha256: String) -> LocalBlob? { local(sha256, isPassing: false) }

  /// Does nothing: a backup links the files.
  public func pin(_ hashes: [String]) -> [SentBlob] { [] }

  /// Links the blob's file into the backup's folder.
  public func source(
    of sha256: String, in staging: BackupStaging
  ) throws -> (source: BackupSource, file: BackupManifest.File)? {
    try staging.hardLink(sha256).map { (.file($0.path), $0.file) }
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
