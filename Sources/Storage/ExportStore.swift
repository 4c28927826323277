// Exports that are ready for download: for each job a folder with its order and, in the end, a zip.

import FoundationEssentials

#if canImport(Glibc)
  import Glibc
#endif

/// Stores the orders and results of exports. Only one thread at a time may use a job's folder.
public struct ExportStore: Sendable {
  private let folder: DataDirectory

  public init(folder: DataDirectory) { self.folder = folder }

  /// Stores the order of the job `id`. Call it before the job is added elsewhere.
  public func add(_ order: [UInt8], job id: String) throws {
    try Files.makeFolder(path(id))
    try Files.writeNew(path(id) + "/order.json", order)
    try Files.syncFolder(path(id))
    try Files.syncFolder(folder.exports)
  }

  /// Whether the order of a job is here.
  public func hasOrder(job id: String) -> Bool { Files.exists(path(id) + "/order.json") }

  /// Returns the order of a job.
  public func order(job id: String) throws -> [UInt8] { try Files.read(path(id) + "/order.json") }

  /// Returns the path of the finished zip; nil if there is none yet.
  public func archive(job id: String) -> String? {
    let path = archivePath(id)
    return Files.exists(path) ? path : nil
  }

  /// Moves a finished zip from elsewhere in the data folder into the store.
  public func finish(job id: String, movingFrom path: String) throws {
    try Files.move(path, to: archivePath(id))
    try Files.syncFolder(self.path(id))
  }

  /// Returns the jobs that have a folder.
  public func jobs() throws -> [String] { try Files.names(in: folder.exports) }

  /// Returns when the zip of a job was finished, in seconds since 1970.
  public func finishedAt(job id: String) throws -> Int { try Files.modifiedAt(archivePath(id)) }

  /// Removes the folder of a job; does nothing if there is none.
  public func remove(job id: String) throws { try Files.removeTree(path(id)) }

  private func path(_ id: String) -> String {
    folder.exports + "/" + (DataDirectory.isPlain(id) ? id : "no-such-id")
  }

  private func archivePath(_ id: String) -> String { path(id) + "/clips.zip" }
}
