// How much the library takes on the disk, and how much it may.

import Locking
import Logging
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
  private let folder: DataDirectory
  private let sizes = OrderedMutex<[String: Int]?>(.derivedSizes, nil)

  init(folder: DataDirectory) { self.folder = folder }

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
  func refresh(_ id: String) throws {
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

/// How much the library takes on the disk, and how much it may take. Threads: any.
final class Quota: Sendable {
  /// How large files and the library may become.
  let limits: LibraryLimits
  /// The sizes of what was made of originals.
  let derivedSizes: DerivedSizes
  private let folder: DataDirectory
  private let blobs: BlobStore
  private let uploads: UploadStore
  private let health: Health
  private let log: Logger
  /// Held while health is told how much room there is.
  private let lock = OrderedMutex(.quota, ())

  init(
    limits: LibraryLimits, folder: DataDirectory, blobs: BlobStore, uploads: UploadStore,
    health: Health, log: Logger
  ) {
    self.limits = limits
    self.folder = folder
    self.blobs = blobs
    self.uploads = uploads
    self.health = health
    self.log = log
    derivedSizes = DerivedSizes(folder: folder)
  }

  /// What is on the disk. The first time it looks at every file.
  func storedBytes() throws -> StoredBytes {
    StoredBytes(originals: try blobs.storedBytes(), derived: try derivedSizes.total())
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

  /// Tells health whether the library is about as large as it may be.
  func updateHealth() {
    guard let limit = limits.libraryBytes else { return }
    // One at a time: the later measure is the one that stays.
    lock.withLock { _ in
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
}
