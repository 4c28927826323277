// Who may ask: the host that a request names, and where a write comes from.
//
// A page of another site can make a browser send requests here, and a name that is rebound to
// 127.0.0.1 makes them look like the browser's own. Both are told apart by these headers alone.

/// Knows the names of this server. Names are compared whole; a prefix would let
/// `127.0.0.1.evil.example` in.
struct HostPolicy: Sendable {
  /// Each host, as in the Host header, with the origins that its pages have.
  private let origins: [String: Set<String>]

  init(_ configuration: Configuration) {
    var origins: [String: Set<String>] = [:]
    func allow(_ host: String, scheme: String) {
      origins[host.lowercased(), default: []].insert("\(scheme)://\(host)".lowercased())
    }
    let port = configuration.port == 80 ? "" : ":\(configuration.port)"
    for name in HostPolicy.names(of: configuration.host) { allow(name + port, scheme: "http") }
    for entry in configuration.allowedHosts {
      if entry.lowercased().hasPrefix("https://") {
        allow(String(entry.dropFirst(8)), scheme: "https")
      } else if entry.lowercased().hasPrefix("http://") {
        allow(String(entry.dropFirst(7)), scheme: "http")
      } else {
        allow(entry, scheme: "http")
      }
    }
    self.origins = origins
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
    let host = first.lowercased()
    guard origins[host] != nil, authority.map({ $0.lowercased() == host }) ?? true else {
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
    let expected = origins[host] ?? []
    if let origin = request.headers["Origin"] {
      if expected.contains(origin.lowercased()) { return }
      throw .forbidden(
        "The header Origin names another site. Only this server's own pages may change anything.")
    }
    let example = expected.sorted().first ?? "http://\(host)"
    throw .forbidden(
      "Send the header Origin: \(example) (or Sec-Fetch-Site: same-origin) with requests that "
        + "change something.")
  }
}
