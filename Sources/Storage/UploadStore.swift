// Uploads in progress: they can stop at any byte and resume later, also after a restart.

import FoundationEssentials
import Locking

#if canImport(Glibc)
  import Glibc
#endif

/// The limits of uploads.
public struct UploadLimits: Sendable {
  /// The largest file.
  public var fileBytes: Int
  /// The total size of all uploads that are not yet taken.
  public var totalBytes: Int
  /// The maximum number of uploads.
  public var count: Int

  public init(
    fileBytes: Int = 4_000_000_000, totalBytes: Int = 64_000_000_000, count: Int = 1_000
  ) {
    self.fileBytes = fileBytes
    self.totalBytes = totalBytes
    self.count = count
  }
}

/// A file that is being uploaded.
public struct Upload: Sendable, Equatable {
  public let id: String
  /// The length of the whole file, in bytes.
  public let length: Int
  /// The number of bytes received.
  public let offset: Int
  /// The file name that the client sent; text for display, never a path.
  public let fileName: String

  /// Whether all bytes were received.
  public var isComplete: Bool { offset == length }
}

/// Stores uploads according to tus 1.0. The offset is the size of the file; length and name are in
/// a small file next to it, so that an upload survives a restart.
public final class UploadStore: Sendable {
  private let folder: DataDirectory
  private let limits: UploadLimits
  /// How long an upload is kept after its last byte.
  public static let lifeSeconds = 2 * 86_400

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

  /// Starts an upload of `length` bytes if there is space besides all promised uploads. Throws
  /// `tooLarge` or `noSpace`.
  ///
  /// - Parameter admit: throws if the upload is not allowed; gets the number of bytes promised to
  ///   other uploads.
  public func create(
    length: Int, fileName: String, admit: (_ promisedBytes: Int) throws -> Void = { _ in }
  ) throws -> Upload {
    guard length >= 0, length <= limits.fileBytes else {
      throw StorageError(
        .tooLarge,
        "This file is larger than \(ByteCount.text(limits.fileBytes)), the most that one file may have "
          + "here. Use a smaller one.")
    }
    return try admission.withLock { _ in
      do {
        try requireRoom(for: length, admit)
      } catch let error as StorageError where error.code == .noSpace {
        // Abandoned uploads must not block a new one.
        guard try !expire(olderThan: Self.lifeSeconds).isEmpty else { throw error }
        try requireRoom(for: length, admit)
      }
      return try begin(length: length, fileName: fileName)
    }
  }

  private func requireRoom(for length: Int, _ admit: (Int) throws -> Void) throws {
    let others = try all()
    let promised = others.reduce(0) { $0 + $1.length }
    guard promised + length <= limits.totalBytes, others.count < limits.count else {
      throw StorageError(
        .noSpace, "Too much is being uploaded at once. Wait until some of it is here and try again."
      )
    }
    try folder.requireSpace(for: others.reduce(length) { $0 + $1.length - $1.offset })
    try admit(promised)
  }

  /// The total announced length of uploads that are not taken.
  public func promisedBytes() throws -> Int { try all().reduce(0) { $0 + $1.length } }

  /// The bytes that uploads in progress still have to send.
  public func outstandingBytes() throws -> Int {
    try all().reduce(0) { $0 + $1.length - $1.offset }
  }

  /// The bytes received by uploads that are not taken.
  public func receivedBytes() throws -> Int { try all().reduce(0) { $0 + $1.offset } }

  private func begin(length: Int, fileName: String) throws -> Upload {
    let id = UUID().uuidString.lowercased()
    let description = try JSONEncoder().encode(Description(length: length, fileName: fileName))
    try Files.writeNew(dataPath(id), [])
    try Files.writeNew(descriptionPath(id), Array(description))
    try Files.syncFolder(folder.uploads)
    state.withLock { $0.hashers[id] = SHA256Hasher() }
    return Upload(id: id, length: length, offset: 0, fileName: fileName)
  }

  /// Returns an upload. Throws `notFound`.
  public func upload(_ id: String) throws -> Upload {
    guard DataDirectory.isPlain(id), Files.exists(dataPath(id)), Files.exists(descriptionPath(id))
    else { throw Self.unknown(id) }
    let description = try description(of: id)
    return Upload(
      id: id, length: description.length, offset: try Files.size(of: dataPath(id)),
      fileName: description.fileName)
  }

  /// Returns all uploads, complete or not.
  public func all() throws -> [Upload] {
    try ids().compactMap { id in
      // Another thread may take or delete it after the listing.
      do { return try upload(id) } catch let error as StorageError where error.code == .notFound {
        return nil
      }
    }
  }

  /// Starts appending bytes at `offset`. Throws `offsetMismatch` if that is not the end of the
  /// stored bytes, and `busy` while another appender is active.
  public func append(_ id: String, offset: Int) throws -> UploadAppender {
    let upload = try upload(id)
    let wasFree = state.withLock { $0.beingWritten.insert(id).inserted }
    guard wasFree else {
      throw StorageError(.busy, "This file is already being uploaded. Wait a moment and try again.")
    }
    do {
      let current = try self.upload(id)
      guard current.offset == offset else {
        throw StorageError(
          .offsetMismatch, "The upload has to go on at byte \(current.offset).",
          cause: "asked for \(offset)")
      }
      return UploadAppender(
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

  /// Deletes an upload. Throws `notFound`, and `busy` while bytes are being appended.
  public func delete(_ id: String) throws {
    _ = try upload(id)
    try whileNotWritten(id) { try erase(id) }
  }

  /// Hashes and syncs a complete upload, and passes its file to `send`: the part of `take` that takes time
  /// in proportion to the size. Throws the same errors as `take`.
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

  /// Takes a complete upload out of the store: the caller then owns the file. Fast after
  /// `prepareToTake`. Throws `incomplete`, and `empty` for a file of no bytes, which is deleted.
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
    guard upload.isComplete else {
      throw StorageError(
        .incomplete, "This file has not arrived completely. Upload the rest first.")
    }
    guard upload.length > 0 else {
      try erase(id)
      throw StorageError(
        .empty, "There is nothing in this file. Copy or download it again, then add it once more.")
    }
    return upload
  }

  /// Deletes uploads that received no bytes for `seconds`; returns their ids.
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
      throw Self.unknown(id)
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
      throw StorageError(.busy, "This file is still being uploaded. Wait a moment and try again.")
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

  private func dataPath(_ id: String) -> String { folder.uploads + "/" + id + ".part" }
  private func descriptionPath(_ id: String) -> String { folder.uploads + "/" + id + ".json" }

  private static func unknown(_ id: String) -> StorageError {
    StorageError(.notFound, "This upload is no longer there. Add the file again.", cause: id)
  }
}
