// Uploads in progress as objects of a bucket, so that another server goes on with them.

import FoundationEssentials
import Locking

#if canImport(Glibc)
  import Glibc
#endif

/// Stores an upload as the objects `uploads/ID/upload-LENGTH.json` and `uploads/ID/OFFSET-LENGTH-SHA256`. The
/// offset is where the chain of pieces ends, so that the list of objects is all that a server has to know.
///
/// What is in memory is a hint, and is compared with the list where it matters. Bytes that this server received
/// are also in a file of this disk, as long as they are the beginning of the upload, and are hashed; the others are
/// fetched when the upload is taken.
public final class BucketUploadStore: UploadStore {
  /// The beginning of an upload as a file of this disk.
  struct LocalCopy {
    let path: String
    /// The hash of its bytes, and how many they are. The file may have more.
    var hasher = SHA256Hasher()
  }

  private struct Entry {
    let length: Int
    var offset = 0
    /// nil until it is asked for.
    var fileName: String?
    /// When its last bytes came, in seconds since 1970.
    var touchedAt: Int
    var local: LocalCopy?
    /// Whether the bucket has it.
    var isKept = false
    /// Held while a caller owns its file, and may be making a record of it.
    var taking: Claim?

    func upload(_ id: String) -> Upload {
      Upload(id: id, length: length, offset: offset, fileName: fileName ?? "")
    }
  }

  private struct State {
    var entries: [String: Entry] = [:]
    /// The uploads that are being written, taken or deleted.
    var busy: Set<String> = []
    /// When the last objects came that belong to no upload, by the id that they name.
    var scraps: [String: Int] = [:]
    /// Uploads that are over, whose objects may still be there.
    var removed: Set<String> = []
    /// The uploads that changed since a list was begun; nil while none is read.
    var changed: Set<String>?

    /// Takes in what a list tells of an upload. While that is written, the list may be older.
    mutating func learn(_ id: String, _ length: Int, from objects: UploadObjects) {
      var entry = entries[id] ?? Entry(length: length, touchedAt: objects.touchedAt)
      entry.offset = busy.contains(id) ? max(entry.offset, objects.offset) : objects.offset
      entry.touchedAt = max(entry.touchedAt, objects.touchedAt)
      entry.isKept = true
      entries[id] = entry
    }

    mutating func remove(_ id: String) {
      entries[id] = nil
      scraps[id] = nil
      removed.insert(id)
    }
  }

  private struct Description: Codable {
    var fileName: String
  }

  /// What one request sends is stored in pieces of about this size.
  static let pieceBytes = 8 << 20

  let folder: DataDirectory
  private let client: BucketClient
  private let limits: UploadLimits
  private let pieceBytes: Int
  private let report: @Sendable (StorageError?) -> Void
  private let now: @Sendable () -> Int
  private let state = OrderedMutex(.uploadState, State())
  /// Held while an upload is admitted, so that concurrent uploads count each other.
  private let admission = OrderedMutex(.uploadAdmission, ())

  /// Opens the store in the bucket of `blobs`: lists its uploads.
  public convenience init(
    beside blobs: BucketBlobStore, limits: UploadLimits = UploadLimits()
  ) throws {
    try self.init(
      folder: blobs.folder, client: blobs.client, limits: limits, report: blobs.report)
  }

  init(
    folder: DataDirectory, client: BucketClient, limits: UploadLimits = UploadLimits(),
    pieceBytes: Int = BucketUploadStore.pieceBytes,
    report: @escaping @Sendable (StorageError?) -> Void = { _ in },
    now: @escaping @Sendable () -> Int = { Int(time(nil)) }
  ) throws {
    self.folder = folder
    self.client = client
    self.limits = limits
    self.pieceBytes = pieceBytes
    self.report = report
    self.now = now
    try refresh { _ in false }
  }

  // MARK: Beginning

  public func create(
    length: Int, fileName: String, admit: (_ promisedBytes: Int) throws -> Void
  ) throws -> Upload {
    try limits.requireLength(length)
    return try admission.withLock { _ in
      try requireRoom(for: length, within: limits, in: folder, admit)
      let id = UUID().uuidString.lowercased()
      let entry = Entry(length: length, fileName: fileName, touchedAt: now())
      change(id) { $0.entries[id] = entry }
      return entry.upload(id)
    }
  }

