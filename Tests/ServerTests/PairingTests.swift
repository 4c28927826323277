// Pairing codes: each works once, for five minutes.

import Dispatch
import FoundationEssentials
import Model
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Database
@testable import HTTP
@testable import Media
@testable import Server

@Suite struct PairingTests {
  private let studio: TestStudio
  private let clock = TestClock()
  private let client: ListenerClient

  init() throws {
    studio = try TestStudio()
    client = ListenerClient(.proxied, of: studio, now: clock.now)
  }

  /// Makes a code as the owner, or as the device with this token.
  private func code(by token: String? = nil) throws -> String {
    let key = ("Authorization", "Bearer \(client.network.ownerKey)")
    let answer = client.send(
      .post, "/api/pairings", token: token, headers: token == nil ? [key] : [], peer: "127.0.0.1")
    try #require(answer.status == 201)
    return try #require(answer.json?["token"]?.string)
  }

  private func claim(
    _ code: String, name: String = "Phone", token: String? = nil, peer: String = "192.168.1.77",
    forwardedFor: String? = nil
  ) -> Response {
    let headers = forwardedFor.map { [("X-Forwarded-For", $0)] } ?? []
    return client.send(
      .post, "/api/pairings/\(code)/claim", token: token, headers: headers,
      json: "{\"name\":\"\(name)\"}", peer: peer)
  }

  /// The token in a response's cookie.
  private func deviceToken(_ answer: Response) -> String? {
    answer.headers["Set-Cookie"]?.split(separator: ";").first?.split(separator: "=").last
      .map(String.init)
  }

  @Test func `a code pairs a device once`() throws {
    let code = try code()
    let answer = claim(code, name: " Léa’s phone 📱 ")
    #expect(answer.status == 201)
    #expect(answer.json?["name"] == "Léa’s phone 📱")
    let token = try #require(deviceToken(answer))
    let session = client.send(.get, "/api/session", token: token)
    #expect(session.json?["role"] == "device")
    #expect(session.json?["device"]?["name"] == "Léa’s phone 📱")
    let again = claim(code)
    #expect(again.status == 410)
    #expect(again.text.contains("has been used"))
    #expect(studio.library.devices.all.count == 1)
  }

  @Test func `a code outlasts a restart, and so does its use`() throws {
    let code = try code()
    let later = ListenerClient(.proxied, of: studio, now: clock.now)
    let claim = "{\"name\":\"Phone\"}"
    let path = "/api/pairings/\(code)"
    #expect(later.send(.get, path).json == [:])
    #expect(later.send(.post, "\(path)/claim", json: claim).status == 201)
    let last = ListenerClient(.proxied, of: studio, now: clock.now)
    #expect(last.send(.get, path).status == 410)
    #expect(last.send(.post, "\(path)/claim", json: claim).status == 410)
  }

  @Test func `of the unused codes of one maker the latest twenty are good`() throws {
    let phone = try client.pair("Phone")
    let others = try code(by: phone.token)
    var codes: [String] = []
    for _ in 0..<21 {
      codes.append(try code())
      clock.advance(1)
    }
    #expect(claim(codes[0]).status == 404)
    #expect(claim(codes[1]).status == 201)
    #expect(claim(codes[20]).status == 201)
    #expect(claim(others).status == 201)
  }

  @Test func `two servers on one machine do not replace each other's cookies`() throws {
    let own = try #require(deviceToken(claim(try code())))
    let foreign = String(repeating: "x", count: 43)
    let client = ListenerClient(.network, of: studio)
    func role(_ cookies: String) -> Response {
      client.send(.get, "/api/session", headers: [("Cookie", cookies)])
    }
    let name = DeviceCookie.plainName
    // The cookies of a browser that is also paired with another studio on this host.
    let both = role("\(name)=\(foreign); \(name)_7744=\(foreign); \(name)_7743=\(own)")
    #expect(both.json?["role"] == "device")
    #expect(both.headers["Set-Cookie"]?.hasPrefix("\(name)_7743=\(own);") == true)
    #expect(role("\(name)=\(foreign); \(name)_7743=\(foreign)").json?["role"] == "stranger")
    #expect(role("other_\(name)_7743=\(own)").json?["role"] == "stranger")
    // Paired by a version without ports in names, or at another port.
    for earlier in ["\(name)", "\(name)_7744"] {
      let answer = role("\(earlier)=\(own); \(name)_7743=\(foreign)")
      #expect(answer.json?["role"] == "device")
      #expect(answer.headers["Set-Cookie"]?.hasPrefix("\(name)_7743=\(own);") == true)
    }
  }

