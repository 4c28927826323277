// The owner's options for signing in at a provider of OpenID Connect, given at the start.

import HTTPClient
import Network

/// A provider of OpenID Connect at which people sign in, such as a school's.
public struct OpenIDOptions: Sendable {
  /// The provider's name for itself, an address without a slash at the end.
  public let issuer: String
  /// The name to show: "Sign in with …".
  public let name: String
  /// The id that the provider gave this server.
  public let client: String
  /// The secret that the provider gave this server; nil if it gave none.
  public let secret: String?
  /// Whether who signs in there and is not known yet becomes a new person.
  public let addsPeople: Bool
  /// Sends a request to the provider; nil to send it over the network.
  var send: (@Sendable (HTTPClient.Request) throws -> HTTPClient.Response)?

  /// Makes the options; nil unless the issuer is https, or http on this machine.
  public init?(issuer: String, name: String?, client: String, secret: String?, addsPeople: Bool) {
    let issuer = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
    guard OpenID.isAddress(issuer, allowsHTTP: true),
      !issuer.contains(where: { "?#".contains($0) }),
      !client.isEmpty
    else { return nil }
    self.issuer = issuer
    let host = issuer.split(separator: "/").dropFirst().first.map(String.init) ?? issuer
    self.name = name ?? host
    self.client = client
    self.secret = secret
    self.addsPeople = addsPeople
  }
}
