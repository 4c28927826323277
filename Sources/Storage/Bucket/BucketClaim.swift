// Which library uses a bucket: a second one would sweep the objects of the first.

import FoundationEssentials

/// The choice of a bucket: where blobs are, and how much of them this disk keeps.
public struct BucketOptions: Sendable {
  public var address: BucketAddress
  /// The most bytes of the copies on this disk.
  public var cacheBytes: Int

  /// Makes the choice.
  public init(address: BucketAddress, cacheBytes: Int = Self.usualCacheBytes) {
    self.address = address
    self.cacheBytes = cacheBytes
  }

  /// The bound of the cache unless another is chosen.
  public static let usualCacheBytes = 10_000_000_000
}

/// The tie between a data folder and a bucket. It is stored on both sides: `bucket.json` in the folder and
/// `segmance.json` in the bucket hold the same random name.
public struct BucketClaim: Sendable {
  private static let objectName = "segmance.json"

  private struct Note: Codable, Equatable {
    var address: String
    var installation: String
  }

  /// What the bucket holds. The address is left out: a bucket can have several.
  private struct Object: Codable, Equatable {
    var installation: String
  }

  /// Returns the bucket that the library in `folder` uses; nil if its blobs are in the folder.
  public static func address(of folder: DataDirectory) throws -> BucketAddress? {
    guard let note = try note(of: folder) else { return nil }
    guard let address = BucketAddress(note.address) else {
      throw StorageError(
        .fileSystem, "The file bucket.json holds no address of a bucket. Restore it from a backup.")
    }
    return address
  }

  /// Ties a library to a bucket, or makes sure that it is tied to it. The caller holds the library's lock.
  ///
  /// - Throws: `busy` if the library uses another bucket, or the bucket another library; `unreachable`.
  public static func make(_ folder: DataDirectory, _ client: BucketClient) throws {
    let address = client.address
    let known = try note(of: folder)
    if let known, known.address != address.text {
      throw StorageError(
        .busy,
        "This library keeps its songs and videos in \(known.address). Start Segmance with that "
          + "address. docs/DEPLOY.md says how to move to another one.")
    }
    let note = known ?? Note(address: address.text, installation: Files.randomName())
    let object = Object(installation: note.installation)
    do {
      let stored = try client.get(objectName)
      guard let other = try? JSONDecoder().decode(Object.self, from: Data(stored)), other == object
      else {
        throw StorageError(
          .busy,
          "Another library uses \(address.text). Choose another prefix. If this is that library, "
            + "restored on a new machine, and the old one is gone for good, delete the object "
            + "\(address.prefix)\(objectName) and start again.")
      }
    } catch let error as StorageError where error.code == .notFound {
      // The folder's side is written first: a crash in between leaves a folder that can go on.
      if known == nil {
        try folder.writePrivately(Array(JSONEncoder().encode(note)), to: folder.bucketFile)
      }
      try client.put(objectName, Array(JSONEncoder().encode(object)))
    }
  }

  private static func note(of folder: DataDirectory) throws -> Note? {
    guard Files.exists(folder.bucketFile) else { return nil }
    return try JSONDecoder().decode(Note.self, from: Data(Files.read(folder.bucketFile)))
  }
}
