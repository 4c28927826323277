// Who comes in at which door; see docs/adr/0011-who-may-come-in.md.

import HTTP
import Network

/// Tells owner, devices and strangers apart.
struct StudioAuthenticator: Authenticator {
  /// A door of the studio.
  enum Listener: Sendable {
    /// This machine's own, where whoever comes directly is the owner.
    case loopback
    /// The same behind a proxy: everyone seems to come from this machine, so nobody is the owner.
    case proxied
    /// The network's.
    case network
  }

  let listener: Listener
  let devices: Devices
  /// The hash of the key in the data folder; who can read it is the owner.
  let ownerKeyHash: String?

  func caller(of request: Request) -> Caller {
    if isOwner(request) { return .owner }
    return DeviceCookie.device(of: request, in: devices).map { .device($0.id) } ?? .stranger
  }

  func isStillAuthorized(_ caller: Caller) -> Bool {
    guard case .device(let id) = caller else { return true }
    return devices.isPaired(id)
  }

  private func isOwner(_ request: Request) -> Bool {
    let byAddress = LoopbackAuthenticator().caller(of: request) == .owner
    switch listener {
    case .network: return false
    case .loopback: return byAddress
    case .proxied:
      guard !request.isForwarded, let ownerKeyHash, let field = request.headers["Authorization"],
        field.hasPrefix("Bearer ")
      else { return false }
      // Hashes are compared, so that the time it takes tells nothing about the key.
      return Token.hash(String(field.dropFirst(7))) == ownerKeyHash
    }
  }
}
