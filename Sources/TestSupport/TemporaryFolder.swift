// A temporary folder with the lifetime of its value.

import FoundationEssentials

/// A new, empty folder. It is removed with its contents when the value is released.
public final class TemporaryFolder: Sendable {
  /// Its absolute path.
  public let path: String

  /// Makes the folder.
  public init() throws {
    path = FileManager.default.temporaryDirectory.path + "/segmance-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// Writes a file, creates missing folders, and returns its path.
  public func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let file = path + "/" + name
    let parent = file[..<(file.lastIndex(of: "/") ?? file.endIndex)]
    try FileManager.default.createDirectory(
      atPath: String(parent), withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(filePath: file))
    return file
  }

  deinit {
    // A failed removal is harmless, because the system cleans its temporary folder as well.
    try? FileManager.default.removeItem(atPath: path)
  }
}
