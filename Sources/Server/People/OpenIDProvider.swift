// The conversation with a provider of OpenID Connect: the authorization code flow with PKCE (OpenID Connect
// Core 1.0, section 3.1; RFC 7636; RFC 9207).

import FoundationEssentials
import HTTPClient
import Network
import Synchronization
import Text

/// Asks a provider who has signed in there.
final class OpenIDProvider: Sendable {
  /// Where a browser is sent to, and what it keeps meanwhile.
  struct Departure {
    /// The provider's page.
    let address: String
    /// Kept by the browser in a cookie that scripts can't read. Whatever ties the return to this
    /// departure is derived from it.
    let secret: String
  }

  /// What a browser brings back.
  struct Return: Sendable, Decodable {
    let code: String
    let state: String
    /// The provider that sent it, where that says so (RFC 9207).
    let iss: String?
  }

  /// How long what the provider says of itself is believed, and how long new keys are not asked for
  /// again, in milliseconds.
  private static let documentLife = 3_600_000
  private static let keyPause = 60_000
  /// How many requests may wait for the provider at once.
  static let mostAtOnce = 4
  /// How long one of them may wait for all that it asks of the provider, in milliseconds. A stop waits
  /// for it.
  static let patience = 15_000
  /// The longest code and state, in bytes.
  private static let longestPart = 4_096

  private struct Documents {
    var metadata: OpenID.Metadata
    var keys: OpenID.Keys
    /// When each was fetched.
    var metadataAt: Int
    var keysAt: Int
  }

  let options: OpenIDOptions
  private let send: @Sendable (HTTPClient.Request) throws -> HTTPClient.Response
  private let challenges: SignInChallenges
  private let now: @Sendable () -> Int
  let requests = ConcurrencyLimit()
  private let documents = Mutex<Documents?>(nil)

  /// `now` returns milliseconds since 1970.
  init(
    _ options: OpenIDOptions, challenges: SignInChallenges, now: @escaping @Sendable () -> Int
  ) {
    self.options = options
    self.challenges = challenges
    self.now = now
    let client = HTTPClient(allowsHTTP: options.issuer.hasPrefix("http://"), limit: 1 << 18)
    send = options.send ?? { try client.send($0) }
  }

  /// Begins: where the browser goes, to come back to `address`, for a purpose.
  func depart(for purpose: String, returningTo address: String) throws -> Departure {
    try asking { end in
      let metadata = try current(until: end).metadata
      let secret = try challenges.make(for: purpose)
      let verifier = Token.derive(from: secret, salt: "verifier")
      let query = [
        ("response_type", "code"), ("client_id", options.client), ("redirect_uri", address),
        ("scope", "openid profile"), ("state", Token.derive(from: secret, salt: "state")),
        ("nonce", Token.derive(from: secret, salt: "nonce")),
        ("code_challenge", Token.codeChallenge(of: verifier)), ("code_challenge_method", "S256"),
      ]
      let separator = metadata.authorization.contains("?") ? "&" : "?"
      return Departure(
        address: metadata.authorization + separator + Self.form(query), secret: secret)
    }
  }

  /// Ends: who has signed in at the provider. `secret` is what the browser kept; each can be used once,
  /// and is not used up by `busy`.
  ///
  /// - Throws: `LibraryError` `wrongCredentials`, whose cause says why, `busy`, or `unreachable`.
  func account(
    of arrival: Return, keeping secret: String, for purpose: String, returningTo address: String
  ) throws -> (issuer: String, account: OpenID.Account) {
    try asking { end in
      guard arrival.code.utf8.count <= Self.longestPart,
        arrival.state.utf8.count <= Self.longestPart, try challenges.take(secret, for: purpose),
        Token.hash(arrival.state) == Token.hash(Token.derive(from: secret, salt: "state"))
      else {
        throw LibraryError(.wrongCredentials, "This took too long. Try again.")
      }
      let metadata = try current(until: end).metadata
      guard arrival.iss ?? metadata.issuer == metadata.issuer else {
        throw refused(OpenID.Refusal(description: "another provider answered"))
      }
      let tokens = try exchange(
        arrival.code, metadata, verifier: Token.derive(from: secret, salt: "verifier"), address,
        until: end)
      var account = try verify(
        tokens.id_token, nonce: Token.derive(from: secret, salt: "nonce"), metadata, until: end)
      if account.name == nil, account.login == nil, let more = metadata.userInfo {
        account = try userInfo(at: more, tokens.access_token, account, until: end)
      }
      return (metadata.issuer, account)
    }
  }

  // MARK: - The provider's answers

  private struct Tokens: Decodable {
    let id_token: String
    let access_token: String?
  }

  private func exchange(
    _ code: String, _ metadata: OpenID.Metadata, verifier: String, _ address: String,
    until end: Int
  ) throws -> Tokens {
    var form = [
      ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", address),
      ("code_verifier", verifier),
    ]
    var headers = [
      ("Content-Type", "application/x-www-form-urlencoded"), ("Accept", "application/json"),
    ]
    if let secret = options.secret, !metadata.takesSecretInBody {
      let pair = Self.escaped(options.client) + ":" + Self.escaped(secret)
      headers.append(("Authorization", "Basic " + Data(pair.utf8).base64EncodedString()))
    } else {
      form.append(("client_id", options.client))
      if let secret = options.secret { form.append(("client_secret", secret)) }
    }
    let response = try fetch(
      HTTPClient.Request(
        "POST", metadata.token, headers: headers, body: Array(Self.form(form).utf8)), until: end)
    guard response.status == 200,
      let tokens = try? JSONDecoder().decode(Tokens.self, from: Data(response.body))
    else {
      throw refused(
        OpenID.Refusal(
          description: "the code was not taken: \(response.status) \(Self.error(in: response))"))
    }
    return tokens
  }

