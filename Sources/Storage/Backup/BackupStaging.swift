// The input of one backup: a copy of the database, and hard links to the blobs, so that the running
// server's cleanup cannot remove them.

#if canImport(Glibc)
  import Glibc
#endif

/// A folder under `tmp` for one backup or restore. After a crash the next start removes it.
public struct BackupStaging: Sendable {
  private let folder: DataDirectory
  private let path: String

  /// Creates the folder, also in a library that no process has open.
  public init(in folder: DataDirectory) throws {
    self.folder = folder
    path = folder.temporaryPath("backup")
    try Files.makeFolder(path)
  }

  /// The path of the copy of the database.
  public var database: String { path + "/segmance.sqlite" }

  /// The path of a backup's database during verification.
  public var verified: String { path + "/verified.sqlite" }

  /// Lists the copy of the database.
  public func databaseFile() throws -> BackupManifest.File {
    var hasher = SHA256Hasher()
    try hasher.update(reading: OpenFile(database, O_RDONLY))
    return BackupManifest.File(
      path: BackupManifest.databasePath, sha256: hasher.digest(), size: hasher.byteCount)
  }

  /// Hard-links a blob into the folder; returns its readable path, or nil if it is not stored.
  public func hardLink(_ sha256: String) throws -> (path: String, file: BackupManifest.File)? {
    let blob = folder.blob(sha256)
    var pinned = path + "/" + sha256
    if link(blob, pinned) != 0 {
      if errno == ENOENT { return nil }
      // On file systems without hard links, the blob is read from the store.
      pinned = blob
    }
    guard Files.exists(pinned) else { return nil }
    let reference = BlobReference(sha256: sha256, size: try Files.size(of: pinned))
    return (pinned, BackupManifest.File(blob: reference))
  }

  /// Throws `noSpace` if this many more bytes in `target` would use the reserve of the library's
  /// disk.
  func requireReserve(beside bytes: Int, in target: String) throws {
    if try Files.disk(of: target) == Files.disk(of: path) { try folder.requireSpace(for: bytes) }
  }

  /// Removes the folder.
  public func remove() throws { try Files.removeTree(path) }
}
