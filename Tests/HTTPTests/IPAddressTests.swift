// Parsing, comparison and ranges of IP addresses.

import Testing

@testable import HTTP

@Suite struct IPAddressTests {
  @Test(arguments: [
    ("127.0.0.1", "127.0.0.1", true), ("127.8.8.8", "127.8.8.8", true), ("::1", "::1", true),
    ("[::1]", "::1", true), ("::ffff:127.0.0.1", "127.0.0.1", true),
    ("192.168.1.20", "192.168.1.20", false), ("FD00::0002", "fd00::2", false),
    ("::", "::", false), ("::2", "::2", false), ("::ffff:10.0.0.1", "10.0.0.1", false),
  ])
  func `an address is parsed and written`(text: String, written: String, isLoopback: Bool) throws {
    let address = try #require(IPAddress(text))
    #expect(address.description == written)
    #expect(address.isLoopback == isLoopback)
    #expect(IPAddress(bytes: address.shortBytes) == address)
  }

  @Test(arguments: [
    "", " ", "localhost", "127.0.0", "127.0.0.256", "127.0.0.1 ", "[127.0.0.1", "1::2::3", "0x7f.1",
    "127.0.0.1:80", "fe80::1%eth0", "127.1", "٣.1.1.1",
  ])
  func `an invalid address is refused`(text: String) {
    #expect(IPAddress(text) == nil)
    #expect(AddressRange(text) == nil)
  }

  @Test(arguments: [
    ("10.0.0.0/8", ["10.0.0.0", "10.255.255.255"], ["9.255.255.255", "11.0.0.0", "::a00:1"]),
    ("172.16.0.0/12", ["172.16.0.1", "172.31.255.255"], ["172.15.0.1", "172.32.0.0"]),
    ("fd00::/8", ["fd00::1", "fdff::1"], ["fc00::1", "fe00::1", "10.0.0.1"]),
    ("192.168.1.20", ["192.168.1.20", "::ffff:192.168.1.20"], ["192.168.1.21"]),
    ("0.0.0.0/0", ["1.2.3.4"], ["::1", "fd00::1"]),
    ("::/0", ["1.2.3.4", "::1"], []),
    ("192.168.1.20/31", ["192.168.1.20", "192.168.1.21"], ["192.168.1.22", "192.168.1.19"]),
  ])
  func `a range contains its addresses`(text: String, inside: [String], outside: [String]) throws {
    let range = try #require(AddressRange(text))
    for text in inside { #expect(range.contains(try #require(IPAddress(text))), "\(text)") }
    for text in outside { #expect(!range.contains(try #require(IPAddress(text))), "\(text)") }
  }

  @Test(arguments: [
    "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0.0/8/8", "::/129", "/8", "10/8",
  ])
  func `an invalid range is refused`(text: String) { #expect(AddressRange(text) == nil) }

  @Test func `a constraint is an address and its mask`() {
    #expect(AddressRange("10.1.2.3/8")?.constraint == [10, 0, 0, 0, 255, 0, 0, 0])
    #expect(AddressRange("fd00::/8")?.constraint.count == 32)
    #expect(AddressRange("172.16.0.0/12")?.constraint == [172, 16, 0, 0, 255, 240, 0, 0])
  }

  @Test func `of version 6 a subscriber has 64 bits, of version 4 one address`() throws {
    func subscriber(_ text: String) throws -> String {
      try #require(IPAddress(text)).subscriber.description
    }
    #expect(try subscriber("2001:db8:1:2:3:4:5:6") == "2001:db8:1:2::")
    #expect(try subscriber("192.168.1.20") == "192.168.1.20")
    #expect(try subscriber("::ffff:10.0.0.1") == "10.0.0.1")
  }
}
