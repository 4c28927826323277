// Which library uses a bucket: a second one would sweep the objects of the first.

import FoundationEssentials

/// The choice of a bucket: where blobs are, and how much of them this disk keeps.
public struct BucketOptions: Sendable {
  public var address: BucketAddress
  /// The most bytes of the copies on this disk.
  public var cacheBytes: Int
  /// The origin at which browsers reach the bucket's server, and that of the pages, if these fetch media there.
  public var direct: (origin: String, page: String)?

  /// Makes the choice.
  public init(
    address: BucketAddress, cacheBytes: Int = Self.usualCacheBytes,
    direct: (origin: String, page: String)? = nil
  ) {
    self.address = address
    self.cacheBytes = cacheBytes
    self.direct = direct
  }

  /// The bound of the cache unless another is chosen.
  public static let usualCacheBytes = 10_000_000_000
}

/// The tie between a library and a bucket. It is stored on both sides: `bucket.json` in the data folder and
/// `segmance.json` in the bucket hold the same name. It is random, or that of the library on its database
/// server, where another folder can take the place of one that is lost.
public struct BucketClaim: Sendable {
  static let objectName = "segmance.json"

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
  /// `name` is that of a library on a database server.
  ///
  /// - Throws: `busy` if the library uses another bucket, or the bucket another library; `unreachable`.
  public static func make(
    _ folder: DataDirectory, _ client: BucketClient, library name: String? = nil
  ) throws {
    let address = client.address
    let known = try note(of: folder)
    if let known, known.address != address.text {
      throw StorageError(
        .busy,
        "This library keeps its songs and videos in \(known.address). Start Segmance with that "
          + "address. docs/DEPLOY.md says how to move to another one.")
    }
    let note = Note(
      address: address.text, installation: name ?? known?.installation ?? Files.randomName())
    let tied = try storedInstallation(client)
    if let tied, tied != note.installation, tied != known?.installation {
      throw StorageError(
        .busy,
        "Another library uses \(address.text). Choose another prefix. If this is that library, "
          + "restored on a new machine, and the old one is gone for good, delete the object "
          + "\(address.prefix)\(objectName) and start again.")
    }
    // Whatever is written first, a crash in between leaves two sides that match or one that is empty.
    if known == nil { try write(note, to: folder) }
    if tied != note.installation {
      let object = Object(installation: note.installation)
      try client.put(objectName, Array(JSONEncoder().encode(object)))
    }
    if let known, known != note { try write(note, to: folder) }
  }

  /// The name in the bucket; nil if there is none, empty if it can't be read.
  private static func storedInstallation(_ client: BucketClient) throws -> String? {
    do {
      let stored = try client.get(objectName)
      return (try? JSONDecoder().decode(Object.self, from: Data(stored)))?.installation ?? ""
    } catch let error as StorageError where error.code == .notFound {
      return nil
    }
  }

  private static func write(_ note: Note, to folder: DataDirectory) throws {
    try folder.writePrivately(Array(JSONEncoder().encode(note)), to: folder.bucketFile)
  }

  private static func note(of folder: DataDirectory) throws -> Note? {
    guard Files.exists(folder.bucketFile) else { return nil }
    return try JSONDecoder().decode(Note.self, from: Data(Files.read(folder.bucketFile)))
  }
}
