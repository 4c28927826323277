// Signing in at a provider of OpenID Connect, and people's accounts there.

import FoundationEssentials
import HTTPTesting
import Model
import Network
import Synchronization
import TestSupport
import Testing

@testable import Database
@testable import HTTP
@testable import Server

@Suite struct AccountRoutesTests {
  private let clock = TestClock(Library.now())
  private let provider: SoftwareProvider

  init() { provider = SoftwareProvider(now: clock.now) }

  /// A studio, reached by a name, with Ana and her phone.
  private struct House {
    let studio: TestStudio
    let client: ListenerClient
    let ana: String
    let phone: String

    init(_ options: OpenIDOptions?, _ clock: TestClock, in folder: TemporaryFolder? = nil) throws {
      studio = try TestStudio(in: folder, openID: options, now: clock.now)
      client = ListenerClient(.proxied, of: studio)
      ana = try studio.library.people.add(name: "Ana", colour: "#248f36", now: Library.now()).id
      phone = try client.pair("Phone", of: ana).token
    }

    func send(
      _ method: HTTP.Method, _ target: String, _ json: String? = nil, token: String? = nil,
      cookie: String? = nil, headers: [(String, String)] = [], from peer: String = "192.168.1.77"
    ) -> Response {
      let cookies = [token.map { "\(DeviceCookie.plainName)=\($0)" }, cookie].compactMap(\.self)
      let all = headers + (cookies.isEmpty ? [] : [("Cookie", cookies.joined(separator: "; "))])
      return client.send(method, target, headers: all, json: json, peer: peer)
    }

    /// Begins to sign in, or with a token to add an account. Returns the provider's page and the cookie.
    func depart(_ token: String? = nil) throws -> (address: String, cookie: String) {
      let target =
        token == nil ? "/api/sign-in/provider/departure" : "/api/people/\(ana)/accounts/departure"
      let answer = send(.post, target, token: token)
      #expect(answer.status == 201)
      let set = try #require(answer.headers["Set-Cookie"])
      #expect(set.hasSuffix("Path=/; HttpOnly; SameSite=Lax; Secure"))
      return (
        try #require(answer.json?["address"]?.string),
        String(set.prefix { $0 != ";" })
      )
    }

    func enter(
      _ code: String, _ state: String, _ cookie: String?, more: String = "",
      stays: Bool = true, from peer: String = "192.168.1.77"
    ) -> Response {
      send(
        .post, "/api/sign-in/provider",
        "{\"code\":\"\(code)\",\"state\":\"\(state)\",\"name\":\"Laptop\",\"stays\":\(stays)\(more)}",
        cookie: cookie, from: peer)
    }

    func session(of answer: Response) -> JSONValue? {
      let token = answer.headers["Set-Cookie"]?.split(separator: ";").first?.split(separator: "=")
        .last.map(String.init)
      return send(.get, "/api/session", token: token).json
    }
  }

  private func house(addsPeople: Bool = false) throws -> House {
    try House(provider.options(addsPeople: addsPeople), clock)
  }

  /// Ana connects her account.
  private func connect(_ house: House) throws -> Response {
    let (address, cookie) = try house.depart(house.phone)
    let (code, state) = try provider.signIn(at: address)
    return house.send(
      .post, "/api/people/\(house.ana)/accounts", "{\"code\":\"\(code)\",\"state\":\"\(state)\"}",
      token: house.phone, cookie: cookie)
  }

  /// Somebody signs in.
  private func signIn(
    _ house: House, more: String = "", stays: Bool = true, from peer: String = "192.168.1.77"
  ) throws -> Response {
    let (address, cookie) = try house.depart()
    let (code, state) = try provider.signIn(at: address)
    return house.enter(code, state, cookie, more: more, stays: stays, from: peer)
  }

  // MARK: - The flow