  /// Verifies a token, with new keys if its key is not known.
  private func verify(
    _ token: String, nonce: String, _ metadata: OpenID.Metadata, until end: Int
  ) throws -> OpenID.Account {
    func verify(_ keys: OpenID.Keys) throws -> OpenID.Account {
      try OpenID.verify(
        token, keys, issuer: metadata.issuer, client: options.client, nonce: nonce,
        now: Double(now()) / 1_000)
    }
    do {
      do {
        return try verify(current(until: end).keys)
      } catch is OpenID.UnknownKey {
        return try verify(current(withNewKeys: true, until: end).keys)
      }
    } catch is OpenID.UnknownKey {
      throw refused(OpenID.Refusal(description: "the token is signed with a key that is not known"))
    } catch let error as OpenID.Refusal {
      throw refused(error)
    }
  }

  private func userInfo(
    at address: String, _ token: String?, _ account: OpenID.Account, until end: Int
  ) throws -> OpenID.Account {
    guard let token else { return account }
    let response = try fetch(
      HTTPClient.Request("GET", address, headers: [("Authorization", "Bearer \(token)")]),
      until: end)
    // A provider may sign this instead; then the account has no name.
    guard response.status == 200,
      response.headers["content-type"]?.hasPrefix("application/json") == true
    else { return account }
    do {
      return try OpenID.Account(userInfo: response.body, subject: account.subject)
    } catch {
      throw refused(error)
    }
  }

  // MARK: - What the provider says of itself

  private func current(withNewKeys: Bool = false, until end: Int) throws -> Documents {
    let time = now()
    // Two requests at once may both fetch: neither waits for the other's network.
    if var known = documents.withLock({ $0 }), time - known.metadataAt < Self.documentLife {
      guard withNewKeys, time - known.keysAt >= Self.keyPause else { return known }
      known.keys = try keys(known.metadata, until: end)
      known.keysAt = time
      documents.withLock { $0 = known }
      return known
    }
    let metadata = try read("/.well-known/openid-configuration", until: end) { [options] json in
      try OpenID.Metadata(json: json, issuer: options.issuer)
    }
    let fresh = Documents(
      metadata: metadata, keys: try keys(metadata, until: end), metadataAt: time, keysAt: time)
    documents.withLock { $0 = fresh }
    return fresh
  }

  private func keys(_ metadata: OpenID.Metadata, until end: Int) throws -> OpenID.Keys {
    try read(metadata.keys, until: end) { json in try OpenID.Keys(json: json) }
  }

  /// Reads a document; a path is one of the issuer.
  private func read<Document>(
    _ address: String, until end: Int, _ parse: ([UInt8]) throws -> Document
  ) throws -> Document {
    let address = address.hasPrefix("/") ? options.issuer + address : address
    let response = try fetch(
      HTTPClient.Request("GET", address, headers: [("Accept", "application/json")]),
      until: end)
    guard response.status == 200 else {
      throw unreachable(OpenID.Refusal(description: "\(address) answered \(response.status)"))
    }
    do {
      return try parse(response.body)
    } catch {
      throw unreachable(error)
    }
  }

  // MARK: - Asking

  /// Does what asks the provider, until the time that `work` is given.
  private func asking<Result>(_ work: (_ end: Int) throws -> Result) throws -> Result {
    guard requests.begin(limit: Self.mostAtOnce) else {
      throw LibraryError(
        .busy(retryAfterSeconds: 2), "Many people are signing in. Try again in a moment.")
    }
    defer { requests.end() }
    return try work(now() + Self.patience)
  }

  private func fetch(_ request: HTTPClient.Request, until end: Int) throws -> HTTPClient.Response {
    // A clock that was set meanwhile makes it no longer.
    let rest = min(end - now(), Self.patience)
    guard rest > 0 else { throw unreachable(HTTPClient.Failure(.timeout, "It is too slow.")) }
    var request = request
    request.timeout = rest
    do {
      return try send(request)
    } catch {
      throw unreachable(error)
    }
  }

  private func unreachable(_ cause: any Error) -> LibraryError {
    LibraryError(
      .unreachable, "\(options.name) can't be asked at the moment. Try again later.", cause: cause)
  }

  private func refused(_ cause: OpenID.Refusal) -> LibraryError {
    LibraryError(
      .wrongCredentials, "What \(options.name) sent was refused. Try again.", cause: cause)
  }

  /// The kind of an error in an answer of the provider (RFC 6749, section 5.2), which is not a text of a
  /// person.
  private static func error(in response: HTTPClient.Response) -> String {
    struct Problem: Decodable { let error: String }
    let problem = try? JSONDecoder().decode(Problem.self, from: Data(response.body))
    return String(
      (problem?.error ?? "").filter { $0.isASCII && ($0.isLetter || $0 == "_") }.prefix(60))
  }

  private static func form(_ fields: [(name: String, value: String)]) -> String {
    fields.map { "\($0.name)=\(escaped($0.value))" }.joined(separator: "&")
  }

  /// A value in a query or a form (RFC 3986, section 2.3).
  private static func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        bytes.append(byte)
      default: bytes += Array("%\([byte].hexadecimal.uppercased())".utf8)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