  public func keep(_ upload: Upload) throws {
    do {
      let description = try JSONEncoder().encode(Description(fileName: upload.fileName))
      try asking {
        try client.put(
          UploadObjects.description(upload.id, length: upload.length), Array(description))
      }
      change(upload.id) { $0.entries[upload.id]?.isKept = true }
    } catch {
      // An attempt whose response was lost may have stored it.
      drop(upload.id)
      throw error
    }
  }

  /// Moves the uploads of the data folder to the bucket, when a library does so; returns how many. After
  /// an interruption the next call goes on.
  public func takeOverFolder() throws -> Int {
    let store = FolderUploadStore(folder: folder)
    let uploads = try store.all()
    for upload in uploads {
      change(upload.id) { state in
        state.entries[upload.id] = Entry(
          length: upload.length, fileName: upload.fileName, touchedAt: now())
      }
      try keep(upload)
      let path = store.dataPath(upload.id)
      for start in stride(from: 0, to: upload.offset, by: pieceBytes) {
        let range = start..<min(upload.offset, start + pieceBytes)
        let sha256 = try BucketClient.hash(ofFileAt: path, range)
        let piece = UploadPiece(offset: start, length: range.count, sha256: sha256)
        try send(upload.id, piece, fileAt: path, from: start)
      }
      try store.delete(upload.id)
    }
    // What was half made at a crash, and never acknowledged.
    try store.expire(olderThan: -60)
    return uploads.count
  }

  // MARK: Looking

  public func upload(_ id: String) throws -> Upload {
    try look(id)
    guard let entry = entry(id) else { throw Upload.unknown(id) }
    guard entry.fileName == nil else { return entry.upload(id) }
    let name = try fileName(of: id, length: entry.length)
    state.withLock { $0.entries[id]?.fileName = name }
    return Upload(id: id, length: entry.length, offset: entry.offset, fileName: name)
  }

  public func all() -> [Upload] {
    state.withLock { $0.entries }.filter { $0.value.taking == nil }.map { $0.value.upload($0.key) }
  }

  /// What is known of an upload without asking; nil if it is not known, or over.
  private func entry(_ id: String) -> Entry? { state.withLock { $0.entries[id] } }

  private func fileName(of id: String, length: Int) throws -> String {
    do {
      let bytes = try asking { try client.get(UploadObjects.description(id, length: length)) }
      return try JSONDecoder().decode(Description.self, from: Data(bytes)).fileName
    } catch is DecodingError {
      // The bytes are worth more than their name.
      return "Untitled"
    } catch let error as StorageError where error.code == .notFound {
      throw Upload.unknown(id)
    }
  }

  /// Lists the objects of an upload, and remembers what they tell.
  @discardableResult
  private func look(_ id: String) throws -> UploadObjects {
    guard DataDirectory.isPlain(id) else { throw Upload.unknown(id) }
    let objects = try list(id + "/")[id] ?? UploadObjects()
    try state.withLock { state in
      guard let length = objects.length, !state.removed.contains(id) else {
        throw Upload.unknown(id)
      }
      state.learn(id, length, from: objects)
    }
    return objects
  }

  private func list(_ start: String) throws -> [String: UploadObjects] {
    let list = try asking { try client.list(UploadObjects.start + start) }
    return UploadObjects.uploads(in: list, now: now())
  }

  public func refresh(isTaken: (_ id: String) throws -> Bool) throws {
    state.withLock { $0.changed = [] }
    defer { state.withLock { $0.changed = nil } }
    let uploads = try list("")
    let stale = state.withLock { state in
      let fixed = (state.changed ?? []).union(state.busy).union(state.removed)
      state.scraps = [:]
      for (id, objects) in uploads where !fixed.contains(id) {
        if let length = objects.length {
          state.learn(id, length, from: objects)
        } else {
          state.scraps[id] = objects.touchedAt
        }
      }
      // Another server took or deleted them.
      return state.entries.filter {
        $0.value.isKept && uploads[$0.key]?.length == nil && !fixed.contains($0.key)
      }.map(\.key)
    }
    for id in stale { drop(id) }
    for id in all().map(\.id) + state.withLock({ $0.scraps.keys }) where try isTaken(id) {
      guard let claim = claim(id) else { continue }
      withExtendedLifetime(claim) { drop(id) }
    }
  }

