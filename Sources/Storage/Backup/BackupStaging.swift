// What one backup reads: a copy of the database, and second names for the blobs, which the sweep of
// the running server can't take away.

#if canImport(Glibc)
  import Glibc
#endif

/// A folder under `tmp` that belongs to one backup or restore. A crash leaves it to the next start.
public struct BackupStaging: Sendable {
  private let folder: DataDirectory
  private let path: String

  /// Makes the folder; in a library that nobody has open, too.
  public init(in folder: DataDirectory) throws {
    self.folder = folder
    path = folder.temporaryPath("backup")
    try Files.makeFolder(path)
  }

  /// Where the copy of the database goes.
  public var database: String { path + "/segmance.sqlite" }

  /// Where the database of a backup goes that is being verified.
  public var verified: String { path + "/verified.sqlite" }

  /// Lists the copy of the database.
  public func databaseFile() throws -> BackupManifest.File {
    var hasher = SHA256Hasher()
    try hasher.update(reading: OpenFile(database, O_RDONLY))
    return BackupManifest.File(
      path: BackupManifest.databasePath, sha256: hasher.digest(), size: hasher.byteCount)
  }

  /// Gives a blob a second name here; returns where it can be read, nil when it is not stored.
  public func hardLink(_ sha256: String) throws -> (path: String, file: BackupManifest.File)? {
    let blob = folder.blob(sha256)
    var pinned = path + "/" + sha256
    if link(blob, pinned) != 0 {
      if errno == ENOENT { return nil }
      // Where files can't have two names, the blob is read in its place.
      pinned = blob
    }
    guard Files.exists(pinned) else { return nil }
    let reference = BlobReference(sha256: sha256, size: try Files.size(of: pinned))
    return (pinned, BackupManifest.File(blob: reference))
  }

  /// Throws `noSpace` when so many bytes more in `target` would touch the reserve of the library's disk.
  func requireReserve(beside bytes: Int, in target: String) throws {
    if try Files.disk(of: target) == Files.disk(of: path) { try folder.requireSpace(for: bytes) }
  }

  /// Removes all of it.
  public func remove() throws { try Files.removeTree(path) }
}
