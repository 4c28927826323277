// Uploads in progress as files of the data folder.

import FoundationEssentials
import Locking

#if canImport(Glibc)
  import Glibc
#endif

/// Stores uploads in `uploads/`. The offset is the size of the file; length and name are in
/// a small file next to it, so that an upload survives a restart.
public final class FolderUploadStore: UploadStore {
  private let folder: DataDirectory
  private let limits: UploadLimits
  private let state = OrderedMutex(.uploadState, State())
  /// Held while an upload is admitted, so that concurrent uploads count each other.
  private let admission = OrderedMutex(.uploadAdmission, ())

  private struct State {
    var beingWritten: Set<String> = []
    /// The hash so far, for uploads written since the start; the others are read again.
    var hashers: [String: SHA256Hasher] = [:]
  }

  private struct Description: Codable {
    var length: Int
    var fileName: String
  }

  /// Opens the store of a prepared folder.
  public init(folder: DataDirectory, limits: UploadLimits = UploadLimits()) {
    self.folder = folder
    self.limits = limits
  }

  public func create(
    length: Int, fileName: String, admit: (_ promisedBytes: Int) throws -> Void
  ) throws -> Upload {
    try limits.requireLength(length)
    return try admission.withLock { _ in
      try requireRoom(for: length, within: limits, in: folder, admit)
      return try begin(length: length, fileName: fileName)
    }
  }

  public func keep(_ upload: Upload) {}

  private func begin(length: Int, fileName: String) throws -> Upload {
    let id = UUID().uuidString.lowercased()
    let description = try JSONEncoder().encode(Description(length: length, fileName: fileName))
    try Files.writeNew(dataPath(id), [])
    try Files.writeNew(descriptionPath(id), Array(description))
    try Files.syncFolder(folder.uploads)
    state.withLock { $0.hashers[id] = SHA256Hasher() }
    return Upload(id: id, length: length, offset: 0, fileName: fileName)
  }

  public func upload(_ id: String) throws -> Upload {
    guard DataDirectory.isPlain(id), Files.exists(dataPath(id)), Files.exists(descriptionPath(id))
    else { throw Upload.unknown(id) }
    let description = try description(of: id)
    return Upload(
      id: id, length: description.length, offset: try Files.size(of: dataPath(id)),
      fileName: description.fileName)
  }

  public func all() throws -> [Upload] {
    try ids().compactMap { id in
      // Another thread may take or delete it after the listing.
      do { return try upload(id) } catch let error as StorageError where error.code == .notFound {
        return nil
      }
    }
  }

  public func append(_ id: String, offset: Int) throws -> any UploadAppender {
    let upload = try upload(id)
    let wasFree = state.withLock { $0.beingWritten.insert(id).inserted }
    guard wasFree else { throw Upload.isUploading }
    do {
      let current = try self.upload(id)
      guard current.offset == offset else {
        throw Upload.mismatch(current.offset, asked: offset)
      }
      return FolderUploadAppender(
        file: try OpenFile(dataPath(id), O_WRONLY | O_APPEND), folder: folder, offset: offset,
        length: upload.length, hasher: state.withLock { $0.hashers[id] }
      ) { [self] hasher in
        state.withLock {
          $0.beingWritten.remove(id)
          $0.hashers[id] = hasher
        }
      }
    } catch {
      state.withLock { _ = $0.beingWritten.remove(id) }
      throw error
    }
  }

  public func delete(_ id: String) throws {
    _ = try upload(id)
    try whileNotWritten(id) { try erase(id) }
  }

  public func prepareToTake<Result>(
    _ id: String, send: (_ path: String, BlobReference) throws -> Result
  ) throws -> Result {
    try whileNotWritten(id) {
      let upload = try requireComplete(id)
      try OpenFile(dataPath(id), O_RDONLY).sync()
      let hasher = try hasher(of: id)
      state.withLock { $0.hashers[id] = hasher }
      return try send(
        dataPath(id), BlobReference(sha256: hasher.digest(), size: upload.length))
    }
  }

