// Where a library's blobs are: in its folder or in a bucket.

import Database
import FoundationEssentials
import HTTP
import Logging
import Model
import Storage

extension Library {
  /// Opens the store of blobs to read from it, also while a server has the library open.
  static func storedBlobs(of folder: DataDirectory) throws -> any BlobStore {
    guard let address = try BucketClaim.address(of: folder) else {
      return FolderBlobStore(folder: folder)
    }
    let client = BucketClient(address, try BucketCredentials.read())
    return try BucketBlobStore(reading: client, folder: folder)
  }

  /// Opens what is made of the originals to read it, if it is in a bucket; nil if the folder holds all of it.
  static func storedDerived(of folder: DataDirectory) throws -> DerivedBucket? {
    guard let address = try BucketClaim.address(of: folder) else { return nil }
    return DerivedBucket(
      reading: BucketClient(address, try BucketCredentials.read()), folder: folder)
  }

  /// Opens the store of blobs. Those that the folder holds are moved to the bucket, if there is one.
  static func openBlobs(
    of folder: DataDirectory, library name: @autoclosure () throws -> String?,
    _ options: BucketOptions?, holds: (any BlobHolds)?, _ health: Health,
    _ log: Logger
  ) throws -> any BlobStore {
    guard let address = try options?.address ?? BucketClaim.address(of: folder) else {
      return FolderBlobStore(folder: folder)
    }
    let client = BucketClient(address, try BucketCredentials.read())
    try BucketClaim.make(folder, client, library: name())
    let store = try BucketBlobStore(
      folder: folder, client: client,
      cacheBytes: options?.cacheBytes ?? BucketOptions.usualCacheBytes, holds: holds
    ) { error in
      guard let error else {
        if health.set(.bucket, nil) { log.info("bucket.answers") }
        return
      }
      if health.set(.bucket, error.message) { log.error("bucket.unreachable", error) }
    }
    let toMove = try FolderBlobStore(folder: folder).all()
    guard !toMove.isEmpty else { return store }
    // It may take hours, and nobody is served meanwhile.
    log.info(
      "blobs.moving",
      ["count": .integer(toMove.count), "bytes": .integer(toMove.reduce(0) { $0 + $1.size })])
    let (sent, damaged) = try store.takeOverFolder()
    log.info("blobs.moved", ["count": .integer(sent)])
    if !damaged.isEmpty { log.warning("blobs.damaged", ["count": .integer(damaged.count)]) }
    return store
  }

  /// The addresses at which browsers fetch media from the bucket; nil if they get all from this server. They do
  /// so, too, if the bucket does not let them: a server that takes over has to serve.
  static func directAddresses(
    _ blobs: any BlobStore, _ options: BucketOptions?, _ log: Logger
  ) -> DirectAddresses? {
    guard let blobs = blobs as? BucketBlobStore, let (origin, page) = options?.direct else {
      return nil
    }
    let addresses = DirectAddresses(blobs, origin: origin)
    do {
      try addresses.requireReadable(from: page)
      return addresses
    } catch {
      log.error("blobLinks.unused", error)
      return nil
    }
  }

  /// Opens the store of uploads, which is where the blobs are. Those that the folder holds are moved to the
  /// bucket, if there is one.
  static func openUploads(
    beside blobs: any BlobStore, _ limits: UploadLimits, _ log: Logger
  ) throws -> any UploadStore {
    guard let blobs = blobs as? BucketBlobStore else {
      return FolderUploadStore(folder: blobs.folder, limits: limits)
    }
    let store = try BucketUploadStore(beside: blobs, limits: limits)
    let moved = try store.takeOverFolder()
    if moved > 0 { log.info("uploads.moved", ["count": .integer(moved)]) }
    return store
  }

  /// The requests that may wait for a bucket at once. Each holds up a worker, of which there are eight.
  private static let mostBucketRequests = 4
  /// The same for derived files, which are small.
  static let mostDerivedRequests = 6

