// What is made of the originals, in a bucket, with copies of bounded size in the folder `derived`.

import Dispatch
import FoundationEssentials
import Locking
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// Stores the derived files of tracks, videos and recordings as the objects `derived/ID/NAME` of a bucket. Each
/// object keeps the SHA-256 of its bytes, as its name does not tell it.
///
/// Objects are there before a record says that it is ready, and are deleted after the record. What was listed
/// or sent is known without asking, but what is not known is asked for before it counts as missing: another
/// server may have sent it.
public final class DerivedBucket: Sendable {
  static let start = "derived/"

  /// A file of a record.
  struct File: Equatable, Sendable {
    var name: String
    var size: Int
  }

  /// An object that is being fetched; others who need it wait for it.
  final class Fetch: Sendable {
    let group = DispatchGroup()
    let failure = Mutex<(any Error)?>(nil)
    init() { group.enter() }
  }

  struct State {
    /// What the bucket has of each record.
    var files: [String: [File]] = [:]
    var total = 0
    /// The records of which a job makes files.
    var jobs: [String: Int] = [:]
    /// Records whose objects are to be deleted.
    var removed: Set<String> = []
    var fetches: [String: Fetch] = [:]
    /// The hashes of files that are asked for again by their ETag.
    var hashes: [String: [String: String]] = [:]
    /// The records whose files came or went since a list was begun; nil while none is read.
    var changed: Set<String>?

    mutating func set(_ id: String, _ list: [File]) {
      total -= (files[id] ?? []).reduce(0) { $0 + $1.size }
      total += list.reduce(0) { $0 + $1.size }
      files[id] = list.isEmpty ? nil : list
      hashes[id] = nil
      changed?.insert(id)
    }
  }

  let folder: DataDirectory
  let client: BucketClient
  let asking: @Sendable (() throws -> Void) throws -> Void
  /// nil in a process that only reads.
  let cache: BlobCache?
  let sending = OrderedMutex(.derivedSends, ())
  private let listing = OrderedMutex(.derivedLists, ())
  let removal = OrderedMutex(.derivedRemovals, ())
  let state = OrderedMutex(.derivedObjects, State())

  /// Opens what the bucket of `blobs` has. It is not listed yet.
  public init(_ blobs: BucketBlobStore) throws {
    folder = blobs.folder
    client = blobs.client
    cache = blobs.cache
    asking = { body in try blobs.asking(body) }
    let stale = try Self.stale(in: folder)
    state.withLock { $0.removed = stale }
  }

  /// Opens what a bucket has to read from it, while another process may write to it.
  public init(reading client: BucketClient, folder: DataDirectory) {
    self.folder = folder
    self.client = client
    cache = nil
    asking = { body in try body() }
  }

  // MARK: What is there

  /// The size of all derived files in the bucket, as far as they are known.
  public var storedBytes: Int { state.withLock { $0.total } }

  /// The ids of records of which the bucket has files, as far as they are known.
  public var ids: [String] { state.withLock { $0.files.keys.sorted() } }

  /// Lists the bucket again.
  public func refresh() throws { try listing.withLock { _ in try refreshNow() } }

  private func refreshNow() throws {
    state.withLock { $0.changed = [] }
    defer { state.withLock { $0.changed = nil } }
    var listed: [String: [File]] = [:]
    try asking {
      for entry in try client.list(Self.start) {
        if let (id, file) = Self.file(entry) { listed[id, default: []].append(file) }
      }
    }
    state.withLock { state in
      let changed = (state.changed ?? []).union(state.jobs.keys).union(state.removed)
      for id in Set(state.files.keys).union(listed.keys).subtracting(changed) {
        if state.files[id] != listed[id] { state.set(id, listed[id] ?? []) }
      }
    }
  }

  /// Whether a file of a record is here or known to be in the bucket.
  public func has(_ id: String, _ name: String) -> Bool {
    isHere(id, name) || hasInBucket(id, name)
  }

  /// Runs `isWhole` with what is known of a record's files and, if it says no, again after the bucket was asked.
  public func check(
    _ id: String, asks: Bool = true, _ isWhole: (_ hasFile: (_ name: String) -> Bool) -> Bool
  ) throws -> Bool {
    if isWhole({ has(id, $0) }) { return true }
    guard asks else { return false }
    try ask(id)
    return isWhole { has(id, $0) }
  }

  /// Whether a file of a track has an older version than this program writes. After that was asked of the
  /// bucket, as another server may have renewed it.
  public func isOutdated(track: String) throws -> Bool {
    try !check(track) { hasFile in !folder.isOutdated(among: hasFile) }
  }

