// Uploads on their way in: they can stop at any byte and go on later, also after a restart.

import FoundationEssentials
import Locking

#if canImport(Glibc)
  import Glibc
#endif

/// How much may be uploaded.
public struct UploadLimits: Sendable {
  /// The largest file.
  public var fileBytes: Int
  /// All uploads together that are not yet taken.
  public var totalBytes: Int
  /// How many they may be.
  public var count: Int

  public init(
    fileBytes: Int = 4_000_000_000, totalBytes: Int = 64_000_000_000, count: Int = 1_000
  ) {
    self.fileBytes = fileBytes
    self.totalBytes = totalBytes
    self.count = count
  }
}

/// A file on its way in.
public struct Upload: Sendable, Equatable {
  public let id: String
  /// How many bytes the whole file has.
  public let length: Int
  /// How many of them are here.
  public let offset: Int
  /// The name that the sender gave; text for people, never a path.
  public let fileName: String

  /// Whether all bytes are here.
  public var isComplete: Bool { offset == length }
}

/// Keeps uploads as tus 1.0 needs them. The offset is the size of the file; length and name stand
/// in a small file beside it, so that nothing is lost by a restart.
public final class UploadStore: Sendable {
  private let folder: DataDirectory
  private let limits: UploadLimits
  /// How long an upload is kept after its last byte came.
  public static let lifeSeconds = 2 * 86_400

  private let state = OrderedMutex(.uploadState, State())
  /// Held while an upload is admitted, so that of several at once each counts the others.
  private let admission = OrderedMutex(.uploadAdmission, ())

  private struct State {
    var beingWritten: Set<String> = []
    /// The hash so far, for uploads that were written since the start; the others are read again.
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

  /// Starts an upload of `length` bytes, for which there has to be room beside all that others were
  /// promised. Throws `tooLarge` or `noSpace`.
  ///
  /// - Parameter admit: throws if it must not be; gets the bytes that others were promised.
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
        // What nobody went on with must not stand in the way.
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

  /// What uploads that are not taken will have when all of their bytes are here.
  public func promisedBytes() throws -> Int { try all().reduce(0) { $0 + $1.length } }

  /// What uploads that are not taken still have to bring.
  public func outstandingBytes() throws -> Int {
    try all().reduce(0) { $0 + $1.length - $1.offset }
  }

  /// What has come of uploads that are not taken.
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

  /// Returns what is known about an upload. Throws `notFound`.
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
      // Another thread may take or delete it between the listing and the look.
      do { return try upload(id) } catch let error as StorageError where error.code == .notFound {
        return nil
      }
    }
  }

  /// Starts adding bytes at `offset`. Throws `offsetMismatch` when that is not where the stored bytes
  /// end and `busy` while another appender is at work.
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

  /// Throws an upload away. Throws `notFound`, and `busy` while bytes are being added.
  public func delete(_ id: String) throws {
    _ = try upload(id)
    try whileNotWritten(id) { try erase(id) }
  }

  /// Hashes a complete upload and sees to it that its bytes are on the disk: all of `take` that
  /// takes as long as the file is large. Throws what `take` throws.
  public func prepareToTake(_ id: String) throws {
    try whileNotWritten(id) {
      try requireComplete(id)
      try OpenFile(dataPath(id), O_RDONLY).sync()
      let hasher = try hasher(of: id)
      state.withLock { $0.hashers[id] = hasher }
    }
  }

  /// Takes a complete upload out of the store: from now on the file is the caller's. It is quick
  /// after `prepareToTake`.
  /// Throws `incomplete`, and `empty` for a file of no bytes, which is thrown away.
  public func take(_ id: String) throws -> StagedBlob {
    try whileNotWritten(id) {
      let upload = try requireComplete(id)
      let sha256 = try hasher(of: id).digest()
      // Bytes that are on the disk already cost nothing here.
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

  /// Throws away uploads to which nothing was added for `seconds`; returns their ids.
  @discardableResult
  public func expire(olderThan seconds: Int) throws -> [String] {
    let limit = Int(time(nil)) - seconds
    var expired: [String] = []
    // Looked at before it is claimed: one that is young is nobody's to keep from its client.
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
      // A crash in the middle of `create`, before anything was acknowledged.
      throw Self.unknown(id)
    }
  }

  /// The hash of a complete upload; read again unless it was written, or hashed, since the start.
  private func hasher(of id: String) throws -> SHA256Hasher {
    let size = try Files.size(of: dataPath(id))
    if let hasher = state.withLock({ $0.hashers[id] }), hasher.byteCount == size { return hasher }
    var hasher = SHA256Hasher()
    try hasher.update(reading: OpenFile(dataPath(id), O_RDONLY))
    return hasher
  }

  /// Whether all bytes of an upload are hashed; a reading of the file is not needed any more.
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
