// A received file of unknown length.

#if canImport(Glibc)
  import Glibc
#endif

/// Writes received bytes to a new file. Not thread-safe.
public final class IncomingFile {
  /// The number of bytes between two checks of the disk space.
  private static let bytesPerLook = 16 << 20

  public let path: String
  private let file: OpenFile
  private let folder: DataDirectory
  private var unchecked = 0

  fileprivate init(_ path: String, _ folder: DataDirectory) throws {
    self.path = path
    self.folder = folder
    file = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL)
  }

  /// Appends bytes; throws `noSpace` before the disk's reserve is used.
  public func write(_ bytes: UnsafeRawBufferPointer) throws {
    unchecked += bytes.count
    if unchecked >= Self.bytesPerLook {
      try folder.requireSpace(for: bytes.count)
      unchecked = 0
    }
    try file.write(bytes)
  }

  /// Returns once the bytes are on the disk.
  public func finish() throws { try file.sync() }
}

extension DataDirectory {
  /// Creates a file of this name under `tmp`.
  public func makeTemporary(_ name: String) throws -> IncomingFile {
    try IncomingFile(tmp + "/" + name, self)
  }
}
