// Revocation of devices, with what is open for them.

import Database
import HTTP

extension Library {
  /// Revokes a device, and with `withGuests` all devices that it invited, directly or through
  /// others, and ends their event streams. The listeners end their other responses at the next
  /// check. Throws if the id is unknown.
  func revoke(_ id: String, withGuests: Bool = false, by caller: Caller = .owner) throws {
    let revoked = devices.shutOut(id, withGuests: withGuests)
    guard !revoked.isEmpty else {
      try devices.agree()
      throw LibraryError.unknownDevice
    }
    hub.close { $0.device.map(revoked.contains) ?? false }
    reviewLeads()
    for id in revoked {
      log.info(
        "device.revoked", ["device": .text(id), "by": caller == .owner ? "owner" : "device"])
    }
    do {
      try devices.removeShutOut()
    } catch let error as DatabaseError where error.code == .full {
      throw LibraryError(
        .noSpace,
        "The device is shut out now. The disk is full: it is removed for good as soon as there is "
          + "room.", cause: error)
    }
  }
}
