// Revocation of links, logged.

import Database
import HTTP

extension Library {
  /// Revokes a link. The listeners end what is being sent through it at the next check. Throws if the
  /// id is unknown.
  func revokeLink(_ id: String, by caller: Caller) throws {
    do {
      guard try links.revoke(id) else { throw LibraryError.unknownLink }
    } catch let error as DatabaseError where error.code == .full {
      throw LibraryError(
        .noSpace,
        "The link is revoked now. The disk is full: it is removed for good as soon as there is room.",
        cause: error)
    }
    log.info(
      "link.revoked", ["link": .text(id), "by": caller == .owner ? "owner" : "device"])
  }
}
