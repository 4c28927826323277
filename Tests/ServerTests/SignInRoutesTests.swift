// Signing in by passwords and passkeys over HTTP.

import FoundationEssentials
import HTTPTesting
import Model
import TestSupport
import Testing

@testable import Database
@testable import HTTP
@testable import Server

@Suite struct SignInRoutesTests {
  private let clock = TestClock(Library.now())
  private let studio: TestStudio
  /// Behind a proxy, so that it is reached by a name.
  private let client: ListenerClient
  private let loopback: ListenerClient
  private let ana: String
  /// The token of Ana's phone.
  private let phone: String

  init() throws {
    studio = try TestStudio(now: clock.now)
    client = ListenerClient(.proxied, of: studio)
    loopback = ListenerClient(.loopback, of: studio)
    ana =
      try studio.library.people.add(name: "Ana", colour: "#248f36", now: Library.now()).id
    phone = try client.pair("Phone", of: ana).token
  }

  private static let words = "correct horse battery"

  private func send(
    _ method: HTTP.Method, _ target: String, _ json: String? = nil, token: String? = nil,
    from peer: String = "192.168.1.77"
  ) -> Response {
    client.send(method, target, token: token, json: json, peer: peer)
  }

  private func setPassword(
    _ password: String = words, login: String = "Ana", more: String = "", token: String? = nil,
    of person: String? = nil
  ) -> Response {
    send(
      .put, "/api/people/\(person ?? ana)/password",
      "{\"login\":\"\(login)\",\"password\":\"\(password)\"\(more)}", token: token ?? phone)
  }

  private func signIn(
    _ password: String = words, login: String = "ana", stays: Bool = true,
    token: String? = nil, from peer: String = "192.168.1.77"
  ) -> Response {
    send(
      .post, "/api/sign-in/password",
      "{\"login\":\"\(login)\",\"password\":\"\(password)\",\"name\":\"Laptop\",\"stays\":\(stays)}",
      token: token, from: peer)
  }

  /// Whether anybody can sign in by a password, and by a passkey.
  private func ways() throws -> [Bool] {
    struct Ways: Decodable { let password, passkey: Bool }
    let ways = try JSONDecoder().decode(
      Ways.self, from: Data(send(.get, "/api/sign-in").content))
    return [ways.password, ways.passkey]
  }

  /// The token in the cookie that an answer sets.
  private func token(_ answer: Response) -> String? {
    answer.headers["Set-Cookie"]?.split(separator: ";").first?.split(separator: "=").last
      .map(String.init)
  }

  private func session(_ token: String?) -> JSONValue? {
    send(.get, "/api/session", token: token).json
  }

  // MARK: - Passwords

