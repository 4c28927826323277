// Replaces a library by a restored one, so that a crash at any moment leaves one of the two complete.
// docs/adr/0013 explains why this happens inside the data folder.
//
//   restoring/   is being unpacked and verified; the next start or restore removes it
//   restored/    complete, synced and verified: the rename to this name commits the restore. The next
//                process that opens the library moves its contents in, and the previous library
//                into before-restore-DATE/

import FoundationEssentials

#if canImport(Glibc)
  import Glibc
#endif

/// The two steps that replace the library of a data folder.
public struct RestoreTransaction: Sendable {
  /// Stored next to the restored library until it is moved in.
  private struct Plan: Codable {
    var aside: String
    var staleDerived: [String]
  }

  private let folder: DataDirectory
  private var restored: String { folder.root + "/restored" }
  private static let planName = "/restore.json"
  private static let asidePrefix = "before-restore-"

  /// Prepares to replace the library in `folder`.
  public init(_ folder: DataDirectory) { self.folder = folder }

  /// The folder in which the restored library is built.
  public var building: DataDirectory {
    DataDirectory(root: folder.restoring, reserveBytes: folder.reserveBytes)
  }

  /// Creates the empty folder in which the restored library is built.
  public func begin() throws {
    try discard()
    try Files.makeFolder(building.blobs)
  }

  /// Removes the unfinished library.
  public func discard() throws { try Files.removeTree(building.root) }

  /// Whether a folder of this name keeps a library that was replaced.
  public static func isAside(_ name: String) -> Bool { name.hasPrefix(asidePrefix) }

  /// Returns a name for the folder that will keep the current library.
  public func asideName(at seconds: Int) -> String {
    let name = Self.asidePrefix + FileTimestamp.text(seconds)
    let others = (2...).lazy.map { "\(name)-\($0)" }
    return Files.exists(folder.root + "/" + name)
      ? others.first { !Files.exists(folder.root + "/" + $0) } ?? name : name
  }

  /// Commits the complete restored library: from here on it replaces the current one.
  ///
  /// - Parameters:
  ///   - aside: the name of the folder that keeps the previous library.
  ///   - staleDerived: ids whose derived files do not match the restored library.
  /// - Throws: `fileSystem` if the database has side files, since only its main file is moved in.
  public func commit(aside: String, staleDerived: [String]) throws {
    let log = building.database + "-wal"
    guard try !Files.exists(log) || Files.size(of: log) == 0 else {
      throw StorageError(
        .fileSystem,
        "The restored library could not be written whole. Nothing was changed. Try again.",
        cause: "segmance.sqlite-wal is not empty")
    }
    let plan = Plan(aside: aside, staleDerived: staleDerived)
    try Files.writeNew(building.root + Self.planName, Array(try JSONEncoder().encode(plan)))
    try OpenFile(building.database, O_RDONLY).sync()
    for shard in try Files.names(in: building.blobs) {
      try Files.syncFolder(building.blobs + "/" + shard)
    }
    try Files.syncFolder(building.blobs)
    try Files.syncFolder(building.root)
    try Files.move(building.root, to: restored)
    try Files.syncFolder(folder.root)
  }

  /// Whether a restored library is committed but not yet moved in.
  public var isPending: Bool { Files.exists(restored) }

  /// Throws if a restored library is not yet moved in.
  public func requireNonePending() throws {
    if isPending { throw StorageError.restoreInterrupted }
  }

  /// Moves in a restored library, if there is one. The caller must hold the library's lock, and the
  /// database must be closed.
  ///
  /// - Returns: the path of the previous library.
  public func finish() throws -> String? {
    guard isPending else { return nil }
    try folder.requireNoLinks(restored)
    let plan = try JSONDecoder().decode(Plan.self, from: Data(Files.read(restored + Self.planName)))
    guard plan.aside.hasPrefix(Self.asidePrefix), !plan.aside.contains("/") else {
      throw StorageError(
        .fileSystem, "The plan in restored/ is none of Segmance's. Remove that folder.",
        cause: plan.aside)
    }
    let aside = folder.root + "/" + plan.aside
    try folder.requireNoLinks(aside)
    // Each step is skipped if an interrupted run already did it.
    if Files.exists(restored + "/segmance.sqlite") {
      for name in ["segmance.sqlite-wal", "segmance.sqlite-shm", "segmance.sqlite"] {
        try putAside(name, plan.aside)
      }
      try Files.move(restored + "/segmance.sqlite", to: folder.database)
    }
    if Files.exists(restored + "/blobs") {
      try putAside("blobs", plan.aside)
      try Files.move(restored + "/blobs", to: folder.blobs)
    }
    for id in plan.staleDerived { try folder.removeDerived(id) }
    if !plan.staleDerived.isEmpty, Files.exists(folder.bucketFile) {
      try DerivedBucket.writeStale(plan.staleDerived, in: folder)
    }
    let hasAside = Files.exists(aside)
    if hasAside { try Files.syncFolder(aside) }
    try Files.syncFolder(folder.root)
    // Only its plan is left. The next start removes it from `tmp`.
    try Files.makeFolder(folder.tmp)
    try Files.move(restored, to: folder.temporaryPath("restored"))
    return hasAside ? aside : nil
  }

  private func putAside(_ name: String, _ aside: String) throws {
    guard Files.exists(folder.root + "/" + name) else { return }
    try Files.makeFolder(folder.root + "/" + aside)
    try Files.move(folder.root + "/" + name, to: folder.root + "/" + aside + "/" + name)
  }
}
