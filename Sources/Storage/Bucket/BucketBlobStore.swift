// The store of blobs in a bucket, with a cache on this disk.

import Dispatch
import Locking
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// Stores blobs as the objects `blobs/SHA-256` of a bucket.
///
/// An object is complete and confirmed before a record refers to it, and is deleted after the record. This
/// is the bucket's only writer (`BucketClaim`), so the names that it listed at its start are known without
/// asking: nothing waits for the network under a lock, but for the deletion of one object.
public final class BucketBlobStore: BlobStore {
  static let start = "blobs/"

  /// A blob that is being fetched; others who need it wait for it.
  fileprivate final class Fetch: Sendable {
    let group = DispatchGroup()
    let failure = Mutex<(any Error)?>(nil)
    init() { group.enter() }
  }

  fileprivate struct State {
    /// The sizes of all blobs.
    var sizes: [String: Int]
    var total: Int
    /// How often each blob is kept, although no record may refer to it.
    var pins: [String: Int] = [:]
    /// Removed blobs whose objects may still be there.
    var removed: Set<String> = []
    /// The objects that are being deleted. Who sends the same bytes waits: they would be deleted, too.
    var deletions: [String: DispatchGroup] = [:]
    /// The deletion of parts that nobody completed. Who sends in parts waits: the parts would be deleted, too.
    var partsDeletion: DispatchGroup?
    var fetches: [String: Fetch] = [:]
    /// The blobs that came or went since a list was begun; nil while none is read.
    var changed: Set<String>?

    init(_ sizes: [String: Int]) {
      self.sizes = sizes
      total = sizes.values.reduce(0, +)
    }
  }

  public let folder: DataDirectory
  /// Where this server says which blobs it needs; nil if no other server uses the bucket.
  private let holds: (any BlobHolds)?
  private var isShared: Bool { holds != nil }
  let client: BucketClient
  /// nil in a process that only reads: the cache is the server's.
  let cache: BlobCache?
  let report: @Sendable (StorageError?) -> Void
  private let state: OrderedMutex<State>
  private let removal = OrderedMutex(.removals, ())

  /// Opens the store: lists the bucket, and makes the cache. With `holds`, other servers write to the bucket as
  /// well: what is not known is asked for before it counts as missing.
  ///
  /// - Parameter report: is called with each error of the bucket, and with nil when it answers.
  /// - Throws: `unreachable`, with a sentence for the operator as its cause.
  public init(
    folder: DataDirectory, client: BucketClient, cacheBytes: Int, holds: (any BlobHolds)? = nil,
    report: @escaping @Sendable (StorageError?) -> Void = { _ in }
  ) throws {
    self.folder = folder
    self.holds = holds
    self.client = client
    self.report = report
    let sizes = try Self.list(client)
    state = OrderedMutex(.blobs, State(sizes))
    cache = try BlobCache(folder: folder.blobCache, limit: cacheBytes) { sizes[$0] == $1 }
  }

  /// Opens the store to read from it, while another process may write to it. It has no cache.
  public init(reading client: BucketClient, folder: DataDirectory) throws {
    self.folder = folder
    self.client = client
    holds = nil
    report = { _ in }
    state = OrderedMutex(.blobs, State(try Self.list(client)))
    cache = nil
  }

  public var isLocal: Bool { false }

  private static func list(_ client: BucketClient) throws -> [String: Int] {
    var sizes: [String: Int] = [:]
    for entry in try client.list(start) {
      let name = String(entry.name.dropFirst(start.count))
      // Whatever else lies there is not ours.
      if BlobReference.isHash(name) { sizes[name] = entry.size }
    }
    return sizes
  }

  /// Runs a request, and reports how the bucket answers.
  func asking<Result>(_ body: () throws -> Result) throws -> Result {
    try client.asking(report, body)
  }

  public func send(_ path: String, _ reference: BlobReference) throws -> SentBlob {
    let sha256 = reference.sha256
    let pin = pinToSend(reference, hold: try holds?.hold(sha256))
    // An object that is there already is replaced: it may have been damaged.
    try asking {
      try client.upload(
        Self.start + sha256, fileAt: path, size: reference.size, sha256: sha256)
    }
    // Until it is placed, it is listed like an object without a record.
    state.withLock { $0.add(sha256, reference.size) }
    return pin
  }

  /// Pins bytes that are to be sent, once nothing deletes them. Other deletions may go on: while the bucket is
  /// silent, each takes minutes.
  private func pinToSend(_ reference: BlobReference, hold: (any BlobHold)?) -> SentBlob {
    let sha256 = reference.sha256
    while true {
      let (pin, deletion) = state.withLock { state -> (SentBlob?, DispatchGroup?) in
        let isInParts = reference.size > BucketClient.wholeLimit
        if let deletion = state.deletions[sha256] ?? (isInParts ? state.partsDeletion : nil) {
          return (nil, deletion)
        }
        state.removed.remove(sha256)
        return (self.pin(sha256, reference.size, hold, &state), nil)
      }
      if let pin { return pin }
      deletion?.wait()
    }
  }

