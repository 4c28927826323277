// Who may ask: the host that a request names, and where a write comes from.
//
// A page of another site can make a browser send requests here, and a name that is rebound to
// 127.0.0.1 makes them look like the browser's own. Both are told apart by these headers alone.

import Synchronization

/// The host names of this server. Names are compared whole; a prefix would let
/// `127.0.0.1.evil.example` in.
final class HostPolicy: Sendable {
  /// Each host, as in the Host header, with the origins that its pages have.
  private typealias Origins = [String: Set<String>]

  private struct State {
    var origins: Origins
    /// When the hosts were last looked for, in milliseconds.
    var lookedAt: Int
  }

  private let configuration: Configuration
  private let now: @Sendable () -> Int
  private let state: Mutex<State>

  /// Makes a policy; `now` returns milliseconds that only increase.
  init(
    _ configuration: Configuration,
    now: @escaping @Sendable () -> Int = { Monotonic.milliseconds }
  ) {
    self.configuration = configuration
    self.now = now
    state = Mutex(State(origins: HostPolicy.origins(configuration), lookedAt: now()))
  }

  private static func origins(_ configuration: Configuration) -> Origins {
    var origins: Origins = [:]
    func allow(_ host: String, scheme: String) {
      origins[host.lowercased(), default: []].insert("\(scheme)://\(host)".lowercased())
    }
    let port = configuration.port == 80 ? "" : ":\(configuration.port)"
    if configuration.findHosts == nil {
      for name in names(of: configuration.host) { allow(name + port, scheme: "http") }
    }
    let found = configuration.findHosts?(configuration.port) ?? []
    for entry in configuration.allowedHosts + found {
      if entry.lowercased().hasPrefix("https://") {
        allow(String(entry.dropFirst(8)), scheme: "https")
      } else if entry.lowercased().hasPrefix("http://") {
        allow(String(entry.dropFirst(7)), scheme: "http")
      } else {
        allow(entry, scheme: "http")
      }
    }
    return origins
  }

  /// The origins of a host; nil when this server has no such name. Looks again, at most once a
  /// second, as a machine's addresses change.
  private func origins(of host: String) -> Set<String>? {
    state.withLock { state in
      if let known = state.origins[host] { return known }
      let now = now()
      guard configuration.findHosts != nil, now - state.lookedAt >= 1000 else { return nil }
      state = State(origins: HostPolicy.origins(configuration), lookedAt: now)
      return state.origins[host]
    }
  }

  /// The names under which an address is reached from this machine.
  private static func names(of host: String) -> [String] {
    switch host {
    case "127.0.0.1", "::1", "localhost", "0.0.0.0", "::":
      ["localhost", "127.0.0.1", "[::1]"]
    default: [host.contains(":") ? "[\(host)]" : host]
    }
  }

  /// Checks the Host header, and the authority where the target has one; returns the host.
  func host(of request: Request, authority: String?) throws(HTTPError) -> String {
    let named = request.headers.values(of: "Host")
    guard named.count == 1, let first = named.first else {
      throw .badRequest("Send exactly one Host header.")
    }
    let host = Headers.lowercased(first)
    guard origins(of: host) != nil, authority.map({ Headers.lowercased($0) == host }) ?? true else {
      throw HTTPError(
        421,
        detail: "This server does not answer to that host name. Use the address that it printed "
          + "when it started, or allow the name there.")
    }
    return host
  }

  /// Refuses a write that does not show that it comes from this server's own pages, or from a
  /// program that means this server.
  func checkOrigin(of request: Request, host: String) throws(HTTPError) {
    if let site = request.headers["Sec-Fetch-Site"] {
      if site == "same-origin" { return }
      throw .forbidden(
        "The header Sec-Fetch-Site says that this request comes from another site. Only "
          + "same-origin requests may change anything.")
    }
    let expected = origins(of: host) ?? []
    if let origin = request.headers["Origin"] {
      if expected.contains(Headers.lowercased(origin)) { return }
      throw .forbidden(
        "The header Origin names another site. Only this server's own pages may change anything.")
    }
    let example = expected.sorted().first ?? "http://\(host)"
    throw .forbidden(
      "Send the header Origin: \(example) (or Sec-Fetch-Site: same-origin) with requests that "
        + "change something.")
  }

  /// Refuses a read that a page of another site makes its reader's browser ask for: it would not
  /// see the answer, but have this server work. What a person types or opens is `none`.
  func checkSite(of request: Request) throws(HTTPError) {
    guard let site = request.headers["Sec-Fetch-Site"] else { return }
    guard site == "same-origin" || site == "none" else {
      throw .forbidden(
        "The header Sec-Fetch-Site says that this request comes from another site. Only this "
          + "server's own pages may read here.")
    }
  }
}