  // MARK: Appending

  public func append(_ id: String, offset: Int) throws -> any UploadAppender {
    let claim = try claim(id, orThrow: Upload.isUploading)
    if entry(id)?.offset != offset { try look(id) }
    guard let entry = entry(id) else { throw Upload.unknown(id) }
    guard entry.offset == offset else { throw Upload.mismatch(entry.offset, asked: offset) }
    var copy = entry.local
    if copy == nil, offset == 0 {
      copy = LocalCopy(path: folder.temporaryPath("upload"))
      change(id) { $0.entries[id]?.local = copy }
    }
    return try BucketUploadAppender(
      id, offset: offset, length: entry.length, pieceBytes: pieceBytes, store: self,
      copy: copy.flatMap { $0.hasher.byteCount == offset ? $0 : nil }, claim: claim)
  }

  /// Stores some bytes of a file as a piece. When it returns, the server has confirmed them.
  func send(_ id: String, _ piece: UploadPiece, fileAt path: String, from start: Int) throws {
    _ = try asking {
      try client.put(
        UploadObjects.name(id, piece), fileAt: path, range: start..<(start + piece.length),
        sha256: piece.sha256)
    }
    change(id) { state in
      state.entries[id]?.offset = piece.end
      state.entries[id]?.touchedAt = now()
    }
  }

  /// Remembers the file of the upload's beginning.
  func remember(_ copy: LocalCopy, of id: String) { change(id) { $0.entries[id]?.local = copy } }

  // MARK: Taking

  public func prepareToTake<Result>(
    _ id: String, send: (_ path: String, BlobReference) throws -> Result
  ) throws -> Result {
    let claim = try claim(id, orThrow: Upload.isStillUploading)
    return try withExtendedLifetime(claim) {
      if entry(id).map({ $0.offset < $0.length }) ?? true { try look(id) }
      let copy = try assemble(id, requireComplete(id))
      try OpenFile(copy.path, O_RDONLY).sync()
      return try send(
        copy.path,
        BlobReference(sha256: copy.hasher.digest(), size: copy.hasher.byteCount))
    }
  }

  public func take(_ id: String) throws -> StagedBlob {
    let claim = try claim(id, orThrow: Upload.isStillUploading)
    let entry = try requireComplete(id)
    guard let copy = entry.local, copy.hasher.byteCount == entry.length else {
      throw Upload.isIncomplete
    }
    change(id) { state in
      state.entries[id]?.local = nil
      state.entries[id]?.taking = claim
    }
    return StagedBlob(
      path: copy.path, reference: BlobReference(sha256: copy.hasher.digest(), size: entry.length))
  }

  public func end(_ id: String, isRecorded: Bool) {
    // The claim ends after the lock.
    let claim = entry(id)?.taking
    guard let claim else { return }
    change(id) { state in
      state.entries[id]?.taking = nil
      if isRecorded { state.remove(id) }
    }
    withExtendedLifetime(claim) {}
  }

  private func requireComplete(_ id: String) throws -> Entry {
    guard let entry = entry(id) else { throw Upload.unknown(id) }
    guard entry.offset == entry.length else { throw Upload.isIncomplete }
    guard entry.length > 0 else {
      drop(id)
      throw Upload.isEmpty
    }
    return entry
  }

  /// Fetches the pieces that are not on this disk. A damaged one is deleted, and the client sends its bytes
  /// again.
  private func assemble(_ id: String, _ entry: Entry) throws -> LocalCopy {
    var copy = entry.local ?? LocalCopy(path: folder.temporaryPath("upload"))
    guard copy.hasher.byteCount < entry.length else { return copy }
    // What was fetched before an error is not fetched again.
    defer { remember(copy, of: id) }
    try folder.requireSpace(for: entry.length - copy.hasher.byteCount)
    for piece in UploadPiece.chain(try look(id).pieces, from: copy.hasher.byteCount) {
      guard let hasher = try fetch(id, piece, into: copy) else {
        try asking { try client.delete(UploadObjects.name(id, piece)) }
        break
      }
      copy.hasher = hasher
    }
    let reached = copy.hasher.byteCount
    guard reached == entry.length else {
      change(id) { $0.entries[id]?.offset = reached }
      throw Upload.isIncomplete
    }
    return copy
  }

