// The cookie that identifies a paired device.

import HTTP

enum DeviceCookie {
  /// The prefix makes browsers require `Secure`, this exact host and the path `/` (RFC 6265bis,
  /// 4.1.3.2), so that no sibling host can set the cookie. The default port uses this name
  /// unchanged; earlier versions used it at every port.
  static let plainName = "__Host-segmance_device"
  /// 400 days, the longest that browsers keep a cookie. Each start of the client renews it.
  private static let maxAge = 400 * 86_400
  static let attributes = "Path=/; Secure; HttpOnly; SameSite=Lax"

  /// A cookie's name for the requested address. Cookies ignore ports (RFC 6265, 8.5), so two
  /// studios on one machine would overwrite each other's cookie.
  static func name(_ plainName: String = plainName, at request: Request) -> String {
    let host = request.headers["Host"] ?? ""
    // An IPv6 address without a port ends with a bracket.
    guard let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") else { return plainName }
    return "\(plainName)_\(host[colon...].dropFirst())"
  }

  /// The device whose token a request carries, and the token. A token issued at another port is
  /// valid too, because the port may have changed since.
  static func device(of request: Request, in devices: Devices) -> (id: String, token: String)? {
    let own = name(at: request)
    let others = request.cookies { $0.starts(with: plainName.utf8) }
    for token in [request.cookie(own)].compactMap(\.self) + others {
      if let id = devices.find(token: token) { return (id, token) }
    }
    return nil
  }

  /// The header field that sets or renews the cookie; `endsAt` is when the device's access ends, in
  /// milliseconds since 1970.
  static func setting(_ token: String, until endsAt: Int? = nil, for request: Request) -> String {
    let seconds = endsAt.map { max(0, ($0 - Library.now()) / 1_000) } ?? maxAge
    return "\(name(at: request))=\(token); Max-Age=\(seconds); \(attributes)"
  }

  /// The header field that removes the cookie.
  static func removal(for request: Request) -> String {
    "\(name(at: request))=; Max-Age=0; \(attributes)"
  }
}

extension Response {
  /// Renews the cookie of the device that sent `request`. The owner and strangers get none.
  mutating func renewCookie(of request: Request, in devices: Devices) {
    guard let id = request.caller.device,
      let token = DeviceCookie.device(of: request, in: devices)?.token
    else { return }
    headers["Set-Cookie"] = DeviceCookie.setting(token, until: devices[id]?.endsAt, for: request)
  }
}
