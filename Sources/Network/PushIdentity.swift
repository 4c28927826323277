// How a server names itself to push services (VAPID, RFC 8292): by a key, and the address of somebody
// who answers for it.

import FoundationEssentials

/// The key of this server for push services, and its contact.
public struct PushIdentity: Sendable {
  /// How long a token holds, in seconds; services refuse more than a day.
  private static let tokenSeconds = 12 * 3_600

  /// The claims of a token.
  private struct Claims: Encodable {
    let aud: String
    let exp: Int
    let sub: String
  }

  private let key: AgreementKey
  private let contact: String

  /// Makes the identity. `contact` is a `mailto:` or `https:` address.
  public init(key: AgreementKey, contact: String) {
    self.key = key
    self.contact = contact
  }

  /// The public key as browsers want it to subscribe, in base64url.
  public var publicKey: String { Base64URL.encode(key.publicKey) }

  /// Returns the header field `Authorization` for a request to a push service.
  ///
  /// - Parameters:
  ///   - origin: the service's, such as "https://push.example".
  ///   - now: seconds since 1970.
  public func authorization(for origin: String, now: Int) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let claims = try encoder.encode(
      Claims(aud: origin, exp: now + Self.tokenSeconds, sub: contact))
    let head = Base64URL.encode(Array(#"{"typ":"JWT","alg":"ES256"}"#.utf8))
    let text = head + "." + Base64URL.encode(claims)
    let token = text + "." + Base64URL.encode(key.sign(Array(text.utf8)))
    return "vapid t=\(token), k=\(publicKey)"
  }
}
