// Who sends a request, and what each route asks of them.

/// Who sends a request.
public enum Caller: Hashable, Sendable {
  /// Who runs this server; may do everything.
  case owner
  /// A paired device, by its id.
  case device(String)
  /// Anyone else.
  case stranger
}

extension Caller {
  /// The caller in a log: a device by its id, which nobody chose.
  var logName: String {
    switch self {
    case .owner: "owner"
    case .device(let id): "device \(id)"
    case .stranger: "stranger"
    }
  }
}

/// Decides who sends a request. Threads: any; asked on those that serve connections, so it must not
/// wait for anything.
public protocol Doorkeeper: Sendable {
  /// Says who sends `request`, whose address, header and path are complete and checked.
  func caller(of request: Request) -> Caller

  /// Tells whether a caller may still come in; asked twice a second of all who are being sent
  /// something.
  func stillAdmits(_ caller: Caller) -> Bool
}

/// Takes whoever sits at this machine for the owner, and knows nobody else.
public struct LoopbackDoorkeeper: Doorkeeper {
  /// Makes a doorkeeper.
  public init() {}

  /// The owner is who comes from this machine with nobody in between.
  public func caller(of request: Request) -> Caller {
    // Without a socket the request comes from this very process.
    (request.peer?.isLoopback ?? true) && !request.isForwarded ? .owner : .stranger
  }

  /// This machine stays this machine.
  public func stillAdmits(_ caller: Caller) -> Bool { true }
}

/// Who may use a route.
public enum Access: String, Sendable {
  /// The owner alone.
  case owner
  /// The owner and paired devices.
  case device
  /// Whoever reaches the server.
  case everyone

  /// Throws a 401 or a 403 unless `caller` may come in.
  func admit(_ caller: Caller) throws(HTTPError) {
    switch (self, caller) {
    case (.everyone, _), (_, .owner), (.device, .device): return
    case (.owner, .device):
      throw .forbidden("Only the owner may do this, at the machine that Segmance runs on.")
    case (_, .stranger): throw .notPaired
    }
  }
}

extension HTTPError {
  /// 401: nobody knows the sender.
  public static var notPaired: HTTPError {
    var error = HTTPError.unauthorized(
      "This device is not paired. Ask for a pairing code on the owner's screen, or on a device that "
        + "is paired already.")
    error.headers["WWW-Authenticate"] = "Pairing"
    return error
  }
}

extension Request {
  /// The header fields by which a proxy says that it passes on what somebody else sent.
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

  /// The values of the cookies whose names are wanted, in their order.
  public func cookies(where isWanted: (Substring.UTF8View) -> Bool) -> [String] {
    var values: [String] = []
    for field in headers.values(of: "Cookie") {
      // By bytes: to Swift's characters, a mark that follows a sign is one with it.
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

  /// The address of who sent it: the peer's, or what a trusted proxy says.
  ///
  /// Each proxy appends the address that it saw; the last that is no trusted proxy's is believed.
  func sender(trusting proxies: [AddressRange]) -> IPAddress? {
    guard let peer, proxies.contains(where: { $0.contains(peer) }) else { return peer }
    let fields = headers.values(of: "X-Forwarded-For").joined(separator: ",")
    // By bytes: some signs are one character with the comma that a proxy puts after them.
    for hop in fields.utf8.split(separator: UInt8(ascii: ",")).reversed() {
      guard let address = IPAddress(String(Substring(hop).trimmingSpaces())) else { return peer }
      if !proxies.contains(where: { $0.contains(address) }) { return address }
    }
    return peer
  }
}
