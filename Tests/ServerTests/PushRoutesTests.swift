// Subscriptions over HTTP: who has one, which are taken, and when they end.

import FoundationEssentials
import HTTPTesting
import Model
import TestSupport
import Testing

@testable import Database
@testable import HTTP
@testable import Network
@testable import Server

@Suite struct PushRoutesTests {
  private let troupe: NotifiedTroupe
  private let client: ListenerClient
  private let loopback: ListenerClient
  /// Ben's phone.
  private let phone: (id: String, token: String)

  init() throws {
    troupe = try NotifiedTroupe()
    client = ListenerClient(.network, of: troupe.studio)
    loopback = ListenerClient(.loopback, of: troupe.studio)
    phone = try client.pair("Phone", of: troupe.ben)
  }

  private func body(
    _ browser: String = "ben", _ more: [String: JSONValue?] = [:], level: String? = "all",
    language: String? = "en"
  ) -> String {
    let push = troupe.service.subscribe(browser)
    var body: [String: JSONValue] = [
      "endpoint": .string(push.endpoint), "publicKey": .string(push.publicKey),
      "authentication": .string(push.authentication),
    ]
    body["level"] = level.map { .string($0) }
    body["language"] = language.map { .string($0) }
    for (name, value) in more { body[name] = value }
    return String(decoding: JSONValue.object(body).serialized(), as: UTF8.self)
  }

  private func put(_ json: String, token: String? = nil) -> Response {
    client.send(.put, "/api/push", token: token ?? phone.token, json: json)
  }

  private func status(_ token: String? = nil) -> JSONValue? {
    client.send(.get, "/api/push", token: token ?? phone.token).json
  }

  @Test func `a device subscribes, sees its subscription alone, changes it and ends it`() throws {
    #expect(status()?["publicKey"]?.string == troupe.notifier.publicKey)
    #expect(status()?["isDevice"] == true)
    #expect(status()?["subscription"] == nil)
    #expect(put(body(level: "mentions")).status == 200)
    #expect(status()?["subscription"]?["level"] == "mentions")
    let again = put(body(level: "all", language: "es"))
    #expect(again.json?["subscription"]?["level"] == "all")
    #expect(again.json?["subscription"]?["language"] == "es")
    #expect(
      again.json?["subscription"]?["endpoint"]?.string == "\(StubPushService.origin)/wpush/v2/ben")
    let tablet = try client.pair("Tablet", of: troupe.ben)
    #expect(status(tablet.token)?["subscription"] == nil)
    try troupe.comment(by: troupe.ana)
    #expect(troupe.sent() == ["ben"])
    #expect(client.send(.delete, "/api/push", token: phone.token).status == 204)
    #expect(status()?["subscription"] == nil)
    #expect(client.send(.delete, "/api/push", token: phone.token).status == 204)
    try troupe.comment(by: troupe.ana)
    #expect(troupe.sent().isEmpty)
  }

  @Test func `a browser renews its address, and keeps what was chosen`() throws {
    #expect(put(body("first", level: nil)).status == 409)
    #expect(put(body("first", language: nil)).status == 409)
    #expect(put(body("first", level: "all", language: "es")).status == 200)
    #expect(put(body("second", level: nil, language: nil)).status == 200)
    let push = troupe.library.devices[phone.id]?.push
    #expect(push?.endpoint.hasSuffix("/second") == true)
    #expect(push?.level == .all && push?.language == "es")
  }

  @Test func `a browser that is somebody else's now takes its address along`() throws {
    #expect(put(body("shared")).status == 200)
    let other = try client.pair("Tablet", of: troupe.eva)
    let push = try #require(troupe.library.devices[phone.id]?.push)
    let json = body(
      "shared",
      [
        "publicKey": .string(push.publicKey), "authentication": .string(push.authentication),
      ])
    #expect(put(json, token: other.token).status == 200)
    #expect(status()?["subscription"] == nil)
    let stored = try DeviceStore(database: troupe.library.database).all()
    #expect(stored.filter { $0.push != nil }.map(\.id) == [other.id])
  }

  @Test func `addresses elsewhere and unusable keys are refused, and nothing is stored`() throws {
    let point = AgreementKey().publicKey
    var off = point
    off[40] ^= 1
    let wrong: [[String: JSONValue?]] = [
      ["endpoint": "https://studio.example/x"], ["endpoint": "http://127.0.0.1/x"],
      ["endpoint": "https://fcm.googleapis.com@169.254.169.254/x"], ["endpoint": ""],
      ["endpoint": .string("https://fcm.googleapis.com/" + String(repeating: "a", count: 3_000))],
      ["publicKey": ""], ["publicKey": "!"], ["publicKey": .string(Base64URL.encode(off))],
      ["publicKey": .string(Base64URL.encode(point.dropLast()))],
      ["authentication": ""], ["authentication": "AAAA"],
      ["language": ""], ["language": "EN"], ["language": "english"], ["language": "e\r\nn"],
    ]
    for more in wrong {
      #expect(put(body("ben", more)).status == 422, "\(more)")
    }
    let malformed: [[String: JSONValue?]] = [
      ["level": "none"], ["level": 1], ["endpoint": .some(nil)], ["publicKey": 5],
    ]
    for more in malformed { #expect(put(body("ben", more)).status == 400, "\(more)") }
    #expect(put("{}").status == 400)
    #expect(put(String(repeating: " ", count: 9_000)).status == 413)
    #expect(troupe.library.devices[phone.id]?.push == nil)
    #expect(troupe.service.attempts == 0)
  }

  @Test func `the owner's own machine is no device, and strangers and visitors have no say`() throws
  {
    let owner = loopback.send(.get, "/api/push", peer: "127.0.0.1")
    #expect(owner.json?["isDevice"] == false)
    #expect(
      loopback.send(.put, "/api/push", json: body(), peer: "127.0.0.1").status == 409)
    #expect(loopback.send(.delete, "/api/push", peer: "127.0.0.1").status == 409)
    let shown = Identifier.make(milliseconds: 1)
    try troupe.library.commit([Library.Edit(.routine, shown, ["title": "Solo"])])
    let link = try troupe.studio.makeLink(
      to: shown, expiresAt: Library.now() + 1_000_000)
    let visitor = client.visit(link)
    for method in [HTTP.Method.get, .put, .delete] {
      let json = method == .put ? body() : nil
      #expect(client.send(method, "/api/push", json: json).status == 401)
      #expect(client.send(method, "/api/push", headers: visitor, json: json).status == 401)
    }
  }

  @Test func `without a contact the server has no key, and takes no subscription`() throws {
    troupe.library.commentRelay.connect(nil)
    #expect(status()?["publicKey"] == nil)
    #expect(put(body()).status == 409)
    try troupe.device(of: troupe.eva, "eva", .all)
    try troupe.comment(by: troupe.ana)
    #expect(troupe.sent().isEmpty)
  }

  @Test func `who leaves is forgotten with the address`() throws {
    #expect(put(body()).status == 200)
    #expect(client.send(.delete, "/api/session", token: phone.token).status == 204)
    try troupe.comment(by: troupe.ana)
    #expect(troupe.sent().isEmpty)
    #expect(put(body()).status == 401)
    let stored = try DeviceStore(database: troupe.library.database).all()
    #expect(!stored.contains { $0.push != nil })
  }
}
