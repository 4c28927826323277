// How a server is reached from elsewhere, as its owner says when starting it.

import HTTP

/// What the owner chose about the network.
public struct NetworkOptions: Sendable {
  /// The address of the network's listener; `::` is all of both versions, or of IPv4 where the kernel
  /// knows no other.
  public var host = "::"
  /// Its port; 0 lets the system choose.
  public var port = 7743
  /// Whether to listen on the network now; nil: as last chosen in the settings.
  public var isOn: Bool?
  /// Whether to listen as long as nothing was chosen in the settings.
  public var isOnAtFirst = false
  /// Whether a listener that can't start with the server is tried again and again; else the server
  /// does not start either.
  public var keepsTrying = false
  /// The files of the owner's certificate and its key; nil: an authority is made here.
  public var certificate: (chain: String, key: String)?
  /// Where a proxy in front is reached by others.
  public var publicURL: PublicURL?
  /// Where that proxy stands; this machine, if not said otherwise.
  public var trustedProxies: [AddressRange] = []

  /// Makes the usual choices.
  public init() {}
}

/// The address at which a reverse proxy in front serves the studio: `https://studio.example`.
public struct PublicURL: Sendable, Equatable {
  /// The origin, without a slash at its end.
  public let origin: String

  /// Reads an address; nil unless it is `https`, with a host and nothing after it. Without TLS no
  /// browser would keep the device's cookie, or play.
  public init?(_ text: String) {
    let lower = text.lowercased()
    guard lower.hasPrefix("https://") else { return nil }
    var host = lower.dropFirst(8)
    if host.hasSuffix("/") { host = host.dropLast() }
    if host.hasSuffix(":443") { host = host.dropLast(4) }
    let isHost = host.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte) || (0x30...0x3A).contains(byte)
        || [0x2D, 0x2E, 0x5B, 0x5D].contains(byte)
    }
    guard !host.isEmpty, isHost, host.first != ":" else { return nil }
    origin = "https://\(host)"
  }
}
