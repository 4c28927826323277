// The cookie by which a paired device is known.

import HTTP

enum DeviceCookie {
  /// The prefix makes browsers insist on `Secure`, on this very host, and on the whole of it
  /// (RFC 6265bis, 4.1.3.2), so that no neighbour can set one. It is the whole name at the port that
  /// goes without saying, and was so at every port once.
  static let plainName = "__Host-segmance_device"
  /// 400 days: browsers keep no cookie for longer. Each start of the client renews it.
  private static let maxAge = 400 * 86_400
  private static let attributes = "Path=/; Secure; HttpOnly; SameSite=Lax"

  /// The name at the address that was asked. Cookies know no ports (RFC 6265, 8.5): two studios on
  /// one machine would put each other's out.
  private static func name(at request: Request) -> String {
    let host = request.headers["Host"] ?? ""
    // An IPv6 address without a port ends with its bracket.
    guard let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") else { return plainName }
    return "\(plainName)_\(host[colon...].dropFirst())"
  }

  /// The device whose token came with a request, and the token. One that was handed out at another
  /// port counts, too: the port may have been changed since.
  static func device(of request: Request, in devices: Devices) -> (id: String, token: String)? {
    let own = name(at: request)
    let others = request.cookies { $0.starts(with: plainName.utf8) }
    for token in [request.cookie(own)].compactMap(\.self) + others {
      if let id = devices.find(token: token) { return (id, token) }
    }
    return nil
  }

  /// The header field that hands a token to the browser that asked, or that renews it.
  static func setting(_ token: String, for request: Request) -> String {
    "\(name(at: request))=\(token); Max-Age=\(maxAge); \(attributes)"
  }

  /// The header field that makes the browser that asked forget its token.
  static func removal(for request: Request) -> String {
    "\(name(at: request))=; Max-Age=0; \(attributes)"
  }
}

extension Response {
  /// Renews the cookie of the device that sent `request`; the owner and strangers get none.
  mutating func renewCookie(of request: Request, in devices: Devices) {
    guard case .device = request.caller,
      let token = DeviceCookie.device(of: request, in: devices)?.token
    else { return }
    headers["Set-Cookie"] = DeviceCookie.setting(token, for: request)
  }
}
