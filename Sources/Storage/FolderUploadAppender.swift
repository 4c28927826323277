// Appends the bytes of one request body to an upload in the data folder, piece by piece.

import Synchronization

/// Writes to the file of one upload. Its size is the offset.
final class FolderUploadAppender: UploadAppender {
  private struct Progress {
    var offset: Int
    var uncheckedBytes = 0
    var hasher: SHA256Hasher?
    var release: (@Sendable (SHA256Hasher?) -> Void)?
  }

  private let file: OpenFile
  private let folder: DataDirectory
  private let length: Int
  private let progress: Mutex<Progress>

  init(
    file: consuming OpenFile, folder: DataDirectory, offset: Int, length: Int,
    hasher: SHA256Hasher?,
    release: @escaping @Sendable (SHA256Hasher?) -> Void
  ) {
    self.file = file
    self.folder = folder
    self.length = length
    let hasher = hasher?.byteCount == offset ? hasher : nil
    progress = Mutex(Progress(offset: offset, hasher: hasher, release: release))
  }

  deinit { abort() }

  var offset: Int { progress.withLock { $0.offset } }
  var isPieceFull: Bool { false }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
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
        // Some of the bytes may have been written; the file size tells how many.
        progress.hasher = nil
        progress.offset = try file.size()
        throw error
      }
      progress.offset += bytes.count
      progress.hasher?.update(bytes)
    }
  }

  func send() {}

  /// Returns the new offset once the bytes are on the disk.
  func finish() throws -> Int {
    defer { abort() }
    do {
      try file.sync()
    } catch {
      // After a failed sync Linux marks the unwritten pages as clean. They may include pages of
      // earlier interrupted requests, and cannot be identified.
      try progress.withLock { progress in
        progress.hasher = nil
        progress.offset = 0
        try file.truncate(to: 0)
      }
      throw error
    }
    return offset
  }

  func abort() {
    let (release, hasher) = progress.withLock { progress in
      defer { progress.release = nil }
      return (progress.release, progress.hasher)
    }
    release?(hasher)
  }
}
