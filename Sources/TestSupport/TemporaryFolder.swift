// A folder that lives as long as the value that stands for it.

import FoundationEssentials

/// A fresh, empty folder, removed with everything in it when the value goes.
public final class TemporaryFolder: Sendable {
  /// Its absolute path.
  public let path: String

  /// Makes the folder.
  public init() throws {
    path = FileManager.default.temporaryDirectory.path + "/segmance-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// Writes a file, with the folders on its way, and returns its path.
  public func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let file = path + "/" + name
    let parent = file[..<(file.lastIndex(of: "/") ?? file.endIndex)]
    try FileManager.default.createDirectory(
      atPath: String(parent), withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(filePath: file))
    return file
  }

  deinit {
    // Nothing depends on the removal: the system clears its temporary folder as well.
    try? FileManager.default.removeItem(atPath: path)
  }
}
