// Requests to a studio's listeners without a socket: from this machine, through a proxy, from the
// network.

import FoundationEssentials
import HTTPTesting
import Model
import Network
import Synchronization
import TestSupport

@testable import HTTP
@testable import Server

/// A client of one listener of a studio.
struct ListenerClient {
  let studio: TestStudio
  let network: LANServer
  let application: Application
  let router: Router
  let host: String
  let origin: String

  /// Makes a client for a listener of `studio`; `now` is the clock of its pairing codes.
  init(
    _ listener: StudioAuthenticator.Listener, of studio: TestStudio,
    now: @escaping @Sendable () -> Int = Library.now
  ) {
    self.studio = studio
    var options = NetworkOptions()
    options.publicURL = PublicURL("https://studio.example")
    network = LANServer(library: studio.library, options: options, now: now)
    var configuration = Configuration(port: 7700)
    switch listener {
    case .loopback: (host, origin) = ("localhost:7700", "http://localhost:7700")
    case .proxied:
      (host, origin) = ("studio.example", "https://studio.example")
      configuration.allowedHosts = [origin]
      configuration.trustedProxies = ["127.0.0.0/8", "10.9.0.0/16"].compactMap(AddressRange.init)
    case .network:
      (host, origin) = ("192.168.1.20:7743", "https://192.168.1.20:7743")
      configuration.findHosts = { [origin] _ in [origin] }
    }
    router = SegmanceServer.router(
      studio.library, studio.runner, nil, network, RequestMetrics())
    application = Application(
      configuration: configuration, router: router,
      authenticator: StudioAuthenticator(
        listener: listener, devices: studio.library.devices,
        permissions: studio.library.permissions,
        ownerKeyHash: Token.hash(network.ownerKey)), log: studio.log.log)
  }

  /// Sends a request. `token` is the device's, `peer` the client's address.
  func send(
    _ method: HTTP.Method, _ target: String, token: String? = nil,
    headers: [(String, String)] = [], json: String? = nil, peer: String = "192.168.1.77"
  ) -> Response {
    application.respond(
      to: request(method, target, token: token, headers: headers, json: json, peer: peer))
  }

  /// Sends the header of a request as a device. A body of `length` bytes is to follow.
  func begin(
    _ method: HTTP.Method, _ target: String, token: String, length: Int,
    headers: [(String, String)] = []
  ) -> InProcessRequest {
    let all = headers + [("Content-Length", "\(length)")]
    return InProcessRequest(request(method, target, token: token, headers: all), to: application)
  }

  private func request(
    _ method: HTTP.Method, _ target: String, token: String? = nil,
    headers: [(String, String)] = [], json: String? = nil, peer: String = "192.168.1.77"
  ) -> Request {
    var all = Headers(headers)
    if all["Host"] == nil { all["Host"] = host }
    if all["Origin"] == nil { all["Origin"] = origin }
    if let token { all["Cookie"] = "theme=dark; \(DeviceCookie.plainName)=\(token)" }
    if json != nil { all["Content-Type"] = "application/json" }
    var request = Request(method, target, headers: all, body: Array((json ?? "").utf8))
    request.peer = IPAddress(peer)
    return request
  }

  /// Pairs a device with a new code. Returns its id and the token in its cookie.
  func pair(
    _ name: String = "Phone", of person: String? = nil
  ) throws -> (id: String, token: String) {
    let paired = try studio.library.devices.pair(name: name, person: person, replacing: nil)
    return (paired.row.id, paired.token)
  }
}

extension Response {
  /// The event stream, if the response is one.
  var stream: EventStream? {
    if case .events(let stream) = body { stream } else { nil }
  }
}

extension JSONValue {
  /// The text of a JSON string.
  var string: String? { if case .string(let text) = self { text } else { nil } }
}
