// `segmance migrate`: moves the records of a library to a database server, and back into its folder.

import Database
import FoundationEssentials
import Storage

/// Moves the records of a library that no process has open.
public struct LibraryMigration {
  private let folder: DataDirectory
  private let lock: LibraryLock

  /// Prepares to move the records of the library in `root`.
  /// - Throws: `LibraryError` `locked` while another process has it open, `notFound`.
  public init(root: String) throws {
    folder = DataDirectory(root: root)
    guard folder.hasLibrary else {
      throw LibraryError(.notFound, "There is no library in \(folder.root).")
    }
    lock = try LibraryLock(root: folder.root, isPatient: false)
    _ = try RestoreTransaction(folder).finish()
    // Before anything changes: the folder's links could lead elsewhere.
    try folder.prepare()
  }

  /// Moves the records from the folder to the server at `address`, compares both, and lets the folder name
  /// the server. The file stays, under another name. Interrupted, it can be run again.
  public func run(toServer address: String) throws {
    guard try folder.databaseAddress == nil else {
      throw LibraryError(
        .unusable, "The records are on a server already. Move them into the folder first.")
    }
    do {
      let source = try LibraryDatabase(of: folder)
      let target = try LibraryDatabase(at: .server(address))
      guard try target.isEmpty() || target.identity == source.identity else {
        throw LibraryError(
          .unusable,
          "There is another library at that address. Name an empty database, or another schema of it."
        )
      }
      try target.replace(by: source)
      try source.checkpoint()
    }
    try folder.writeDatabaseAddress(address)
    try folder.putDatabaseFileAside()
  }

  /// Moves the records from the server into the folder, and compares both. What is on the server stays.
  public func runToFolder() throws {
    guard try folder.databaseAddress != nil else {
      throw LibraryError(.unusable, "The records are in the folder already.")
    }
    let source = try LibraryDatabase(of: folder)
    let path = folder.temporaryPath("records")
    do {
      _ = try source.snapshot(to: path)
      try source.requireSame(asFileAt: path)
    } catch {
      try folder.removeTemporary(at: path)
      throw error
    }
    try folder.moveInDatabaseFile(at: path)
    try folder.forgetDatabaseAddress()
  }
}
