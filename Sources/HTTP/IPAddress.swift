// Addresses of the internet protocol, version 4 written as a part of version 6, and ranges of them.

import CMicrohttpd
import Glibc

/// One address, of either version.
public struct IPAddress: Hashable, Sendable {
  /// The 16 bytes; version 4 is mapped into version 6.
  public let bytes: [UInt8]

  /// Makes an address from 4 or 16 bytes.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes =
      bytes.count == 16 ? bytes : [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + bytes
  }

  private init(unchecked bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// Reads an address as it is written; brackets around version 6 are taken off.
  public init?(_ text: String) {
    var name = text[...]
    if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, String(name), &four) == 1 {
      let raw = withUnsafeBytes(of: &four) { Array($0) }
      bytes = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + raw
    } else if inet_pton(AF_INET6, String(name), &six) == 1 {
      bytes = withUnsafeBytes(of: &six) { Array($0) }
    } else {
      return nil
    }
  }

  /// Reads a socket's address; nil for other families.
  public init?(_ address: UnsafePointer<sockaddr>?) {
    var bytes = [UInt8](repeating: 0, count: 16)
    guard segmance_address_bytes(address, &bytes) != 0 else { return nil }
    self.bytes = bytes
  }

  /// Whether the address is of version 4.
  public var isVersion4: Bool {
    bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
  }

  /// The bytes as certificates hold them: 4 or 16.
  public var shortBytes: [UInt8] { isVersion4 ? Array(bytes[12...]) : bytes }

  /// Whether the address is this machine itself.
  public var isLoopback: Bool {
    isVersion4 ? bytes[12] == 127 : bytes[..<15].allSatisfy { $0 == 0 } && bytes[15] == 1
  }

  /// The address with only what stands for one subscriber: of version 6 the first half.
  public var subscriber: IPAddress {
    isVersion4 || isLoopback
      ? self : IPAddress(unchecked: bytes[..<8] + [UInt8](repeating: 0, count: 8))
  }

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
    zip(zip(address.bytes, base.bytes), mask).allSatisfy { $0.0 & $1 == $0.1 & $1 }
  }

  /// Address and mask one after the other, as a certificate's constraint holds them: 8 or 32 bytes.
  public var constraint: [UInt8] {
    let mask = base.isVersion4 ? Array(mask[12...]) : mask
    return zip(base.shortBytes, mask).map { $0 & $1 } + mask
  }

  private var mask: [UInt8] {
    (0..<16).map { index in
      let left = bits - index * 8
      return left >= 8 ? 0xFF : left <= 0 ? 0 : ~UInt8(0) << UInt8(8 - left)
    }
  }
}