  /// Runs `body`, which waits for the bucket, unless too many requests do so.
  func askingBucket<Result>(
    limit: Int = mostBucketRequests, _ body: () throws -> Result
  ) throws -> Result {
    guard !blobs.isLocal else { return try body() }
    guard bucketRequests.begin(limit: limit) else {
      throw LibraryError(
        .busy(retryAfterSeconds: 2),
        "Many songs and videos are on their way to or from the storage. Try again in a moment.")
    }
    defer { bucketRequests.end() }
    return try body()
  }

  /// Removes a blob to which no record refers. The caller holds the media lock.
  ///
  /// Where several servers share the library, that is only announced, and the keeper deletes it within seconds.
  func removeBlob(_ sha256: String) throws {
    guard let sharing else { return try blobs.remove(sha256) }
    try deletions.announce(sha256, servers: sharing.shared.servers())
  }

  /// Deletes the objects of blobs that were removed. Of several servers only the keeper does.
  func deleteRemovedBlobs() throws {
    guard let sharing, let blobs = blobs as? BucketBlobStore else {
      return try blobs.finishRemovals()
    }
    try sharing.deleting.withLock { _ in
      guard isKeeper else { return }
      for sha256 in try deletions.claim(at: sharing.shared.number, all: sharing.isSettledKeeper) {
        // Another server may have become the keeper, and a record may refer to it soon.
        guard isKeeper else { return }
        try blobs.delete(sha256)
        try deletions.end(sha256)
      }
    }
  }

  /// Deletes the objects that were removed, without waiting for it. What can't be deleted now is found by a
  /// later sweep.
  func finishRemovals() {
    guard !blobs.isLocal else { return }
    removals.async { [self] in
      do {
        try deleteRemovedBlobs()
        try uploads.finishRemovals()
        try derived?.finishRemovals()
      } catch {
        log.error("blobs.undeleted", error)
      }
    }
  }

  /// The blobs of libraries that restores have put aside, if a bucket holds them: in a folder, they were put
  /// aside too.
  ///
  /// Each list is read once and stored, as a later version may be unable to read the old library.
  /// - Throws: if a library that was put aside can't be read. Then it is not known what may be removed.
  func blobsAside() throws -> Set<String> {
    guard !blobs.isLocal else { return [] }
    var hashes: Set<String> = []
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.root)
    where RestoreTransaction.isAside(name) {
      let aside = folder.root + "/" + name
      let list = aside + "/blobs.json"
      let database = aside + "/segmance.sqlite"
      if let stored = FileManager.default.contents(atPath: list) {
        hashes.formUnion(try JSONDecoder().decode([String].self, from: stored))
      } else if FileManager.default.fileExists(atPath: database) {
        let media = try RecordStore(database: LibraryDatabase(readingAt: database)).media()
        let found = Set(media.compactMap(\.sha256)).sorted()
        try folder.writePrivately(Array(JSONEncoder().encode(found)), to: list)
        hashes.formUnion(found)
      }
    }
    return hashes
  }

  /// Makes a response of a blob's bytes. One in a bucket is fetched first, if it is not in the cache.
  func response(
    ofBlob sha256: String, contentType: String, etag: String? = nil, cacheControl: String,
    downloadName: String? = nil
  ) throws -> Response {
    guard !blobs.isLocal else {
      return .file(
        path: folder.blob(sha256), contentType: contentType, etag: etag,
        cacheControl: cacheControl, downloadName: downloadName)
    }
    let local =
      try blobs.localAtHand(sha256) ?? askingBucket { try blobs.local(sha256, isPassing: false) }
    // A copy that is fetched again is another file, so its own ETag would change.
    var response = Response.file(
      path: local.path, contentType: contentType, etag: etag ?? sha256,
      cacheControl: cacheControl, downloadName: downloadName)
    // The response opens its file after this, when the copy could have been displaced.
    if let path = local.linked(in: folder) { response.body = .temporaryFile(path: path) }
    return response
  }
}
