// Exports that are ready for download: for each job a folder with a zip.

import FoundationEssentials

#if canImport(Glibc)
  import Glibc
#endif

/// Stores the results of exports. Only one thread at a time may use a job's folder.
public struct ExportStore: Sendable {
  private let folder: DataDirectory

  public init(folder: DataDirectory) { self.folder = folder }

  /// Returns the path of the finished zip; nil if there is none yet.
  public func archive(job id: String) -> String? {
    let path = archivePath(id)
    return Files.exists(path) ? path : nil
  }

  /// Moves a finished zip from elsewhere in the data folder into the store.
  public func finish(job id: String, movingFrom path: String) throws {
    try Files.makeFolder(self.path(id))
    try Files.move(path, to: archivePath(id))
    try Files.syncFolder(self.path(id))
  }

  /// Returns the jobs that have a folder.
  public func jobs() throws -> [String] { try Files.names(in: folder.exports) }

  /// Removes the folder of a job; does nothing if there is none.
  public func remove(job id: String) throws { try Files.removeTree(path(id)) }

  private func path(_ id: String) -> String {
    folder.exports + "/" + (DataDirectory.isPlain(id) ? id : "no-such-id")
  }

  private func archivePath(_ id: String) -> String { path(id) + "/clips.zip" }
}
