// Authorization: every route of the table at every listener.

import TestSupport
import Testing

@testable import HTTP
@testable import Server

@Suite struct AccessTests {
  private let studio: TestStudio
  private let network: ListenerClient

  init() throws {
    studio = try TestStudio()
    network = ListenerClient(.network, of: studio)
  }

  /// A path that matches the route's pattern.
  private func target(_ route: Route) -> String {
    route.pattern.split(separator: "/").map { segment in
      segment.hasPrefix("{") ? "/00000000-0000-7000-8000-000000000000" : "/\(segment)"
    }.joined()
  }

  private var guarded: [Route] { network.router.routes.filter { $0.access != .everyone } }

  @Test func `exactly these routes are open to strangers and these only to the owner`() {
    func list(_ access: String) -> [String] {
      network.router.routes.filter { $0.access.name == access }
        .map { "\($0.method.rawValue) \($0.pattern)" }.sorted()
    }
    #expect(
      list("everyone") == [
        "GET /api/authority.crt", "GET /api/health", "GET /api/pairings/{token}",
        "GET /api/session", "GET /api/sign-in", "GET /robots.txt", "POST /api/links/{id}/open",
        "POST /api/pairings/{token}/claim", "POST /api/sign-in/challenge",
        "POST /api/sign-in/passkey", "POST /api/sign-in/password", "POST /api/sign-in/provider",
        "POST /api/sign-in/provider/departure",
      ])
    #expect(
      list("visitor") == [
        "GET /api/links/{id}/records", "GET /api/recordings/{id}/voice", "GET /api/speech",
        "GET /api/tracks/{id}/analysis", "GET /api/tracks/{id}/chunks/{n}",
        "GET /api/tracks/{id}/peaks", "GET /api/videos/{id}/file", "GET /api/videos/{id}/poster",
      ])
    #expect(
      list("device") == [
        "DELETE /api/people/{id}", "GET /api/backup", "GET /api/backups", "GET /api/network",
        "POST /api/backups", "POST /api/people",
      ])
    #expect(list("owner") == ["GET /metrics", "POST /api/restore", "PUT /api/network"])
    #expect(guarded.count > 30)
  }

  @Test(arguments: [nil, "", "x", String(repeating: "A", count: 43), "revoked"] as [String?])
  func `every guarded route refuses strangers and revoked devices`(token: String?) throws {
    var token = token
    if token == "revoked" {
      let device = try network.pair()
      #expect(network.send(.get, "/api/devices", token: device.token).status == 200)
      try studio.library.revoke(device.id)
      token = device.token
    }
    for client in [network, ListenerClient(.proxied, of: studio)] {
      for route in guarded {
        let answer = client.send(route.method, target(route), token: token)
        #expect(answer.status == 401, "\(route.method) \(route.pattern)")
        #expect(answer.headers["WWW-Authenticate"] == "Pairing")
        #expect(answer.headers["Content-Type"] == "application/problem+json")
      }
      for path in ["/api", "/api/", "/api/nothing", "/api/health/x", "/api/session/"] {
        #expect(client.send(.get, path, token: token).status == 401, "\(path)")
      }
      #expect(client.send(.put, "/api/health", token: token).status == 401)
      #expect(client.send(.options, "/api/sync", token: token).status == 401)
    }
  }

  /// Each listener with the credentials that it accepts: a device's or the owner's.
  private func callers() throws -> [(client: ListenerClient, token: String?, key: String?)] {
    let proxied = ListenerClient(.proxied, of: studio)
    return [
      (network, try network.pair().token, nil), (proxied, try proxied.pair().token, nil),
      (proxied, nil, proxied.network.ownerKey), (ListenerClient(.loopback, of: studio), nil, nil),
    ]
  }

  @Test func `every route refuses another host for every caller`() throws {
    for (client, token, key) in try callers() {
      var others = [
        "evil.example", "192.168.1.99", "\(client.host).evil.example", "localhost:7743",
      ]
      // The other two listeners also accept this name.
      if client.host == network.host { others.append("localhost:7700") }
      for route in client.router.routes {
        for host in others {
          var headers = [("Host", host)]
          if let key { headers.append(("Authorization", "Bearer \(key)")) }
          let answer = client.send(
            route.method, target(route), token: token, headers: headers, peer: "127.0.0.1")
          #expect(answer.status == 421, "\(route.method) \(route.pattern) \(host)")
        }
      }
    }
  }

  @Test(arguments: [
    [("Origin", "https://evil.example")], [("Origin", "http://192.168.1.20:7743")],
    [("Origin", "null")], [("Origin", "https://192.168.1.20")],
    [("Sec-Fetch-Site", "cross-site")],
    [("Sec-Fetch-Site", "same-site"), ("Origin", "https://192.168.1.20:7743")],
  ])
  func `every write from another site is refused even with a cookie`(
    headers: [(String, String)]
  ) throws {
    try refuses(headers) { $0.method.isWrite }
  }

  @Test(arguments: ["cross-site", "same-site", "", "same-origin, cross-site"])
  func `every read by a page of another site is refused`(site: String) throws {
    try refuses([("Sec-Fetch-Site", site)]) { !$0.method.isWrite && $0.access != .everyone }
  }

  /// Expects every selected route to reject all requests with these header fields.
  private func refuses(
    _ headers: [(String, String)], where isChosen: (Route) -> Bool
  ) throws {
    for (client, token, key) in try callers() {
      let isOwner = token == nil
      let routes = client.router.routes.filter { isChosen($0) && (isOwner || $0.access != .owner) }
      #expect(routes.count > 10)
      let fields = headers + (key.map { [("Authorization", "Bearer \($0)")] } ?? [])
      for route in routes {
        let answer = client.send(
          route.method, target(route), token: token, headers: fields, peer: "127.0.0.1")
        #expect(answer.status == 403, "\(client.host) \(route.method) \(route.pattern)")
        #expect(
          route.method == .head || answer.text.contains("another site")
            || answer.text.contains("same-origin"))
      }
    }
  }

  @Test func `typed addresses and links to routes for everyone are answered`()
    throws
  {
    for (client, token, key) in try callers() {
      let fields = key.map { [("Authorization", "Bearer \($0)")] } ?? []
      func status(_ path: String, from site: String) -> Int {
        client.send(
          .get, path, token: token, headers: fields + [("Sec-Fetch-Site", site)], peer: "127.0.0.1"
        ).status
      }
      #expect(status("/api/devices", from: "none") == 200)
      #expect(status("/api/session", from: "cross-site") == 200)
    }
  }

  @Test func `the owner's routes refuse devices`() throws {
    let device = try network.pair()
    for client in [network, ListenerClient(.proxied, of: studio)] {
      for route in client.router.routes where route.access == .owner {
        let json = route.method.isWrite ? "{\"isOn\":false}" : nil
        let answer = client.send(route.method, target(route), token: device.token, json: json)
        #expect(answer.status == 403, "\(route.pattern)")
        #expect(answer.text.contains("Only the owner"))
      }
    }
  }

  @Test func `a paired device can use all other routes`() throws {
    let device = try network.pair()
    for path in ["/api/devices", "/api/network", "/api/openapi.json", "/api/remote"] {
      #expect(network.send(.get, path, token: device.token).status == 200)
    }
    let sync = network.send(.post, "/api/sync", token: device.token, json: "{}")
    #expect(sync.status == 200)
  }

  @Test func `this machine's own browser is the owner without a login`() {
    let client = ListenerClient(.loopback, of: studio)
    let session = client.send(.get, "/api/session", peer: "127.0.0.1")
    #expect(session.json?["role"] == "owner")
    #expect(client.send(.get, "/api/devices", peer: "::1").status == 200)
    #expect(client.send(.get, "/api/session", peer: "192.168.1.7").json?["role"] == "stranger")
  }

  @Test(arguments: [
    "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "x-forwarded-proto", "X-FORWARDED-SERVER",
    "X-Real-IP", "Via", "True-Client-IP",
  ])
  func `a request through a proxy is not the owner's`(field: String) {
    for client in [ListenerClient(.loopback, of: studio), ListenerClient(.proxied, of: studio)] {
      let key = ("Authorization", "Bearer \(client.network.ownerKey)")
      let answer = client.send(
        .get, "/api/devices", headers: [(field, "127.0.0.1"), key], peer: "127.0.0.1")
      #expect(answer.status == 401)
    }
  }

  @Test func `behind a proxy no address makes an owner for any host`() {
    let client = ListenerClient(.proxied, of: studio)
    for host in ["studio.example", "localhost:7700", "127.0.0.1:7700"] {
      let headers = [("Host", host)]
      #expect(client.send(.get, "/api/devices", headers: headers, peer: "127.0.0.1").status == 401)
      let session = client.send(.get, "/api/session", headers: headers, peer: "127.0.0.1")
      #expect(session.json?["role"] == "stranger")
    }
    for key in ["", "x", String(repeating: "A", count: 43)] {
      let headers = [("Authorization", "Bearer \(key)")]
      #expect(client.send(.get, "/api/devices", headers: headers, peer: "127.0.0.1").status == 401)
    }
    let headers = [("Authorization", "Bearer \(client.network.ownerKey)")]
    #expect(client.send(.get, "/api/devices", headers: headers, peer: "127.0.0.1").status == 200)
    #expect(network.send(.get, "/api/devices", headers: headers, peer: "127.0.0.1").status == 401)
  }

  @Test func `on the network this machine also needs pairing`() {
    #expect(network.send(.get, "/api/devices", peer: "127.0.0.1").status == 401)
    #expect(network.send(.get, "/api/session", peer: "::1").json?["role"] == "stranger")
  }

  @Test func `strangers get only the status of the health`() throws {
    #expect(network.send(.get, "/api/health").text == "{\"status\":\"ok\"}")
    let device = try network.pair()
    #expect(network.send(.get, "/api/health", token: device.token).text.contains("version"))
  }

  @Test func `the description has the access of every route`() throws {
    let device = try network.pair()
    let description = network.send(.get, "/api/openapi.json", token: device.token).json
    let paths = description?["paths"]
    #expect(paths?["/api/network"]?["put"]?["x-access"] == "owner")
    #expect(paths?["/api/sync"]?["post"]?["x-access"] == "person")
    #expect(paths?["/api/backup"]?["get"]?["x-access"] == "device")
    #expect(paths?["/api/session"]?["get"]?["x-access"] == "everyone")
  }
}
