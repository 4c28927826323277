// The socket that a server listens at.

import CMicrohttpd
import Glibc

/// Makes the listening socket ourselves, so that what is in the way can be said in words.
struct ListeningSocket {
  let descriptor: Int32
  /// The port, also where the system chose it.
  let port: Int

  /// Listens at `host`; at `::`, all addresses of both versions, or where the kernel knows no IPv6,
  /// those of IPv4.
  ///
  /// - Parameter open: makes a socket of a family, a type and a protocol.
  init(
    host: String, port: Int,
    open: (_ family: Int32, _ type: Int32, _ protocol: Int32) -> Int32 = Glibc.socket
  ) throws {
    guard (0...65535).contains(port) else {
      throw ServerError(message: "A port is a number from 0 to 65535, not \(port).", code: 0)
    }
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    let result = getaddrinfo(host, String(port), &hints, &list)
    defer { if let list { freeaddrinfo(list) } }
    guard result == 0, let address = list?.pointee else {
      throw ServerError(
        message: "The address \(host) can't be found: \(String(cString: gai_strerror(result))).",
        code: result)
    }
    let socket = open(
      address.ai_family,
      address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue)
        | Int32(SOCK_NONBLOCK.rawValue), address.ai_protocol)
    guard socket >= 0 else {
      if host == "::", errno == EAFNOSUPPORT {
        self = try ListeningSocket(host: "0.0.0.0", port: port, open: open)
        return
      }
      throw ListeningSocket.error("open a socket", host, port)
    }
    var yes: Int32 = 1
    setsockopt(
      socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    if address.ai_family == AF_INET6, host == "::" {
      // All addresses of both versions.
      var no: Int32 = 0
      setsockopt(socket, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &no, socklen_t(MemoryLayout<Int32>.size))
    }
    guard bind(socket, address.ai_addr, address.ai_addrlen) == 0, listen(socket, 1024) == 0 else {
      defer { close(socket) }
      throw ListeningSocket.error("listen", host, port)
    }
    descriptor = socket
    do {
      self.port = try ListeningSocket.port(of: socket)
    } catch {
      close(socket)
      throw error
    }
  }

  private static func port(of socket: Int32) throws -> Int {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let port: Int? = withUnsafeMutablePointer(to: &storage) { storage in
      // A sockaddr_storage is laid out so that it can be read as each of these.
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard getsockname(socket, address, &length) == 0 else { return nil }
        if address.pointee.sa_family == sa_family_t(AF_INET6) {
          return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
            Int(UInt16(bigEndian: $0.pointee.sin6_port))
          }
        }
        return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
          Int(UInt16(bigEndian: $0.pointee.sin_port))
        }
      }
    }
    guard let port else { throw error("ask for the port", "", 0) }
    return port
  }

  private static func error(_ operation: String, _ host: String, _ port: Int) -> ServerError {
    let code = errno
    let message =
      switch code {
      case EADDRINUSE:
        "Port \(port) is taken by another program. Stop it, or choose another port."
      case EACCES:
        "Port \(port) is reserved for the system. Choose one above 1023."
      case EADDRNOTAVAIL:
        "This machine does not have the address \(host)."
      default:
        "Could not \(operation) at \(host), port \(port): \(String(cString: strerror(code)))."
      }
    return ServerError(message: message, code: code)
  }
}
