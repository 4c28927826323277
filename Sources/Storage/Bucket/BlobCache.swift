// What a bucket holds and was read or written lately, as files of bounded total size.

import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// Keeps copies of blobs on this disk, and of the derived files of records, which come and go together.
/// When they take more than the limit, those that were unused for longest are removed, but none that is
/// being read, and no derived files that are not in the bucket yet.
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
    /// Whether it stays whatever the limit says, as the bucket may lack it.
    var isKept = false
  }

  fileprivate struct State {
    /// By the path of a blob's file or of a record's folder.
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
      let path = path(file.name)
      state.withLock { $0.add(path, file.size) }
    }
    try makeRoom()
  }

  /// The total size of the files.
  var bytes: Int { state.withLock { $0.total } }

  /// Returns a copy; nil if there is none.
  func local(_ sha256: String) -> LocalBlob? {
    let path = path(sha256)
    let isThere = state.withLock { state in
      guard let entry = state.entries[path], !entry.isToGo else { return false }
      // An operator may delete files of the cache.
      guard Files.exists(path) else {
        if entry.readers == 0 { state.drop(path) } else { state.entries[path]?.isToGo = true }
        return false
      }
      state.use(path)
      return true
    }
    guard isThere else { return nil }
    // The order of use outlasts a restart. Without it, only the order is worse.
    utimes(path, nil)
    return LocalBlob(path: path) { [self] in end(path) }
  }

  /// Moves a verified and synced file into the cache, and returns it. It is no larger than the limit.
  @discardableResult
  func add(_ sha256: String, size: Int, movingFrom path: String) throws -> LocalBlob {
    try Files.makeFolder(folder)
    let target = self.path(sha256)
    try state.withLock { state in
      try Files.move(path, to: target)
      // It is read from here on, so that the room for it is not made with itself.
      state.add(target, size)
      state.entries[target]?.readers += 1
    }
    let local = LocalBlob(path: target) { [self] in end(target) }
    try makeRoom()
    return local
  }

  /// Removes a copy, at once or after its last reader.
  func remove(_ sha256: String) throws {
    let path = path(sha256)
    try state.withLock { state in
      guard let entry = state.entries[path] else { return }
      guard entry.readers == 0 else {
        state.entries[path]?.isToGo = true
        return
      }
      try Files.remove(path)
      state.drop(path)
    }
  }

  /// Keeps the folder of a record's derived files from being displaced while the object lives. A folder
  /// that is there already and was not counted may hold what the bucket lacks: it stays until `settle`.
  func hold(folder path: String) -> LocalBlob {
    state.withLock { state in
      if state.entries[path] == nil {
        state.add(path, 0)
        state.entries[path]?.isKept = Files.exists(path)
      }
      state.use(path)
    }
    // As above; a folder that is not there has no time.
    utimes(path, nil)
    return LocalBlob(path: path) { [self] in end(path) }
  }

  /// Keeps a folder whatever the limit says, until `settle`.
  func keep(folder path: String) { state.withLock { $0.entries[path]?.isKept = true } }

  /// Counts a folder, all of which the bucket has: from here on it can be displaced.
  func settle(folder path: String) throws {
    let size = try Files.treeBytes(path)
    state.withLock { state in
      if state.entries[path] == nil { state.add(path, 0) }
      state.total += size - (state.entries[path]?.size ?? 0)
      state.entries[path]?.size = size
      state.entries[path]?.isKept = false
    }
    try makeRoom()
  }

  /// Counts a file that was added to a folder.
  func grow(folder path: String, by bytes: Int) throws {
    state.withLock { state in
      guard state.entries[path] != nil else { return }
      state.entries[path]?.size += bytes
      state.total += bytes
    }
    try makeRoom()
  }

  /// Forgets a folder that was removed.
  func forget(folder path: String) {
    state.withLock { state in
      guard let entry = state.entries[path] else { return }
      guard entry.readers > 0 else { return state.drop(path) }
      state.total -= entry.size
      state.entries[path]?.size = 0
      state.entries[path]?.isKept = false
    }
  }

  private func end(_ path: String) {
    state.withLock { state in
      state.entries[path]?.readers -= 1
      guard let entry = state.entries[path], entry.readers == 0 else { return }
      if entry.isToGo {
        // A file that can't be removed is found by the next start.
        try? Files.remove(path)
        state.drop(path)
      } else if entry.size == 0, !entry.isKept {
        state.drop(path)
      }
    }
    // What was too much while it was read can go now.
    try? makeRoom()
  }

  private func makeRoom() throws {
    try state.withLock { state in
      while state.total > limit,
        let oldest = state.entries.filter({ $0.value.readers == 0 && !$0.value.isKept }).min(by: {
          $0.value.lastUse < $1.value.lastUse
        })
      {
        try Files.removeTree(oldest.key)
        state.drop(oldest.key)
      }
    }
  }

  private func path(_ sha256: String) -> String { folder + "/" + sha256 }
}

extension BlobCache.State {
  mutating func add(_ path: String, _ size: Int) {
    let before = entries[path]
    uses += 1
    total += size - (before?.size ?? 0)
    entries[path] = BlobCache.Entry(
      size: size, lastUse: uses, readers: before?.readers ?? 0)
  }

  /// Counts a reader.
  mutating func use(_ path: String) {
    uses += 1
    entries[path]?.lastUse = uses
    entries[path]?.readers += 1
  }

  mutating func drop(_ path: String) {
    total -= entries.removeValue(forKey: path)?.size ?? 0
  }
}
