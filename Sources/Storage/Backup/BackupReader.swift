// Reads and verifies a backup, and optionally unpacks it. The file is untrusted: an archive must
// hold exactly the files of its manifest, in that order, or it is refused. (libarchive)

import CArchive
import FoundationEssentials

#if canImport(Glibc)
  import Glibc
#endif

/// Reads one backup file.
public struct BackupReader {
  /// The result of reading it.
  public struct Contents: Sendable {
    public var manifest: BackupManifest
    /// Hashes of blobs that were already damaged when the backup was made; they are skipped.
    public var damaged: [String]
  }

  private static let manifestLimit = 64 << 20
  private static let pieceBytes = 1 << 18

  private let path: String

  public init(path: String) { self.path = path }

  /// Returns the manifest alone; of the rest, only the file's length is checked.
  public func manifest() throws -> BackupManifest {
    try withArchive { archive, size in try manifest(archive, fileSize: size) }
  }

  /// Reads everything. The database goes to a new file at `database`; the blobs go into `blobs`,
  /// each synced, or are only verified.
  ///
  /// - Throws: `StorageError.unusableBackup` if anything is invalid.
  public func read(
    database: String, blobs folder: DataDirectory? = nil, progress: (Double) -> Void = { _ in },
    isCancelled: () -> Bool = { false }
  ) throws -> Contents {
    try withArchive { archive, fileSize in
      let manifest = try manifest(archive, fileSize: fileSize)
      if let folder { try folder.requireSpace(for: manifest.contentBytes) }
      var damaged: [String] = []
      var done = 0
      let total = max(1, manifest.contentBytes)
      for (index, file) in manifest.files.enumerated() {
        let target = index == 0 ? database : folder?.blob(file.sha256)
        if index > 0, let target { try Files.makeFolder(shard(of: target)) }
        let isIntact = try copy(file, from: archive, to: target) { bytes in
          if isCancelled() { throw StorageError.cancelled }
          done += bytes
          progress(Double(done) / Double(total))
        }
        guard !isIntact else { continue }
        guard index > 0 else { throw StorageError.damagedBackup("\(file.path) has another hash") }
        damaged.append(file.sha256)
        if let target { try Files.remove(target) }
      }
      try expectEnd(archive, manifest, damaged)
      return Contents(manifest: manifest, damaged: damaged)
    }
  }

  private func expectEnd(
    _ archive: OpaquePointer, _ manifest: BackupManifest, _ damaged: [String]
  ) throws {
    let size = BackupEnd.size(blobs: manifest.files.count - 1)
    let bytes = try contents(
      of: try next(archive, BackupManifest.endPath, size: size), in: archive, size)
    let isDamaged = Set(damaged)
    let found = manifest.files.dropFirst().map { isDamaged.contains($0.sha256) ? "0" : "1" }
    guard bytes == BackupEnd(intact: found.joined()).encoded() else {
      throw StorageError.damagedBackup("files have another hash than when they were copied")
    }
    var entry: OpaquePointer?
    guard archive_read_next_header(archive, &entry) == ARCHIVE_EOF else {
      throw StorageError.damagedBackup("something follows its end")
    }
  }

  private func withArchive<Result>(
    _ body: (OpaquePointer, _ fileSize: Int) throws -> Result
  ) throws -> Result {
    let file = try OpenFile(path, O_RDONLY)
    guard let archive = archive_read_new() else { throw StorageError.system("malloc", path) }
    defer { archive_read_free(archive) }
    // Only tar without compression, so that nothing in it can expand.
    guard archive_read_support_format_tar(archive) == ARCHIVE_OK,
      archive_read_open_fd(archive, file.descriptor, Self.pieceBytes) == ARCHIVE_OK
    else { throw StorageError.notBackup("no tar archive") }
    return try body(archive, try file.size())
  }

  private func manifest(_ archive: OpaquePointer, fileSize: Int) throws -> BackupManifest {
    var entry: OpaquePointer?
    guard archive_read_next_header(archive, &entry) == ARCHIVE_OK, let entry,
      isPlain(entry, BackupManifest.manifestPath)
    else { throw StorageError.notBackup("no manifest at its beginning") }
    let size = Int(archive_entry_size(entry))
    guard (0...Self.manifestLimit).contains(size), size <= fileSize else {
      throw StorageError.notBackup("a manifest of \(size) bytes")
    }
    let manifest = try BackupManifest(decoding: contents(of: entry, in: archive, size))
    let length = BackupWriter.length(of: manifest, headBytes: size)
    guard length.map({ $0 == fileSize }) ?? (manifest.contentBytes <= fileSize) else {
      throw StorageError.damagedBackup("\(fileSize) of \(length ?? manifest.contentBytes) bytes")
    }
    return manifest
  }

  /// Advances to the next file, which must be this one.
  private func next(_ archive: OpaquePointer, _ name: String, size: Int) throws -> OpaquePointer {
    var entry: OpaquePointer?
    guard archive_read_next_header(archive, &entry) == ARCHIVE_OK, let entry else {
      throw refusal(archive)
    }
    guard isPlain(entry, name), archive_entry_size(entry) == size else {
      throw StorageError.damagedBackup("another file stands where \(name) should")
    }
    return entry
  }

  /// Whether an entry is a regular file of that name, not a link.
  private func isPlain(_ entry: OpaquePointer, _ name: String) -> Bool {
    guard let path = archive_entry_pathname(entry), String(cString: path) == name else {
      return false
    }
    return segmance_archive_entry_is_regular(entry) != 0 && archive_entry_hardlink(entry) == nil
      && archive_entry_symlink(entry) == nil && archive_entry_size_is_set(entry) != 0
      && archive_entry_sparse_count(entry) == 0
  }

  private func contents(
    of entry: OpaquePointer, in archive: OpaquePointer, _ size: Int
  ) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let rest = UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
        let step = archive_read_data(archive, rest.baseAddress, rest.count)
        guard step > 0 else { throw refusal(archive) }
        count += step
      }
    }
  }

  /// Copies the next file, or only reads it, and returns whether it matches its hash.
  private func copy(
    _ file: BackupManifest.File, from archive: OpaquePointer, to target: String?,
    passed: (Int) throws -> Void
  ) throws -> Bool {
    _ = try next(archive, file.path, size: file.size)
    var hasher = SHA256Hasher()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceBytes, alignment: 64)
    defer { buffer.deallocate() }
    func pump(_ write: (UnsafeRawBufferPointer) throws -> Void) throws {
      while hasher.byteCount < file.size {
        let count = archive_read_data(archive, buffer.baseAddress, buffer.count)
        guard count > 0 else { throw refusal(archive) }
        let piece = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        hasher.update(piece)
        try write(piece)
        try passed(count)
      }
    }
    if let target {
      let output = try OpenFile(target, O_WRONLY | O_CREAT | O_EXCL)
      try pump { try output.write($0) }
      try output.sync()
    } else {
      try pump { _ in }
    }
    return hasher.digest() == file.sha256
  }

  private func shard(of blob: String) -> String {
    String(blob[..<(blob.lastIndex(of: "/") ?? blob.endIndex)])
  }

  private func refusal(_ archive: OpaquePointer) -> StorageError {
    let text = archive_error_string(archive).map { String(cString: $0) }
    return StorageError.damagedBackup(text ?? "it ends too early")
  }
}
