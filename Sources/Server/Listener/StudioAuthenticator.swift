// Authentication per listener; see docs/adr/0011-who-may-come-in.md.

import HTTP
import Model
import Network

/// Distinguishes the owner, devices, visitors and strangers.
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
  let permissions: Permissions
  /// The hash of the key in the data folder. A caller with this key is the owner.
  let ownerKeyHash: String?

  func caller(of request: Request) -> Caller {
    if isOwner(request) { return .owner }
    // One that is removed at this moment has no row, and must not pass for the owner's. A person who is
    // removed at this moment may have got one more device.
    if let device = DeviceCookie.device(of: request, in: devices), let row = devices[device.id],
      permissions.people[row.person ?? Person.owner] != nil
    {
      return .device(row.id, of: row.person)
    }
    let links = LinkCookie.links(of: request, in: permissions.links)
    return links.isEmpty ? .stranger : .visitor(links)
  }

  /// Of a visitor, all links must still be valid: which of them showed what is being sent is not known
  /// here. What another one shows is asked for again.
  func isStillAuthorized(_ caller: Caller) -> Bool {
    switch caller {
    case .owner, .stranger: true
    case .device(let id, _): devices.isPaired(id)
    case .visitor(let ids): ids.allSatisfy(permissions.links.isValid)
    }
  }

  func needsLookup(_ caller: Caller) -> Bool { permissions.needsLookup(caller) }

  func authorize(
    _ caller: Caller, to action: ResourceAction, _ resource: Resource, id: String
  ) throws {
    try permissions.require(caller, to: action, resource.thing(id))
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
