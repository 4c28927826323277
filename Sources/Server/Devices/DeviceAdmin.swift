// The paired devices of a library that no server has open.

import Database
import FoundationEssentials
import Media
import Storage

/// A device, for those who manage it.
public struct DeviceSummary: Codable, Sendable {
  /// A UUID.
  public let id: String
  public let name: String
  /// When it was paired, in milliseconds since 1970.
  public let createdAt: Int
  /// When it was last seen, in milliseconds since 1970.
  public let lastSeenAt: Int
  /// The id of the device whose code let it in, which may be gone; nil: the owner's did.
  public let invitedBy: String?
}

/// Edits the devices of a library while it is open nowhere else.
public struct DeviceAdmin {
  private let lock: LibraryLock
  private let registry: Devices

  /// Opens the library in `root`; throws `locked` while another process has it open.
  public init(root: String) throws {
    let folder = DataDirectory(root: root)
    guard FileManager.default.fileExists(atPath: folder.database) else {
      throw LibraryError(.notFound, "There is no library in \(folder.root).")
    }
    lock = try LibraryLock(root: folder.root, isPatient: false)
    // A restored library that is not in its place yet is the one that the next start opens.
    _ = try RestoreTransaction(folder).finish()
    registry = try Devices(store: DeviceStore(database: LibraryDatabase(path: folder.database)))
  }

  /// All devices, the earliest first.
  public var devices: [DeviceSummary] {
    registry.all.map {
      DeviceSummary(
        id: $0.id, name: $0.name, createdAt: $0.createdAt, lastSeenAt: $0.lastSeenAt,
        invitedBy: $0.invitedBy)
    }
  }

  /// Gives a device another name.
  public func rename(_ id: String, to name: String) throws {
    guard try registry.rename(id, to: Devices.name(name)) else { throw DeviceAdmin.unknown }
  }

  /// Forgets a device, and all that came in by it, if asked to.
  public func revoke(_ id: String, withGuests: Bool) throws {
    guard try registry.remove(id, withGuests: withGuests) else { throw DeviceAdmin.unknown }
  }

  private static var unknown: LibraryError { LibraryError(.notFound, "There is no such device.") }
}
