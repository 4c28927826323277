// Addresses of the internet protocol, version 4 written as a part of version 6, and ranges of them.

import CMicrohttpd
import Glibc

/// One address, of either version.
public struct IPAddress: Hashable, Sendable {
  /// The 128 bits; version 4 is mapped into version 6.
  fileprivate let number: UInt128

  /// The 16 bytes; version 4 is mapped into version 6.
  public var bytes: [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }

  /// Makes an address from 4 or 16 bytes.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    let number = bytes.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
    self.number = bytes.count == 4 ? IPAddress.mapped | number : number
  }

  /// Reads an address as it is written; brackets around version 6 are taken off.
  public init?(_ text: String) {
    var name = text[...]
    if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, String(name), &four) == 1 {
      number = IPAddress.mapped | UInt128(UInt32(bigEndian: four.s_addr))
    } else if inet_pton(AF_INET6, String(name), &six) == 1 {
      number = withUnsafeBytes(of: &six) { UInt128(bigEndian: $0.loadUnaligned(as: UInt128.self)) }
    } else {
      return nil
    }
  }

  /// Reads a socket's address; nil for other families.
  public init?(_ address: UnsafePointer<sockaddr>?) {
    var bytes: UInt128 = 0
    let isKnown = withUnsafeMutableBytes(of: &bytes) {
      segmance_address_bytes(address, $0.baseAddress)
    }
    guard isKnown != 0 else { return nil }
    number = UInt128(bigEndian: bytes)
  }

  /// What stands before version 4 in version 6.
  private static let mapped: UInt128 = 0xFFFF << 32

  /// Whether the address is of version 4.
  public var isVersion4: Bool { number >> 32 == 0xFFFF }

  /// The bytes as certificates hold them: 4 or 16.
  public var shortBytes: [UInt8] { isVersion4 ? Array(bytes[12...]) : bytes }

  /// Whether the address is this machine itself.
  public var isLoopback: Bool { isVersion4 ? number >> 24 & 0xFF == 127 : number == 1 }

  /// The network of one subscriber, for limits: of version 6 the first 64 bits, of version 4 the whole
  /// address. Who has one address of version 6 has all of its network.
  public var subscriber: IPAddress { isVersion4 ? self : IPAddress(number: (number >> 64) << 64) }

  private init(number: UInt128) { self.number = number }

  /// The address as an address bar takes it: version 6 in brackets.
  public var host: String { isVersion4 ? description : "[\(description)]" }
}

extension IPAddress: CustomStringConvertible {
  public var description: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = isVersion4 ? AF_INET : AF_INET6
    let written = shortBytes.withUnsafeBytes {
      inet_ntop(family, $0.baseAddress, &text, socklen_t(text.count)) != nil
    }
    return written ? String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self) : ""
  }
}

/// A range of addresses: `10.0.0.0/8`, `fd00::/8`, or a single one.
public struct AddressRange: Hashable, Sendable {
  /// The first address.
  public let base: IPAddress
  /// How many of the 128 bits count.
  private let bits: Int

  /// Reads a range; nil when the text is none.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let base = IPAddress(String(parts[0])) else { return nil }
    let width = base.isVersion4 ? 32 : 128
    guard parts.count == 1 || parts[1].allSatisfy({ $0.isASCII && $0.isNumber }),
      let length = parts.count == 1 ? width : Int(parts[1]), (0...width).contains(length)
    else { return nil }
    self.base = base
    bits = length + 128 - width
  }

  /// Tells whether an address lies in the range.
  public func contains(_ address: IPAddress) -> Bool {
    (address.number ^ base.number) & mask == 0
  }

  /// Address and mask one after the other, as a certificate's constraint holds them: 8 or 32 bytes.
  public var constraint: [UInt8] {
    let both = [base.number & mask, mask].map { part in
      withUnsafeBytes(of: part.bigEndian) { Array($0.suffix(base.isVersion4 ? 4 : 16)) }
    }
    return both[0] + both[1]
  }

  private var mask: UInt128 { bits == 0 ? 0 : UInt128.max << UInt128(128 - bits) }
}
