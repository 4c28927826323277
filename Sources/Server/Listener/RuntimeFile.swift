// The note that a running server leaves in the data folder, by which the command line finds it.

import FoundationEssentials
import Network
import Storage

/// Says where the running server is, and holds the key by which its owner is known there.
public struct RuntimeFile: Codable, Sendable {
  /// The server's process.
  public let pid: Int32
  /// The port on this machine.
  public let port: Int
  /// The address on this machine at which it listens.
  public let host: String
  /// Opens the owner's routes until the server stops; only the folder's owner can read it.
  public let key: String

  /// Reads the note in a data folder; nil where there is none.
  public static func read(root: String) -> RuntimeFile? {
    guard let data = try? Data(contentsOf: URL(filePath: DataDirectory(root: root).runtimeFile))
    else {
      return nil
    }
    return try? JSONDecoder().decode(RuntimeFile.self, from: data)
  }

  func write(to folder: DataDirectory) throws {
    try folder.writePrivately([UInt8](try JSONEncoder().encode(self)), to: folder.runtimeFile)
  }

  static func remove(from folder: DataDirectory) {
    // A note that stays is harmless: its key dies with the server.
    try? FileManager.default.removeItem(atPath: folder.runtimeFile)
  }
}
