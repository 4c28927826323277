// The sender of a request, and the access that a route requires.

/// The sender of a request.
public enum Caller: Hashable, Sendable, Codable {
  /// The person who runs this server; may do everything.
  case owner
  /// A paired device, by its id, and the id of the person whose it is; nil for the owner's.
  case device(String, of: String? = nil)
  /// Somebody without a device who opened links, by the ids of those that are valid. Never empty.
  case visitor(Set<String>)
  /// Anyone else.
  case stranger
}

extension Caller {
  /// Whether the caller is the owner or a paired device.
  public var isPaired: Bool {
    switch self {
    case .owner, .device: true
    case .visitor, .stranger: false
    }
  }

  /// The id of the device that asks; nil for all others.
  public var device: String? {
    if case .device(let id, _) = self { id } else { nil }
  }

  /// The caller's name in the log: of a device or a link its id, which holds no text of a person.
  var logName: String {
    switch self {
    case .owner: "owner"
    case .device(let id, _): "device \(id)"
    case .visitor(let links): "visitor of \(links.sorted().joined(separator: ","))"
    case .stranger: "stranger"
    }
  }
}

/// Finds the caller of a request. Called on the threads that serve connections, so it must not block.
public protocol Authenticator: Sendable {
  /// Returns the caller of `request`, whose address, header and path are complete and checked.
  func caller(of request: Request) -> Caller

  /// Whether a caller still has access. Called twice a second for every response under way.
  func isStillAuthorized(_ caller: Caller) -> Bool

  /// Whether what a route names has to be looked up before this caller may use it. Must not block.
  func needsLookup(_ caller: Caller) -> Bool

  /// Throws unless a caller may do something with what a route names. Called on a worker, so it may
  /// block.
  func authorize(
    _ caller: Caller, to action: ResourceAction, _ resource: Resource, id: String) throws
}

extension Authenticator {
  /// Without links there are no visitors.
  public func needsLookup(_ caller: Caller) -> Bool { !caller.isPaired }

  /// Without links there are no visitors.
  public func authorize(
    _ caller: Caller, to action: ResourceAction, _ resource: Resource, id: String
  ) throws {
    throw HTTPError.unauthenticated
  }
}

/// What a route does with the thing that it names.
public enum ResourceAction: Hashable, Sendable {
  case read, write
}

/// Takes requests from this machine as the owner's, and all others as a stranger's.
public struct LoopbackAuthenticator: Authenticator {
  /// Makes a authenticator.
  public init() {}

  /// A request from this machine without a proxy is the owner's.
  public func caller(of request: Request) -> Caller {
    // Without a socket the request comes from this very process.
    (request.peer?.isLoopback ?? true) && !request.isForwarded ? .owner : .stranger
  }

  /// The owner keeps access.
  public func isStillAuthorized(_ caller: Caller) -> Bool { true }
}

/// What a route names: the kind of thing, and where a request names it. The application knows the
/// kinds.
public struct Resource: Hashable, Sendable {
  /// Where the id stands.
  enum Place: Hashable {
    case path, query
  }

  /// The kind, such as `track`.
  public let kind: String
  let name: String
  let place: Place

  /// A thing of this kind, whose id is a parameter of the path.
  public static func path(_ kind: String, _ name: String = "id") -> Resource {
    Resource(kind: kind, name: name, place: .path)
  }

  /// A thing of this kind that a value of the query names.
  public static func query(_ kind: String, _ name: String) -> Resource {
    Resource(kind: kind, name: name, place: .query)
  }

  /// What the request names; empty if it names nothing.
  func id(in request: Request) -> String {
    switch place {
    case .path: request.parameters[name]
    case .query: request.query[name] ?? ""
    }
  }
}

/// The access that a route requires.
public enum Access: Hashable, Sendable {
  /// The owner alone.
  case owner
  /// The owner and the owner's devices.
  case device
  /// The owner and the devices of all people; of the resource, if there is one, those who may do this
  /// with it.
  case person(Resource?, to: ResourceAction = .read)
  /// Those who may read the resource: the owner, devices, and visitors to whom a link shows it.
  case visitor(Resource)
  /// Everybody who can reach the server.
  case everyone

  /// The name in the OpenAPI description.
  public var name: String {
    switch self {
    case .owner: "owner"
    case .device: "device"
    case .person: "person"
    case .visitor: "visitor"
    case .everyone: "everyone"
    }
  }

  /// The thing that the route names, if access to it is a question, and what is done with it.
  var resource: (Resource, ResourceAction)? {
    switch self {
    case .person(let resource, let action): resource.map { ($0, action) }
    case .visitor(let resource): (resource, .read)
    case .owner, .device, .everyone: nil
    }
  }

  /// Throws a 401 or a 403 unless `caller` has this access. Whether the caller may use the resource is
  /// decided later, because it takes a look into the database.
  func authorize(_ caller: Caller) throws(HTTPError) {
    switch (self, caller) {
    case (.everyone, _), (_, .owner), (.device, .device(_, of: nil)), (.person, .device),
      (.visitor, .device), (.visitor, .visitor):
      return
    case (.owner, .device):
      throw .forbidden("Only the owner may do this, at the machine that Segmance runs on.")
    case (.device, .device):
      throw .forbidden("Only the person who runs this server may do this.")
    case (_, .visitor), (_, .stranger): throw .unauthenticated
    }
  }
}

extension HTTPError {
  /// 401: the sender is not authenticated.
  public static var unauthenticated: HTTPError {
    var error = HTTPError.unauthorized(
      "This device is not paired. Ask for a pairing code on the owner's screen, or on a device that "
        + "is paired already.")
    error.headers["WWW-Authenticate"] = "Pairing"
    return error
  }
}

extension Request {
  /// The header fields with which a proxy marks a forwarded request.
  private static let forwardingFields = ["Forwarded", "Via", "X-Real-IP", "True-Client-IP"]

  /// Whether a proxy stands between the sender and this server.
  public var isForwarded: Bool {
    headers.pairs.contains { field in
      Headers.begins(field.name, with: "x-forwarded-")
        || Request.forwardingFields.contains { Headers.equal($0, field.name) }
    }
  }

  /// The value of a cookie.
  public func cookie(_ name: String) -> String? {
    cookies { $0.elementsEqual(name.utf8) }.first
  }

  /// The values of the cookies with these names, in the order of the header.
  public func cookies(where isWanted: (Substring.UTF8View) -> Bool) -> [String] {
    var values: [String] = []
    for field in headers.values(of: "Cookie") {
      // Compares bytes: a Swift character includes combining marks that follow it.
      for pair in field.utf8.split(separator: UInt8(ascii: ";")) {
        let parts = pair.split(
          separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, isWanted(parts[0].drop { $0 == 0x20 || $0 == 0x09 })
        else { continue }
        values.append(String(Substring(parts[1])))
      }
    }
    return values
  }

  /// The sender's address: the peer's, or the one that a trusted proxy reports.
  ///
  /// Each proxy appends the address that it saw. The last one that is not a trusted proxy's counts.
  func sender(trusting proxies: [AddressRange]) -> IPAddress? {
    guard let peer, proxies.contains(where: { $0.contains(peer) }) else { return peer }
    let fields = headers.values(of: "X-Forwarded-For").joined(separator: ",")
    // Splits bytes: some signs form one Swift character with the comma that follows them.
    for hop in fields.utf8.split(separator: UInt8(ascii: ",")).reversed() {
      guard let address = IPAddress(String(Substring(hop).trimmingSpaces())) else { return peer }
      if !proxies.contains(where: { $0.contains(address) }) { return address }
    }
    return peer
  }
}