  public func take(_ id: String) throws -> StagedBlob {
    try whileNotWritten(id) {
      let upload = try requireComplete(id)
      let sha256 = try hasher(of: id).digest()
      // This costs nothing if the bytes are already on the disk.
      try OpenFile(dataPath(id), O_RDONLY).sync()
      let path = folder.temporaryPath("taken")
      try Files.move(dataPath(id), to: path)
      try erase(id)
      return StagedBlob(
        path: path, reference: BlobReference(sha256: sha256, size: upload.length))
    }
  }

  @discardableResult
  private func requireComplete(_ id: String) throws -> Upload {
    let upload = try upload(id)
    guard upload.isComplete else { throw Upload.isIncomplete }
    guard upload.length > 0 else {
      try erase(id)
      throw Upload.isEmpty
    }
    return upload
  }

  public func end(_ id: String, isRecorded: Bool) {}

  public func refresh(isTaken: (_ id: String) throws -> Bool) {}

  public func finishRemovals() {}

  @discardableResult
  public func expire(olderThan seconds: Int) throws -> [String] {
    let limit = Int(time(nil)) - seconds
    var expired: [String] = []
    // The age is checked before the upload is claimed, so that an active upload stays available to
    // its client.
    for id in try ids() where try isUntouched(id, since: limit) {
      guard state.withLock({ $0.beingWritten.insert(id).inserted }) else { continue }
      defer { state.withLock { _ = $0.beingWritten.remove(id) } }
      guard try isUntouched(id, since: limit) else { continue }
      try erase(id)
      expired.append(id)
    }
    return expired
  }

  private func isUntouched(_ id: String, since limit: Int) throws -> Bool {
    let path = Files.exists(dataPath(id)) ? dataPath(id) : descriptionPath(id)
    do {
      return try Files.exists(path) && Files.modifiedAt(path) <= limit
    } catch let error as StorageError where error.code == .notFound {
      return false
    }
  }

  private func ids() throws -> [String] {
    let names = try Files.names(in: folder.uploads)
    return Set(names.compactMap { $0.split(separator: ".").first.map(String.init) }).sorted()
  }

  private func description(of id: String) throws -> Description {
    let bytes = try Files.read(descriptionPath(id))
    do {
      return try JSONDecoder().decode(Description.self, from: Data(bytes))
    } catch {
      // A crash during `create`, before it was acknowledged.
      throw Upload.unknown(id)
    }
  }

  /// The hash of a complete upload; reads the file again unless it was written or hashed since the
  /// start.
  private func hasher(of id: String) throws -> SHA256Hasher {
    let size = try Files.size(of: dataPath(id))
    if let hasher = state.withLock({ $0.hashers[id] }), hasher.byteCount == size { return hasher }
    var hasher = SHA256Hasher()
    try hasher.update(reading: OpenFile(dataPath(id), O_RDONLY))
    return hasher
  }

  /// Whether all bytes of an upload are hashed, so that the file need not be read again.
  func isHashed(_ id: String) throws -> Bool {
    let size = try Files.size(of: dataPath(id))
    return state.withLock { $0.hashers[id]?.byteCount } == size
  }

  private func whileNotWritten<Result>(_ id: String, _ body: () throws -> Result) throws -> Result {
    guard state.withLock({ $0.beingWritten.insert(id).inserted }) else {
      throw Upload.isStillUploading
    }
    defer { state.withLock { _ = $0.beingWritten.remove(id) } }
    return try body()
  }

  private func erase(_ id: String) throws {
    try Files.remove(descriptionPath(id))
    try Files.remove(dataPath(id))
    try Files.syncFolder(folder.uploads)
    state.withLock { $0.hashers[id] = nil }
  }

  func dataPath(_ id: String) -> String { folder.uploads + "/" + id + ".part" }
  private func descriptionPath(_ id: String) -> String { folder.uploads + "/" + id + ".json" }
}
