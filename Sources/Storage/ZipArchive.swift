// Writes a zip that every system opens: uncompressed, since sound is compressed already, with names
// in UTF-8, and ZIP64 where the sizes need it. (libarchive)

import CArchive

#if canImport(Glibc)
  import Glibc
#endif

/// Writes zip files.
public enum ZipArchive {
  /// One file of an archive.
  public struct Entry: Sendable {
    public enum Content: Sendable {
      case file(path: String)
      case bytes([UInt8])
    }

    /// Its name inside the archive.
    public var name: String
    public var content: Content

    /// Makes an entry.
    public init(name: String, _ content: Content) {
      self.name = name
      self.content = content
    }
  }

  private static let blockBytes = 1 << 20

  /// Writes a new archive to `path` and returns when its bytes are on the disk. Every entry gets
  /// the date `modifiedAt`, in seconds since 1970. Each source file is removed as soon as it is in
  /// the archive, so that the disk never holds all of them twice.
  ///
  /// - Parameter beforeBlock: called at least once per MiB; an error that it throws ends the
  ///   writing.
  public static func write(
    _ entries: [Entry], to path: String, modifiedAt: Int, beforeBlock: () throws -> Void = {}
  ) throws {
    let file = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL)
    try write(entries, into: file, modifiedAt: modifiedAt, beforeBlock: beforeBlock)
    try file.sync()
  }

  static func write(
    _ entries: [Entry], into file: borrowing OpenFile, modifiedAt: Int,
    beforeBlock: () throws -> Void
  ) throws {
    // libarchive marks names as UTF-8 only in a UTF-8 locale; the process uses the plain C locale.
    guard let locale = newlocale(Int32(LC_CTYPE_MASK), "C.UTF-8", nil) else {
      throw StorageError.system("newlocale", "C.UTF-8")
    }
    let previous = uselocale(locale)
    defer {
      uselocale(previous)
      freelocale(locale)
    }
    guard let archive = archive_write_new() else { throw StorageError.system("malloc", file.path) }
    defer { archive_write_free(archive) }
    try check(archive_write_set_format_zip(archive), archive)
    try check(archive_write_set_options(archive, "zip:compression=store"), archive)
    try check(archive_write_set_bytes_in_last_block(archive, 1), archive)
    try check(archive_write_open_fd(archive, file.descriptor), archive)
    for entry in entries {
      try write(entry, modifiedAt, to: archive, beforeBlock)
      if case .file(let path) = entry.content { try Files.remove(path) }
    }
    try check(archive_write_close(archive), archive)
  }

  private static func write(
    _ entry: Entry, _ modifiedAt: Int, to archive: OpaquePointer, _ beforeBlock: () throws -> Void
  ) throws {
    guard let header = archive_entry_new() else { throw StorageError.system("malloc", entry.name) }
    defer { archive_entry_free(header) }
    archive_entry_set_pathname(header, entry.name)
    segmance_archive_entry_set_regular(header)
    archive_entry_set_perm(header, 0o644)
    archive_entry_set_mtime(header, modifiedAt, 0)
    switch entry.content {
    case .bytes(let bytes):
      archive_entry_set_size(header, Int64(bytes.count))
      try check(archive_write_header(archive, header), archive)
      try bytes.withUnsafeBytes { try append($0, to: archive) }
    case .file(let path):
      let file = try OpenFile(path, O_RDONLY)
      archive_entry_set_size(header, Int64(try file.size()))
      try check(archive_write_header(archive, header), archive)
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: blockBytes, alignment: 64)
      defer { buffer.deallocate() }
      while case let count = try file.read(into: buffer), count > 0 {
        try beforeBlock()
        try append(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: archive)
      }
    }
  }

  private static func append(_ bytes: UnsafeRawBufferPointer, to archive: OpaquePointer) throws {
    var rest = bytes
    while !rest.isEmpty {
      let count = archive_write_data(archive, rest.baseAddress, rest.count)
      guard count > 0 else { throw problem(archive) }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  private static func check(_ result: Int32, _ archive: OpaquePointer) throws {
    // A warning would mean that a name or a size was not written as requested.
    guard result == ARCHIVE_OK else { throw problem(archive) }
  }

  private static func problem(_ archive: OpaquePointer) -> StorageError {
    let number = archive_errno(archive)
    if number == ENOSPC || number == EDQUOT {
      return StorageError.system("write", "zip", number: number)
    }
    // The text belongs to the archive and is copied here.
    let text = archive_error_string(archive).map { ErrorDetail(String(cString: $0)) }
    return StorageError(
      .fileSystem, "The zip file could not be written. Try again.", cause: text)
  }
}