  public func place(_ staged: StagedBlob, _ sent: SentBlob) throws -> BlobReference {
    precondition(sent.reference == staged.reference, "Other bytes were sent.")
    do {
      if let cache, staged.reference.size <= cache.limit {
        try cache.add(
          staged.reference.sha256, size: staged.reference.size, movingFrom: staged.path)
      }
    } catch {
      try staged.discard()
      throw error
    }
    try staged.discard()
    return staged.reference
  }

  public func contains(_ sha256: String) -> Bool {
    if state.withLock({ $0.sizes[sha256] != nil }) { return true }
    guard isShared else { return false }
    do {
      _ = try askSize(of: sha256)
      return true
    } catch {
      // If the bucket does not answer, it is not known; who reads the blob is told why they can't.
      return (error as? StorageError)?.code != .notFound
    }
  }

  /// Asks the bucket for a blob of another server.
  private func askSize(of sha256: String) throws -> Int {
    let size = try asking { try client.size(of: Self.start + sha256) }
    state.withLock { state in
      if !state.removed.contains(sha256) { state.add(sha256, size) }
    }
    return size
  }

  public func remove(_ sha256: String) throws {
    let isGone = state.withLock { state in
      // What is being sent or backed up stays. If no record refers to it later, it is swept.
      guard state.pins[sha256] == nil, state.sizes[sha256] != nil else { return false }
      state.drop(sha256)
      state.removed.insert(sha256)
      return true
    }
    if isGone { try cache?.remove(sha256) }
  }

  public func finishRemovals() throws {
    for sha256 in state.withLock({ $0.removed }).sorted() {
      try removal.withLock { _ in
        let deletion = DispatchGroup()
        let isWanted = state.withLock { state in
          guard state.removed.contains(sha256) else { return false }
          deletion.enter()
          state.deletions[sha256] = deletion
          return true
        }
        guard isWanted else { return }
        defer {
          state.withLock { $0.deletions[sha256] = nil }
          deletion.leave()
        }
        try asking { try client.delete(Self.start + sha256) }
        state.withLock { _ = $0.removed.remove(sha256) }
      }
    }
  }

  /// Deletes an object at once, also one that is not known here. Servers that share the bucket have agreed that
  /// none of them needs it. That is tried once, so it is over after fifteen seconds.
  public func delete(_ sha256: String) throws {
    state.withLock { $0.drop(sha256) }
    try cache?.remove(sha256)
    try asking { try client.delete(Self.start + sha256, attempts: 1) }
  }

  public func storedBytes() -> Int { state.withLock { $0.total } }

  public func all() -> [BlobReference] {
    state.withLock { $0.sizes }.map { BlobReference(sha256: $0.key, size: $0.value) }
      .sorted { $0.sha256 < $1.sha256 }
  }

  public func refresh() throws {
    // An object that is being deleted may be listed once more.
    state.withLock { $0.changed = $0.removed }
    defer { state.withLock { $0.changed = nil } }
    let listed = try asking { try Self.list(client) }
    state.withLock { state in
      let changed = (state.changed ?? []).union(state.removed)
      for sha256 in Set(state.sizes.keys).union(listed.keys).subtracting(changed) {
        if let size = listed[sha256] { state.add(sha256, size) } else { state.drop(sha256) }
      }
    }
    // An upload of this process would lose its parts, and so would one of another server.
    guard !isShared else { return }
    try removal.withLock { _ in
      let deletion = DispatchGroup()
      let isFree = state.withLock { state in
        guard state.pins.isEmpty else { return false }
        deletion.enter()
        state.partsDeletion = deletion
        return true
      }
      guard isFree else { return }
      defer {
        state.withLock { $0.partsDeletion = nil }
        deletion.leave()
      }
      _ = try asking { try client.deleteAbandonedParts(Self.start) }
    }
  }

  public func verify(_ sha256: String, isCancelled: () -> Bool) throws -> Bool {
    if let cache, let local = cache.local(sha256) {
      var hasher = SHA256Hasher()
      try hasher.update(reading: OpenFile(local.path, O_RDONLY)) { _ in
        if isCancelled() { throw StorageError.cancelled }
      }
      if hasher.digest() == sha256 { return true }
      // The copy is damaged; the object counts.
      try cache.remove(sha256)
    }
    let size = try size(of: sha256)
    var hasher = SHA256Hasher()
    do {
      try asking {
        try client.get(Self.start + sha256, size: size) { bytes in
          if isCancelled() { throw StorageError.cancelled }
          hasher.update(bytes)
        }
      }
    } catch let error as StorageError where error.code == .corrupt {
      return false
    }
    return hasher.digest() == sha256
  }

