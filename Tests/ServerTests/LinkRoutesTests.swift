// Links over HTTP: made, listed, opened, changed and revoked.

import FoundationEssentials
import HTTPTesting
import Model
import Network
import TestSupport
import Testing

@testable import Database
@testable import HTTP
@testable import Server

@Suite struct LinkRoutesTests {
  private let clock = TestClock()
  private let studio: TestStudio
  private let network: ListenerClient
  private let routine = Identifier.make(milliseconds: 1)
  private let part = Identifier.make(milliseconds: 2)

  init() throws {
    studio = try TestStudio(now: clock.now)
    network = ListenerClient(.network, of: studio)
    try studio.library.commit([
      Library.Edit(.routine, routine, ["title": "Swan"]),
      Library.Edit(.part, part, ["routine": .text(routine), "title": "Lake", "position": "V"]),
    ])
  }

  private static let day = 86_400_000

  private func make(passcode: String? = nil, days: Int = 7) throws -> LinkRow {
    try studio.makeLink(
      to: routine, expiresAt: clock.now() + days * Self.day, passcode: passcode)
  }

  private func json(_ answer: TestStudio.Answer) -> JSONValue? {
    Response.bytes(answer.body, contentType: "application/json").json
  }

  private func listed() -> [JSONValue] {
    guard case .array(let links) = json(studio.send(.get, "/api/links"))?["links"] else {
      return []
    }
    return links
  }

  @Test func `a link is made, listed with its address, and counted`() throws {
    let link = try make()
    #expect(listed().map { $0["id"] } == [.string(link.id)])
    #expect(listed()[0]["openings"] == 0)
    #expect(listed()[0]["hasPasscode"] == false)
    #expect(listed()[0]["address"] == .null, "no network")
    let device = try network.pair()
    let seen = network.send(.get, "/api/links", token: device.token).json?["links"]?[0]
    #expect(seen?["address"] == .string("https://studio.example/l/\(link.id)#\(link.secret)"))
    #expect(network.open(link.id, secret: link.secret).status == 200)
    #expect(listed()[0]["openings"] == 1)
    #expect(listed()[0]["lastOpenedAt"] == .integer(clock.now()))
    let other = studio.send(.get, "/api/links?routine=\(part)")
    #expect(other.text == "{\"links\":[]}")
    #expect(studio.send(.get, "/api/links?routine=\(routine)").text.contains(link.id))
    #expect(studio.send(.get, "/api/links?routine=x").status == 422)
  }

  @Test func `the code is a picture of the address`() throws {
    let link = try make()
    #expect(json(studio.send(.get, "/api/links/\(link.id)/code"))?["qr"] == .null)
    let token = try network.pair().token
    let code = network.send(.get, "/api/links/\(link.id)/code", token: token).json?["qr"]?.string
    #expect(code?.hasPrefix("<svg") == true)
    #expect(studio.send(.get, "/api/links/\(part)/code").status == 404)
  }

  @Test func `who opens a link gets its cookie, and no other`() throws {
    let link = try make()
    let opened = network.open(link.id, secret: link.secret)
    #expect(opened.json?["routine"] == .string(routine))
    #expect(opened.json?["part"] == nil)
    let cookie = try #require(opened.headers["Set-Cookie"])
    #expect(cookie.hasPrefix("__Host-segmance_link_\(link.id)_7743="))
    for attribute in ["Max-Age=604800", "Path=/", "Secure", "HttpOnly", "SameSite=Lax"] {
      #expect(cookie.contains("; \(attribute)"), "\(cookie)")
    }
    #expect(!cookie.contains(link.secret))
    let visitor = network.visit(link)
    let records = network.send(.get, "/api/links/\(link.id)/records", headers: visitor)
    #expect(records.status == 200)
    #expect(records.headers["X-Robots-Tag"] == "noindex, nofollow")
    #expect(network.send(.get, "/api/session", headers: visitor).json?["role"] == "stranger")
    #expect(network.send(.get, "/api/health", headers: visitor).text == "{\"status\":\"ok\"}")
  }

