// What a provider of OpenID Connect sends, and its verification (OpenID Connect Core 1.0, sections 2 and 3.1;
// OpenID Connect Discovery 1.0, section 3; RFC 7515, 7517 and 7519).

import FoundationEssentials

/// Reads and verifies what a provider of OpenID Connect sends.
public enum OpenID {
  /// Why something of the provider's is refused, for the log.
  public struct Refusal: Error, CustomStringConvertible, Equatable {
    public let description: String

    /// Makes a refusal.
    public init(description: String) { self.description = description }
  }

  /// The longest document and the longest token, in bytes.
  private static let longestDocument = 1 << 18
  private static let longestToken = 16_384
  /// How many seconds the provider's clock may be ahead or behind.
  private static let leeway = 120.0
  /// The longest id of an account, in bytes: what the standard allows.
  private static let longestSubject = 255

  /// What the provider says of itself.
  public struct Metadata: Sendable, Equatable {
    /// Its name, an address.
    public let issuer: String
    /// Where the browser is sent to.
    public let authorization: String
    /// Where the code is exchanged for a token.
    public let token: String
    /// Where its keys are.
    public let keys: String
    /// Where it tells more of an account; nil if it doesn't.
    public let userInfo: String?
    /// Whether the client's secret is sent in the body, as the provider does not take it in the header.
    public let takesSecretInBody: Bool

    /// Reads the document of the provider that is to be `issuer`. Its addresses must be https, or on
    /// this machine if the issuer is.
    public init(json: [UInt8], issuer: String) throws(Refusal) {
      struct Document: Decodable {
        let issuer, authorization_endpoint, token_endpoint, jwks_uri: String
        let userinfo_endpoint: String?
        let token_endpoint_auth_methods_supported: [String]?
      }
      let document = try OpenID.parse(Document.self, json, "its description")
      try check(
        document.issuer == issuer || document.issuer == issuer + "/",
        "it calls itself \(document.issuer)")
      self.issuer = document.issuer
      authorization = document.authorization_endpoint
      token = document.token_endpoint
      keys = document.jwks_uri
      userInfo = document.userinfo_endpoint
      let methods = document.token_endpoint_auth_methods_supported ?? ["client_secret_basic"]
      takesSecretInBody =
        methods.contains("client_secret_post") && !methods.contains("client_secret_basic")
      for address in [authorization, token, keys, userInfo].compactMap(\.self) {
        try check(
          OpenID.isAddress(address, allowsHTTP: issuer.hasPrefix("http://")),
          "it has an address that is not https")
      }
    }
  }

  /// Whether a text is an address that a provider may have: https, or with `allowsHTTP` http on this
  /// machine.
  public static func isAddress(_ text: String, allowsHTTP: Bool) -> Bool {
    guard text.utf8.count <= 2_048,
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") })
    else {
      return false
    }
    let isHTTPS = text.hasPrefix("https://")
    guard isHTTPS || allowsHTTP && text.hasPrefix("http://") else { return false }
    let authority = text.dropFirst(isHTTPS ? 8 : 7).prefix { !"/?#".contains($0) }
    let host = authority.prefix { $0 != ":" }
    return !host.isEmpty && !authority.contains("@")
      && (isHTTPS || host == "localhost" || host == "127.0.0.1")
  }

  /// The keys with which a provider signs.
  public struct Keys: Sendable {
    /// The most keys that are read.
    private static let limit = 50

    fileprivate struct Key: Sendable, Decodable {
      let kty: String
      let kid, use, alg, crv, n, e, x, y: String?

      /// The key, if it is one of this algorithm.
      func key(_ algorithm: SignatureAlgorithm) -> PublicKey? {
        guard use ?? "sig" == "sig", alg ?? algorithm.joseName == algorithm.joseName else {
          return nil
        }
        func bytes(_ text: String?) -> [UInt8]? { text.flatMap(Base64URL.decode) }
        let key: PublicKey? =
          switch (kty, crv, algorithm) {
          case ("RSA", _, .rs256), ("RSA", _, .rs384), ("RSA", _, .rs512):
            bytes(n).flatMap { modulus in
              bytes(e).flatMap { PublicKey(modulus: modulus, exponent: $0) }
            }
          case ("EC", "P-256", .es256), ("EC", "P-384", .es384):
            bytes(x).flatMap { x in bytes(y).flatMap { PublicKey(x: x, y: $0, algorithm) } }
          case ("OKP", "Ed25519", .edDSA):
            bytes(x).flatMap { PublicKey(x: $0, y: nil, algorithm) }
          default: nil
          }
        return key.flatMap { $0.fits(algorithm) ? $0 : nil }
      }
    }

    private let keys: [Key]

    /// Reads the document with a provider's keys. Those of other kinds are left out.
    public init(json: [UInt8]) throws(Refusal) {
      struct Document: Decodable {
        /// A key, or nothing if it is of a form that is not known.
        struct Entry: Decodable {
          let key: Key?
          init(from decoder: any Decoder) throws { key = try? Key(from: decoder) }
        }
        let keys: [Entry]
      }
      keys = try OpenID.parse(Document.self, json, "its keys").keys.prefix(Self.limit)
        .compactMap(\.key)
    }