  @Test func `who has connected an account signs in with it, as a device of their own`() throws {
    let house = try house()
    #expect(house.send(.get, "/api/sign-in").json?["provider"] == "Dance School")
    let made = try connect(house)
    #expect(made.status == 201)
    #expect(made.json?["name"] == "ana" && made.json?["issuer"]?.string == SoftwareProvider.issuer)
    let answer = try signIn(house)
    #expect(answer.status == 201)
    #expect(house.session(of: answer)?["person"]?["id"]?.string == house.ana)
    #expect(house.session(of: answer)?["role"] == "person")
    let listed = house.send(.get, "/api/people/\(house.ana)/credentials", token: house.phone)
    #expect(listed.json?["accounts"]?[0]?["lastUsedAt"] == .integer(clock.now()))
    #expect(!listed.text.contains("248289761001"))
    #expect(try signIn(house, stays: false).json?["endsAt"] == .integer(clock.now() + 43_200_000))
    // Connecting it once more changes nothing.
    #expect(try connect(house).json?["id"] == made.json?["id"])
  }

  @Test(arguments: SoftwareKey.Kind.allCases)
  func `each kind of signature is verified`(kind: SoftwareKey.Kind) throws {
    let house = try house(addsPeople: true)
    provider.changeKey(to: kind, id: "another")
    #expect(try signIn(house).status == 201)
    provider.change { $0.damage = { String($0.dropLast(8)) + "AAAAAAAA" } }
    #expect(try signIn(house).status == 403)
  }

  @Test func `who is not known is turned away, or becomes a person where the owner wants that`()
    throws
  {
    let strict = try house()
    let refused = try signIn(strict)
    #expect(refused.status == 403 && refused.json?["code"] == "account")
    #expect(strict.studio.library.people.all.count == 2)

    let open = try house(addsPeople: true)
    let answer = try signIn(open)
    #expect(answer.status == 201)
    #expect(open.session(of: answer)?["person"]?["name"] == "Ana Lima")
    #expect(open.studio.library.people.all.count == 3)
    #expect(open.session(of: try signIn(open))?["person"] == open.session(of: answer)?["person"])
    #expect(open.studio.library.people.all.count == 3)
    // Another account is another person, who may lack a name.
    provider.change {
      $0.claims = ["sub": .text("2"), "name": nil, "preferred_username": nil]
      $0.userInfo = ["sub": .text("2")]
    }
    #expect(open.session(of: try signIn(open))?["person"]?["name"] == "Dance School")
    #expect(open.studio.library.people.all.count == 4)
    // The new person can do nothing until somebody shares with them.
    #expect(open.send(.get, "/api/devices").status == 401)
  }

  @Test func `a name that the token lacks is asked for, of the same account only`() throws {
    let house = try house(addsPeople: true)
    provider.change {
      $0.claims = ["name": nil, "preferred_username": nil]
      $0.userInfo = ["sub": .text("248289761001"), "name": .text("Bea")]
    }
    #expect(house.session(of: try signIn(house))?["person"]?["name"] == "Bea")
    provider.change { $0.userInfo["sub"] = .text("another") }
    #expect(try signIn(house).status == 403)
  }

