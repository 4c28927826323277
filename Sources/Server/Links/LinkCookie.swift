// The cookies that identify visitors, one for each link.

import FoundationEssentials
import HTTP

enum LinkCookie {
  /// As of `DeviceCookie.plainName`.
  static let prefix = "__Host-segmance_link_"
  /// How many links a visitor may hold at once. A browser sends more only if somebody makes it.
  private static let mostLinks = 100

  /// The ids of the valid links whose tokens a request carries. A token issued at another port is
  /// valid too, because the port may have changed since.
  static func links(of request: Request, in links: Links) -> Set<String> {
    let tokens = request.cookies { $0.starts(with: prefix.utf8) }
    return links.find(tokens: tokens.prefix(mostLinks))
  }

  /// The header field that sets the cookie of a link until its end, at most as long as browsers keep
  /// one.
  static func setting(
    _ token: String, of id: String, for request: Request, seconds: Int
  ) -> String {
    let name = DeviceCookie.name(prefix + id, at: request)
    return "\(name)=\(token); Max-Age=\(max(0, seconds)); \(DeviceCookie.attributes)"
  }
}
