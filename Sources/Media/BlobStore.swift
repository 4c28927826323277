// The bytes that people gave us, each stored once under the name of its hash.

import Synchronization

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

/// Stores files under their hash. What `add` returned is on the disk, name and bytes, so that the
/// caller may commit a record that points at it.
public final class BlobStore: Sendable {
  private let folder: DataFolder
  /// The bytes of all that is stored, once somebody has asked; held while a name comes or goes.
  private let total = Mutex<Int?>(nil)

  /// Opens the store of a prepared folder.
  public init(folder: DataFolder) { self.folder = folder }

  /// Moves a file of the same disk into the store and hashes it unless the hash is known. The
  /// file is gone afterwards, also when its bytes were there already.
  public func add(fileAt path: String, sha256 known: String? = nil) throws -> BlobReference {
    var hasher = SHA256Hasher()
    let size: Int
    do {
      let file = try OpenFile(path, O_RDONLY)
      if known == nil { try hasher.update(reading: file) }
      try file.sync()
      size = try file.size()
    }
    return try place(path, BlobReference(sha256: known ?? hasher.digest(), size: size))
  }

  /// Copies a file of any disk into the store; the file stays.
  public func add(copyOf path: String) throws -> BlobReference {
    let source = try OpenFile(path, O_RDONLY)
    try folder.requireSpace(for: source.size())
    return try addNew { file, hasher in
      try hasher.update(reading: source, also: { try file.write($0) })
    }
  }

  /// Stores bytes from memory.
  public func add(contentsOf bytes: [UInt8]) throws -> BlobReference {
    try folder.requireSpace(for: bytes.count)
    return try addNew { file, hasher in
      try bytes.withUnsafeBytes {
        hasher.update($0)
        try file.write($0)
      }
    }
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
    for shelf in try Files.names(in: folder.blobs).sorted() where shelf.utf8.count == 2 {
      for name in try Files.names(in: folder.blobs + "/" + shelf).sorted() {
        let path = folder.blobs + "/" + shelf + "/" + name
        guard folder.blob(name) == path else { continue }
        do {
          found.append(BlobReference(sha256: name, size: try Files.size(of: path)))
        } catch let error as MediaError where error.code == .notFound {
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
      if isCancelled() { throw MediaError.cancelled }
    }
    return hasher.digest() == sha256
  }

  private func addNew(
    _ fill: (borrowing OpenFile, inout SHA256Hasher) throws -> Void
  ) throws -> BlobReference {
    let path = folder.temporaryPath("blob")
    var hasher = SHA256Hasher()
    do {
      do {
        let file = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL)
        try fill(file, &hasher)
        try file.sync()
      }
      return try place(path, BlobReference(sha256: hasher.digest(), size: hasher.byteCount))
    } catch {
      try Files.remove(path)
      throw error
    }
  }

  /// Gives a synced file its name. Bytes that are there already win, unless they were damaged from
  /// outside: then the good ones replace them.
  private func place(_ path: String, _ blob: BlobReference) throws -> BlobReference {
    let target = folder.blob(blob.sha256)
    let shelf = folder.blobs + "/" + blob.sha256.prefix(2)
    let isThere = Files.exists(target)
    // Bytes that can't be read are no better than wrong ones.
    if isThere, try Files.size(of: target) == blob.size, (try? verify(blob.sha256)) == true {
      // Who gave them their name may have been killed before the name was on the disk.
      try syncNames(in: shelf)
      try Files.remove(path)
      return blob
    }
    try Files.makeFolder(shelf)
    try total.withLock { total in
      let before = total != nil && isThere ? try Files.size(of: target) : 0
      try Files.move(path, to: target)
      total = total.map { $0 - before + blob.size }
    }
    do {
      try syncNames(in: shelf)
    } catch {
      // Nobody is told of them, and no later call may take the name for one that lasts.
      if !isThere { try remove(blob.sha256) }
      throw error
    }
    return blob
  }

  /// Returns when the names on a shelf, and the shelf's own, are on the disk.
  private func syncNames(in shelf: String) throws {
    try Files.syncFolder(shelf)
    try Files.syncFolder(folder.blobs)
  }
}