  /// Writes the bytes of a piece that the file lacks; nil if they are damaged or gone.
  private func fetch(
    _ id: String, _ piece: UploadPiece, into copy: LocalCopy
  ) throws -> SHA256Hasher? {
    let file = try OpenFile(copy.path, O_WRONLY | O_APPEND | O_CREAT)
    try file.truncate(to: copy.hasher.byteCount)
    var (whole, part) = (copy.hasher, SHA256Hasher())
    let known = whole.byteCount - piece.offset
    do {
      try asking {
        try client.get(UploadObjects.name(id, piece), size: piece.length) { bytes in
          let overlap = min(bytes.count, max(0, known - part.byteCount))
          let new = UnsafeRawBufferPointer(rebasing: bytes[overlap...])
          part.update(bytes)
          whole.update(new)
          try file.write(new)
        }
      }
    } catch let error as StorageError where error.code == .notFound || error.code == .corrupt {
      return nil
    }
    return part.digest() == piece.sha256 ? whole : nil
  }

  // MARK: Removing

  public func delete(_ id: String) throws {
    if entry(id) == nil { try look(id) }
    let claim = try claim(id, orThrow: Upload.isStillUploading)
    try withExtendedLifetime(claim) {
      drop(id)
      try finishRemoval(id)
    }
  }

  @discardableResult
  public func expire(olderThan seconds: Int) -> [String] {
    let limit = now() - seconds
    let (old, scraps) = state.withLock { state in
      (
        state.entries.filter { $0.value.touchedAt <= limit }.map(\.key),
        state.scraps.filter { $0.value <= limit }.map(\.key)
      )
    }
    let expired = (old + scraps).sorted().filter { id in
      guard let claim = claim(id) else { return false }
      return withExtendedLifetime(claim) {
        // It may have received bytes in between.
        guard entry(id).map({ $0.touchedAt <= limit }) ?? true else { return false }
        drop(id)
        return true
      }
    }
    return expired
  }

  public func finishRemovals() throws {
    for id in state.withLock({ $0.removed }).sorted() { try finishRemoval(id) }
  }

  /// Deletes the objects of an upload that is over. The first one to go is what makes it an upload.
  private func finishRemoval(_ id: String) throws {
    let names = try list(id + "/")[id]?.names ?? []
    for name in names.sorted().reversed() { try asking { try client.delete(name) } }
    change(id) { state in
      state.removed.remove(id)
      state.scraps[id] = nil
    }
  }

  /// Forgets an upload and its file. Its objects are deleted later.
  private func drop(_ id: String) {
    let copy = entry(id)?.local
    change(id) { $0.remove(id) }
    // The next start empties `tmp`.
    if let copy { try? Files.remove(copy.path) }
  }

  // MARK: The rest

  /// The right to write, take or delete an upload. It ends with the object.
  final class Claim: Sendable {
    private let release: @Sendable () -> Void
    init(release: @escaping @Sendable () -> Void) { self.release = release }
    deinit { release() }
  }

  private func claim(_ id: String) -> Claim? {
    guard state.withLock({ $0.busy.insert(id).inserted }) else { return nil }
    return Claim { [self] in state.withLock { _ = $0.busy.remove(id) } }
  }

  private func claim(_ id: String, orThrow error: StorageError) throws -> Claim {
    guard let claim = claim(id) else { throw error }
    return claim
  }

  /// Changes what is known of an upload. A list that was begun before tells nothing of it.
  private func change(_ id: String, _ body: (inout State) -> Void) {
    state.withLock { state in
      state.changed?.insert(id)
      body(&state)
    }
  }

  private func asking<Result>(_ body: () throws -> Result) throws -> Result {
    try client.asking(report, body)
  }
}
