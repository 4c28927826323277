// A file on its way in, of no known length.

#if canImport(Glibc)
  import Glibc
#endif

/// Takes bytes to a new file. Threads: one at a time.
public final class IncomingFile {
  /// How many bytes go by between two looks at the room on the disk.
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

  /// Adds bytes; throws `noSpace` before the disk's reserve is touched.
  public func write(_ bytes: UnsafeRawBufferPointer) throws {
    unchecked += bytes.count
    if unchecked >= Self.bytesPerLook {
      try folder.requireSpace(for: bytes.count)
      unchecked = 0
    }
    try file.write(bytes)
  }

  /// Returns when the bytes are on the disk.
  public func finish() throws { try file.sync() }
}

extension DataDirectory {
  /// Makes a file of this name under `tmp`.
  public func makeTemporary(_ name: String) throws -> IncomingFile {
    try IncomingFile(tmp + "/" + name, self)
  }
}
