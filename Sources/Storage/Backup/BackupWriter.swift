// Writes a backup as a stream: a tar (pax) archive whose length is known before its first byte.
// (libarchive)

import CArchive
import FoundationEssentials

#if canImport(Glibc)
  import Glibc
#endif

/// Where the bytes of a file of a backup come from.
public enum BackupSource: Sendable {
  case file(String)
  /// A blob that is fetched when its turn comes.
  case blob(String, any BlobStore)

  /// Runs `body` with the path of the file; nil means that it is no longer there or damaged.
  fileprivate func withPath<Result>(_ body: (String?) throws -> Result) throws -> Result {
    switch self {
    case .file(let path): return try body(path)
    case .blob(let sha256, let store):
      let local: LocalBlob
      do {
        local = try store.local(sha256, isPassing: true)
      } catch let error as StorageError where error.code == .notFound || error.code == .corrupt {
        return try body(nil)
      }
      return try withExtendedLifetime(local) { try body(local.path) }
    }
  }
}

/// Writes the files of a manifest.
public struct BackupWriter: Sendable {
  private static let block = 512
  private static let pieceBytes = 1 << 18
  /// The largest size in a plain tar header; larger files get extra headers, whose lengths are not
  /// known beforehand.
  private static let plainSizeLimit = 1 << 33

  public let manifest: BackupManifest
  private let sources: [BackupSource]
  private let head: [UInt8]

  /// Prepares to write `manifest`, with the file at `sources[i]` as its i-th.
  public init(_ manifest: BackupManifest, sources: [String]) throws {
    try self.init(manifest, sources: sources.map { .file($0) })
  }

  /// Prepares to write `manifest`, with `sources[i]` as its i-th file.
  public init(_ manifest: BackupManifest, sources: [BackupSource]) throws {
    precondition(manifest.files.count == sources.count)
    self.manifest = manifest
    self.sources = sources
    head = try manifest.encoded()
  }

  /// The length of the whole archive in bytes; nil if a file is too large to compute it.
  public var length: Int? { Self.length(of: manifest, headBytes: head.count) }

  static func length(of manifest: BackupManifest, headBytes: Int) -> Int? {
    let sizes =
      [headBytes] + manifest.files.map(\.size)
      + [BackupEnd.size(blobs: manifest.files.count - 1)]
    guard sizes.allSatisfy({ $0 < plainSizeLimit }) else { return nil }
    return sizes.reduce(2 * block) { $0 + block + ($1 + block - 1) / block * block }
  }

  /// Writes the archive to `sink`, piece by piece.
  ///
  /// A blob that does not match its hash or cannot be read does not stop the backup of the others;
  /// the last file of the archive marks it.
  /// - Returns: the hashes of such blobs.
  @discardableResult
  public func write(
    to sink: (UnsafeRawBufferPointer) throws -> Void, progress: (Double) -> Void = { _ in },
    isCancelled: () -> Bool = { false }
  ) throws -> [String] {
    try withoutActuallyEscaping(sink) { sink in
      let outlet = Outlet(sink)
      guard let archive = archive_write_new() else { throw StorageError.system("malloc", "backup") }
      defer { archive_write_free(archive) }
      do {
        try open(archive, outlet)
        try add(BackupManifest.manifestPath, head, to: archive)
        var end = BackupEnd(intact: "")
        var damaged: [String] = []
        var done = 0
        let total = max(1, manifest.contentBytes)
        for (index, file) in manifest.files.enumerated() {
          if isCancelled() { throw StorageError.cancelled }
          let isIntact = try sources[index].withPath { path in
            try add(file, from: path, to: archive) { bytes in
              if isCancelled() { throw StorageError.cancelled }
              done += bytes
              progress(Double(done) / Double(total))
            }
          }
          if index > 0 {
            end.intact += isIntact ? "1" : "0"
            if !isIntact { damaged.append(file.sha256) }
          } else if !isIntact {
            throw StorageError(.corrupt, "The copy of the library changed while it was read.")
          }
        }
        try add(BackupManifest.endPath, end.encoded(), to: archive)
        try check(archive_write_close(archive), archive)
        return damaged
      } catch {
        // The sink's error is the cause; libarchive only reports that writing failed.
        throw outlet.failure ?? error
      }
    }
  }