  @Test func `an opening counts once for a visitor, and never for those who are paired`() throws {
    let link = try make()
    let visitor = network.visit(link)
    #expect(network.open(link.id, secret: link.secret, headers: visitor).status == 200)
    let device = try network.pair()
    #expect(network.open(link.id, secret: link.secret, token: device.token).status == 200)
    let owner = ListenerClient(.loopback, of: studio)
    #expect(owner.open(link.id, secret: link.secret, peer: "127.0.0.1").status == 200)
    #expect(studio.library.links[link.id]?.openings == 1)
    #expect(network.open(link.id, secret: link.secret).status == 200)
    #expect(studio.library.links[link.id]?.openings == 2)
    try studio.library.links.save()
    let stored = try LinkStore(database: studio.library.database).all()
    #expect(stored.first?.openings == 2)
  }

  @Test func `a wrong secret and an unknown link look the same`() throws {
    let link = try make()
    let wrong = network.open(link.id, secret: String(repeating: "A", count: 43))
    let unknown = network.open(part, secret: link.secret)
    #expect(wrong.status == 404 && unknown.status == 404)
    #expect(wrong.text == unknown.text)
    #expect(studio.log.all.count { $0.contains("link.refused") } == 2)
    #expect(!studio.log.all.contains { $0.contains(link.secret) || $0.contains(part) })
    #expect(wrong.headers["Set-Cookie"] == nil)
  }

  @Test func `a passcode is asked for once, and missing and wrong ones have a code`() throws {
    let link = try make(passcode: "plié 🩰")
    for passcode in [nil, "", "plie", "plié 🩰 "] as [String?] {
      let answer = network.open(link.id, secret: link.secret, passcode: passcode)
      #expect(answer.status == 403)
      #expect(answer.json?["code"] == "passcode")
      #expect(answer.headers["Set-Cookie"] == nil)
    }
    #expect(network.send(.get, "/api/links/\(link.id)/records").status == 401)
    let opened = network.open(link.id, secret: link.secret, passcode: "plié 🩰")
    #expect(opened.status == 200)
    let cookie = String((opened.headers["Set-Cookie"] ?? "").prefix { $0 != ";" })
    // A visitor who is inside opens it again without the passcode.
    let again = network.open(link.id, secret: link.secret, headers: [("Cookie", cookie)])
    #expect(again.status == 200)
    #expect(listed()[0]["hasPasscode"] == true)
    #expect(studio.library.links[link.id]?.passcodeHash?.hasPrefix("$y$") == true)
  }

  @Test func `the token can't be had from the address`() throws {
    let link = try make(passcode: "secret")
    let token = Token.derive(from: link.secret, salt: link.salt)
    #expect(Token.hash(token) == link.tokenHash)
    let guesses = [
      link.secret, Token.hash(link.secret), link.tokenHash, link.salt,
      Token.derive(from: link.secret, salt: ""), Token.derive(from: link.secret, salt: link.id),
    ]
    for guess in guesses {
      let cookie = [("Cookie", "\(LinkCookie.prefix)\(link.id)=\(guess)")]
      #expect(network.send(.get, "/api/links/\(link.id)/records", headers: cookie).status == 401)
    }
    let cookie = [("Cookie", "\(LinkCookie.prefix)x=\(token)")]
    #expect(network.send(.get, "/api/links/\(link.id)/records", headers: cookie).status == 200)
  }

