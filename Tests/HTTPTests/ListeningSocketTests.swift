// The listening socket, on machines with other configurations.

import Glibc
import TestSupport
import Testing

@testable import HTTP

@Suite struct ListeningSocketTests {
  /// A kernel without IPv6, as with `ipv6.disable=1`.
  private func withoutIPv6(_ family: Int32, _ type: Int32, _ number: Int32) -> Int32 {
    guard family == AF_INET6 else { return socket(family, type, number) }
    errno = EAFNOSUPPORT
    return -1
  }

  @Test func `without IPv6 all addresses are those of IPv4`() throws {
    let listening = try ListeningSocket(host: "::", port: 0, open: withoutIPv6)
    defer { close(listening.descriptor) }
    _ = try SocketClient(port: listening.port)
  }

  @Test func `a requested IPv6 address is not replaced`() {
    let error = #expect(throws: ServerError.self) {
      _ = try ListeningSocket(host: "::1", port: 0, open: withoutIPv6)
    }
    #expect(error?.code == EAFNOSUPPORT)
  }
}
