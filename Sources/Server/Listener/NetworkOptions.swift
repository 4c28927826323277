// The owner's options for network access, given at the start.

import HTTP

/// The owner's network options.
public struct NetworkOptions: Sendable {
  /// The address of the network listener. `::` means all addresses of both versions, or of IPv4 if
  /// the kernel lacks IPv6.
  public var host = "::"
  /// The port; 0 lets the system choose.
  public var port = 7743
  /// Whether to listen on the network; nil keeps the last choice in the settings.
  public var isOn: Bool?
  /// Whether to listen while nothing was chosen in the settings.
  public var isOnAtFirst = false
  /// Whether a listener that fails to start with the server is retried. Otherwise the server does
  /// not start either.
  public var keepsTrying = false
  /// The files of the owner's certificate chain and key; nil makes a CA for this installation.
  public var certificate: (chain: String, key: String)?
  /// The public URL of a reverse proxy.
  public var publicURL: PublicURL?
  /// The addresses of that proxy; by default this machine.
  public var trustedProxies: [AddressRange] = []

  /// Makes the default options.
  public init() {}
}

/// The public URL of a reverse proxy for the studio: `https://studio.example`.
public struct PublicURL: Sendable, Equatable {
  /// The origin, without a trailing slash.
  public let origin: String

  /// Parses an address; nil unless it is `https` with a host and nothing after it. Without TLS,
  /// browsers would neither keep the device's cookie nor play audio.
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
