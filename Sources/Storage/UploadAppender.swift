// Adds the bytes of one request body to an upload, piece by piece.

import Synchronization

/// Writes to one upload until `finish()` or `abort()`. What was written stays in either case, so
/// that the sender can go on from there, unless it has a checksum: then only what was found to have
/// it stays. Threads: any, one call at a time takes effect.
public final class UploadAppender: Sendable {
  private struct Progress {
    var offset: Int
    var uncheckedBytes = 0
    var hasher: SHA256Hasher?
    /// What these bytes have to have, until they were found to.
    var checksum: UploadChecksum?
    var release: (@Sendable (SHA256Hasher?) -> Void)?
  }

  private let file: OpenFile
  private let folder: DataFolder
  private let length: Int
  private let start: (offset: Int, hasher: SHA256Hasher?)
  private let progress: Mutex<Progress>

  init(
    file: consuming OpenFile, folder: DataFolder, offset: Int, length: Int, hasher: SHA256Hasher?,
    checksum: UploadChecksum?, release: @escaping @Sendable (SHA256Hasher?) -> Void
  ) {
    self.file = file
    self.folder = folder
    self.length = length
    start = (offset, hasher?.byteCount == offset ? hasher : nil)
    progress = Mutex(
      Progress(offset: offset, hasher: start.hasher, checksum: checksum, release: release))
  }

  deinit { abort() }

  /// How many bytes are stored now.
  public var offset: Int { progress.withLock { $0.offset } }

  /// Adds bytes. Throws `tooLarge`, and writes nothing, when they would go beyond the announced
  /// length; `noSpace` when the disk is full.
  public func write(_ bytes: UnsafeRawBufferPointer) throws {
    try progress.withLock { progress in
      guard progress.release != nil else {
        throw StorageError(.busy, "The upload was already closed.")
      }
      guard progress.offset + bytes.count <= length else {
        throw StorageError(.tooLarge, "More bytes arrived than were announced. Add the file again.")
      }
      progress.uncheckedBytes += bytes.count
      if progress.uncheckedBytes > 4 << 20 {
        try folder.requireSpace(for: bytes.count)
        progress.uncheckedBytes = 0
      }
      do {
        try file.write(bytes)
      } catch {
        // Some of the bytes may have been written: the size of the file says how many.
        progress.hasher = nil
        progress.offset = try file.size()
        throw error
      }
      progress.offset += bytes.count
      progress.hasher?.update(bytes)
      progress.checksum?.update(bytes)
    }
  }

  /// Adds bytes.
  public func write(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try write($0) }
  }

  /// Ends the request: returns the new offset when the bytes are on the disk. Throws
  /// `checksumMismatch`, and keeps none of them, when they have another checksum.
  public func finish() throws -> Int {
    defer { abort() }
    try progress.withLock { progress in
      guard progress.checksum?.holds ?? true else {
        try discard(&progress)
        throw StorageError(
          .checksumMismatch, "The bytes were damaged on their way. Send them again.")
      }
      progress.checksum = nil
    }
    do {
      try file.sync()
    } catch {
      // Bytes that could not be written count as written from here on, to Linux; which ones, of
      // broken requests before this one too, nobody knows.
      try progress.withLock { progress in
        progress.hasher = nil
        progress.offset = 0
        try file.truncate(to: 0)
      }
      throw error
    }
    return offset
  }

  /// Ends the request early, for instance when the connection broke. Calling it again does nothing.
  public func abort() {
    let (release, hasher) = progress.withLock { progress in
      defer { progress.release = nil }
      if progress.release != nil, progress.checksum != nil {
        // Where even this fails, they stay as they do when the server is killed.
        try? discard(&progress)
      }
      return (progress.release, progress.hasher)
    }
    release?(hasher)
  }

  /// Takes back what this request wrote.
  private func discard(_ progress: inout Progress) throws {
    progress.hasher = nil
    try file.truncate(to: start.offset)
    progress.offset = start.offset
    progress.hasher = start.hasher
    progress.checksum = nil
  }
}
