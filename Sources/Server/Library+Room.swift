// How much the library takes on the disk, and how much it may.

import Database
import FoundationEssentials
import HTTP
import Locking
import Model
import Storage

/// How large files and the library may become, as the owner says.
public struct LibraryLimits: Sendable {
  /// Bytes of one upload at most.
  public var fileBytes: Int
  /// Bytes of originals, of what is made of them, and of uploads under way at most; nil: what the disk
  /// holds.
  public var libraryBytes: Int?

  /// Makes limits; without words the usual ones.
  public init(fileBytes: Int = UploadLimits().fileBytes, libraryBytes: Int? = nil) {
    self.fileBytes = fileBytes
    self.libraryBytes = libraryBytes
  }
}

/// What the library has on the disk.
struct StoredBytes: Equatable {
  /// What people gave it.
  var originals: Int
  /// What was made of that.
  var derived: Int

  var total: Int { originals + derived }
}

/// Knows how large each folder under `derived` is, from one look at all of them. Threads: any.
final class DerivedSizes: Sendable {
  private let folder: DataFolder
  private let sizes = OrderedMutex<[String: Int]?>(.derivedSizes, nil)

  init(folder: DataFolder) { self.folder = folder }

  /// All bytes.
  func total() throws -> Int {
    try sizes.withLock { sizes in
      if let sizes { return sizes.values.reduce(0, +) }
      let all = try Dictionary(
        uniqueKeysWithValues: folder.derivedIds().map { ($0, try folder.derivedBytes($0)) })
      sizes = all
      return all.values.reduce(0, +)
    }
  }

  /// Looks again at one of them: something was made of this track or video, or removed.
  func lookAgain(_ id: String) throws {
    try sizes.withLock { sizes in
      guard sizes != nil else { return }
      // Of what is gone nothing is remembered.
      let bytes = try folder.derivedBytes(id)
      sizes?[id] = bytes > 0 ? bytes : nil
    }
  }

  /// Looks again at all of them when next asked.
  func forget() { sizes.withLock { $0 = nil } }
}

extension Library {
  /// What is on the disk. The first time it looks at every file.
  func storedBytes() throws -> StoredBytes {
    StoredBytes(originals: try blobs.storedBytes(), derived: try derivedSizes.total())
  }

  /// Begins an upload of `length` bytes, which count from now on.
  ///
  /// - Throws: `StorageError` `tooLarge` or `noSpace`, with a sentence for the performer.
  func createUpload(length: Int, fileName: String) throws -> Upload {
    defer { noteRoom() }
    guard limits.libraryBytes != nil else {
      return try uploads.create(length: length, fileName: fileName)
    }
    // Under the lock, so that an upload that becomes an original is one of the two at any time.
    return try mediaLock.withLock { _ in
      try uploads.create(length: length, fileName: fileName) { promised in
        try requireRoom(for: length, promised: promised)
      }
    }
  }

  /// Throws `noSpace` unless the library may take so many bytes more.
  ///
  /// - Parameter promised: what uploads under way will take; nil: asks.
  func requireRoom(for bytes: Int, promised: Int? = nil) throws {
    guard let limit = limits.libraryBytes else { return }
    let promised = try promised ?? uploads.promisedBytes()
    guard try storedBytes().total + promised + bytes <= limit else {
      throw StorageError(
        .noSpace,
        "The library may take \(ByteCount.text(limit)), as its owner chose, and this does not fit any "
          + "more. Delete songs or videos that you no longer need and try again.")
    }
  }

  /// Throws `noSpace` unless so many bytes fit on the disk beside what is promised to uploads.
  func requireDisk(for bytes: Int) throws {
    let (sum, isTooMuch) = try bytes.addingReportingOverflow(uploads.outstandingBytes())
    try folder.requireSpace(for: isTooMuch ? .max : sum)
  }

  /// Throws what keeps this server from telling whether the file of a job is a good one: programs
  /// that do not work, or an original that can't be read, or is not what it was.
  private func requireSoundness(
    for job: JobRow, of type: RecordType, isCancelled: () -> Bool
  ) throws {
    try tools.requireWorking(isCancelled: isCancelled)
    // Deleted meanwhile, it needs no original any more.
    guard let record = try records.record(type, job.subject), record.keepsMedia(at: Library.now()),
      let sha256 = record["sha256"].text
    else { return }
    guard try blobs.contains(sha256) && blobs.verify(sha256, isCancelled: isCancelled) else {
      throw StorageError(
        .corrupt,
        "This file is missing or damaged on the server's disk. Add the same file again to mend it.",
        cause: "blob \(sha256)")
    }
  }

  /// Tells health whether the library is about as large as it may be.
  func noteRoom() {
    guard let limit = limits.libraryBytes else { return }
    // One at a time: the later measure is the one that stays.
    roomLock.withLock { _ in
      do {
        let used = try storedBytes().total + uploads.promisedBytes()
        // Less than a hundredth is room for no song to speak of.
        health.set(
          .room,
          limit - used >= limit / 100
            ? nil
            : "The library takes \(ByteCount.text(used)) of the \(ByteCount.text(limit)) that its "
              + "owner allows: uploads and imports wait until something is deleted.")
      } catch {
        log.error("library.unmeasured", error)
      }
    }
  }

  /// The same work, which does not begin while the library takes more than it may, but waits, as it
  /// does while the server ails.
  func limited(_ kind: JobKind) -> JobKind {
    var limited = kind
    limited.isPatient = true
    limited.examine = { [self] job, context in
      try requireSoundness(for: job, of: kind.subject, isCancelled: { context.isCancelled })
    }
    limited.perform = { [self] job, context in
      try requireRoom(for: 0)
      return try kind.perform(job, context)
    }
    return limited
  }
}