  public func local(_ sha256: String, isPassing: Bool) throws -> LocalBlob {
    while true {
      if let local = cache?.local(sha256) { return local }
      let size = try size(of: sha256)
      guard let cache, !isPassing, size <= cache.limit else {
        let path = try fetch(sha256, size)
        return LocalBlob(path: path) {
          // The next start empties `tmp`.
          try? Files.remove(path)
        }
      }
      let (fetch, isOurs) = state.withLock { state in
        if let fetch = state.fetches[sha256] { return (fetch, false) }
        let fetch = Fetch()
        state.fetches[sha256] = fetch
        return (fetch, true)
      }
      if isOurs {
        defer {
          state.withLock { $0.fetches[sha256] = nil }
          fetch.group.leave()
        }
        do {
          // Another thread may have fetched it in between.
          if let local = cache.local(sha256) { return local }
          return try keep(sha256, size, self.fetch(sha256, size), in: cache)
        } catch {
          fetch.failure.withLock { $0 = error }
          throw error
        }
      }
      fetch.group.wait()
      if let failure = fetch.failure.withLock({ $0 }) { throw failure }
    }
  }

  public func localAtHand(_ sha256: String) -> LocalBlob? { cache?.local(sha256) }

  /// Moves a fetched file into the cache.
  private func keep(
    _ sha256: String, _ size: Int, _ path: String, in cache: BlobCache
  ) throws -> LocalBlob {
    do {
      return try cache.add(sha256, size: size, movingFrom: path)
    } catch {
      try Files.remove(path)
      throw error
    }
  }

  /// Fetches an object into a verified and synced file under `tmp`.
  private func fetch(_ sha256: String, _ size: Int) throws -> String {
    try folder.requireSpace(for: size)
    let path = folder.temporaryPath("fetched")
    do {
      var hasher = SHA256Hasher()
      let file = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL)
      try asking {
        try client.get(Self.start + sha256, size: size) { bytes in
          hasher.update(bytes)
          try file.write(bytes)
        }
      }
      guard hasher.digest() == sha256 else {
        throw StorageError(
          .corrupt,
          "A stored file has changed in the bucket. Add the same file again to mend it.",
          cause: "blob \(sha256)")
      }
      try file.sync()
      return path
    } catch {
      try Files.remove(path)
      throw error
    }
  }

  public func pin(_ hashes: [String]) throws -> [SentBlob] {
    var hold: (any BlobHold)?
    if let holds {
      let all = try holds.holdAll()
      hold = all.hold
      // Another server may have sent some.
      if state.withLock({ state in hashes.contains { state.sizes[$0] == nil } }) { try refresh() }
      state.withLock { state in all.leaving.forEach { state.drop($0) } }
    }
    return state.withLock { state in
      hashes.compactMap { sha256 in
        state.sizes[sha256].map { pin(sha256, $0, hold, &state) }
      }
    }
  }

  public func source(
    of sha256: String, in staging: BackupStaging
  ) -> (source: BackupSource, file: BackupManifest.File)? {
    state.withLock { $0.sizes[sha256] }.map {
      (
        .blob(sha256, self),
        BackupManifest.File(blob: BlobReference(sha256: sha256, size: $0))
      )
    }
  }

  /// Sends the blobs that the folder `blobs` still holds, after a restore or when a library moves to a
  /// bucket, and removes each from there afterwards. After an interruption the next call goes on.
  ///
  /// - Returns: how many were sent, and the hashes of damaged ones, which stay in the folder.
  public func takeOverFolder() throws -> (sent: Int, damaged: [String]) {
    let store = FolderBlobStore(folder: folder)
    var (sent, damaged) = (0, [String]())
    for blob in try store.all() {
      guard try store.verify(blob.sha256) else {
        damaged.append(blob.sha256)
        continue
      }
      let path = folder.blob(blob.sha256)
      let pin = try send(path, blob)
      _ = try place(StagedBlob(path: path, reference: blob), pin)
      sent += 1
    }
    return (sent, damaged)
  }

  private func size(of sha256: String) throws -> Int {
    guard let size = state.withLock({ $0.sizes[sha256] }) else {
      if isShared { return try askSize(of: sha256) }
      throw StorageError(
        .notFound, "A file that was expected is not there.", cause: "blob \(sha256)")
    }
    return size
  }

  private func pin(
    _ sha256: String, _ size: Int, _ hold: (any BlobHold)?, _ state: inout State
  ) -> SentBlob {
    state.pins[sha256, default: 0] += 1
    return SentBlob(BlobReference(sha256: sha256, size: size), hold: hold) { [self] in
      self.state.withLock { state in
        let left = (state.pins[sha256] ?? 1) - 1
        state.pins[sha256] = left > 0 ? left : nil
      }
    }
  }
}

extension BucketBlobStore.State {
  mutating func add(_ sha256: String, _ size: Int) {
    total += size - (sizes[sha256] ?? 0)
    sizes[sha256] = size
    changed?.insert(sha256)
  }

  mutating func drop(_ sha256: String) {
    total -= sizes.removeValue(forKey: sha256) ?? 0
    changed?.insert(sha256)
  }
}