    /// The key with this id, or the only one of its kind for a token that names none.
    fileprivate func key(_ id: String?, _ algorithm: SignatureAlgorithm) -> PublicKey? {
      guard let id else {
        let fitting = keys.compactMap { $0.key(algorithm) }
        return fitting.count == 1 ? fitting[0] : nil
      }
      return keys.lazy.filter { $0.kid == id }.compactMap { $0.key(algorithm) }.first
    }
  }

  /// Somebody who has signed in at the provider.
  public struct Account: Sendable, Equatable {
    /// The id of the account; the issuer gives no other account the same one.
    public let subject: String
    /// The name of its person; nil if the provider doesn't tell it.
    public let name: String?
    /// What its person signs in with there; nil if the provider doesn't tell it.
    public let login: String?

    fileprivate init(_ claims: Claims) throws(Refusal) {
      try check(
        !claims.sub.isEmpty && claims.sub.utf8.count <= OpenID.longestSubject,
        "the id of the account is empty or too long")
      subject = claims.sub
      name = claims.name ?? claims.nickname
      login = claims.preferred_username
    }

    /// Reads what a provider tells of the account with this id.
    public init(userInfo json: [UInt8], subject: String) throws(Refusal) {
      let claims = try OpenID.parse(Claims.self, json, "what it tells of the account")
      try check(claims.sub == subject, "it tells of another account")
      try self.init(claims)
    }
  }

  /// The key that a token is signed with is not among the provider's keys: they may have changed.
  public struct UnknownKey: Error {}

  /// Verifies an ID token that was asked for with a nonce: signed by the provider, for this client, and
  /// now. `now` is in seconds since 1970.
  ///
  /// - Throws: `Refusal`, or `UnknownKey`.
  public static func verify(
    _ token: String, _ keys: Keys, issuer: String, client: String, nonce: String, now: Double
  ) throws -> Account {
    try check(token.utf8.count <= longestToken, "the token is too long")
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let head = Base64URL.decode(String(parts[0])),
      let body = Base64URL.decode(String(parts[1])),
      let signature = Base64URL.decode(String(parts[2]))
    else { throw Refusal(description: "the token has not three parts of base64url") }
    try verify(signature, of: parts[0] + "." + parts[1], head, keys)
    let claims = try parse(Claims.self, body, "the token")
    try check(claims.iss == issuer, "the token is another issuer's")
    try check(claims.aud?.names.contains(client) == true, "the token is for another client")
    try check(
      claims.azp.map { $0 == client } ?? (claims.aud?.names.count == 1),
      "the token was given to another client")
    guard let end = claims.exp, let start = claims.iat else {
      throw Refusal(description: "the token doesn't say when it is valid")
    }
    try check(end + leeway > now, "the token has ended")
    try check(start - leeway < now, "the token is of the future")
    try check(claims.nonce == nonce, "the token answers another request")
    return try Account(claims)
  }

  private static func verify(
    _ signature: [UInt8], of signed: Substring, _ head: [UInt8], _ keys: Keys
  ) throws {
    struct Head: Decodable {
      let alg: String
      let kid: String?
      let crit: [String]?
    }
    let head = try parse(Head.self, head, "the head of the token")
    guard let algorithm = SignatureAlgorithm.allCases.first(where: { $0.joseName == head.alg })
    else { throw Refusal(description: "the token is signed in a way that is not known") }
    try check(head.crit == nil, "the token needs what is not known")
    guard let key = keys.key(head.kid, algorithm) else { throw UnknownKey() }
    guard let signature = PublicKey.signature(ofToken: signature, algorithm),
      key.verifies(Array(signed.utf8), signature, algorithm)
    else {
      throw Refusal(description: "the signature of the token is wrong")
    }
  }

  fileprivate struct Claims: Decodable {
    /// One name or a list of them.
    struct Audience: Decodable {
      let names: [String]
      init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        names = try (try? [value.decode(String.self)]) ?? value.decode([String].self)
      }
    }

    let sub: String
    let iss, azp, nonce: String?
    let aud: Audience?
    let exp, iat: Double?
    let name, nickname, preferred_username: String?
  }

  private static func parse<Value: Decodable>(
    _ type: Value.Type, _ json: [UInt8], _ what: String
  ) throws(Refusal) -> Value {
    guard json.count <= longestDocument else {
      throw Refusal(description: "\(what) is too long")
    }
    do {
      return try JSONDecoder().decode(type, from: Data(json))
    } catch {
      throw Refusal(description: "\(what) is not readable")
    }
  }

  private static func check(_ isRight: Bool, _ problem: String) throws(Refusal) {
    guard isRight else { throw Refusal(description: problem) }
  }
}

extension SignatureAlgorithm {
  /// Its name in tokens (RFC 7518 and RFC 8037).
  fileprivate var joseName: String {
    switch self {
    case .es256: "ES256"
    case .es384: "ES384"
    case .edDSA: "EdDSA"
    case .rs256: "RS256"
    case .rs384: "RS384"
    case .rs512: "RS512"
    }
  }
}
