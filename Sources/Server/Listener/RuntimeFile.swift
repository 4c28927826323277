// The file in the data folder by which the command line finds a running server.

import FoundationEssentials
import Network
import Storage

/// The running server's address, and the key that authenticates its owner.
public struct RuntimeFile: Codable, Sendable {
  /// The server's process id.
  public let pid: Int32
  /// The port on this machine.
  public let port: Int
  /// The address of the server's listener on this machine.
  public let host: String
  /// Gives access to the owner's routes until the server stops. Only the folder's owner can read
  /// it.
  public let key: String

  /// Reads the file in a data folder; nil if it is missing.
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
    // A stale file is harmless, because its key is no longer valid.
    try? FileManager.default.removeItem(atPath: folder.runtimeFile)
  }
}
