// Requests to a server on this machine, over libcurl.

import Glibc
import HTTP
import HTTPClient
import Logging
import TestSupport
import Testing

@Suite struct HTTPClientTests {
  private let client = HTTPClient(allowsHTTP: true, limit: 1_000)

  /// Starts a server for a test, at whose address it is given, and stops it at the end.
  private func serve(_ routes: [Route], _ test: (String) throws -> Void) throws {
    let server = HTTPServer(
      configuration: Configuration(port: 0), router: Router(routes: routes), log: Logger { _ in })
    let port = try server.start()
    defer { server.stop() }
    try test("http://127.0.0.1:\(port)")
  }

  /// A request that a server of ours takes as one of its own pages'.
  private func request(
    _ method: String, _ url: String, headers: [(name: String, value: String)] = [],
    body: [UInt8]? = nil
  ) -> HTTPClient.Request {
    HTTPClient.Request(
      method, url, headers: headers + [("Sec-Fetch-Site", "same-origin")], body: body)
  }

  private func send(
    _ method: String, _ url: String, headers: [(name: String, value: String)] = [],
    body: [UInt8]? = nil
  ) throws -> HTTPClient.Response {
    try client.send(request(method, url, headers: headers, body: body))
  }

  private func failure(
    of client: HTTPClient, _ request: HTTPClient.Request
  ) -> HTTPClient.Failure.Kind? {
    do throws(HTTPClient.Failure) {
      _ = try client.send(request)
      return nil
    } catch { return error.kind }
  }

  private let echo = Route(.post, "/api/echo", summary: "x", body: .buffered(limit: 100_000)) {
    var response = Response.bytes($0.body, contentType: "application/octet-stream")
    response.headers["X-Seen"] = "\($0.headers["X-Said"] ?? "-") \($0.headers["User-Agent"] ?? "-")"
    return response
  }

  @Test func `method, fields and body arrive, and so does the response`() throws {
    try serve([echo]) { address in
      let body = (0..<1_000).map { UInt8(truncatingIfNeeded: $0) }
      let response = try send(
        "POST", address + "/api/echo", headers: [("X-Said", "hello")], body: body)
      #expect(response.status == 200)
      #expect(response.body == body)
      #expect(response.headers["x-seen"] == "hello Segmance")
      #expect(response.headers["content-type"] == "application/octet-stream")
      let empty = try send("POST", address + "/api/echo", body: [])
      #expect(empty.status == 200)
      #expect(empty.body.isEmpty)
    }
  }

  @Test func `a body is sent and received piece by piece`() throws {
    try serve([echo]) { address in
      let body = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      var (sent, pieces) = (0, [Int]())
      var received: [UInt8] = []
      let response = try client.send(
        request("POST", address + "/api/echo"),
        HTTPClient.Transfer(
          sending: (
            length: body.count,
            read: { buffer in
              let count = min(buffer.count, 999, body.count - sent)
              buffer.copyBytes(from: body[sent..<sent + count])
              sent += count
              pieces.append(count)
              return count
            }
          ), receiving: { received += $0 }))
      #expect(response.status == 200)
      #expect(response.body.isEmpty, "more than the limit would not fit")
      #expect(received == body)
      #expect(pieces.count > 100)
    }
  }

  @Test func `the body of an answer that is no success is in the response`() throws {
    try serve([echo]) { address in
      var received = 0
      let response = try client.send(
        request("GET", address + "/api/nothing"),
        HTTPClient.Transfer(receiving: { received += $0.count }))
      #expect(response.status == 404)
      #expect(!response.body.isEmpty)
      #expect(received == 0)
    }
  }

