// This machine's host names and addresses.

import Glibc
import HTTP

/// The names and addresses of this machine, as they are now.
public struct LocalAddresses: Sendable, Equatable {
  /// The machine's own name, without a domain.
  public var name: String
  /// Its addresses without loopback and link-local ones, the most reachable first.
  public var addresses: [IPAddress]

  /// Describes a machine.
  public init(name: String, addresses: [IPAddress]) {
    self.name = name
    self.addresses = addresses
  }

  /// Reads this machine's names and addresses.
  public static func current() -> LocalAddresses {
    let preferred = [preferredAddress(AF_INET), preferredAddress(AF_INET6)].compactMap(\.self)
    var rest: [IPAddress] = []
    var behindBridges: [IPAddress] = []
    for (interface, address) in interfaceAddresses() where !preferred.contains(address) {
      // No phone reaches the bridges of containers and virtual machines.
      let isBridge = ["docker", "br-", "veth", "virbr", "vmnet"].contains {
        interface.hasPrefix($0)
      }
      if isBridge { behindBridges.append(address) } else { rest.append(address) }
    }
    let all = preferred + rest + behindBridges
    return LocalAddresses(
      name: hostName(),
      addresses: all.filter(\.isVersion4) + all.filter { !$0.isVersion4 })
  }

  /// The names by which the machine is reached: with `.local` where multicast DNS answers.
  public var names: [String] {
    name.isEmpty || name == "localhost" ? [] : [name + ".local", name]
  }

  private static func hostName() -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "" }
    let text = String(
      decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let label = text.split(separator: ".").first.map { $0.lowercased() } ?? ""
    let isPlain = label.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
    }
    return isPlain && label.utf8.count <= 63 ? label : ""
  }

  /// The source address of traffic to the internet. Nothing is sent: connecting a datagram socket only
  /// asks the routing table. The target is a documentation address (RFC 5737, 3849).
  private static func preferredAddress(_ family: Int32) -> IPAddress? {
    let socket = Glibc.socket(family, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { return nil }
    defer { close(socket) }
    var hints = addrinfo()
    hints.ai_family = family
    hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    let target = family == AF_INET ? "198.51.100.1" : "2001:db8::1"
    guard getaddrinfo(target, "9", &hints, &list) == 0, let target = list?.pointee else {
      return nil
    }
    defer { freeaddrinfo(list) }
    guard connect(socket, target.ai_addr, target.ai_addrlen) == 0 else { return nil }
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let address = withUnsafeMutablePointer(to: &storage) { storage in
      // A sockaddr_storage is laid out so that it can be read as a sockaddr.
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        getsockname(socket, address, &length) == 0 ? IPAddress(address) : nil
      }
    }
    return address.flatMap { isUseful($0) ? $0 : nil }
  }

  private static func interfaceAddresses() -> [(interface: String, address: IPAddress)] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    var found: [(String, IPAddress)] = []
    var next = list
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard entry.ifa_flags & UInt32(IFF_UP) != 0, let name = entry.ifa_name,
        let address = IPAddress(entry.ifa_addr), isUseful(address)
      else { continue }
      found.append((String(cString: name), address))
    }
    return found
  }

  /// Excludes loopback, and link-local IPv6 addresses, which browsers don't accept.
  private static func isUseful(_ address: IPAddress) -> Bool {
    !address.isLoopback && !(address.bytes[0] == 0xFE && address.bytes[1] & 0xC0 == 0x80)
  }
}
