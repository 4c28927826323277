// Text is compressed for clients that accept it, if that makes it smaller.

import CZlib
import HTTPTesting
import TestSupport
import Testing

@testable import HTTP

@Suite struct GzipTests {
  private let long = [UInt8](repeating: UInt8(ascii: "a"), count: 5000)

  private func answer(_ response: Response, accepting: String?) -> Response {
    var headers: Headers = [:]
    headers["Accept-Encoding"] = accepting
    return Application([Route(.get, "/api/x", summary: "x") { _ in response }])
      .respond(to: .local(.get, "/api/x", headers))
  }

  @Test(arguments: [
    ("gzip", true), ("deflate, gzip;q=1.0, *;q=0.5", true), ("*", true), ("GZIP", true),
    ("gzip;q=0", false), ("gzip; q=0.000", false), ("br", false), ("", false),
    ("*;q=0", false), ("gzip;q=0, *", false), ("identity", false), ("gzip;q=0.5", true),
    ("x-gzip", true), (";;,,;=", false),
  ])
  func `a client says whether it takes gzip`(field: String, accepted: Bool) {
    #expect(Gzip.isAccepted(field) == accepted)
  }

  @Test func `long text is compressed, and says so`() throws {
    let response = Response.bytes(long, contentType: "application/json", etag: "t")
    let compressed = answer(response, accepting: "gzip")
    #expect(compressed.headers["Content-Encoding"] == "gzip")
    #expect(compressed.headers["Vary"] == "Accept-Encoding")
    #expect(compressed.headers["ETag"] == "W/\"t\"")
    #expect(compressed.content.count < 100)
    #expect(try gunzip(compressed.content) == long)
    let plain = answer(response, accepting: nil)
    #expect(plain.headers["Content-Encoding"] == nil)
    #expect(plain.headers["Vary"] == "Accept-Encoding")
    #expect(plain.content == long)
  }

  @Test func `short text, sound, and noise stay as they are`() {
    var random = SeededGenerator(seed: 4)
    let noise = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &random) }
    for response: Response in [
      .text("short"), .bytes(long, contentType: "audio/flac"),
      .bytes(long, contentType: "application/octet-stream"),
      .bytes(noise, contentType: "text/plain"),
    ] {
      #expect(answer(response, accepting: "gzip").headers["Content-Encoding"] == nil)
    }
  }

  @Test func `anything compressed comes back as it was`() throws {
    var random = SeededGenerator(seed: 5)
    var count = 0
    for _ in 0..<200 {
      let bytes = (0..<Int.random(in: 1...5000, using: &random)).map { _ in
        UInt8.random(in: 0...3, using: &random)
      }
      guard let compressed = Gzip.compress(bytes, level: 5) else { continue }
      #expect(try gunzip(compressed) == bytes)
      count += 1
    }
    #expect(count > 150)
  }
}

/// Decompresses gzip.
func gunzip(_ bytes: [UInt8]) throws -> [UInt8] {
  var stream = z_stream()
  try #require(segmance_gunzip_init(&stream) == Z_OK)
  defer { inflateEnd(&stream) }
  var input = bytes
  var output = [UInt8](repeating: 0, count: 1 << 20)
  let count = try input.withUnsafeMutableBufferPointer { input in
    try output.withUnsafeMutableBufferPointer { output in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(input.count)
      stream.next_out = output.baseAddress
      stream.avail_out = UInt32(output.count)
      try #require(inflate(&stream, Z_FINISH) == Z_STREAM_END)
      return output.count - Int(stream.avail_out)
    }
  }
  return Array(output[..<count])
}
