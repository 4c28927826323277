// The used and permitted disk space of the library.

import Locking
import Logging
import Model
import Storage

/// The owner's limits on file and library size.
public struct LibraryLimits: Sendable {
  /// The maximum size of one upload, in bytes.
  public var fileBytes: Int
  /// The maximum size of originals, derived files and unfinished uploads, in bytes; nil means the
  /// capacity of the disk.
  public var libraryBytes: Int?

  /// Makes limits; the defaults are the usual ones.
  public init(fileBytes: Int = UploadLimits().fileBytes, libraryBytes: Int? = nil) {
    self.fileBytes = fileBytes
    self.libraryBytes = libraryBytes
  }
}

/// The library's stored bytes.
struct StoredBytes: Equatable {
  /// Uploaded originals.
  var originals: Int
  /// Files derived from the originals.
  var derived: Int

  var total: Int { originals + derived }
}

/// Caches the size of each folder under `derived`, from one pass over all of them. With a bucket, what that
/// has counts, wherever a copy is.
final class DerivedSizes: Sendable {
  private let folder: DataDirectory
  private let bucket: DerivedBucket?
  private let sizes = OrderedMutex<[String: Int]?>(.derivedSizes, nil)

  init(folder: DataDirectory, bucket: DerivedBucket? = nil) {
    self.folder = folder
    self.bucket = bucket
  }

  /// The total size in bytes.
  func total() throws -> Int {
    if let bucket { return bucket.storedBytes }
    return try sizes.withLock { sizes in
      if let sizes { return sizes.values.reduce(0, +) }
      let all = try Dictionary(
        uniqueKeysWithValues: folder.derivedIds().map { ($0, try folder.derivedBytes($0)) })
      sizes = all
      return all.values.reduce(0, +)
    }
  }

  /// Measures one folder again, after files of this track or video were made or removed.
  func refresh(_ id: String) throws {
    try sizes.withLock { sizes in
      guard sizes != nil else { return }
      // Empty folders are not stored.
      let bytes = try folder.derivedBytes(id)
      sizes?[id] = bytes > 0 ? bytes : nil
    }
  }

  /// Discards all sizes, so that the next use measures them again.
  func forget() { sizes.withLock { $0 = nil } }
}

/// Measures the library's disk space and enforces its limits.
final class Quota: Sendable {
  let limits: LibraryLimits
  /// The sizes of derived files.
  let derivedSizes: DerivedSizes
  private let folder: DataDirectory
  private let blobs: any BlobStore
  private let uploads: any UploadStore
  private let health: Health
  private let log: Logger
  /// Held while health is updated.
  private let lock = OrderedMutex(.quota, ())

  init(
    limits: LibraryLimits, folder: DataDirectory, blobs: any BlobStore, derived: DerivedBucket?,
    uploads: any UploadStore, health: Health, log: Logger
  ) {
    self.limits = limits
    self.folder = folder
    self.blobs = blobs
    self.uploads = uploads
    self.health = health
    self.log = log
    derivedSizes = DerivedSizes(folder: folder, bucket: derived)
  }

  /// The stored bytes. The first call reads the size of every file.
  func storedBytes() throws -> StoredBytes {
    StoredBytes(originals: try blobs.storedBytes(), derived: try derivedSizes.total())
  }

  /// Throws `noSpace` unless the library may grow by `bytes`.
  ///
  /// - Parameter promised: the bytes that unfinished uploads will take; nil measures them.
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

  /// Throws `noSpace` unless `bytes` fit on the disk in addition to unfinished uploads.
  func requireDisk(for bytes: Int) throws {
    let (sum, isTooMuch) = try bytes.addingReportingOverflow(uploads.outstandingBytes())
    try folder.requireSpace(for: isTooMuch ? .max : sum)
  }

  /// Reports in health whether the library is close to its limit.
  func updateHealth() {
    guard let limit = limits.libraryBytes else { return }
    // Serialized, so that the latest measurement is the one reported.
    lock.withLock { _ in
      do {
        let used = try storedBytes().total + uploads.promisedBytes()
        // Less than 1 % of the limit leaves no room for a song.
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
}
