// Uploads in progress: they can stop at any byte and resume later, also after a restart.

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

  /// Throws `tooLarge` unless a file may have this length.
  func requireLength(_ length: Int) throws {
    guard length >= 0, length <= fileBytes else {
      throw StorageError(
        .tooLarge,
        "This file is larger than \(ByteCount.text(fileBytes)), the most that one file may have "
          + "here. Use a smaller one.")
    }
  }

  /// Throws `noSpace` unless an upload of `length` bytes may begin besides the others.
  func requireRoom(
    for length: Int, besides others: [Upload], in folder: DataDirectory,
    _ admit: (Int) throws -> Void
  ) throws {
    let promised = others.reduce(0) { $0 + $1.length }
    guard promised + length <= totalBytes, others.count < count else {
      throw StorageError(
        .noSpace, "Too much is being uploaded at once. Wait until some of it is here and try again."
      )
    }
    try folder.requireSpace(for: others.reduce(length) { $0 + $1.length - $1.offset })
    try admit(promised)
  }
}

/// A file that is being uploaded.
public struct Upload: Sendable, Equatable {
  /// How long an upload is kept after its last byte.
  public static let lifeSeconds = 2 * 86_400

  public let id: String
  /// The length of the whole file, in bytes.
  public let length: Int
  /// The number of bytes received.
  public let offset: Int
  /// The file name that the client sent; text for display, never a path.
  public let fileName: String

  /// Whether all bytes were received.
  public var isComplete: Bool { offset == length }

  static func unknown(_ id: String) -> StorageError {
    StorageError(.notFound, "This upload is no longer there. Add the file again.", cause: id)
  }

  static let isUploading = StorageError(
    .busy, "This file is already being uploaded. Wait a moment and try again.")
  static let isStillUploading = StorageError(
    .busy, "This file is still being uploaded. Wait a moment and try again.")
  static let isIncomplete = StorageError(
    .incomplete, "This file has not arrived completely. Upload the rest first.")
  static let isEmpty = StorageError(
    .empty, "There is nothing in this file. Copy or download it again, then add it once more.")

  static func mismatch(_ offset: Int, asked: Int) -> StorageError {
    StorageError(
      .offsetMismatch, "The upload has to go on at byte \(offset).", cause: "asked for \(asked)")
  }
}

/// Stores uploads according to tus 1.0.
///
/// Where the bytes are in a bucket, most calls wait for it: not so `create`, `all`, `take`, `end` and `expire`,
/// which may run under a lock.
public protocol UploadStore: AnyObject, Sendable {
  /// Starts an upload of `length` bytes if there is space besides all promised uploads. Throws
  /// `tooLarge` or `noSpace`. Acknowledge it after `keep`.
  ///
  /// - Parameter admit: throws if the upload is not allowed; gets the number of bytes promised to
  ///   other uploads.
  func create(
    length: Int, fileName: String, admit: (_ promisedBytes: Int) throws -> Void
  ) throws -> Upload

  /// Stores a new upload where it is to stay, if that takes time. If it throws, there is no upload.
  func keep(_ upload: Upload) throws

  /// Returns an upload. Throws `notFound`.
  func upload(_ id: String) throws -> Upload

  /// Returns all uploads that are not taken, complete or not.
  func all() throws -> [Upload]

  /// Starts appending bytes at `offset`. Throws `offsetMismatch` if that is not the end of the
  /// stored bytes, and `busy` while another appender is active.
  func append(_ id: String, offset: Int) throws -> any UploadAppender

  /// Deletes an upload. Throws `notFound`, and `busy` while bytes are being appended.
  func delete(_ id: String) throws

  /// Hashes and syncs a complete upload, and passes its file to `send`: the part of `take` that takes time
  /// in proportion to the size. Throws the same errors as `take`.
  func prepareToTake<Result>(
    _ id: String, send: (_ path: String, BlobReference) throws -> Result
  ) throws -> Result

  /// Takes a complete upload out of the store: the caller then owns the file. Fast after
  /// `prepareToTake`. Throws `incomplete`, and `empty` for a file of no bytes, which is deleted.
  func take(_ id: String) throws -> StagedBlob

  /// Ends what `take` began. An upload of which no record was made stays, if its bytes are not only in the
  /// file that the caller owns.
  func end(_ id: String, isRecorded: Bool)

  /// Removes uploads that received no bytes for `seconds`; returns their ids.
  @discardableResult
  func expire(olderThan seconds: Int) throws -> [String]

  /// Looks again what is stored, where that takes time, and removes what was taken by a server that ended
  /// before it had removed it.
  func refresh(isTaken: (_ id: String) throws -> Bool) throws

  /// Deletes what was removed, where that takes time.
  func finishRemovals() throws
}

extension UploadStore {
  /// Starts an upload that nobody can refuse but the limits.
  public func create(length: Int, fileName: String) throws -> Upload {
    let upload = try create(length: length, fileName: fileName) { _ in }
    try keep(upload)
    return upload
  }

  /// Throws `noSpace` or what `admit` throws unless an upload of `length` bytes may begin. Abandoned
  /// uploads must not block a new one: they are removed if there is no room. The caller admits one at a time.
  func requireRoom(
    for length: Int, within limits: UploadLimits, in folder: DataDirectory,
    _ admit: (Int) throws -> Void
  ) throws {
    do {
      try limits.requireRoom(for: length, besides: all(), in: folder, admit)
    } catch let error as StorageError where error.code == .noSpace {
      guard try !expire(olderThan: Upload.lifeSeconds).isEmpty else { throw error }
      try limits.requireRoom(for: length, besides: all(), in: folder, admit)
    }
  }

  /// The total announced length of uploads that are not taken.
  public func promisedBytes() throws -> Int { try all().reduce(0) { $0 + $1.length } }

  /// The bytes that uploads in progress still have to send.
  public func outstandingBytes() throws -> Int {
    try all().reduce(0) { $0 + $1.length - $1.offset }
  }

  /// The bytes received by uploads that are not taken.
  public func receivedBytes() throws -> Int { try all().reduce(0) { $0 + $1.offset } }
}

/// Writes to one upload until `finish()` or `abort()`. Written and sent bytes stay in either case, so that
/// the client can resume from there. Calls are serialized.
public protocol UploadAppender: AnyObject, Sendable {
  /// The number of bytes stored so far.
  var offset: Int { get }

  /// Whether enough was written for `send`.
  var isPieceFull: Bool { get }

  /// Appends bytes. Throws `tooLarge`, and writes nothing, if they would exceed the announced
  /// length; throws `noSpace` if the disk is full.
  func write(_ bytes: UnsafeRawBufferPointer) throws

  /// Sends what was written to where it is to stay, if that takes time. Does nothing after a failure.
  func send() throws

  /// Ends the request: returns the new offset once the bytes are where they are to stay.
  func finish() throws -> Int

  /// Ends the request early, for instance after the connection broke, without waiting. Calling it again does
  /// nothing.
  func abort()
}

extension UploadAppender {
  /// Appends bytes.
  public func write(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try write($0) }
  }
}
