// The parsers of a request's header: ranges, hosts, targets, senders.

import TestSupport

@testable import HTTP

extension Harness {
  /// A line with the size of a file, then a Range header.
  static let range = Harness(
    "range", "a range lies inside of the file, and asked for by itself it is the same",
    texts: [
      "100\nbytes=0-9", "4097\nbytes=0-4096", "100\nbytes=90-", "100\nbytes=-10", "0\nbytes=0-",
      "100\nbytes=0-1,5-6",
      "1125899906842624\nbytes=-9223372036854775807", "5\nBytes= 3-99999999999999999999 ",
    ], words: ["bytes=", "9223372036854775807", "99999999999999999999", ","]
  ) {
    { bytes in
      let lines = bytes.lines(2)
      // Larger ones no disk has, and numbers beyond are not read to their last digit.
      guard let size = Int(lines[0]), (0...1 << 50).contains(size) else { return }
      let field = lines[1]
      let found = ByteRange.parse(field, size: size)
      let isWhole = ByteRange.parse(field, size: size / 2) == .whole
      try holds((found == .whole) == isWhole, "whether it is a range depends on the file's size")
      guard case .part(let range) = found else { return }
      try holds(
        range.lowerBound >= 0 && range.lowerBound < range.upperBound && range.upperBound <= size,
        "\(range) lies outside of \(size) bytes")
      let plain = "bytes=\(range.lowerBound)-\(range.upperBound - 1)"
      try holds(ByteRange.parse(plain, size: size) == found, "\(plain) is another range")
    }
  }

  private static let hosts = [
    "localhost:7700", "127.0.0.1:7700", "[::1]:7700", "studio.example", "desk.local:80",
  ]

  /// Lines with the header fields Host, Origin and Sec-Fetch-Site, and the target's authority.
  static let host = Harness(
    "host", "no host but this server's own is answered, no write of another origin is taken",
    texts: [
      "localhost:7700\nhttp://localhost:7700\n\n", "LOCALHOST:7700\n\nsame-origin\nlocalhost:7700",
      "studio.example\nhttps://studio.example\n\n", "desk.local:80\nhttp://desk.local:80\n\n",
      "127.0.0.1.evil.example:7700\nnull\ncross-site\n", "[::1]:7700\n\n\n",
    ],
    words: hosts + [
      "http://", "https://", "same-origin", "cross-site", ".evil.example", "\u{212A}",
    ]
  ) {
    let policy = HostPolicy(
      Configuration(port: 7700, allowedHosts: ["https://studio.example", "desk.local:80"]))
    return { bytes in
      let lines = bytes.lines(4)
      var headers: Headers = ["Host": lines[0]]
      if !lines[1].isEmpty { headers["Origin"] = lines[1] }
      if !lines[2].isEmpty { headers["Sec-Fetch-Site"] = lines[2] }
      let request = Request(.post, "/", headers: headers)
      let authority = lines[3].isEmpty ? nil : lines[3]
      guard let host = try? policy.host(of: request, authority: authority) else { return }
      for name in [lines[0]] + (authority.map { [$0] } ?? []) {
        try holds(
          hosts.contains { Headers.equal($0, name) }, "\(name.debugDescription) was let in")
      }
      guard (try? policy.checkOrigin(of: request, host: host)) != nil else { return }
      if !lines[2].isEmpty {
        try holds(lines[2] == "same-origin", "a write from \(lines[2]) was taken")
      } else {
        let scheme = Headers.equal(lines[0], "studio.example") ? "https" : "http"
        try holds(
          Headers.equal(lines[1], "\(scheme)://\(lines[0])"),
          "a write of \(lines[1].debugDescription) was taken")
      }
    }
  }

