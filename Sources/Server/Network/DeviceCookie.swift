// The cookie by which a paired device is known.

import HTTP

enum DeviceCookie {
  /// The prefix makes browsers insist on `Secure`, on this very host, and on the whole of it
  /// (RFC 6265bis, 4.1.3.2), so that no neighbour can set one.
  static let name = "__Host-segmance_device"
  /// 400 days: browsers keep no cookie for longer. Each start of the client renews it.
  private static let maxAge = 400 * 86_400
  private static let attributes = "Path=/; Secure; HttpOnly; SameSite=Lax"

  /// The header field that hands a token to a browser, or that renews it.
  static func setting(_ token: String) -> String {
    "\(name)=\(token); Max-Age=\(maxAge); \(attributes)"
  }

  /// The header field that makes a browser forget its token.
  static let removal = "\(name)=; Max-Age=0; \(attributes)"
}

extension Response {
  /// Renews the cookie of the device that sent `request`; the owner and strangers get none.
  mutating func renewCookie(of request: Request) {
    guard case .device = request.caller, let token = request.cookie(DeviceCookie.name) else {
      return
    }
    headers["Set-Cookie"] = DeviceCookie.setting(token)
  }
}