  private func open(_ archive: OpaquePointer, _ outlet: Outlet) throws {
    try check(archive_write_set_format_pax_restricted(archive), archive)
    try check(archive_write_set_bytes_per_block(archive, 0), archive)
    // Unretained: the outlet outlives the archive, which is freed in `write`.
    let result = archive_write_open(
      archive, Unmanaged.passUnretained(outlet).toOpaque(), nil,
      { _, context, bytes, count in
        guard let context else { return -1 }
        return Unmanaged<Outlet>.fromOpaque(context).takeUnretainedValue()
          .pass(UnsafeRawBufferPointer(start: bytes, count: count))
      }, nil)
    try check(result, archive)
  }

  private func add(_ name: String, _ bytes: [UInt8], to archive: OpaquePointer) throws {
    try begin(name, size: bytes.count, in: archive)
    try bytes.withUnsafeBytes { try append($0, to: archive) }
    try check(archive_write_finish_entry(archive), archive)
  }

  /// Writes exactly as many bytes as the manifest declares, zeros for unreadable ones, and returns
  /// whether the written bytes match their hash, as the reader will compute it.
  private func add(
    _ file: BackupManifest.File, from path: String?, to archive: OpaquePointer,
    passed: (Int) throws -> Void
  ) throws -> Bool {
    try begin(file.path, size: file.size, in: archive)
    var hasher = SHA256Hasher()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceBytes, alignment: 64)
    defer { buffer.deallocate() }
    func pass(_ count: Int) throws {
      let piece = UnsafeRawBufferPointer(
        rebasing: buffer[..<min(count, file.size - hasher.byteCount)])
      hasher.update(piece)
      try append(piece, to: archive)
      try passed(piece.count)
    }
    // A file that cannot even be opened is not a bad sector: the library's permissions are wrong.
    if let path {
      let source = try OpenFile(path, O_RDONLY)
      while hasher.byteCount < file.size, let count = try? source.read(into: buffer), count > 0 {
        try pass(count)
      }
    }
    buffer.initializeMemory(as: UInt8.self, repeating: 0)
    while hasher.byteCount < file.size { try pass(buffer.count) }
    try check(archive_write_finish_entry(archive), archive)
    return hasher.digest() == file.sha256
  }

  private func begin(_ name: String, size: Int, in archive: OpaquePointer) throws {
    guard let header = archive_entry_new() else { throw StorageError.system("malloc", name) }
    defer { archive_entry_free(header) }
    archive_entry_set_pathname(header, name)
    segmance_archive_entry_set_regular(header)
    archive_entry_set_perm(header, 0o600)
    archive_entry_set_mtime(header, manifest.createdAt / 1000, 0)
    archive_entry_set_size(header, Int64(size))
    try check(archive_write_header(archive, header), archive)
  }

  private func append(_ bytes: UnsafeRawBufferPointer, to archive: OpaquePointer) throws {
    var rest = bytes
    while !rest.isEmpty {
      let count = archive_write_data(archive, rest.baseAddress, rest.count)
      guard count > 0 else { throw problem(archive) }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  private func check(_ result: Int32, _ archive: OpaquePointer) throws {
    guard result == ARCHIVE_OK else { throw problem(archive) }
  }

  private func problem(_ archive: OpaquePointer) -> StorageError {
    let text = archive_error_string(archive).map { ErrorDetail(String(cString: $0)) }
    return StorageError(.fileSystem, "The backup could not be written. Try again.", cause: text)
  }
}

/// Receives libarchive's output.
private final class Outlet {
  private let sink: (UnsafeRawBufferPointer) throws -> Void
  private(set) var failure: (any Error)?

  init(_ sink: @escaping (UnsafeRawBufferPointer) throws -> Void) { self.sink = sink }

  func pass(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard failure == nil else { return -1 }
    do {
      try sink(bytes)
      return bytes.count
    } catch {
      failure = error
      return -1
    }
  }
}
