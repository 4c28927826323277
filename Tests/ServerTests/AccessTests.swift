// Who may come in: every route of the table at every door.

import TestSupport
import Testing

@testable import HTTP
@testable import Server

@Suite struct AccessTests {
  private let studio: TestStudio
  private let network: Doorway

  init() throws {
    studio = try TestStudio()
    network = Doorway(.network, of: studio)
  }

  /// An address that the route's pattern fits.
  private func target(_ route: Route) -> String {
    route.pattern.split(separator: "/").map { segment in
      segment.hasPrefix("{") ? "/00000000-0000-7000-8000-000000000000" : "/\(segment)"
    }.joined()
  }

  private var guarded: [Route] { network.router.routes.filter { $0.access != .everyone } }

  @Test func `exactly these routes are open to strangers, and these to the owner alone`() {
    func list(_ access: Access) -> [String] {
      network.router.routes.filter { $0.access == access }
        .map { "\($0.method.rawValue) \($0.pattern)" }.sorted()
    }
    #expect(
      list(.everyone) == [
        "GET /api/authority.crt", "GET /api/health", "GET /api/session",
        "POST /api/pairings/{token}/claim",
      ])
    #expect(list(.owner) == ["POST /api/restore", "PUT /api/network"])
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
    for door in [network, Doorway(.proxied, of: studio)] {
      for route in guarded {
        let answer = door.send(route.method, target(route), token: token)
        #expect(answer.status == 401, "\(route.method) \(route.pattern)")
        #expect(answer.headers["WWW-Authenticate"] == "Pairing")
        #expect(answer.headers["Content-Type"] == "application/problem+json")
      }
      for path in ["/api", "/api/", "/api/nothing", "/api/health/x", "/api/session/"] {
        #expect(door.send(.get, path, token: token).status == 401, "\(path)")
      }
      #expect(door.send(.put, "/api/health", token: token).status == 401)
      #expect(door.send(.options, "/api/sync", token: token).status == 401)
    }
  }

  @Test func `every route refuses another host, whoever asks`() throws {
    let device = try network.pair()
    for route in network.router.routes {
      for host in [
        "evil.example", "192.168.1.20", "192.168.1.20:7743.evil.example", "localhost:7700",
      ] {
        let answer = network.send(
          route.method, target(route), token: device.token, headers: [("Host", host)])
        #expect(answer.status == 421, "\(route.method) \(route.pattern) \(host)")
      }
    }
  }

  @Test(arguments: [
    [("Origin", "https://evil.example")], [("Origin", "http://192.168.1.20:7743")],
    [("Origin", "null")], [("Origin", "https://192.168.1.20")],
    [("Sec-Fetch-Site", "cross-site")],
    [("Sec-Fetch-Site", "same-site"), ("Origin", "https://192.168.1.20:7743")],
  ])
  func `every write from another site is refused, though the cookie comes along`(
    headers: [(String, String)]
  ) throws {
    let device = try network.pair()
    let writes = network.router.routes.filter { $0.method.isWrite && $0.access != .owner }
    #expect(writes.count > 10)
    for route in writes {
      let answer = network.send(
        route.method, target(route), token: device.token, headers: headers)
      #expect(answer.status == 403, "\(route.method) \(route.pattern)")
      #expect(answer.text.contains("another site") || answer.text.contains("same-origin"))
    }
    #expect(studio.library.devices.isPaired(device.id))
  }

  @Test func `devices are refused what is the owner's alone`() throws {
    let device = try network.pair()
    for route in network.router.routes where route.access == .owner {
      let answer = network.send(
        route.method, target(route), token: device.token, json: "{\"isOn\":false}")
      #expect(answer.status == 403, "\(route.pattern)")
      #expect(answer.text.contains("Only the owner"))
    }
  }

  @Test func `a paired device uses the rest`() throws {
    let device = try network.pair()
    for path in ["/api/devices", "/api/network", "/api/openapi.json", "/api/remote"] {
      #expect(network.send(.get, path, token: device.token).status == 200)
    }
    let sync = network.send(.post, "/api/sync", token: device.token, json: "{}")
    #expect(sync.status == 200)
  }

  @Test func `this machine's own browser is the owner without a login`() {
    let door = Doorway(.loopback, of: studio)
    let session = door.send(.get, "/api/session", peer: "127.0.0.1")
    #expect(session.json?["role"] == "owner")
    #expect(door.send(.get, "/api/devices", peer: "::1").status == 200)
    #expect(door.send(.get, "/api/session", peer: "192.168.1.7").json?["role"] == "stranger")
  }

  @Test(arguments: [
    "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "x-forwarded-proto", "X-FORWARDED-SERVER",
    "X-Real-IP", "Via", "True-Client-IP",
  ])
  func `who comes through a proxy is not the owner`(field: String) {
    for door in [Doorway(.loopback, of: studio), Doorway(.proxied, of: studio)] {
      let key = ("Authorization", "Bearer \(door.network.ownerKey)")
      let answer = door.send(
        .get, "/api/devices", headers: [(field, "127.0.0.1"), key], peer: "127.0.0.1")
      #expect(answer.status == 401)
    }
  }

  @Test func `behind a proxy nobody is the owner by address, whatever the host`() {
    let door = Doorway(.proxied, of: studio)
    for host in ["studio.example", "localhost:7700", "127.0.0.1:7700"] {
      let headers = [("Host", host)]
      #expect(door.send(.get, "/api/devices", headers: headers, peer: "127.0.0.1").status == 401)
      let session = door.send(.get, "/api/session", headers: headers, peer: "127.0.0.1")
      #expect(session.json?["role"] == "stranger")
    }
    for key in ["", "x", String(repeating: "A", count: 43)] {
      let headers = [("Authorization", "Bearer \(key)")]
      #expect(door.send(.get, "/api/devices", headers: headers, peer: "127.0.0.1").status == 401)
    }
    let headers = [("Authorization", "Bearer \(door.network.ownerKey)")]
    #expect(door.send(.get, "/api/devices", headers: headers, peer: "127.0.0.1").status == 200)
    #expect(network.send(.get, "/api/devices", headers: headers, peer: "127.0.0.1").status == 401)
  }

  @Test func `on the network this machine itself needs pairing too`() {
    #expect(network.send(.get, "/api/devices", peer: "127.0.0.1").status == 401)
    #expect(network.send(.get, "/api/session", peer: "::1").json?["role"] == "stranger")
  }

  @Test func `strangers hear that the server is well, and no more`() throws {
    #expect(network.send(.get, "/api/health").text == "{\"status\":\"ok\"}")
    let device = try network.pair()
    #expect(network.send(.get, "/api/health", token: device.token).text.contains("version"))
  }

  @Test func `the description says who may use what`() throws {
    let device = try network.pair()
    let description = network.send(.get, "/api/openapi.json", token: device.token).json
    let paths = description?["paths"]
    #expect(paths?["/api/network"]?["put"]?["x-access"] == "owner")
    #expect(paths?["/api/sync"]?["post"]?["x-access"] == "device")
    #expect(paths?["/api/session"]?["get"]?["x-access"] == "everyone")
  }
}
