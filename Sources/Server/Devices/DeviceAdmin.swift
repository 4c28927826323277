// Device management for the command line, while no server has the library open.

import Database
import FoundationEssentials
import Media
import Model
import Storage

/// A paired device, as the command line lists it.
public struct DeviceSummary: Codable, Sendable {
  /// A UUID.
  public let id: String
  public let name: String
  /// The time of pairing, in milliseconds since 1970.
  public let createdAt: Int
  /// The time of the last request, in milliseconds since 1970.
  public let lastSeenAt: Int
  /// The id of the device whose code paired it; that device may no longer exist. Nil if the owner's
  /// code did.
  public let invitedBy: String?
  /// The id of the person whose it is.
  public let person: String
}

/// A person, as the command line names them.
public struct PersonSummary: Codable, Sendable {
  /// A UUID, or `owner`.
  public let id: String
  /// Empty while the owner has not set theirs.
  public let name: String

  /// Whether it is the person who runs the server.
  public var isOwner: Bool { id == Person.owner }
}

/// Edits the devices of a library that no other process has open.
public struct DeviceAdmin {
  private let lock: LibraryLock
  private let registry: Devices
  private let everybody: People

  /// Opens the library in `root`; throws `locked` while another process has it open.
  public init(root: String) throws {
    let folder = DataDirectory(root: root)
    guard folder.hasLibrary else {
      throw LibraryError(.notFound, "There is no library in \(folder.root).")
    }
    lock = try LibraryLock(root: folder.root, isPatient: false)
    // A restored library that still has to be moved into place is the one that the next start
    // opens.
    _ = try RestoreTransaction(folder).finish()
    let database = try LibraryDatabase(of: folder)
    registry = try Devices(store: DeviceStore(database: database))
    everybody = try People(store: PeopleStore(database: database))
  }

  /// All devices, oldest first.
  public var devices: [DeviceSummary] {
    registry.all.map {
      DeviceSummary(
        id: $0.id, name: $0.name, createdAt: $0.createdAt, lastSeenAt: $0.lastSeenAt,
        invitedBy: $0.invitedBy, person: $0.person ?? Person.owner)
    }
  }

  /// All people, the owner too.
  public var people: [PersonSummary] {
    everybody.all.map { PersonSummary(id: $0.id, name: $0.name) }
  }

  /// Renames a device.
  public func rename(_ id: String, to name: String) throws {
    guard try registry.rename(id, to: Devices.name(name)) else { throw LibraryError.unknownDevice }
  }

  /// Removes a device, and with `withGuests` all devices that it invited, directly or through
  /// others.
  public func revoke(_ id: String, withGuests: Bool) throws {
    guard try registry.remove(id, withGuests: withGuests) else { throw LibraryError.unknownDevice }
  }
}