  @Test func `what a transfer throws ends the request`() throws {
    struct Full: Error {}
    try serve([echo]) { address in
      #expect(throws: Full.self) {
        try client.send(
          request("POST", address + "/api/echo", body: [1]),
          HTTPClient.Transfer(receiving: { _ in throw Full() }))
      }
      #expect(throws: Full.self) {
        try client.send(
          request("POST", address + "/api/echo"),
          HTTPClient.Transfer(sending: (length: 10, read: { _ in throw Full() })))
      }
    }
  }

  @Test func `a transfer without a byte for so long ends`() throws {
    let silent = try SilentServer()
    defer { silent.end() }
    let failure = #expect(throws: HTTPClient.Failure.self) {
      try client.send(
        HTTPClient.Request("GET", "http://127.0.0.1:\(silent.port)/"),
        HTTPClient.Transfer(stallSeconds: 1))
    }
    #expect(failure?.kind == .timeout)
  }

  @Test func `any status is a response, and a redirect is not followed`() throws {
    let away = Route(.get, "/api/away", summary: "x") { _ in
      Response.empty(status: 302, headers: ["Location": "/api/there"])
    }
    let there = Route(.get, "/api/there", summary: "x") { _ in .text("there") }
    try serve([away, there]) { address in
      #expect(try send("GET", address + "/api/nothing").status == 404)
      let response = try send("GET", address + "/api/away")
      #expect(response.status == 302)
      #expect(response.headers["location"] == "/api/there")
    }
  }

  @Test func `HEAD has no body, other methods pass`() throws {
    let text = Route(.get, "/api/text", summary: "x") { _ in .text("text") }
    let gone = Route(.delete, "/api/text", summary: "x") { _ in .empty() }
    try serve([text, gone]) { address in
      let head = try send("HEAD", address + "/api/text")
      #expect(head.status == 200)
      #expect(head.body.isEmpty)
      #expect(try send("DELETE", address + "/api/text").status == 204)
    }
  }

  @Test func `a response that is too long is refused`() throws {
    try serve([echo]) { address in
      let request = request(
        "POST", address + "/api/echo", body: [UInt8](repeating: 7, count: 1_001))
      #expect(failure(of: client, request) == .tooLong)
    }
  }

  @Test func `header fields that are too many are refused`() throws {
    let much = Route(.get, "/api/much", summary: "x") { _ in
      var response = Response.empty()
      for index in 0..<10 { response.headers["X-\(index)"] = String(repeating: "x", count: 2_000) }
      return response
    }
    try serve([much]) { address in
      #expect(failure(of: client, HTTPClient.Request("GET", address + "/api/much")) == .tooLong)
    }
  }

  @Test func `only https is allowed unless http is asked for, and nothing else ever`() throws {
    try serve([echo]) { address in
      #expect(failure(of: HTTPClient(), HTTPClient.Request("GET", address)) == .failed)
    }
    for url in ["file:///etc/passwd", "ftp://127.0.0.1/", "", "http://", "no address"] {
      #expect(failure(of: client, HTTPClient.Request("GET", url)) == .failed, "\(url)")
    }
  }

  @Test func `a value can't add a line to the head`() throws {
    try serve([echo]) { address in
      for value in ["a\r\nX-Said: b", "a\nb", "a\0b"] {
        let request = HTTPClient.Request(
          "POST", address + "/api/echo", headers: [("X-Other", value)], body: [])
        #expect(failure(of: client, request) == .failed)
      }
      let request = HTTPClient.Request(
        "POST", address + "/api/echo HTTP/1.1\r\nX-Said: b", body: [])
      #expect(failure(of: client, request) == .failed)
    }
  }

  @Test func `who doesn't answer is left, and who isn't there fails`() throws {
    let silent = try SilentServer()
    let impatient = HTTPClient(allowsHTTP: true, timeout: 50)
    let request = HTTPClient.Request("GET", "http://127.0.0.1:\(silent.port)/")
    #expect(failure(of: impatient, request) == .timeout)
    silent.end()
    #expect(failure(of: impatient, request) == .failed)
  }

  @Test(.timeLimit(.minutes(1))) func `a request can be shorter than its client allows`() throws {
    let silent = try SilentServer()
    let patient = HTTPClient(allowsHTTP: true, timeout: 600_000)
    var request = HTTPClient.Request("GET", "http://127.0.0.1:\(silent.port)/")
    request.timeout = 50
    #expect(failure(of: patient, request) == .timeout)
    silent.end()
  }
}

/// A server that takes connections and never answers.
private final class SilentServer {
  let port: Int
  private let descriptor: Int32

  init() throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let isListening = withUnsafeMutableBytes(of: &address) { bytes in
      let address = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress!
      return bind(descriptor, address, length) == 0 && listen(descriptor, 8) == 0
        && getsockname(descriptor, address, &length) == 0
    }
    try #require(isListening)
    port = Int(UInt16(bigEndian: address.sin_port))
  }

  func end() { close(descriptor) }
}
