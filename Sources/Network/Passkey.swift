// Passkeys: what browsers return from an authenticator, and its verification (Web Authentication Level 2,
// https://www.w3.org/TR/webauthn-2/, sections 6.1, 7.1 and 7.2).

import CGnuTLS
import FoundationEssentials

/// Verifies what the authenticators of browsers sign.
public enum Passkey {
  /// How passkeys sign: the ways that the client asks browsers for.
  private static let algorithms: Set<SignatureAlgorithm> = [.es256, .edDSA, .rs256]

  private static func algorithm(_ number: Int) -> SignatureAlgorithm? {
    SignatureAlgorithm(rawValue: number).flatMap { algorithms.contains($0) ? $0 : nil }
  }

  /// Where a passkey is made or used: the site's origin, such as "https://studio.example:7743", and its
  /// host name, without the port.
  public struct Site: Sendable {
    public let origin: String
    public let host: String

    /// Makes the site of an origin with this host name.
    public init(origin: String, host: String) {
      self.origin = origin
      self.host = host
    }
  }

  /// Why a response is refused, for the log.
  public struct Refusal: Error, CustomStringConvertible, Equatable {
    public let description: String
  }

  /// The longest parts of a response, in bytes of base64url; authenticators send far less.
  private static let longestPart = 8_192

  /// What a browser returns when a passkey was made; all binary values are in base64url.
  public struct Creation: Sendable, Decodable {
    let id: String
    let clientDataJSON: String
    let authenticatorData: String
    let publicKey: String
    let algorithm: Int

    /// Verifies that it was made at `site` for `challenge`.
    ///
    /// Where the authenticator comes from is not attested, so the browser's word for the key is as good
    /// as the authenticator's: it comes with the session of the person whose key it is.
    public func verify(_ challenge: String, at site: Site) throws(Refusal) -> Made {
      try check(id.utf8.count <= 1_400, "the id is too long")
      _ = try clientData(clientDataJSON, type: "webauthn.create", challenge, site)
      let bytes = try decode(authenticatorData)
      let data = try AuthenticatorData(bytes, site)
      try check(data.credential.map(Base64URL.encode) == id, "the id is another credential's")
      guard let algorithm = Passkey.algorithm(algorithm) else {
        throw Refusal(description: "the algorithm is not known")
      }
      _ = try key(publicKey, algorithm)
      return Made(id: id, publicKey: publicKey, algorithm: algorithm, counter: data.counter)
    }
  }

  /// What is kept of a passkey that was made.
  public struct Made: Sendable {
    /// The credential's id, in base64url.
    public let id: String
    /// The key, DER in base64url.
    public let publicKey: String
    public let algorithm: SignatureAlgorithm
    /// How many signatures the authenticator counted; 0 if it does not count.
    public let counter: Int
  }

  /// What a browser returns when a passkey signed a challenge; all binary values are in base64url.
  public struct Assertion: Sendable, Decodable {
    /// The credential's id.
    public let id: String
    let clientDataJSON: String
    let authenticatorData: String
    let signature: String

    /// The challenge that it claims to answer, to be looked up before the signature is verified.
    public var challenge: String? {
      try? Passkey.parse(Passkey.decode(clientDataJSON)).challenge
    }

    /// Verifies that a passkey signed `challenge` at `site`, after the authenticator had recognized the
    /// person. `counter` is what it counted last.
    ///
    /// - Returns: the new count of signatures.
    public func verify(
      _ challenge: String, at site: Site, publicKey: String, algorithm: Int, counter: Int
    ) throws(Refusal) -> Int {
      guard let algorithm = Passkey.algorithm(algorithm) else {
        throw Refusal(description: "the algorithm is not known")
      }
      let clientData = try clientData(clientDataJSON, type: "webauthn.get", challenge, site)
      let bytes = try decode(authenticatorData)
      let data = try AuthenticatorData(bytes, site)
      let key = try key(publicKey, algorithm)
      let isValid = key.verifies(bytes + sha256(clientData), try decode(signature), algorithm)
      try check(isValid, "the signature is wrong")
      // A count that does not grow: there are two authenticators with the same key.
      try check(
        data.counter == 0 && counter == 0 || data.counter > counter, "the passkey was copied")
      return data.counter
    }
  }

  /// What the authenticator says: 32 bytes of the site's hash, a byte of flags, 4 of the counter, and of
  /// a new credential 16 bytes of its maker, 2 of the length of its id, and the id.
  private struct AuthenticatorData {
    let counter: Int
    /// The id of a new credential.
    private(set) var credential: [UInt8]?

    private static let userPresent: UInt8 = 1 << 0
    private static let userVerified: UInt8 = 1 << 2
    private static let hasCredential: UInt8 = 1 << 6

    init(_ bytes: [UInt8], _ site: Site) throws(Refusal) {
      try check(bytes.count >= 37, "the authenticator's data is too short")
      try check(Array(bytes[0..<32]) == sha256(Array(site.host.utf8)), "it is another site's")
      let flags = bytes[32]
      try check(flags & Self.userPresent != 0, "nobody was present")
      try check(flags & Self.userVerified != 0, "the person was not verified")
      counter = bytes[33..<37].reduce(0) { $0 << 8 | Int($1) }
      guard flags & Self.hasCredential != 0 else { return }
      try check(bytes.count >= 55, "the authenticator's data is too short")
      let end = 55 + (Int(bytes[53]) << 8 | Int(bytes[54]))
      try check(bytes.count >= end, "the authenticator's data is too short")
      credential = Array(bytes[55..<end])
    }
  }

  /// What the browser says that it asked the authenticator for.
  private struct ClientData: Decodable {
    let type: String
    let challenge: String
    let origin: String
    let crossOrigin: Bool?
  }

  private static func clientData(
    _ text: String, type: String, _ challenge: String, _ site: Site
  ) throws(Refusal) -> [UInt8] {
    let bytes = try decode(text)
    let data = try parse(bytes)
    try check(data.type == type, "it is for another purpose")
    try check(data.challenge == challenge, "it answers another challenge")
    try check(data.origin == site.origin, "it was asked for by \(data.origin)")
    try check(data.crossOrigin != true, "it was asked for within another site's page")
    return bytes
  }

  private static func parse(_ bytes: [UInt8]) throws(Refusal) -> ClientData {
    do {
      return try JSONDecoder().decode(ClientData.self, from: Data(bytes))
    } catch {
      throw Refusal(description: "the browser's data is not readable")
    }
  }

  private static func decode(_ text: String) throws(Refusal) -> [UInt8] {
    guard text.utf8.count <= longestPart, let bytes = Base64URL.decode(text) else {
      throw Refusal(description: "a value is not base64url, or too long")
    }
    return bytes
  }

  private static func key(_ text: String, _ algorithm: SignatureAlgorithm) throws(Refusal)
    -> PublicKey
  {
    guard let key = PublicKey(der: try decode(text)), key.fits(algorithm) else {
      throw Refusal(description: "the public key is not one of its algorithm")
    }
    return key
  }

  private static func check(_ isRight: Bool, _ problem: String) throws(Refusal) {
    guard isRight else { throw Refusal(description: problem) }
  }
}
