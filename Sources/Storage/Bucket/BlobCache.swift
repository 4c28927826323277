// Blobs of a bucket that were read or written lately, as files of bounded total size.

import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// Keeps copies of blobs on this disk. When they take more than the limit, those that were unused for
/// longest are removed, but none that is being read.
///
/// A file at its name is complete and synced: it was verified before it was moved there.
final class BlobCache: Sendable {
  fileprivate struct Entry {
    var size: Int
    /// Grows with each use.
    var lastUse: Int
    var readers = 0
    /// Whether it is removed when the last reader ends.
    var isToGo = false
  }

  fileprivate struct State {
    var entries: [String: Entry] = [:]
    var total = 0
    var uses = 0
  }

  let limit: Int
  private let folder: String
  private let state = Mutex(State())

  /// Opens the cache in `folder`, or makes it. Files for which `isKnown` is false are removed.
  init(
    folder: String, limit: Int, isKnown: (_ sha256: String, _ size: Int) -> Bool
  ) throws {
    self.folder = folder
    self.limit = limit
    guard !Files.isLink(folder) else {
      throw StorageError(.fileSystem, "\(folder) is a link. Put a folder in its place.")
    }
    try Files.makeFolder(folder)
    let files = try Files.names(in: folder).map { name in
      (
        name: name, size: try Files.size(of: folder + "/" + name),
        usedAt: try Files.modifiedAt(folder + "/" + name)
      )
    }
    for file in files.sorted(by: { $0.usedAt < $1.usedAt }) {
      guard isKnown(file.name, file.size) else {
        try Files.removeTree(folder + "/" + file.name)
        continue
      }
      state.withLock { $0.add(file.name, file.size) }
    }
    try makeRoom()
  }

  /// The total size of the files.
  var bytes: Int { state.withLock { $0.total } }

  /// Returns a copy; nil if there is none.
  func local(_ sha256: String) -> LocalBlob? {
    let path = path(sha256)
    let isThere = state.withLock { state in
      guard let entry = state.entries[sha256], !entry.isToGo else { return false }
      // An operator may delete files of the cache.
      guard Files.exists(path) else {
        if entry.readers == 0 { state.drop(sha256) } else { state.entries[sha256]?.isToGo = true }
        return false
      }
      state.uses += 1
      state.entries[sha256]?.lastUse = state.uses
      state.entries[sha256]?.readers += 1
      return true
    }
    guard isThere else { return nil }
    // The order of use outlasts a restart. Without it, only the order is worse.
    utimes(path, nil)
    return LocalBlob(path: path) { [self] in end(sha256) }
  }

  /// Moves a verified and synced file into the cache, and returns it. It is no larger than the limit.
  @discardableResult
  func add(_ sha256: String, size: Int, movingFrom path: String) throws -> LocalBlob {
    try Files.makeFolder(folder)
    try state.withLock { state in
      try Files.move(path, to: self.path(sha256))
      // It is read from here on, so that the room for it is not made with itself.
      state.add(sha256, size)
      state.entries[sha256]?.readers += 1
    }
    let local = LocalBlob(path: self.path(sha256)) { [self] in end(sha256) }
    try makeRoom()
    return local
  }

  /// Removes a copy, at once or after its last reader.
  func remove(_ sha256: String) throws {
    try state.withLock { state in
      guard let entry = state.entries[sha256] else { return }
      guard entry.readers == 0 else {
        state.entries[sha256]?.isToGo = true
        return
      }
      try Files.remove(path(sha256))
      state.drop(sha256)
    }
  }

  private func end(_ sha256: String) {
    state.withLock { state in
      state.entries[sha256]?.readers -= 1
      guard let entry = state.entries[sha256], entry.readers == 0, entry.isToGo else { return }
      // A file that can't be removed is found by the next start.
      try? Files.remove(path(sha256))
      state.drop(sha256)
    }
    // What was too much while it was read can go now.
    try? makeRoom()
  }

  private func makeRoom() throws {
    try state.withLock { state in
      while state.total > limit,
        let oldest = state.entries.filter({ $0.value.readers == 0 }).min(by: {
          $0.value.lastUse < $1.value.lastUse
        })
      {
        try Files.remove(path(oldest.key))
        state.drop(oldest.key)
      }
    }
  }

  private func path(_ sha256: String) -> String { folder + "/" + sha256 }
}

extension BlobCache.State {
  mutating func add(_ sha256: String, _ size: Int) {
    let before = entries[sha256]
    uses += 1
    total += size - (before?.size ?? 0)
    entries[sha256] = BlobCache.Entry(
      size: size, lastUse: uses, readers: before?.readers ?? 0)
  }

  mutating func drop(_ sha256: String) {
    total -= entries.removeValue(forKey: sha256)?.size ?? 0
  }
}
