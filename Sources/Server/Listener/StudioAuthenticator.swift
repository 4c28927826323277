// Authentication per listener; see docs/adr/0011-who-may-come-in.md.

import HTTP
import Network

/// Distinguishes the owner, devices and strangers.
struct StudioAuthenticator: Authenticator {
  /// A listener of the server.
  enum Listener: Sendable {
    /// The loopback listener: direct requests come from the owner.
    case loopback
    /// The loopback listener behind a proxy: all requests seem to come from this machine, so none
    /// counts as the owner's.
    case proxied
    /// The network listener.
    case network
  }

  let listener: Listener
  let devices: Devices
  /// The hash of the key in the data folder. A caller with this key is the owner.
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
      // Comparing hashes prevents timing attacks on the key.
      return Token.hash(String(field.dropFirst(7))) == ownerKeyHash
    }
  }
}
