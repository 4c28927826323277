// Appends the bytes of one request body to an upload in a bucket, piece by piece.

import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// Writes bytes to a file of this disk, and sends it piece by piece. Only what the bucket has confirmed
/// is part of the upload.
///
/// The file is that of the upload's beginning, if these bytes follow it, or one of this request.
final class BucketUploadAppender: UploadAppender {
  private struct Progress {
    /// The end of what the bucket has confirmed.
    var offset: Int
    /// The bytes that were written since then, and their hash.
    var piece = SHA256Hasher()
    /// Where the piece begins in the file.
    var fileOffset: Int
    /// The file of the upload's beginning with the hash of what was written; nil if it is another one.
    var copy: BucketUploadStore.LocalCopy?
    var hasFailed = false
    /// nil after the end.
    var claim: BucketUploadStore.Claim?
  }

  private let id: String
  private let length: Int
  private let pieceBytes: Int
  private let store: BucketUploadStore
  private let file: OpenFile
  private let isScratch: Bool
  private let progress: Mutex<Progress>

  /// - Parameter copy: the file of the upload's beginning, if it ends at `offset`.
  init(
    _ id: String, offset: Int, length: Int, pieceBytes: Int, store: BucketUploadStore,
    copy: BucketUploadStore.LocalCopy?, claim: BucketUploadStore.Claim
  ) throws {
    self.id = id
    self.length = length
    self.pieceBytes = pieceBytes
    self.store = store
    let start = copy?.hasher.byteCount ?? 0
    file = try OpenFile(
      copy?.path ?? store.folder.temporaryPath("upload"), O_WRONLY | O_CREAT | O_APPEND)
    isScratch = copy == nil
    progress = Mutex(Progress(offset: offset, fileOffset: start, copy: copy, claim: claim))
    // What an earlier request wrote and could not send.
    try file.truncate(to: start)
  }

  deinit { abort() }

  var offset: Int { progress.withLock { $0.offset } }

  var isPieceFull: Bool { progress.withLock { $0.piece.byteCount >= pieceBytes } }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    try progress.withLock { progress in
      guard progress.claim != nil else {
        throw StorageError(.busy, "The upload was already closed.")
      }
      guard progress.offset + progress.piece.byteCount + bytes.count <= length else {
        throw StorageError(.tooLarge, "More bytes arrived than were announced. Add the file again.")
      }
      do {
        if progress.piece.byteCount == 0 { try store.folder.requireSpace(for: pieceBytes) }
        try file.write(bytes)
      } catch {
        progress.hasFailed = true
        throw error
      }
      progress.piece.update(bytes)
      progress.copy?.hasher.update(bytes)
    }
  }

  func send() throws {
    let progress = progress.withLock { $0 }
    guard !progress.hasFailed, progress.claim != nil, progress.piece.byteCount > 0 else { return }
    let piece = UploadPiece(
      offset: progress.offset, length: progress.piece.byteCount, sha256: progress.piece.digest())
    do {
      try store.send(id, piece, fileAt: file.path, from: progress.fileOffset)
      // The other pieces are fetched when the upload is taken, so this one is, too.
      if isScratch { try file.truncate(to: 0) }
    } catch {
      self.progress.withLock { $0.hasFailed = true }
      throw error
    }
    if let copy = progress.copy { store.remember(copy, of: id) }
    self.progress.withLock { progress in
      progress.offset = piece.end
      progress.fileOffset = isScratch ? 0 : piece.end
      progress.piece = SHA256Hasher()
    }
  }

  func finish() throws -> Int {
    defer { abort() }
    try send()
    return offset
  }

  func abort() {
    let claim = progress.withLock { progress in
      defer { progress.claim = nil }
      return progress.claim
    }
    guard claim != nil, isScratch else { return }
    // The next start empties `tmp`.
    try? Files.remove(file.path)
  }
}
