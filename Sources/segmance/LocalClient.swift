// A minimal HTTP client for the server on this machine.

import FoundationEssentials
import Glibc
import Server

/// A connection to the running server, as its owner.
struct LocalClient {
  private let serving: RuntimeFile

  /// Finds the server of a data folder.
  init(root: String) throws(CommandFailure) {
    guard let serving = RuntimeFile.read(root: root) else {
      throw CommandFailure(
        description:
          "The library in \(root) is used by another segmance command. Try again when it "
          + "is done.")
    }
    self.serving = serving
  }

  /// Sends a request and returns the body of the response. Throws the server's message if it
  /// refuses.
  func send(_ method: String, _ path: String, _ body: [UInt8] = []) throws -> [UInt8] {
    let origin = "\(host.contains(":") ? "[\(host)]" : host):\(serving.port)"
    let head = """
      \(method) \(path) HTTP/1.1\r
      Host: \(origin)\r
      Origin: http://\(origin)\r
      Authorization: Bearer \(serving.key)\r
      Content-Type: application/json\r
      Content-Length: \(body.count)\r
      Connection: close\r
      \r

      """
    let answer = try exchange(Array(head.utf8) + body)
    let end = Array("\r\n\r\n".utf8)
    guard
      let split = answer.indices.dropLast(3).first(where: {
        answer[$0..<$0 + 4].elementsEqual(end)
      }),
      let status = Int(String(decoding: answer.prefix(12).suffix(3), as: UTF8.self))
    else { throw CommandFailure(description: "The server's answer could not be understood.") }
    let content = Array(answer[(split + 4)...])
    guard (200..<300).contains(status) else {
      struct Problem: Decodable { let detail: String }
      let problem = try? JSONDecoder().decode(Problem.self, from: Data(content))
      throw CommandFailure(description: problem?.detail ?? "The server answered \(status).")
    }
    return content
  }

  private func exchange(_ bytes: [UInt8]) throws -> [UInt8] {
    let socket = try connected()
    defer { close(socket) }
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.send(
          socket, buffer.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw unreachable }
      sent += count
    }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(socket, &buffer, buffer.count, 0)
      guard count >= 0 else { throw unreachable }
      if count == 0 { return answer }
      answer += buffer[..<count]
    }
  }

  /// A server that listens on all addresses is reached through loopback.
  private var host: String {
    ["0.0.0.0", "::"].contains(serving.host) ? "127.0.0.1" : serving.host
  }

  private func connected() throws -> Int32 {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(serving.port), &hints, &list) == 0, let address = list?.pointee
    else { throw unreachable }
    defer { freeaddrinfo(list) }
    let socket = Glibc.socket(address.ai_family, address.ai_socktype, 0)
    guard socket >= 0 else { throw unreachable }
    var wait = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(
      socket, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
    guard connect(socket, address.ai_addr, address.ai_addrlen) == 0 else {
      close(socket)
      throw unreachable
    }
    return socket
  }

  private var unreachable: CommandFailure {
    CommandFailure(description: "The running server does not answer on port \(serving.port).")
  }
}
