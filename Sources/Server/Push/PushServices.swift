// The push services to which this server sends: those of the known browsers, and the operator's own.
// Browsers say where their notifications go, so an address elsewhere would be a request of their choice.

import HTTP

/// Decides which addresses are those of push services.
public struct PushServices: Sendable, Equatable {
  /// The longest address, in bytes. Those of the known services have a few hundred.
  static let longestEndpoint = 2_048

  /// Of Chromium and its kin, which use Google's, and of Firefox's earlier versions.
  private static let hosts: Set<String> = [
    "fcm.googleapis.com", "jmt17.google.com", "updates.push.services.mozilla.com",
  ]
  /// Of Firefox, Safari, and Edge.
  private static let domains = [
    ".push.services.mozilla.com", ".push.apple.com", ".notify.windows.com",
  ]

  /// The origins besides the known ones.
  private let own: [String]

  /// Allows the known services.
  public init() { own = [] }

  /// Allows the known services and further origins, such as "https://push.school.example"; nil if one of
  /// them is no origin. Only those of this machine may be http.
  public init?(adding origins: [String]) {
    var own: [String] = []
    for text in origins {
      guard let origin = Self.origin(text) else { return nil }
      own.append(origin)
    }
    self.own = own
  }

  /// Whether some of the services are reached without TLS.
  var hasPlain: Bool { own.contains { $0.hasPrefix("http:") } }

  /// Returns the origin of the service that an address belongs to; nil if it is none that is allowed.
  func origin(of endpoint: String) -> String? {
    guard endpoint.utf8.count <= Self.longestEndpoint, endpoint.utf8.allSatisfy(Self.isPlain) else {
      return nil
    }
    if let origin = own.first(where: { endpoint.hasPrefix($0 + "/") }) { return origin }
    guard endpoint.hasPrefix("https://") else { return nil }
    let rest = endpoint.dropFirst(8)
    guard let slash = rest.firstIndex(of: "/") else { return nil }
    let host = String(rest[..<slash])
    // What a host can't contain, such as @ and :, begins no other host behind it.
    guard Self.isHost(host) else { return nil }
    let isKnown =
      Self.hosts.contains(host)
      || Self.domains.contains { host.hasSuffix($0) && host.utf8.count > $0.utf8.count }
    return isKnown ? "https://" + host : nil
  }

  /// The characters of addresses, without those that programs read in different ways.
  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && !##"<>\^`{|}#""##.utf8.contains(byte)
  }

  private static func isHost(_ text: String) -> Bool {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    return text.utf8.count <= 253
      && labels.allSatisfy { label in
        !label.isEmpty && label.first != "-" && label.last != "-"
          && label.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
          }
      }
  }

  /// Reads an origin as browsers write it; nil if it is none.
  private static func origin(_ text: String) -> String? {
    let lower = text.lowercased()
    let scheme = lower.hasPrefix("https://") ? "https" : "http"
    guard lower.hasPrefix(scheme + "://") else { return nil }
    var rest = lower.dropFirst(scheme.count + 3)
    if rest.hasSuffix("/") { rest = rest.dropLast() }
    var host = String(rest)
    var port: String?
    if !rest.hasSuffix("]"), let colon = rest.lastIndex(of: ":") {
      host = String(rest[..<colon])
      let digits = rest[rest.index(after: colon)...]
      guard let number = UInt16(digits), number > 0 else { return nil }
      port = number == (scheme == "https" ? 443 : 80) ? nil : "\(number)"
    }
    let isAddress = host.hasPrefix("[") && IPAddress(host) != nil
    guard isHost(host) || isAddress else { return nil }
    let isHere = host == "localhost" || IPAddress(host)?.isLoopback == true
    guard scheme == "https" || (scheme == "http" && isHere) else { return nil }
    return "\(scheme)://\(host)" + (port.map { ":" + $0 } ?? "")
  }
}