  /// Whether the bucket is known to have a file of a record.
  public func hasInBucket(_ id: String, _ name: String) -> Bool {
    known(id).contains { $0.name == name }
  }

  /// Whether a file of a record is in the folder.
  public func isHere(_ id: String, _ name: String) -> Bool {
    Files.exists(folder.derived(id) + "/" + name)
  }

  /// What the bucket is known to have of a record.
  func known(_ id: String) -> [File] {
    state.withLock { $0.removed.contains(id) ? [] : $0.files[id] ?? [] }
  }

  /// Asks the bucket which files it has of a record.
  func ask(_ id: String) throws {
    guard DataDirectory.isPlain(id), !state.withLock({ $0.removed.contains(id) }) else { return }
    var found: [File] = []
    try asking {
      found = try client.list(Self.object(id, "")).compactMap { Self.file($0)?.file }
    }
    state.withLock { state in
      guard !state.removed.contains(id), state.jobs[id] == nil, state.files[id] != found else {
        return
      }
      state.set(id, found)
    }
  }

  /// The record and the file of an object; nil if it is not ours.
  private static func file(_ entry: BucketClient.Entry) -> (id: String, file: File)? {
    let parts = entry.name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, entry.name.hasPrefix(start), DataDirectory.isPlain(parts[1]),
      isName(parts[2])
    else { return nil }
    return (parts[1], File(name: parts[2], size: entry.size))
  }

  /// Whether a name is one of a derived file: it becomes one in a folder of this machine.
  static func isName(_ name: String) -> Bool {
    !name.hasPrefix(".") && (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy { $0 == UInt8(ascii: ".") || DataDirectory.isPlain(byte: $0) }
  }

  /// The name of the object of a file.
  static func object(_ id: String, _ name: String) -> String { start + id + "/" + name }

  // MARK: Removing

  /// Removes the files of a record here, and marks its objects for deletion. First commit that it is gone.
  public func remove(_ id: String) throws {
    state.withLock { state in
      // What the bucket has may not be known.
      state.removed.insert(id)
      state.set(id, [])
    }
    try folder.removeDerived(id)
    cache?.forget(folder: folder.derived(id))
  }

  /// Forgets what is known of a record's file, and deletes its object, so that it counts as missing.
  public func discard(_ id: String, _ name: String) throws {
    try asking { try client.delete(Self.object(id, name)) }
    state.withLock { state in
      state.set(id, (state.files[id] ?? []).filter { $0.name != name })
    }
  }

  /// Deletes what was removed, except of records of which a job makes files.
  public func finishRemovals() throws {
    for id in state.withLock({ $0.removed }).sorted() {
      try removal.withLock { _ in
        guard state.withLock({ $0.removed.contains(id) && $0.jobs[id] == nil }) else { return }
        try asking {
          for entry in try client.list(Self.object(id, "")) { try client.delete(entry.name) }
        }
        state.withLock { state in
          state.removed.remove(id)
          state.set(id, [])
        }
      }
    }
    if state.withLock({ $0.removed.isEmpty }) { try Files.remove(folder.staleFile) }
  }

  /// Deletes the parts of files that were never sent whole, unless a job sends some at the moment.
  public func deleteAbandonedParts() throws {
    try removal.withLock { _ in
      guard state.withLock({ $0.jobs.isEmpty }) else { return }
      try asking { _ = try client.deleteAbandonedParts(Self.start) }
    }
  }

  /// Whether a record was removed, and its objects may still be there.
  public func isRemoved(_ id: String) -> Bool { state.withLock { $0.removed.contains(id) } }

  /// Whether a job makes files of a record at the moment.
  public func isMaking(_ id: String) -> Bool { state.withLock { $0.jobs[id] != nil } }

  /// Writes down the records whose objects belong to a library that a restore replaced.
  static func writeStale(_ ids: [String], in folder: DataDirectory) throws {
    let all = try stale(in: folder).union(ids).sorted()
    try folder.writePrivately(Array(JSONEncoder().encode(all)), to: folder.staleFile)
  }

  private static func stale(in folder: DataDirectory) throws -> Set<String> {
    guard Files.exists(folder.staleFile) else { return [] }
    return try JSONDecoder().decode(Set<String>.self, from: Data(Files.read(folder.staleFile)))
  }

  /// The SHA-256 of a file.
  static func hash(ofFileAt path: String) throws -> String {
    var hasher = SHA256Hasher()
    try hasher.update(reading: OpenFile(path, O_RDONLY))
    return hasher.digest()
  }
}