  @Test func `an address may be wrong ten times a minute`() throws {
    let link = try make()
    let wrong = String(repeating: "A", count: 43)
    for _ in 0..<10 { #expect(network.open(link.id, secret: wrong).status == 404) }
    let limited = network.open(link.id, secret: link.secret)
    #expect(limited.status == 429)
    #expect(limited.headers["Retry-After"] == "60")
    #expect(network.open(link.id, secret: link.secret, peer: "192.168.1.78").status == 200)
    clock.advance(60_000)
    #expect(network.open(link.id, secret: link.secret).status == 200)
  }

  @Test func `the addresses of one subscriber count as one`() throws {
    let link = try make()
    let wrong = String(repeating: "A", count: 43)
    for number in 0..<10 {
      #expect(network.open(link.id, secret: wrong, peer: "2001:db8::\(number)").status == 404)
    }
    #expect(network.open(link.id, secret: wrong, peer: "2001:db8::ffff").status == 429)
    #expect(network.open(link.id, secret: wrong, peer: "2001:db8:0:1::1").status == 404)
  }

  @Test func `passcodes guessed from many addresses are slowed down, and lock no visitor out`()
    throws
  {
    let link = try make(passcode: "right one")
    let opened = network.open(link.id, secret: link.secret, passcode: "right one")
    let cookie = String((opened.headers["Set-Cookie"] ?? "").prefix { $0 != ";" })
    for number in 0..<30 {
      let guess = network.open(
        link.id, secret: link.secret, passcode: "wrong", peer: "10.0.0.\(number)")
      #expect(guess.status == 403)
    }
    let limited = network.open(
      link.id, secret: link.secret, passcode: "right one", peer: "10.0.1.1")
    #expect(limited.status == 429)
    #expect(limited.headers["Retry-After"] == "600")
    let inside = network.open(link.id, secret: link.secret, headers: [("Cookie", cookie)])
    #expect(inside.status == 200)
    // Without the secret nobody gets as far as the passcode.
    clock.advance(600_000)
    for number in 0..<40 {
      _ = network.open(
        link.id, secret: String(repeating: "A", count: 43), passcode: "wrong",
        peer: "10.0.2.\(number)")
    }
    let right = network.open(
      link.id, secret: link.secret, passcode: "right one", peer: "10.0.1.1")
    #expect(right.status == 200)
  }

  @Test func `a link ends by the clock, and does not come back when that is set back`() throws {
    let link = try make(days: 1)
    let visitor = network.visit(link)
    let records = "/api/links/\(link.id)/records"
    clock.advance(Self.day - 1)
    #expect(network.send(.get, records, headers: visitor).status == 200)
    clock.advance(1)
    #expect(network.send(.get, records, headers: visitor).status == 401)
    #expect(network.open(link.id, secret: link.secret).status == 410)
    clock.advance(-Self.day / 2)
    #expect(network.send(.get, records, headers: visitor).status == 401)
    #expect(network.open(link.id, secret: link.secret).status == 410)
    // Nor after a restart.
    try studio.library.links.save()
    let links = try Links(store: LinkStore(database: studio.library.database), now: clock.now)
    #expect(!links.isValid(link.id))
    // Its maker can give it another end.
    let extended = studio.send(
      .patch, "/api/links/\(link.id)", headers: [("Content-Type", "application/json")],
      body: Array("{\"expiresAt\":\(clock.now() + Self.day)}".utf8))
    #expect(extended.status == 200)
    #expect(network.send(.get, records, headers: visitor).status == 200)
  }

  @Test func `a clock behind the time at which a link was made lets nobody in`() throws {
    let link = try make(days: 1)
    let visitor = network.visit(link)
    let records = "/api/links/\(link.id)/records"
    clock.advance(-1_000)
    #expect(network.send(.get, records, headers: visitor).status == 200, "a corrected clock")
    clock.advance(-Self.day)
    #expect(network.send(.get, records, headers: visitor).status == 401)
    clock.advance(Self.day)
    #expect(network.send(.get, records, headers: visitor).status == 200)
  }

  @Test func `a revoked link is gone for all`() throws {
    let (link, other) = (try make(), try make())
    let visitor = network.visit(link)
    #expect(studio.send(.delete, "/api/links/\(link.id)").status == 204)
    #expect(network.send(.get, "/api/links/\(link.id)/records", headers: visitor).status == 401)
    #expect(network.open(link.id, secret: link.secret).status == 404)
    #expect(studio.send(.get, "/api/links/\(link.id)/records").status == 404)
    #expect(studio.send(.delete, "/api/links/\(link.id)").status == 404)
    #expect(listed().map { $0["id"] } == [.string(other.id)])
    #expect(try LinkStore(database: studio.library.database).all().map(\.id) == [other.id])
  }

  @Test func `a link is revoked at once even when nothing can be written`() throws {
    let link = try make()
    let visitor = network.visit(link)
    studio.library.database.setReadOnly()
    #expect(studio.send(.delete, "/api/links/\(link.id)").status == 503)
    #expect(network.send(.get, "/api/links/\(link.id)/records", headers: visitor).status == 401)
    #expect(studio.library.links.unremoved == [link.id])
    studio.library.database.setReadOnly(false)
    try studio.library.links.save()
    #expect(try LinkStore(database: studio.library.database).all() == [])
  }

  @Test func `a link to what was deleted has ended, until that is undone`() throws {
    let link = try studio.makeLink(
      to: routine, part: part, expiresAt: clock.now() + Self.day)
    let visitor = network.visit(link)
    for (type, id) in [(RecordType.part, part), (.routine, routine)] {
      try studio.library.commit([Library.Edit(type, id, ["deletedAt": 1])])
      #expect(network.open(link.id, secret: link.secret).status == 410)
      #expect(network.send(.get, "/api/links/\(link.id)/records", headers: visitor).status == 410)
      try studio.library.commit([Library.Edit(type, id, ["deletedAt": .null])])
      #expect(network.open(link.id, secret: link.secret).status == 200)
    }
  }

  @Test func `records come once, and only when something of the link changed`() throws {
    let link = try make()
    let visitor = network.visit(link)
    let path = "/api/links/\(link.id)/records"
    let first = network.send(.get, path, headers: visitor)
    let etag = try #require(first.headers["ETag"])
    let known = visitor + [("If-None-Match", etag)]
    #expect(network.send(.get, path, headers: known).status == 304)
    try studio.library.commit([
      Library.Edit(.routine, Identifier.make(milliseconds: 9), ["title": "Otter"]),
      Library.Edit(.routine, routine, ["lastPractisedAt": 77]),
    ])
    #expect(network.send(.get, path, headers: known).status == 304, "nothing of the link changed")
    try studio.library.commit([Library.Edit(.part, part, ["title": "Storm"])])
    let changed = network.send(.get, path, headers: known)
    #expect(changed.status == 200)
    #expect(changed.text.contains("Storm"))
  }

  @Test func `links are refused that can't be`() throws {
    let later = clock.now() + Self.day
    func status(_ json: String) -> Int { studio.post("/api/links", json).status }
    func routine(_ more: String) -> String { "{\"routine\":\"\(self.routine)\",\(more)}" }
    #expect(status(routine("\"expiresAt\":\(later)")) == 201)
    for json in [
      "", "[]", "{}", "null", "{\"routine\":\"\(self.routine)\"}", routine("\"expiresAt\":\"x\""),
      routine("\"expiresAt\":1e99"), routine("\"expiresAt\":1.5"),
      routine("\"expiresAt\":\(later),\"passcode\":5"), "{\"routine\":7,\"expiresAt\":\(later)}",
    ] {
      #expect(status(json) == 400, "\(json)")
    }
    for more in [
      "\"expiresAt\":\(clock.now())", "\"expiresAt\":0", "\"expiresAt\":-9223372036854775808",
      "\"expiresAt\":9223372036854775807", "\"expiresAt\":\(clock.now() + 401 * Self.day)",
      "\"expiresAt\":\(later),\"passcode\":\"abc\"", "\"expiresAt\":\(later),\"passcode\":\"\"",
      "\"expiresAt\":\(later),\"passcode\":\"\(String(repeating: "x", count: 101))\"",
      "\"expiresAt\":\(later),\"startFrame\":0,\"endFrame\":5",
      "\"expiresAt\":\(later),\"part\":\"\(part)\",\"startFrame\":0",
      "\"expiresAt\":\(later),\"part\":\"\(part)\",\"endFrame\":5",
      "\"expiresAt\":\(later),\"part\":\"\(part)\",\"startFrame\":5,\"endFrame\":5",
      "\"expiresAt\":\(later),\"part\":\"\(part)\",\"startFrame\":-1,\"endFrame\":5",
      "\"expiresAt\":\(later),\"part\":\"\(part)\",\"startFrame\":0,\"endFrame\":999999999999",
    ] {
      #expect(status(routine(more)) == 422, "\(more)")
    }
    #expect(status("{\"routine\":\"\(part)\",\"expiresAt\":\(later)}") == 404)
    #expect(status("{\"routine\":\"../x\",\"expiresAt\":\(later)}") == 404)
    #expect(status(routine("\"expiresAt\":\(later),\"part\":\"\(self.routine)\"")) == 404)
    #expect(status(routine("\"expiresAt\":\(later),\"part\":\"' OR 1=1 --\"")) == 404)
    #expect(status(String(repeating: " ", count: 5_000)) == 413)
    #expect(listed().count == 1)
    for (json, expected) in [
      ("{}", 200), ("[]", 400), ("{\"expiresAt\":1}", 422), ("{\"expiresAt\":true}", 400),
      ("{\"expiresAt\":\(later + 1)}", 200),
    ] {
      let answer = studio.send(
        .patch, "/api/links/\(listed()[0]["id"]?.string ?? "")",
        headers: [("Content-Type", "application/json")], body: Array(json.utf8))
      #expect(answer.status == expected, "\(json)")
    }
    #expect(listed()[0]["expiresAt"] == .integer(later + 1))
  }

  @Test func `hostile openings are refused, and set no cookie`() throws {
    let link = try make(passcode: "secret")
    for json in [
      "", "{}", "[]", "{\"secret\":1}", "{\"secret\":null}", "{\"secret\":\"x\",\"passcode\":[]}",
    ] {
      let answer = network.send(.post, "/api/links/\(link.id)/open", json: json)
      #expect(answer.status == 400, "\(json)")
    }
    let long = String(repeating: "🩰", count: 500)
    for (secret, passcode, status) in [
      (long, "secret", 404), (link.secret + "\u{0}", "secret", 404), (link.secret, long, 403),
      (link.secret, "secret\u{0}", 403), (link.secret + " ", "secret", 404),
    ] {
      let answer = network.open(link.id, secret: secret, passcode: passcode)
      #expect(answer.status == status)
      #expect(answer.headers["Set-Cookie"] == nil)
    }
    let elsewhere = network.open(
      link.id, secret: link.secret, passcode: "secret",
      headers: [("Origin", "https://evil.example")])
    #expect(elsewhere.status == 403)
    let many = (0..<300).map { "\(LinkCookie.prefix)\($0)=\(Token().text)" }
    #expect(
      network.send(
        .get, "/api/links/\(link.id)/records", headers: [("Cookie", many.joined(separator: "; "))]
      ).status == 401)
  }

