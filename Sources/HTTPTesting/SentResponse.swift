// What a client gets of a response, for requests without a socket.

import Dispatch
import FoundationEssentials
import Glibc

@testable import HTTP

extension EncodedResponse {
  /// The response with all its header fields, and the bytes of its file.
  func response(to method: HTTP.Method) -> Response {
    var headers = headers
    for (name, value) in EncodedResponse.commonHeaders.dropFirst(ownHeaders) {
      headers.add(name, value)
    }
    if let length, status != 204, status != 304 { headers["Content-Length"] = String(length) }
    var response = Response(status: status, headers: headers)
    guard method != .head else {
      if case .feed(let feed, _) = payload { feed.abandon() }
      return response
    }
    switch payload {
    case .bytes(let bytes): response.body = bytes.isEmpty ? .none : .bytes(bytes)
    case .shared(let bytes): response.body = .bytes(bytes.bytes)
    case .file(let file, let range): response.body = .bytes(read(file, range))
    case .feed(let feed, let length):
      if let events = feed as? EventStream { response.body = .events(events) }
      if let bytes = feed as? ByteStream { response.body = .stream(bytes, length: length) }
    }
    return response
  }

  /// The length of the payload; nil where it is not known.
  private var length: Int? {
    switch payload {
    case .bytes(let bytes): bytes.count
    case .shared(let bytes): bytes.count
    case .file(_, let range): range.count
    case .feed(_, let length): length
    }
  }

  private func read(_ file: ServedFile, _ range: Range<Int>) -> [UInt8] {
    let descriptor = file.release()
    defer { close(descriptor) }
    return [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      let rest = UnsafeMutableRawBufferPointer(buffer)
      while count < range.count {
        let received = pread(
          descriptor, rest.baseAddress?.advanced(by: count), range.count - count,
          range.lowerBound + count)
        if received < 0, errno == EINTR { continue }
        precondition(received > 0, "A file of the response could not be read.")
        count += received
      }
    }
  }
}

extension Response {
  /// The body's bytes, if it has any.
  public var content: [UInt8] {
    switch body {
    case .bytes(let bytes): bytes
    case .shared(let shared): shared.bytes
    case .none, .file, .temporaryFile, .events, .stream: []
    }
  }

  /// The body as text.
  public var text: String { String(decoding: content, as: UTF8.self) }

  /// The body as JSON.
  public var json: JSONValue? { try? JSONDecoder().decode(JSONValue.self, from: Data(content)) }
}

extension ByteStream {
  /// Reads everything. Nil when it failed.
  public func takeAll() -> [UInt8]? {
    let more = DispatchSemaphore(value: 0)
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let reading = buffer.withUnsafeMutableBytes { read(into: $0) { { more.signal() } } }
      switch reading {
      case .copied(let count): all += buffer[..<count]
      case .waiting: more.wait()
      case .ended: return all
      case .failed: return nil
      }
    }
  }
}

extension EventStream {
  /// Takes what is pending as text.
  public func takePending() -> String {
    var pending: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case .copied(let count) = buffer.withUnsafeMutableBytes({ read(into: $0) { {} } }) {
      pending += buffer[..<count]
    }
    return String(decoding: pending, as: UTF8.self)
  }
}
