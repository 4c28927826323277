// The zips of exports in a bucket, so that every server can send them.

import Locking

#if canImport(Glibc)
  import Glibc
#endif

/// Stores the zip of each export as the object `exports/JOB`.
public struct ExportBucket: Sendable {
  private static let start = "exports/"

  private let blobs: BucketBlobStore
  private var client: BucketClient { blobs.client }

  /// Uses the bucket of `blobs`.
  public init(_ blobs: BucketBlobStore) { self.blobs = blobs }

  /// Sends the zip of a job.
  public func send(job id: String, fileAt path: String) throws {
    let size = try Files.size(of: path)
    var hasher = SHA256Hasher()
    try hasher.update(reading: OpenFile(path, O_RDONLY))
    try blobs.asking {
      try client.upload(
        Self.start + id, fileAt: path, size: size, sha256: hasher.digest(), keepsHash: true)
    }
  }

  /// Fetches the zip of a job to a new file under `tmp`, which is the caller's; nil if there is none.
  public func fetch(job id: String) throws -> String? {
    guard DataDirectory.isPlain(id) else { return nil }
    let size: Int
    do {
      size = try blobs.asking { try client.size(of: Self.start + id) }
    } catch let error as StorageError where error.code == .notFound {
      return nil
    }
    try blobs.folder.requireSpace(for: size)
    let path = blobs.folder.temporaryPath("clips")
    do {
      let file = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL)
      var hasher = SHA256Hasher()
      let hash = try blobs.asking {
        try client.get(Self.start + id, size: size) { bytes in
          hasher.update(bytes)
          try file.write(bytes)
        }
      }
      guard hash == nil || hasher.digest() == hash else {
        throw StorageError(
          .corrupt, "This export has changed in the bucket. Export again.", cause: "export \(id)")
      }
      try file.sync()
      return path
    } catch {
      try Files.remove(path)
      throw error
    }
  }

  /// The jobs whose zips are there.
  public func jobs() throws -> [String] {
    try blobs.asking { try client.list(Self.start) }.map {
      String($0.name.dropFirst(Self.start.count))
    }.filter(DataDirectory.isPlain)
  }

  /// Removes the zip of a job; does nothing if there is none.
  public func remove(job id: String) throws {
    try blobs.asking { try client.delete(Self.start + id) }
  }
}