  @Test func `the cookie is not available to scripts, other sites and other hosts`() throws {
    let cookie = try #require(claim(try code()).headers["Set-Cookie"])
    let parts = cookie.split(separator: ";").map { $0.drop { $0 == " " } }
    #expect(parts.first?.hasPrefix("__Host-segmance_device=") == true)
    #expect(parts.first?.split(separator: "=").last?.count == 43)
    #expect(
      Set(parts.dropFirst())
        == ["Path=/", "Secure", "HttpOnly", "SameSite=Lax", "Max-Age=34560000"])
    let token = try #require(cookie.split(separator: ";").first?.split(separator: "=").last)
    let renewed = client.send(.get, "/api/session", token: String(token)).headers["Set-Cookie"]
    #expect(renewed == cookie)
    #expect(client.send(.get, "/api/session").headers["Set-Cookie"] == nil)
  }

  @Test func `the event stream renews a device's cookie and gives none to others`() throws {
    let device = try client.pair()
    let session = client.send(.get, "/api/session", token: device.token)
    let events = client.send(.get, "/api/events", token: device.token)
    #expect(events.headers["Set-Cookie"] != nil)
    #expect(events.headers["Set-Cookie"] == session.headers["Set-Cookie"])
    let owner = ListenerClient(.loopback, of: studio)
      .send(.get, "/api/events", token: device.token, peer: "127.0.0.1")
    #expect(owner.status == 200 && owner.headers["Set-Cookie"] == nil)
    let stranger = client.send(.get, "/api/events", token: "unknown")
    #expect(stranger.status == 401 && stranger.headers["Set-Cookie"] == nil)
  }

  @Test func `the code is in the fragment of the address`() throws {
    let answer = client.send(
      .post, "/api/pairings", headers: [("Authorization", "Bearer \(client.network.ownerKey)")],
      peer: "127.0.0.1")
    let code = try #require(answer.json?["token"]?.string)
    #expect(code.count == 43)
    #expect(answer.json?["address"]?.string == "https://studio.example/pair#\(code)")
    #expect(answer.json?["expiresAt"] == .integer(clock.now() + 300_000))
    #expect(answer.json?["qr"]?.string?.hasPrefix("<svg ") == true)
  }

  @Test func `a code expires after five minutes`() throws {
    let (early, late) = (try code(), try code())
    clock.advance(299_999)
    #expect(claim(early).status == 201)
    clock.advance(1)
    let answer = claim(late)
    #expect(answer.status == 410)
    #expect(answer.text.contains("five minutes"))
    clock.advance(3_600_000)
    _ = try code()
    #expect(claim(late).status == 404)
  }

  @Test func `a code made before the clock was set back is valid no longer`() throws {
    let code = try code()
    clock.advance(-86_400_000)
    let answer = claim(code)
    #expect(answer.status == 410)
    #expect(answer.text.contains("five minutes"))
    clock.advance(300_001)
    #expect(claim(code).status == 410)
    #expect(claim(try self.code()).status == 201)
  }

  @Test func `of many simultaneous claims of one code one succeeds`() throws {
    let code = try code()
    let statuses = Mutex<[Int]>([])
    DispatchQueue.concurrentPerform(iterations: 16) { index in
      let status = claim(code, peer: "10.0.0.\(index)").status
      statuses.withLock { $0.append(status) }
    }
    let all = statuses.withLock { $0 }
    #expect(all.filter { $0 == 201 }.count == 1)
    #expect(all.filter { $0 == 410 }.count == 15)
    #expect(studio.library.devices.all.count == 1)
  }

  @Test func `guessing is limited for each address`() throws {
    let code = try code()
    for _ in 0..<10 { #expect(claim("AAAA").status == 404) }
    let answer = claim(code)
    #expect(answer.status == 429)
    #expect(answer.headers["Retry-After"] == "60")
    #expect(studio.log.all.count { $0.contains(" pairing.refused ") } == 10)
    #expect(claim(code, peer: "192.168.1.78").status == 201)
    clock.advance(60_000)
    #expect(claim("AAAA").status == 404)
  }

  @Test func `valid codes are not counted as guesses`() throws {
    for number in 0..<30 {
      #expect(claim(try code(), name: "Phone \(number)").status == 201)
    }
  }

  @Test func `only a trusted proxy can name the address that guesses`() throws {
    for _ in 0..<10 {
      #expect(claim("A", peer: "127.0.0.1", forwardedFor: "203.0.113.1").status == 404)
    }
    #expect(claim("A", peer: "127.0.0.1", forwardedFor: "203.0.113.1").status == 429)
    // An entry that the client put before the proxy's own changes nothing.
    #expect(claim("A", peer: "127.0.0.1", forwardedFor: "1.2.3.4, 203.0.113.1").status == 429)
    #expect(claim("A", peer: "127.0.0.1", forwardedFor: "203.0.113.1, 10.9.0.1").status == 429)
    #expect(claim("A", peer: "127.0.0.1", forwardedFor: "203.0.113.2").status == 404)
    for index in 0..<10 {
      #expect(claim("A", peer: "192.168.1.9", forwardedFor: "203.0.113.\(index)").status == 404)
    }
    #expect(claim("A", peer: "192.168.1.9", forwardedFor: "203.0.113.99").status == 429)
  }

  @Test(arguments: ["", "   ", "\\u0000\\u0007", String(repeating: "x", count: 41)])
  func `a claim without a name is refused and the code stays valid`(name: String) throws {
    let code = try code()
    let answer = claim(code, name: name)
    #expect(answer.status == 422)
    #expect(claim(code).status == 201)
  }

  @Test func `an invalid body is refused and the code stays valid`() throws {
    let code = try code()
    for body in ["", "{}", "[]", "{\"name\":7}", "{\"name\":null}", "nonsense"] {
      let answer = client.send(.post, "/api/pairings/\(code)/claim", json: body)
      #expect(answer.status == 400, "\(body)")
    }
    let long = "{\"name\":\"\(String(repeating: "x", count: 5_000))\"}"
    #expect(client.send(.post, "/api/pairings/\(code)/claim", json: long).status == 413)
    #expect(claim(code).status == 201)
  }

  @Test func `a device that pairs again replaces itself`() throws {
    let first = try #require(deviceToken(claim(try code(), name: "Old")))
    let second = try #require(deviceToken(claim(try code(), name: "New", token: first)))
    #expect(studio.library.devices.all.map(\.name) == ["New"])
    #expect(client.send(.get, "/api/devices", token: first).status == 401)
    #expect(client.send(.get, "/api/devices", token: second).status == 200)
  }

  @Test func `pairing again ends the device's old event streams and no others`() throws {
    let (phone, tablet) = (try client.pair("Phone"), try client.pair("Tablet"))
    func listen(_ token: String, _ page: String) throws -> EventStream {
      let target = "/api/events?client=00000000-0000-4000-8000-00000000000\(page)"
      return try #require(client.send(.get, target, token: token).stream)
    }
    let (old, other) = (try listen(phone.token, "a"), try listen(tablet.token, "b"))
    #expect(claim("AAAA", token: phone.token).status == 404)
    #expect(!old.isClosed, "nothing was replaced")
    let paired = claim(try code(), token: phone.token)
    #expect(old.isClosed)
    #expect(!other.isClosed)
    // The page listens again as the new device, and is closed with it.
    let new = try listen(try #require(deviceToken(paired)), "a")
    #expect(studio.library.players.all(of: Person.owner).count == 2)
    try studio.library.revoke(try #require(paired.json?["id"]?.string))
    #expect(new.isClosed)
    #expect(studio.library.hub.subscriberCount == 1)
  }

  @Test(arguments: ["revoked", "left", "paired anew"])
  func `the codes of a device expire when it is revoked`(end: String) throws {
    let (phone, tablet) = (try client.pair("Phone"), try client.pair("Tablet"))
    let stolen = try code(by: phone.token)
    let (others, owners) = (try code(by: tablet.token), try code())
    switch end {
    case "revoked": try studio.library.revoke(phone.id)
    case "left": #expect(client.send(.delete, "/api/session", token: phone.token).status == 204)
    default: #expect(claim(try code(), token: phone.token).status == 201)
    }
    let answer = claim(stolen)
    #expect(answer.status == 410)
    #expect(answer.text.contains("is no longer paired"))
    #expect(claim(others).status == 201)
    #expect(claim(owners).status == 201)
  }

  /// Pairs a device with a code from another device or the owner. Returns its id and token.
  private func join(_ name: String, by maker: String? = nil) throws -> (id: String, token: String) {
    let answer = claim(try code(by: maker), name: name)
    try #require(answer.status == 201)
    return (
      try #require(answer.json?["id"]?.string), try #require(deviceToken(answer))
    )
  }

  private func inviters(of studio: TestStudio) -> [String: String?] {
    Dictionary(uniqueKeysWithValues: studio.library.devices.all.map { ($0.name, $0.invitedBy) })
  }

  @Test func `a device has its inviting device, even after a restart`() throws {
    let phone = try join("Phone")
    let laptop = try join("Laptop", by: phone.token)
    let expected: [String: String?] = ["Phone": nil, "Laptop": phone.id]
    #expect(inviters(of: studio) == expected)
    let list = client.send(.get, "/api/devices", token: phone.token).text
    #expect(list.components(separatedBy: "\"invitedBy\":\"\(phone.id)\"").count == 2)
    let again = try Devices(store: DeviceStore(database: studio.library.database))
    #expect(again[laptop.id]?.invitedBy == phone.id)
    #expect(again[phone.id]?.invitedBy == nil)
  }

  @Test func `the owner can revoke a device with all its guests`() throws {
    let phone = try join("Phone")
    let laptop = try join("Laptop", by: phone.token)
    let tablet = try join("Tablet", by: laptop.token)
    let other = try join("Other")
    let stream = try #require(client.send(.get, "/api/events", token: tablet.token).stream)
    let path = "/api/devices/\(phone.id)?guests=1"
    #expect(client.send(.delete, path, token: phone.token).status == 403)
    #expect(studio.send(.delete, path + "1").status == 400)
    #expect(studio.send(.delete, path).status == 204)
    for token in [phone.token, laptop.token, tablet.token] {
      #expect(client.send(.get, "/api/devices", token: token).status == 401)
    }
    #expect(stream.isClosed)
    #expect(studio.library.devices.all.map(\.id) == [other.id])
    #expect(studio.log.all.count { $0.contains("device.revoked") } == 3)
  }

  @Test func `a device can be revoked without its guests`() throws {
    let phone = try join("Phone")
    let laptop = try join("Laptop", by: phone.token)
    #expect(studio.send(.delete, "/api/devices/\(phone.id)").status == 204)
    #expect(client.send(.get, "/api/devices", token: laptop.token).status == 200)
    #expect(studio.library.devices[laptop.id]?.invitedBy == phone.id)
  }

  @Test
  func `pairing again or revoking a device between does not detach a guest`()
    throws
  {
    let phone = try join("Phone")
    let laptop = try join("Laptop", by: phone.token)
    // Paired again with its own code, and with its guest's.
    let anew = claim(try code(by: laptop.token), name: "Laptop", token: laptop.token)
    let laptopToken = try #require(deviceToken(anew))
    let tablet = try join("Tablet", by: laptopToken)
    let once = claim(try code(by: tablet.token), name: "Laptop", token: laptopToken)
    let laptopId = try #require(once.json?["id"]?.string)
    let expected: [String: String?] = ["Phone": nil, "Laptop": phone.id, "Tablet": laptopId]
    #expect(inviters(of: studio) == expected)
    // The middle device is revoked.
    try studio.library.revoke(laptopId)
    #expect(studio.library.devices[tablet.id]?.invitedBy == phone.id)
    // The first device is paired again with its guest's code.
    let first = claim(try code(by: tablet.token), name: "Phone", token: phone.token)
    let phoneId = try #require(first.json?["id"]?.string)
    let last: [String: String?] = ["Phone": nil, "Tablet": phoneId]
    #expect(inviters(of: studio) == last)
    try studio.library.devices.save()
    let stored = try Devices(store: DeviceStore(database: studio.library.database))
    #expect(stored.all == studio.library.devices.all)
  }

  @Test func `a device revoked while it makes a code makes no valid one`() throws {
    let phone = try client.pair()
    // Authenticated, then revoked.
    try studio.library.revoke(phone.id)
    let code = try client.network.invite(by: phone.id).token
    #expect(claim(code).status == 410)
    #expect(studio.library.devices.all.isEmpty)
  }

  @Test func `the number of devices is limited and the code stays valid`() throws {
    for number in 0..<Devices.limit { _ = try client.pair("\(number)") }
    let code = try code()
    let answer = claim(code)
    #expect(answer.status == 409)
    #expect(answer.text.contains("Remove one"))
    try studio.library.revoke(try #require(studio.library.devices.all.first).id)
    #expect(claim(code).status == 201)
  }

  @Test func `the owner's own machine needs no pairing`() throws {
    let code = try code()
    let owner = ListenerClient(.loopback, of: studio)
    let answer = owner.send(
      .post, "/api/pairings/\(code)/claim", json: "{\"name\":\"Laptop\"}", peer: "127.0.0.1")
    #expect(answer.status == 409)
    #expect(studio.library.devices.all.isEmpty)
  }

  @Test func `files contain only the hash of a token`() throws {
    let code = try code()
    let token = try #require(deviceToken(claim(code)))
    try studio.library.devices.save()
    var files = 0
    for name in try FileManager.default.subpathsOfDirectory(atPath: studio.folder.path) {
      let path = studio.folder.path + "/" + name
      var isFolder = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder else {
        continue
      }
      files += 1
      // Foundation's readers leak a page of memory per empty file, and one of these files is empty.
      let bytes = try Files.read(path)
      #expect(bytes.firstRange(of: Array(token.utf8)) == nil, "\(name)")
      #expect(bytes.firstRange(of: Array(code.utf8)) == nil, "\(name)")
    }
    #expect(files > 1)
    let log = studio.log.all.joined()
    #expect(log.contains("device.paired") && !log.contains(token) && !log.contains(code))
  }

  @Test func `pairing is refused while the server is reachable only locally`() throws {
    let answer = studio.send(.post, "/api/pairings")
    #expect(answer.status == 409)
    #expect(answer.text.contains("Switch the network on"))
  }
}
