// How a restored library takes the place of the one before, so that a crash at any moment leaves one
// of the two whole. docs/adr/0013 says why it is done inside the data folder.
//
//   restoring/   being unpacked and verified; the next start or restore throws it away
//   restored/    complete, synced and verified: its name is the decision. Whoever opens the library
//                moves its contents in, and what was there into before-restore-DATE/

import FoundationEssentials

#if canImport(Glibc)
  import Glibc
#endif

/// The two steps of replacing the library of a data folder.
public struct RestoreTransaction: Sendable {
  /// What stands beside the restored library until it is in its place.
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

  /// Makes the empty folder in which the restored library is built.
  public func begin() throws {
    try discard()
    try Files.makeFolder(building.blobs)
  }

  /// Throws away what was built.
  public func discard() throws { try Files.removeTree(building.root) }

  /// Returns a name for the folder in which the library that is in use now will be kept.
  public func asideName(at seconds: Int) -> String {
    let name = Self.asidePrefix + FileTimestamp.text(seconds)
    let others = (2...).lazy.map { "\(name)-\($0)" }
    return Files.exists(folder.root + "/" + name)
      ? others.first { !Files.exists(folder.root + "/" + $0) } ?? name : name
  }

  /// Decides for the restored library, which is complete: from here on it is the library.
  ///
  /// - Parameters:
  ///   - aside: the name of the folder where the one before is kept.
  ///   - staleDerived: ids whose derived files are not of the restored library's bytes.
  /// - Throws: `fileSystem` when something of the database lies beside its file, which alone is
  ///   moved in.
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

  /// Whether a restored library waits to be moved in.
  public var isPending: Bool { Files.exists(restored) }

  /// Throws unless the library in the folder is in its place.
  public func requireNonePending() throws {
    if isPending {
      throw StorageError(.busy, "A restore was interrupted. Start Segmance once: it finishes it.")
    }
  }

  /// Moves a restored library in, if there is one. Only who has the library's lock may do this, and
  /// nobody may have its database open.
  ///
  /// - Returns: where the library before is kept now.
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
    // Each step is skipped when an interrupted run of this did it.
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
    let hasAside = Files.exists(aside)
    if hasAside { try Files.syncFolder(aside) }
    try Files.syncFolder(folder.root)
    // Nothing but its plan is left of it. In there the next start throws it away.
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