  @Test func `who has a password signs in at any browser, as a device of their own`() throws {
    #expect(try ways() == [false, false])
    #expect(setPassword().status == 204)
    #expect(try ways() == [true, false])
    let answer = signIn(login: "  ANA ")
    #expect(answer.status == 201)
    #expect(session(token(answer))?["person"]?["id"]?.string == ana)
    #expect(session(token(answer))?["role"] == "person")
    #expect(
      studio.library.devices.all.filter { $0.person == ana }.map(\.name) == ["Phone", "Laptop"])
    let listed = send(.get, "/api/people/\(ana)/credentials", token: phone)
    #expect(listed.json == ["login": "ana", "passkeys": [], "accounts": []])
    #expect(!listed.text.contains("$y$"))
    #expect(!studio.log.all.contains { $0.contains(Self.words) })
  }

  @Test func `a wrong name and a wrong password get the same answer`() {
    #expect(setPassword().status == 204)
    let (name, password) = (signIn(login: "bea"), signIn("wrong horse battery"))
    #expect(name.status == 403 && name.json?["code"] == "credentials")
    #expect(name.text == password.text)
    #expect(token(name) == nil)
    #expect(signIn("").status == 403)
    #expect(signIn(String(repeating: "x", count: 4_000)).status == 403)
    #expect(studio.log.all.count { $0.contains("signIn.refused") } == 4)
  }

  @Test func `guesses are limited by address and by name`() {
    #expect(setPassword().status == 204)
    for _ in 0..<10 { #expect(signIn("a wrong one").status == 403) }
    #expect(signIn().status == 429)
    #expect(signIn(from: "192.168.1.78").status == 201)
    for guess in 0..<5 {
      #expect(signIn("a wrong one", from: "192.168.2.\(guess)").status == 403)
    }
    let late = signIn(from: "192.168.3.1")
    #expect(late.status == 429 && late.headers["Retry-After"] == "600")
    clock.advance(600_000)
    #expect(signIn(from: "192.168.3.1").status == 201)
    // A right one is not counted.
    for _ in 0..<40 { #expect(signIn().status == 201) }
  }

  @Test func `an easy password is refused, and what is no name`() {
    for easy in [
      "", "short", "elevenchars", "aaaaaaaaaaaaaaaa", "ananana ana ana", "123456789012345",
      "segmance segmance", "password1234", "abcdefghijklmnop",
      String(repeating: "x y!z9", count: 30),
    ] {
      #expect(setPassword(easy).status == 422, "\(easy)")
    }
    for login in ["", "  ", String(repeating: "x", count: 61)] {
      #expect(setPassword(login: login).status == 422, "\(login)")
    }
    #expect(send(.get, "/api/sign-in").text.contains("\"password\":false"))
    #expect(setPassword("пять слов на ключ 🗝", login: "Ана").status == 204)
    #expect(signIn("пять слов на ключ 🗝", login: "ана").status == 201)
  }

  @Test func `a password is changed with the current one, and can sign out all others`() throws {
    #expect(setPassword().status == 204)
    let laptop = try #require(token(signIn()))
    let new = "another horse, battery"
    #expect(setPassword(new).status == 403)
    #expect(setPassword(new, more: ",\"current\":\"wrong horse\"").status == 403)
    #expect(signIn().status == 201)
    let change = setPassword(
      new, login: "anna", more: ",\"current\":\"\(Self.words)\",\"signOutOthers\":true")
    #expect(change.status == 204)
    #expect(session(laptop)?["role"] == "stranger")
    #expect(session(phone)?["role"] == "person")
    #expect(signIn().status == 403)
    #expect(signIn(new, login: "anna").status == 201)
  }

  @Test func `each person sets their own password, with a name of their own`() throws {
    let ben = try studio.library.people.add(name: "Ben", colour: "#248f36", now: Library.now()).id
    let other = try client.pair("Other", of: ben).token
    #expect(setPassword(token: other).status == 403)
    #expect(send(.get, "/api/people/\(ana)/credentials", token: other).status == 403)
    #expect(send(.delete, "/api/people/\(ana)/password", token: other).status == 403)
    #expect(setPassword().status == 204)
    #expect(setPassword(token: other, of: ben).status == 409)
    #expect(setPassword(login: "ben", token: other, of: ben).status == 204)
    // Not even the owner sets somebody else's, but takes it away.
    let owner = try client.pair("Owner's").token
    #expect(setPassword(token: owner).status == 403)
    #expect(send(.delete, "/api/people/\(ana)/password", token: owner).status == 204)
    #expect(signIn().status == 403)
    #expect(signIn(login: "ben").status == 201)
    #expect(setPassword(login: "ben", token: owner, of: Person.owner).status == 409)
    #expect(setPassword(login: "me", token: owner, of: Person.owner).status == 204)
    #expect(session(token(signIn(login: "me")))?["role"] == "device")
  }

  @Test func `who does not stay is let in for twelve hours`() throws {
    #expect(setPassword().status == 204)
    let answer = signIn(stays: false)
    let token = try #require(self.token(answer))
    let seconds = try #require(
      answer.headers["Set-Cookie"]?.split(separator: "Max-Age=").last?.split(separator: ";").first
        .flatMap { Int($0) })
    #expect((43_190...43_200).contains(seconds))
    struct Session: Decodable {
      struct Device: Decodable { let endsAt: Int }
      let device: Device
    }
    let ends = try JSONDecoder().decode(
      Session.self, from: Data(send(.get, "/api/session", token: token).content)
    ).device.endsAt
    #expect(ends == clock.now() + 43_200_000)
    let devices = studio.library.devices
    let id = try #require(devices.all.last?.id)
    #expect(devices.find(token: token, now: ends - 1) == id)
    #expect(devices.find(token: token, now: ends) == nil)
    #expect(!devices.isPaired(id, now: ends))
    #expect(devices.ended(now: ends) == [id])
    // It is kept over a restart.
    let stored = try DeviceStore(database: studio.library.database).all().last
    #expect(stored?.endsAt == ends)
  }

  @Test func `a browser that signs in again keeps one place in the list`() throws {
    #expect(setPassword().status == 204)
    let first = try #require(token(signIn()))
    let second = try #require(token(signIn(token: first)))
    #expect(session(first)?["role"] == "stranger")
    #expect(session(second)?["role"] == "person")
    #expect(studio.library.devices.all.count { $0.person == ana } == 2)
    let owner = loopback.send(
      .post, "/api/sign-in/password",
      json: "{\"login\":\"ana\",\"password\":\"\(Self.words)\",\"name\":\"x\",\"stays\":true}",
      peer: "127.0.0.1")
    #expect(owner.status == 409)
  }

  @Test func `with a person go their password and passkeys`() throws {
    #expect(setPassword().status == 204)
    _ = try addPasskey(SoftwareAuthenticator())
    let laptop = try #require(token(signIn()))
    try studio.library.remove(person: ana)
    #expect(session(laptop)?["role"] == "stranger")
    #expect(signIn().status == 403)
    #expect(try ways() == [false, false])
  }

  @Test func `a device of somebody who is not there is a stranger's`() throws {
    let ghost = try client.pair("Ghost", of: Identifier.make(milliseconds: 1)).token
    #expect(session(ghost)?["role"] == "stranger")
    #expect(send(.get, "/api/devices", token: ghost).status == 401)
  }

  // MARK: - Passkeys

  private func challenge(_ path: String, token: String? = nil) throws -> String {
    try #require(send(.post, path, token: token).json?["challenge"]?.string)
  }

  private func add(_ authenticator: SoftwareAuthenticator, _ challenge: String) -> Response {
    send(
      .post, "/api/people/\(ana)/passkeys",
      "{\"passkey\":\(authenticator.create(challenge)),\"challenge\":\"\(challenge)\",\"name\":\"Key\"}",
      token: phone)
  }

  private func addPasskey(_ authenticator: SoftwareAuthenticator) throws -> Response {
    add(authenticator, try challenge("/api/people/\(ana)/passkeys/challenge", token: phone))
  }

  private func enter(_ passkey: String) -> Response {
    send(
      .post, "/api/sign-in/passkey",
      "{\"passkey\":\(passkey),\"name\":\"Tablet\",\"stays\":true}")
  }

  @Test(arguments: SoftwareKey.Kind.ofPasskeys)
  func `a passkey of each kind lets its person in`(_ kind: SoftwareKey.Kind) throws {
    let authenticator = SoftwareAuthenticator(kind)
    let added = try addPasskey(authenticator)
    #expect(added.status == 201, "\(added.text)")
    #expect(try ways() == [false, true])
    for _ in 0..<2 {
      let answer = enter(authenticator.sign(try challenge("/api/sign-in/challenge")))
      #expect(answer.status == 201, "\(answer.text)")
      #expect(session(token(answer))?["person"]?["id"]?.string == ana)
    }
    let id = try #require(added.json?["id"]?.string)
    let listed = send(.get, "/api/people/\(ana)/credentials", token: phone)
    #expect(listed.text.contains("\"lastUsedAt\":"))
    #expect(send(.delete, "/api/people/\(ana)/passkeys/\(id)", token: phone).status == 204)
    #expect(send(.delete, "/api/people/\(ana)/passkeys/\(id)", token: phone).status == 404)
    #expect(enter(authenticator.sign(try challenge("/api/sign-in/challenge"))).status == 403)
  }

  @Test func `a signature counts once, for its challenge, and within five minutes`() throws {
    let authenticator = SoftwareAuthenticator()
    #expect(try addPasskey(authenticator).status == 201)
    let first = authenticator.sign(try challenge("/api/sign-in/challenge"))
    #expect(enter(first).status == 201)
    #expect(enter(first).status == 403)
    let late = authenticator.sign(try challenge("/api/sign-in/challenge"))
    clock.advance(5 * 60_000 + 1)
    #expect(enter(late).status == 403)
    let toAdd = try challenge("/api/people/\(ana)/passkeys/challenge", token: phone)
    #expect(enter(authenticator.sign(toAdd)).status == 403)
    #expect(enter(authenticator.sign("bm9uZQ")).status == 403)
    // One that was made to sign in adds nothing, nor does one for another person.
    let toSignIn = try challenge("/api/sign-in/challenge")
    #expect(add(SoftwareAuthenticator(), toSignIn).status == 409)
  }

  @Test func `a challenge outlasts a restart, and so does its answer`() throws {
    func challenges() -> SignInChallenges {
      SignInChallenges(store: SecretStore(database: studio.library.database), now: clock.now)
    }
    let challenge = try challenges().make(for: "x")
    #expect(try !challenges().take(challenge, for: "y"))
    #expect(try challenges().take(challenge, for: "x"))
    #expect(try !challenges().take(challenge, for: "x"))
  }

  @Test func `what was signed elsewhere, or without the person, is refused`() throws {
    let authenticator = SoftwareAuthenticator()
    authenticator.counter = 7
    #expect(try addPasskey(authenticator).status == 201)
    func refused(_ reason: String, _ change: (SoftwareAuthenticator) -> Void) throws {
      let before = (
        authenticator.origin, authenticator.host, authenticator.flags, authenticator.counter,
        authenticator.id
      )
      authenticator.counter += 1
      change(authenticator)
      let answer = enter(authenticator.sign(try self.challenge("/api/sign-in/challenge")))
      #expect(answer.status == 403, "\(reason)")
      let isLogged = studio.log.all.last?.contains(reason) == true
      #expect(isLogged, "\(reason): \(studio.log.all.last ?? "")")
      (
        authenticator.origin, authenticator.host, authenticator.flags, authenticator.counter,
        authenticator.id
      ) = before
      authenticator.crossOrigin = false
      clock.advance(60_000)
    }
    try refused("asked for by") { $0.origin = "https://studio.example.evil" }
    try refused("another site's") { $0.host = "evil.example" }
    try refused("nobody was present") { $0.flags = 4 }
    try refused("was not verified") { $0.flags = 1 }
    try refused("within another site's page") { $0.crossOrigin = true }
    try refused("was copied") { $0.counter = 7 }
    try refused("signIn.refused") { $0.id = [1, 2, 3] }
    let other = SoftwareAuthenticator()
    other.id = authenticator.id
    other.counter = 9
    #expect(enter(other.sign(try challenge("/api/sign-in/challenge"))).status == 403)
    #expect(studio.log.all.last?.contains("the signature is wrong") == true)
    let challenge = try self.challenge("/api/sign-in/challenge")
    #expect(enter(authenticator.sign(challenge, type: "webauthn.create")).status == 403)
    #expect(studio.log.all.last?.contains("for another purpose") == true)
    authenticator.counter = 8
    #expect(enter(authenticator.sign(try self.challenge("/api/sign-in/challenge"))).status == 201)
  }

  @Test func `a passkey is added once, whole, and up to twenty of them`() throws {
    let first = SoftwareAuthenticator()
    #expect(try addPasskey(first).status == 201)
    #expect(try addPasskey(first).status == 409)
    let other = SoftwareAuthenticator()
    other.host = "evil.example"
    #expect(try addPasskey(other).status == 422)
    let made = SoftwareAuthenticator().create(
      try challenge("/api/people/\(ana)/passkeys/challenge", token: phone))
    for (from, to) in [
      ("\"algorithm\":-7", "\"algorithm\":-257"), ("\"algorithm\":-7", "\"algorithm\":5"),
      ("\"publicKey\":\"", "\"publicKey\":\"AAAA"), ("\"id\":\"", "\"id\":\"AAAA"),
      ("\"authenticatorData\":\"", "\"authenticatorData\":\"?"),
      ("\"clientDataJSON\":\"", "\"clientDataJSON\":\"AAAA"),
    ] {
      let challenge = try self.challenge("/api/people/\(ana)/passkeys/challenge", token: phone)
      let damaged = SoftwareAuthenticator().create(challenge).replacing(from, with: to)
      #expect(damaged != made)
      let answer = send(
        .post, "/api/people/\(ana)/passkeys",
        "{\"passkey\":\(damaged),\"challenge\":\"\(challenge)\",\"name\":\"Key\"}", token: phone)
      #expect(answer.status == 422, "\(to)")
    }
    for _ in 1..<SignIn.passkeyLimit {
      #expect(try addPasskey(SoftwareAuthenticator()).status == 201)
    }
    #expect(try addPasskey(SoftwareAuthenticator()).status == 409)
  }

  @Test(arguments: ["192.168.1.20:7743", "localhost:7700", "[::1]:7700"])
  func `where there is no name there are no passkeys`(_ host: String) throws {
    let network = host.hasPrefix("192") ? ListenerClient(.network, of: studio) : loopback
    let answer = network.send(
      .post, "/api/sign-in/challenge", headers: [("Host", host), ("Origin", "http://\(host)")])
    #expect([403, 421, 422].contains(answer.status))
    #expect(answer.status != 422 || answer.text.contains("need a name"))
  }

  // MARK: - What is kept

  @Test func `damaged passwords and passkeys are found`() throws {
    let store = CredentialStore(database: studio.library.database)
    #expect(try store.problems() == [])
    try store.save(PasswordRow(person: ana, login: "ana", hash: "plain", changedAt: 1))
    try store.save(PasswordRow(person: "nobody", login: "x", hash: "$y$", changedAt: 1))
    try store.add(
      PasskeyRow(
        id: "x", person: "nobody", name: "x", site: "x", publicKey: "x", algorithm: -7, counter: 0,
        createdAt: 1))
    #expect(try store.problems().count == 3)
  }
}

extension String {
  fileprivate func replacing(_ text: String, with other: String) -> String {
    split(separator: text, maxSplits: 1, omittingEmptySubsequences: false).joined(separator: other)
  }
}
