// Exports that wait to be fetched: for each job a folder with what was ordered and, in the end, a zip.

import FoundationEssentials

#if canImport(Glibc)
  import Glibc
#endif

/// Keeps the orders and results of exports. Threads: any; a job's own folder belongs to one at a time.
public struct ExportStore: Sendable {
  private let folder: DataDirectory

  /// Keeps them in `folder`.
  public init(folder: DataDirectory) { self.folder = folder }

  /// Writes down what is to be exported by the job `id`, before anything else speaks of it.
  public func add(_ order: [UInt8], job id: String) throws {
    try Files.makeFolder(path(id))
    try Files.writeNew(path(id) + "/order.json", order)
    try Files.syncFolder(path(id))
    try Files.syncFolder(folder.exports)
  }

  /// Returns what was ordered.
  public func order(job id: String) throws -> [UInt8] { try Files.read(path(id) + "/order.json") }

  /// Returns the path of the finished zip; nil while there is none.
  public func archive(job id: String) -> String? {
    let path = archivePath(id)
    return Files.exists(path) ? path : nil
  }

  /// Takes a finished zip from elsewhere in the data folder.
  public func finish(job id: String, movingFrom path: String) throws {
    try Files.move(path, to: archivePath(id))
    try Files.syncFolder(self.path(id))
  }

  /// Returns the jobs that something is kept for.
  public func jobs() throws -> [String] { try Files.names(in: folder.exports) }

  /// Returns when the zip of a job was finished, in seconds since 1970.
  public func finishedAt(job id: String) throws -> Int { try Files.modifiedAt(archivePath(id)) }

  /// Removes what is kept for a job; it is no error when that is nothing.
  public func remove(job id: String) throws { try Files.removeTree(path(id)) }

  private func path(_ id: String) -> String {
    folder.exports + "/" + (DataDirectory.isPlain(id) ? id : "no-such-id")
  }

  private func archivePath(_ id: String) -> String { path(id) + "/clips.zip" }
}
