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

  deinit {
    // Nothing depends on the removal: the system clears its temporary folder as well.
    try? FileManager.default.removeItem(atPath: path)
  }
}