  /// A request target.
  static let target = Harness(
    "target", "an accepted path is plain, and written out in full it means the same",
    texts: [
      "/", "/api/tracks/0193a5b0-0000-7000-8000-000000000001/audio?start=0&end=48000&format=flac",
      "http://localhost:7700/a%20b?x=%C3%A4+%2B&y", "/%2e%2e/x", "/a//b", "/a/./b", "*",
      "/?=&&a=b=c", "https://h?q", "/x/",
    ],
    words: [
      "%2e", "%2F", "%00", "%5c", "%C3%A4", "%CC%81", "..", "http://", "https://", "+", "?", "&",
    ]
  ) {
    { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      let target: RequestTarget
      do throws(HTTPError) {
        target = try RequestTarget(text)
      } catch {
        try holds([400, 414].contains(error.status), "refused with \(error.status)")
        return
      }
      try holds(target.path.utf8.first == UInt8(ascii: "/"), "the path does not begin")
      try holds(
        target.path.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") },
        "the path holds a character of control")
      let segments = target.path.utf8.dropFirst().split(
        separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      try holds(
        Router.segments(of: target.path).elementsEqual(segments) { $0.utf8.elementsEqual($1) },
        "the router reads \(target.path) otherwise")
      for (index, segment) in segments.enumerated() {
        let isLast = index == segments.count - 1
        try holds(!segment.isEmpty || isLast, "an empty segment in \(target.path)")
        try holds(
          ![".", ".."].contains { segment.elementsEqual($0.utf8) }, "dots in \(target.path)")
      }
      var plain = escaped(target.path, keeping: "/")
      for (index, item) in target.query.items.enumerated() {
        plain += (index == 0 ? "?" : "&") + escaped(item.name) + "=" + escaped(item.value)
      }
      guard plain.utf8.count <= RequestTarget.lengthLimit else { return }
      let again = try RequestTarget(plain)
      try holds(same(again.path, target.path), "\(plain) has another path")
      try holds(
        again.query.items.elementsEqual(target.query.items) {
          same($0.name, $1.name) && same($0.value, $1.value)
        }, "\(plain) has another query")
    }
  }

  /// Lines with the peer's address, an X-Forwarded-For, a range of addresses, and a cookie's value.
  static let caller = Harness(
    "caller", "only a trusted proxy is believed, and a cookie is found whatever stands beside it",
    texts: [
      "127.0.0.1\n203.0.113.7, 10.0.0.3\n192.168.0.0/16\nabc", "10.1.2.3\n::1,fd00::2\nfd00::/8\n",
      "192.0.2.1\n198.51.100.1\n::/0\na=b", "::ffff:10.0.0.1\n[2001:db8::1]\n10.0.0.0/33\n\"x\"",
    ],
    words: [
      "10.0.0.1", "127.0.0.1", "::ffff:", "/128", "[", "]", "\u{301}", "\u{600}", ", ", ",", " ",
    ]
  ) {
    let trusted = ["10.0.0.0/8", "fd00::/8", "127.0.0.1"].compactMap { AddressRange($0) }
    return { bytes in
      let lines = bytes.lines(4)
      var request = Request(.get, "/")
      request.headers.add("X-Forwarded-For", lines[1])
      let name = "__Host-segmance_device"
      let value = String(
        String.UnicodeScalarView(lines[3].unicodeScalars.filter { $0 != ";" && $0 != "\n" }))
      request.headers.add("Cookie", "a=\(value); \(name)=\(value);b=c")
      try holds(request.cookie(name).map { same($0, value) } == true, "the cookie is another one")
      try holds(request.isForwarded, "the proxy is not noticed")
      if let peer = IPAddress(lines[0]) {
        try check(peer)
        request.peer = peer
        let sender = request.sender(trusting: trusted)
        let isTrusted = trusted.contains { $0.contains(peer) }
        let hops = lines[1].utf8.split(separator: UInt8(ascii: ",")).map { hop in
          IPAddress(
            String(
              decoding: hop.drop(while: isBlank).reversed().drop(while: isBlank).reversed(),
              as: UTF8.self))
        }
        // The last that is not trusted, or that says nothing, ends the search.
        let end = hops.last { hop in
          guard let hop else { return true }
          return !trusted.contains { $0.contains(hop) }
        }
        let believed = isTrusted ? (end ?? peer) ?? peer : peer
        try holds(sender == believed, "\(sender as Any) is believed")
      }
      if let range = AddressRange(lines[2]) {
        try holds(range.contains(range.base), "\(lines[2]) does not hold its own base")
        try holds([8, 32].contains(range.constraint.count), "\(lines[2]) has no constraint")
      }
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func check(_ address: IPAddress) throws {
    try holds(address.bytes.count == 16, "\(address.bytes) is no address")
    try holds(IPAddress(address.description) == address, "\(address) is read as another")
    try holds(IPAddress(address.host) == address, "\(address.host) is read as another")
  }

  private static func escaped(_ text: String, keeping kept: String = "") -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    let bytes = text.utf8.flatMap { byte -> [UInt8] in
      kept.utf8.contains(byte)
        ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether two texts are the same bytes; to `==`, texts that look alike are equal.
  private static func same(_ one: String, _ other: String) -> Bool {
    one.utf8.elementsEqual(other.utf8)
  }
}