  @Test func `an account belongs to one person, who or the owner can remove it`() throws {
    let house = try house()
    let account = try #require(try connect(house).json?["id"]?.string)
    let bea = try house.studio.library.people.add(name: "Bea", colour: "#248f36", now: 0).id
    let tablet = try house.client.pair("Tablet", of: bea).token
    let begun = house.send(.post, "/api/people/\(bea)/accounts/departure", token: tablet)
    let cookie = try #require(begun.headers["Set-Cookie"]).prefix { $0 != ";" }
    let (code, state) = try provider.signIn(at: try #require(begun.json?["address"]?.string))
    let body = "{\"code\":\"\(code)\",\"state\":\"\(state)\"}"
    #expect(
      house.send(
        .post, "/api/people/\(bea)/accounts", body, token: tablet, cookie: String(cookie)
      ).status == 409)
    let path = "/api/people/\(house.ana)/accounts/\(account)"
    #expect(house.send(.delete, path, token: tablet).status == 403)
    #expect(
      house.send(.delete, "/api/people/\(bea)/accounts/\(account)", token: tablet).status == 404)
    #expect(house.send(.delete, path, token: house.phone).status == 204)
    #expect(house.send(.delete, path, token: house.phone).status == 404)
    #expect(try signIn(house).status == 403)
    #expect(try connect(house).status == 201)
    // With the person goes the account.
    try house.studio.library.remove(person: house.ana)
    #expect(try signIn(house).json?["code"] == "account")
  }

  @Test func `a person has at most ten accounts`() throws {
    let house = try house()
    for index in 0..<10 {
      provider.change { $0.claims["sub"] = .text("account \(index)") }
      #expect(try connect(house).status == 201)
    }
    provider.change { $0.claims["sub"] = .text("one more") }
    #expect(try connect(house).status == 409)
  }

  // MARK: - What ties the return to the departure

  @Test func `only the browser that departed can come back, once, in time, for the same purpose`()
    throws
  {
    let house = try house(addsPeople: true)
    let (address, cookie) = try house.depart()
    let (code, state) = try provider.signIn(at: address)
    #expect(house.enter(code, state, nil).status == 403)
    #expect(house.enter(code, state, "__Host-x=y").status == 403)
    let other = try house.depart()
    #expect(house.enter(code, state, other.cookie).status == 403)
    #expect(house.enter(code, state + "x", cookie).status == 403)
    // That attempt has used the departure up.
    #expect(house.enter(code, state, cookie).status == 403)

    // A sibling host can set a cookie, but none with the prefix.
    let tossed = try house.depart()
    let theirs = try provider.signIn(at: tossed.address)
    #expect(tossed.cookie.hasPrefix("__Host-segmance_departure="))
    let plain = String(tossed.cookie.dropFirst("__Host-".count))
    #expect(house.enter(theirs.code, theirs.state, plain).status == 403)

    let late = try house.depart()
    let back = try provider.signIn(at: late.address)
    clock.advance(SignInChallenges.life + 1)
    #expect(house.enter(back.code, back.state, late.cookie).status == 403)

    // What was begun to add an account signs nobody in, and the other way round.
    let adding = try house.depart(house.phone)
    let added = try provider.signIn(at: adding.address)
    #expect(house.enter(added.code, added.state, adding.cookie).status == 403)
    let entering = try house.depart()
    let entered = try provider.signIn(at: entering.address)
    #expect(
      house.send(
        .post, "/api/people/\(house.ana)/accounts",
        "{\"code\":\"\(entered.code)\",\"state\":\"\(entered.state)\"}", token: house.phone,
        cookie: entering.cookie
      ).status == 403)
    #expect(house.studio.library.people.all.count == 2)
    #expect(!provider.current.asked.contains("/token"))
  }

  @Test func `a code is exchanged with the proof, at the address that the browser was at`() throws {
    let house = try house(addsPeople: true)
    let (address, cookie) = try house.depart()
    #expect(
      SoftwareProvider.fields(address)["redirect_uri"] == "https://studio.example/sign-in")
    let (code, state) = try provider.signIn(at: address)
    #expect(house.enter("another", state, cookie).status == 403)
    #expect(house.studio.log.all.contains { $0.contains("400 invalid_grant") })
    #expect(try signIn(house).status == 201)
    let request = try #require(provider.current.tokenRequest)
    let header = request.headers.first { $0.name == "Authorization" }?.value
    #expect(header == "Basic " + Data("studio:s%20e%3Acret".utf8).base64EncodedString())
    #expect(!String(decoding: request.body ?? [], as: UTF8.self).contains("secret"))
    _ = code
  }

  @Test
  func `a provider that wants the secret in the body gets it there, a public client has none`()
    throws
  {
    provider.change {
      $0.metadata["token_endpoint_auth_methods_supported"] = .raw("[\"client_secret_post\"]")
    }
    let house = try house(addsPeople: true)
    #expect(try signIn(house).status == 201)
    func form() throws -> [String: String] {
      let request = try #require(provider.current.tokenRequest)
      #expect(!request.headers.contains { $0.name == "Authorization" })
      return SoftwareProvider.fields(String(decoding: request.body ?? [], as: UTF8.self))
    }
    #expect(try form()["client_secret"] == "s e:cret" && form()["client_id"] == "studio")
    let open = try House(provider.options(addsPeople: true, secret: nil), clock)
    #expect(try signIn(open).status == 201)
    #expect(try form()["client_secret"] == nil && form()["client_id"] == "studio")
  }

  @Test func `a departure needs the origin of the page`() throws {
    let house = try house()
    for headers in [
      [("Origin", "https://elsewhere.example"), ("Sec-Fetch-Site", "same-origin")],
      [("Origin", "https://studio.example:1"), ("Sec-Fetch-Site", "same-origin")],
    ] {
      let answer = house.send(.post, "/api/sign-in/provider/departure", headers: headers)
      #expect(answer.status == 400)
    }
  }

  // MARK: - What the provider sends

  @Test func `a token that is not right in any part is refused`() throws {
    let house = try house(addsPeople: true)
    let seconds = clock.now() / 1_000
    let wrong: [(String, [String: SoftwareProvider.JSONText?])] = [
      ("issuer", ["iss": .text("https://another.example")]), ("no issuer", ["iss": nil]),
      ("client", ["aud": .text("another")]), ("no client", ["aud": nil]),
      ("clients", ["aud": .raw("[\"another\",\"third\"]")]),
      ("one of two clients", ["aud": .raw("[\"studio\",\"another\"]")]),
      ("given to another", ["aud": .raw("[\"studio\"]"), "azp": .text("another")]),
      ("nonce", ["nonce": .text("another")]), ("no nonce", ["nonce": nil]),
      ("ended", ["exp": .raw("\(seconds - 121)")]), ("no end", ["exp": nil]),
      ("of the future", ["iat": .raw("\(seconds + 121)")]), ("no start", ["iat": nil]),
      ("no account", ["sub": nil]), ("an empty account", ["sub": .text("")]),
      ("a long account", ["sub": .text(String(repeating: "x", count: 256))]),
      ("a number as account", ["sub": .raw("7")]),
      ("a long token", ["name": .text(String(repeating: "x", count: 20_000))]),
    ]
    for (what, claims) in wrong {
      provider.change { $0.claims = claims }
      let answer = try signIn(house, from: "10.1.1.\(what.utf8.count)")
      #expect(answer.status == 403 && answer.json?["code"] == "credentials", "\(what)")
    }
    #expect(house.studio.library.people.all.count == 2)
    let right: [[String: SoftwareProvider.JSONText?]] = [
      [:], ["aud": .raw("[\"studio\"]")], ["exp": .raw("\(seconds - 119).5")],
      ["aud": .raw("[\"studio\",\"another\"]"), "azp": .text("studio")],
      ["name": .raw("null"), "preferred_username": .raw("null")],
    ]
    for claims in right {
      provider.change {
        $0.claims = claims
        $0.userInfo = ["sub": .text("248289761001")]
      }
      #expect(try signIn(house, from: "10.1.2.1").status == 201)
    }
    #expect(house.studio.library.people.all.count == 3)
    // The log says why, and holds nobody's name.
    #expect(house.studio.log.all.contains { $0.contains("the token answers another request") })
    #expect(!house.studio.log.all.contains { $0.contains("Ana Lima") })
  }

  @Test func `a token that is signed in any other way is refused`() throws {
    let house = try house(addsPeople: true)
    #expect(try signIn(house).status == 201)
    let heads: [[String: SoftwareProvider.JSONText]] = [
      ["alg": .text("none")], ["alg": .text("HS256")], ["alg": .text("RS256")],
      ["alg": .text("EdDSA")], ["crit": .raw("[\"exp\"]")], ["kid": .text("unknown")],
    ]
    for head in heads {
      provider.change { $0.head.merge(head) { $1 } }
      #expect(try signIn(house, from: "10.1.1.1").status == 403, "\(head)")
      provider.change { $0.head = ["kid": .text("1")] }
    }
    let damages: [@Sendable (String) -> String] = [
      { _ in "" }, { _ in "a.b" }, { $0 + ".x" }, { "x" + $0 },
      { $0.split(separator: ".").dropLast().joined(separator: ".") + "." },
      { token in
        // The claims of another token, with the signature of this one.
        let parts = token.split(separator: ".")
        let claims = "{\"sub\":\"1\"}"
        return "\(parts[0]).\(SoftwareKey.base64url(Array(claims.utf8))).\(parts[2])"
      },
    ]
    for (index, damage) in damages.enumerated() {
      provider.change { $0.damage = damage }
      #expect(try signIn(house, from: "10.1.3.\(index)").status == 403, "\(index)")
    }
  }

  @Test func `a key for another use, and a short one, are not taken`() throws {
    let house = try house(addsPeople: true)
    provider.change { $0.keyFields["use"] = "enc" }
    #expect(try signIn(house).status == 403)
    provider.change { $0.keyFields = ["kid": "1", "alg": "ES384"] }
    clock.advance(3_600_000)
    #expect(try signIn(house).status == 403)
    provider.changeKey(to: .rs256, id: "1", rsaBits: 1_024)
    provider.change { $0.keyFields = ["kid": "1"] }
    clock.advance(3_600_000)
    #expect(try signIn(house).status == 403)
    provider.changeKey(to: .rs256, id: "1")
    clock.advance(3_600_000)
    #expect(try signIn(house).status == 201)
  }

  @Test func `new keys are asked for when a token has one, but not for every token`() throws {
    let house = try house(addsPeople: true)
    #expect(try signIn(house).status == 201)
    provider.changeKey(to: .rs256, id: "2")
    clock.advance(60_000)
    #expect(try signIn(house).status == 201)
    func fetches() -> Int { provider.current.asked.count { $0 == "/keys" } }
    #expect(fetches() == 2)
    provider.change { $0.head["kid"] = .text("3") }
    for _ in 0..<5 { #expect(try signIn(house).status == 403) }
    #expect(fetches() == 2)
    clock.advance(60_000)
    #expect(try signIn(house).status == 403)
    #expect(fetches() == 3)
  }

  @Test func `a provider that doesn't answer, or lies about itself, is said so`() throws {
    let house = try house(addsPeople: true)
    func departure(_ address: String = "10.1.1.1") -> Response {
      house.send(.post, "/api/sign-in/provider/departure", from: address)
    }
    provider.change { $0.isReachable = false }
    #expect(departure().status == 502)
    #expect(departure().json?["detail"]?.string?.contains("Dance School can't be asked") == true)
    provider.change {
      $0.isReachable = true
      $0.status = 503
    }
    #expect(departure().status == 502)
    provider.change {
      $0.status = 200
      $0.issuer = "https://another.example"
    }
    #expect(departure().status == 502)
    let wrong: [(String, SoftwareProvider.JSONText)] = [
      ("token_endpoint", .text("http://id.school.example/token")),
      ("jwks_uri", .text("file:///etc/passwd")),
      ("authorization_endpoint", .text("javascript:alert(1)")),
      ("userinfo_endpoint", .text("https://a@b")),
      ("token_endpoint", .raw("7")), ("jwks_uri", .raw("null")),
    ]
    for (index, (name, value)) in wrong.enumerated() {
      let right = provider.current.metadata
      provider.change {
        $0.issuer = SoftwareProvider.issuer
        $0.metadata[name] = value
      }
      #expect(departure("10.1.2.\(index)").status == 502, "\(name)")
      provider.change { $0.metadata = right }
    }
    // With a slash at the end it is the same issuer, and tokens have to say it so.
    provider.change { $0.issuer = SoftwareProvider.issuer + "/" }
    #expect(try signIn(house).status == 201)
    // Where the answer names its sender (RFC 9207), it has to be that one.
    let mixed = try signIn(house, more: ",\"iss\":\"https://another.example\"")
    #expect(mixed.status == 403)
    #expect(try signIn(house, more: ",\"iss\":\"\(SoftwareProvider.issuer)/\"").status == 201)
    // It is lost in the middle.
    let (address, cookie) = try house.depart()
    let (code, state) = try provider.signIn(at: address)
    provider.change { $0.isReachable = false }
    #expect(house.enter(code, state, cookie).status == 502)
  }

  @Test func `attempts are limited by address, those that succeed are not counted`() throws {
    let house = try house(addsPeople: true)
    for _ in 0..<20 { #expect(try signIn(house).status == 201) }
    for _ in 0..<10 { #expect(house.enter("a", "b", nil).status == 403) }
    #expect(try signIn(house).status == 429)
    #expect(try signIn(house, from: "192.168.1.78").status == 201)
    clock.advance(60_000)
    #expect(try signIn(house).status == 201)
  }

  @Test func `a class that comes back at once uses up nothing, neither departures nor attempts`()
    throws
  {
    let house = try house(addsPeople: true)
    let departures = try (0..<12).map { _ in
      let (address, cookie) = try house.depart()
      return (try provider.signIn(at: address), cookie)
    }
    // As many as may ask at once are at the provider, which takes its time.
    let openID = try #require(house.studio.library.signIn.provider)
    for _ in 0..<OpenIDProvider.mostAtOnce {
      #expect(openID.requests.begin(limit: OpenIDProvider.mostAtOnce))
    }
    for (back, cookie) in departures {
      let answer = house.enter(back.code, back.state, cookie)
      #expect(answer.status == 503 && answer.headers["Retry-After"] == "2")
    }
    for _ in 0..<OpenIDProvider.mostAtOnce { openID.requests.end() }
    for (back, cookie) in departures {
      #expect(house.enter(back.code, back.state, cookie).status == 201)
    }
  }

  @Test func `a provider that is away costs nobody an attempt`() throws {
    let house = try house(addsPeople: true)
    for _ in 0..<12 {
      let (address, cookie) = try house.depart()
      let (code, state) = try provider.signIn(at: address)
      provider.change { $0.isReachable = false }
      #expect(house.enter(code, state, cookie).status == 502)
      provider.change { $0.isReachable = true }
    }
    #expect(try signIn(house).status == 201)
  }

  @Test func `all that is asked of a slow provider for one answer takes fifteen seconds at most`()
    throws
  {
    let limits = Mutex<[Int?]>([])
    var options = try provider.options(addsPeople: true)
    let send = try #require(options.send)
    options.send = { [clock] request in
      limits.withLock { $0.append(request.timeout) }
      clock.advance(6_000)
      return try send(request)
    }
    let house = try House(options, clock)
    // What it says of itself, and its keys.
    let (address, cookie) = try house.depart()
    #expect(limits.withLock(\.self) == [15_000, 9_000])
    let (code, state) = try provider.signIn(at: address)
    // The token, its new key, and the name that it lacks.
    limits.withLock { $0 = [] }
    provider.change {
      $0.claims = ["name": nil, "preferred_username": nil]
      $0.userInfo = ["sub": .text("248289761001")]
    }
    clock.advance(60_000)
    provider.changeKey(to: .es256, id: "2")
    #expect(house.enter(code, state, cookie).status == 201)
    #expect(limits.withLock(\.self) == [15_000, 9_000, 3_000])
    options.send = { [clock] request in
      clock.advance(15_000)
      return try send(request)
    }
    let slowest = try House(options, clock)
    #expect(slowest.send(.post, "/api/sign-in/provider/departure").status == 502)
  }

  @Test func `a challenge for a passkey is no departure`() throws {
    let house = try house()
    let made = house.send(
      .post, "/api/people/\(house.ana)/passkeys/challenge", token: house.phone)
    let secret = try #require(made.json?["challenge"]?.string)
    let name = try house.depart(house.phone).cookie.prefix { $0 != "=" }
    let state = Token.derive(from: secret, salt: "state")
    #expect(
      house.send(
        .post, "/api/people/\(house.ana)/accounts", "{\"code\":\"a\",\"state\":\"\(state)\"}",
        token: house.phone, cookie: "\(name)=\(secret)"
      ).status == 403)
    #expect(!provider.current.asked.contains("/token"))
  }

  @Test func `without a provider nothing of it is there`() throws {
    let house = try House(nil, clock)
    #expect(house.send(.get, "/api/sign-in").json == ["password": false, "passkey": false])
    #expect(house.send(.post, "/api/sign-in/provider/departure").status == 404)
    #expect(house.enter("a", "b", nil).status == 404)
    #expect(
      house.send(.post, "/api/people/\(house.ana)/accounts/departure", token: house.phone).status
        == 404)
  }

  @Test func `the issuer must be https, or on this machine`() {
    func options(_ issuer: String, client: String = "studio") -> OpenIDOptions? {
      OpenIDOptions(issuer: issuer, name: nil, client: client, secret: nil, addsPeople: false)
    }
    #expect(
      options("https://id.example/realms/dance/")?.issuer == "https://id.example/realms/dance")
    #expect(options("https://id.example/realms/dance/")?.name == "id.example")
    #expect(options("http://localhost:8080")?.name == "localhost:8080")
    for wrong in [
      "", "https://", "http://id.example", "https://a@b", "https://a b", "https://a?x=y", "ftp://a",
      "http://localhost@a", "http://localhost.example", "https://a\\b", "https://ä.example",
    ] {
      #expect(options(wrong) == nil, "\(wrong)")
    }
    #expect(options("https://id.example", client: "") == nil)
  }
}