  @Test func `a routine has at most so many links`() throws {
    let rows = (0..<Links.limit).map { number in
      LinkRow(
        id: Identifier.make(milliseconds: number), secret: Token().text, salt: Token().text,
        tokenHash: Token().text, passcodeHash: nil, scope: LinkScope(routine: routine),
        frames: nil, createdAt: clock.now(), expiresAt: clock.now() + (number + 1) * 1_000)
    }
    try LinkStore(database: studio.library.database).save(rows)
    let links = try Links(store: LinkStore(database: studio.library.database), now: clock.now)
    func add(to routine: String) throws {
      _ = try links.add(
        LinkScope(routine: routine), frames: nil, expiresAt: clock.now() + 5_000_000,
        passcodeHash: nil)
    }
    #expect(throws: LibraryError.self) { try add(to: routine) }
    // Those of other routines, and other people's, are not fewer for that.
    try add(to: "another routine")
    // One has ended.
    clock.advance(1_000)
    try add(to: routine)
    #expect(throws: LibraryError.self) { try add(to: routine) }
  }

  @Test func `links that ended long ago are forgotten, and those of purged routines`() throws {
    let (short, long) = (try make(days: 1), try make(days: 100))
    clock.advance(30 * Self.day)
    try studio.library.cleaning.sweep()
    #expect(listed().count == 2)
    clock.advance(Self.day)
    #expect(listed().map { $0["id"] } == [.string(long.id)])
    try studio.library.links.purge { _ in true }
    #expect(studio.library.links[short.id] == nil)
    try studio.library.links.purge { try studio.library.records.exists($0) }
    #expect(studio.library.links[long.id] != nil)
    try studio.library.links.purge { _ in false }
    #expect(try LinkStore(database: studio.library.database).all() == [])
  }

  @Test func `robots are turned away`() {
    let robots = network.send(.get, "/robots.txt")
    #expect(robots.status == 200)
    #expect(robots.text == "User-agent: *\nDisallow: /\n")
    #expect(robots.headers["X-Robots-Tag"] == "noindex, nofollow")
  }
}
