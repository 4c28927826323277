// A provider of OpenID Connect in software, which answers requests without a network as its standard says.

import FoundationEssentials
import HTTPClient
import Network
import Synchronization
import Testing

@testable import Server

/// A provider with one client. Each part of what it returns can be changed.
final class SoftwareProvider: Sendable {
  static let issuer = "https://id.school.example"

  struct State {
    /// Whether it answers at all, and with which status.
    var isReachable = true
    var status = 200
    var issuer = SoftwareProvider.issuer
    var metadata: [String: JSONText] = [
      "authorization_endpoint": .text("\(SoftwareProvider.issuer)/authorize?tenant=dance"),
      "token_endpoint": .text("\(SoftwareProvider.issuer)/token"),
      "jwks_uri": .text("\(SoftwareProvider.issuer)/keys"),
      "userinfo_endpoint": .text("\(SoftwareProvider.issuer)/me"),
    ]
    /// The fields of its keys besides the numbers.
    var keyFields: [String: String] = ["kid": "1", "use": "sig"]
    var head: [String: JSONText] = ["kid": .text("1")]
    /// What of the claims is not as it should be; nil leaves one out.
    var claims: [String: JSONText?] = [:]
    var userInfo: [String: JSONText] = [:]
    /// What is done to a finished token.
    var damage: @Sendable (String) -> String = { $0 }
    /// The redirect, challenge and nonce of each code that was not taken yet.
    var codes: [String: (redirect: String, challenge: String, nonce: String)] = [:]
    /// The paths that were asked for.
    var asked: [String] = []
    /// The last token request.
    var tokenRequest: HTTPClient.Request?
  }

  /// JSON that is not a text only.
  enum JSONText {
    case text(String)
    case raw(String)

    var json: String {
      switch self {
      case .text(let text): "\"\(text)\""
      case .raw(let raw): raw
      }
    }
  }

  private let state = Mutex(State())
  private let keys: Mutex<SoftwareKey>
  private let now: @Sendable () -> Int

  init(_ kind: SoftwareKey.Kind = .es256, now: @escaping @Sendable () -> Int) {
    keys = Mutex(SoftwareKey(kind))
    self.now = now
  }

  func options(
    addsPeople: Bool = false, secret: String? = "s e:cret"
  ) throws -> OpenIDOptions {
    var options = try #require(
      OpenIDOptions(
        issuer: Self.issuer, name: "Dance School", client: "studio", secret: secret,
        addsPeople: addsPeople))
    options.send = { [self] in try answer($0) }
    return options
  }

  /// Its state now.
  var current: State { state.withLock(\.self) }

  func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

  /// Changes the key with which it signs.
  func changeKey(to kind: SoftwareKey.Kind, id: String, rsaBits: UInt32 = 2_048) {
    keys.withLock { $0 = SoftwareKey(kind, rsaBits: rsaBits) }
    change {
      $0.keyFields["kid"] = id
      $0.head["kid"] = .text(id)
    }
  }

  /// Somebody signs in at the page with this address: returns what the browser brings back.
  func signIn(at address: String) throws -> (code: String, state: String) {
    let parts = address.split(separator: "?", maxSplits: 1)
    #expect(parts.first.map(String.init) == Self.issuer + "/authorize")
    let query = Self.fields(String(parts.last ?? ""))
    #expect(query["tenant"] == "dance")
    #expect(query["response_type"] == "code" && query["client_id"] == "studio")
    #expect(query["scope"] == "openid profile" && query["code_challenge_method"] == "S256")
    let code = Token().text
    let asked = (
      redirect: try #require(query["redirect_uri"]),
      challenge: try #require(query["code_challenge"]), nonce: try #require(query["nonce"])
    )
    state.withLock { $0.codes[code] = asked }
    return (code, try #require(query["state"]))
  }

  private func answer(_ request: HTTPClient.Request) throws -> HTTPClient.Response {
    let path = String(request.url.dropFirst(Self.issuer.count))
    let current = state.withLock { state in
      state.asked.append(path)
      if path == "/token" { state.tokenRequest = request }
      return state
    }
    guard current.isReachable else { throw HTTPClient.Failure(.failed, "no route") }
    guard current.status == 200 else { return HTTPClient.Response(status: current.status) }
    switch path {
    case "/.well-known/openid-configuration":
      return json(current.metadata.merging(["issuer": .text(current.issuer)]) { $1 })
    case "/keys":
      let key = keys.withLock { $0.webKey }.merging(current.keyFields) { $1 }
      let text = Self.object(key.mapValues(JSONText.text))
      return json(["keys": .raw("[{\"kty\":\"odd\"},7,\(text)]")])
    case "/token": return try token(request, current)
    case "/me": return json(current.userInfo)
    default: return HTTPClient.Response(status: 404)
    }
  }

  /// Exchanges a code, which can be done once.
  private func token(
    _ request: HTTPClient.Request, _ current: State
  ) throws -> HTTPClient.Response {
    let form = Self.fields(String(decoding: request.body ?? [], as: UTF8.self))
    let code = form["code"] ?? ""
    guard let asked = state.withLock({ $0.codes.removeValue(forKey: code) }),
      form["grant_type"] == "authorization_code", form["redirect_uri"] == asked.redirect,
      Token.codeChallenge(of: form["code_verifier"] ?? "") == asked.challenge
    else {
      return HTTPClient.Response(
        status: 400, body: Array("{\"error\":\"invalid_grant\"}".utf8))
    }
    let seconds = now() / 1_000
    var claims: [String: JSONText] = [
      "iss": .text(current.issuer), "sub": .text("248289761001"), "aud": .text("studio"),
      "exp": .raw("\(seconds + 300)"), "iat": .raw("\(seconds)"), "nonce": .text(asked.nonce),
      "name": .text("Ana Lima"), "preferred_username": .text("ana"),
    ]
    for (name, value) in current.claims { claims[name] = value }
    let key = keys.withLock { $0 }
    let head = current.head.merging(["alg": .text(key.kind.name)]) { first, _ in first }
    let signed =
      Self.encoded(Self.object(head)) + "." + Self.encoded(Self.object(claims))
    let signature = SoftwareKey.base64url(key.signToken(Array(signed.utf8)))
    return json([
      "access_token": .text("access"), "token_type": .text("Bearer"),
      "id_token": .text(current.damage(signed + "." + signature)),
    ])
  }

  private func json(_ fields: [String: JSONText]) -> HTTPClient.Response {
    HTTPClient.Response(
      status: 200, headers: ["content-type": "application/json;charset=UTF-8"],
      body: Array(Self.object(fields).utf8))
  }

  private static func object(_ fields: [String: JSONText]) -> String {
    "{" + fields.map { "\"\($0.key)\":\($0.value.json)" }.joined(separator: ",") + "}"
  }

  private static func encoded(_ text: String) -> String { SoftwareKey.base64url(Array(text.utf8)) }

  /// The fields of a query or a form.
  static func fields(_ text: String) -> [String: String] {
    var fields: [String: String] = [:]
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      fields[String(parts[0])] = parts.count == 2 ? decoded(parts[1]) : ""
    }
    return fields
  }

  private static func decoded(_ text: Substring) -> String {
    let pieces = text.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
    var bytes = Array(pieces[0])
    for piece in pieces.dropFirst() {
      bytes.append(UInt8(Substring(piece.prefix(2)), radix: 16) ?? 0)
      bytes += piece.dropFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
