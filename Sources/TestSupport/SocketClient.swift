// A client on a raw socket, so that tests can send what no HTTP library would.

import Glibc

/// An HTTP client on a single connection.
public final class SocketClient {
  /// A response with its chunks joined.
  public struct Answer {
    public var status = 0
    /// By name, in the server's spelling.
    public var headers: [String: String] = [:]
    public var body: [UInt8] = []
    public var text: String { String(decoding: body, as: UTF8.self) }
  }

  /// The error when the server does not behave as expected.
  public struct Broken: Error {
    let reason: String
    /// Whether the server closed the connection too early. Otherwise it did not respond.
    public var isClosed = false
  }

  private let descriptor: Int32
  private let port: Int
  private var buffered: [UInt8] = []

  /// Connects. Every wait for the server ends with an error after the time of `Patience`.
  public init(port: Int) throws {
    self.port = port
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw Broken(reason: "no socket: \(errno)") }
    var wait = timeval(tv_sec: Patience.seconds, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &wait, size)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let connected = withUnsafePointer(to: &address) {
      // connect() takes a sockaddr_in through a sockaddr pointer.
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    // An error from here on runs deinit, which closes the socket.
    guard connected == 0 else { throw Broken(reason: "no connection: \(errno)") }
  }

  deinit { close(descriptor) }

  /// Sends a request with the headers that a page from the server would send.
  public func send(_ line: String, _ headers: [String] = [], body: [UInt8] = []) throws {
    let own = ["Host: localhost:\(port)", "Sec-Fetch-Site: same-origin"]
    let head = (["\(line) HTTP/1.1"] + own + headers).joined(separator: "\r\n") + "\r\n\r\n"
    try send(bytes: Array(head.utf8) + body)
  }

  /// Sends text unchanged.
  public func send(raw text: String) throws { try send(bytes: Array(text.utf8)) }

  /// Sends bytes unchanged.
  public func send(bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.send(
          descriptor, buffer.baseAddress?.advanced(by: sent), bytes.count - sent,
          Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw Broken(reason: "could not send: \(errno)") }
      sent += count
    }
  }

  /// Reads one response to its end.
  public func receive(toHead: Bool = false) throws -> Answer {
    var answer = try receiveHead()
    if toHead || answer.status == 204 || answer.status == 304 { return answer }
    if answer.headers["Transfer-Encoding"] != nil {
      while true {
        let chunk = try receiveChunk()
        if chunk.isEmpty { return answer }
        answer.body += chunk
      }
    }
    answer.body = try take(Int(answer.headers["Content-Length"] ?? "0") ?? 0)
    return answer
  }

  /// Reads a response's header and leaves the body unread.
  public func receiveHead() throws -> Answer {
    var answer = Answer()
    let status = try takeLine()
    answer.status = Int(status.split(separator: " ").dropFirst().first ?? "") ?? 0
    while case let line = try takeLine(), !line.isEmpty {
      let parts = line.split(separator: ":", maxSplits: 1)
      answer.headers[String(parts[0])] = String((parts.last ?? "").drop { $0 == " " })
    }
    return answer
  }

  /// Reads one chunk of a chunked body; empty at the end.
  public func receiveChunk() throws -> [UInt8] {
    let size = Int(try takeLine(), radix: 16) ?? 0
    let chunk = try take(size)
    _ = try takeLine()
    return chunk
  }

  /// Waits for the server to close the connection; false if it sends bytes instead.
  public func isClosedByServer() throws -> Bool {
    guard buffered.isEmpty else { return false }
    return try !fill()
  }

  /// Closes the sending side of the connection.
  public func shutDown() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Reads exactly `count` bytes.
  public func take(_ count: Int) throws -> [UInt8] {
    while buffered.count < count {
      guard try fill() else {
        throw Broken(reason: "the connection ended in a body", isClosed: true)
      }
    }
    defer { buffered.removeFirst(count) }
    return Array(buffered[..<count])
  }

  private func takeLine() throws -> String {
    while true {
      if let end = buffered.indices.dropLast().first(where: {
        buffered[$0] == 13 && buffered[$0 + 1] == 10
      }) {
        defer { buffered.removeFirst(end + 2) }
        return String(decoding: buffered[..<end], as: UTF8.self)
      }
      guard try fill() else {
        throw Broken(reason: "the connection ended in a header", isClosed: true)
      }
    }
  }

  /// Waits for bytes; false at the end of the stream.
  private func fill() throws -> Bool {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    if count < 0 && errno == ECONNRESET { return false }
    guard count >= 0 else { throw Broken(reason: "nothing came: \(errno)") }
    buffered += bytes[..<count]
    return count > 0
  }
}

extension Array where Element == UInt8 {
  /// The bytes as one chunk of a chunked body.
  public var chunk: [UInt8] { Array("\(String(count, radix: 16))\r\n".utf8) + self + [13, 10] }
}
