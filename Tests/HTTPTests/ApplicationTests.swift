// Common parts of all responses: headers, problems, limits, conditions, ranges, compression.

import Glibc
import HTTPTesting
import TestSupport
import Testing

@testable import HTTP

@Suite struct ApplicationTests {
  private struct Trouble: Error { let secret = "the password is swan" }

  private func answer(
    _ response: Response, to headers: Headers = [:], method: HTTP.Method = .get
  ) -> Response {
    Application([Route(.get, "/api/x", summary: "x") { _ in response }])
      .respond(to: .local(method, "/api/x", headers))
  }

  // MARK: Headers

  @Test func `every answer carries the security headers, refusals too`() {
    let application = Application(
      [Route(.get, "/api/x", summary: "x") { _ in throw Trouble() }],
      fallback: { _ in .text("page") })
    for request: Request in [
      .local(.get, "/api/x"), .local(.get, "/"), .local(.get, "/api/y"), .local(.put, "/api/x"),
      .local(.get, "//"), Request(.get, "/"), .local(.options, "/api/x"),
    ] {
      let headers = application.respond(to: request).headers
      let policy = headers["Content-Security-Policy"] ?? ""
      #expect(policy.hasPrefix("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; "))
      #expect(!policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'"))
      #expect(headers["Cross-Origin-Opener-Policy"] == "same-origin")
      #expect(headers["Cross-Origin-Embedder-Policy"] == "require-corp")
      #expect(headers["Cross-Origin-Resource-Policy"] == "same-origin")
      #expect(headers["X-Content-Type-Options"] == "nosniff")
      #expect(headers["Referrer-Policy"] == "no-referrer")
    }
  }

  @Test func `a header that would break the message becomes a 500`() {
    let log = Log()
    for (name, value) in [("X-A", "1\r\nSet-Cookie: x"), ("X-A", "\u{0}"), ("X A", "1"), ("", "1")]
    {
      let application = Application(
        [
          Route(.get, "/api/x", summary: "x") { _ in
            Response(headers: Headers([(name, value)]))
          }
        ], log: log)
      #expect(application.respond(to: .local(.get, "/api/x")).status == 500)
    }
    #expect(log.lines.count == 4)
  }

  // MARK: Problems

  @Test func `a refusal is told as problem details`() {
    let application = Application([
      Route(.get, "/api/x", summary: "x") { _ in throw HTTPError.conflict("It is in use \"here\".")
      }
    ])
    let response = application.respond(to: .local(.get, "/api/x"))
    #expect(response.status == 409)
    #expect(response.headers["Content-Type"] == "application/problem+json")
    let expected: JSONValue = [
      "type": "about:blank", "title": "Conflict", "status": 409,
      "detail": "It is in use \"here\".",
    ]
    #expect(response.json == expected)
  }

  @Test func `any other error is logged whole and told as a plain 500`() {
    let log = Log()
    let application = Application(
      [Route(.get, "/api/x", summary: "x") { _ in throw Trouble() }], log: log)
    let response = application.respond(to: .local(.get, "/api/x"))
    #expect(response.status == 500)
    #expect(!response.text.contains("swan"))
    #expect(log.lines.count == 1)
    #expect(log.lines.first?.contains("swan") == true)
    #expect(log.lines.first?.contains("method=GET route=/api/x") == true)
  }

  @Test func `a body that is not the expected JSON is a 400 that names the field`() throws {
    struct Clip: Decodable { let track: String, start: Int }
    let application = Application([
      Route(.post, "/api/clips", summary: "x", body: .buffered(limit: 100)) {
        .text(try $0.decode(Clip.self).track)
      }
    ])
    func post(_ text: String, _ headers: Headers = [:]) -> Response {
      application.respond(to: .local(.post, "/api/clips", headers, body: Array(text.utf8)))
    }
    #expect(post(#"{"track":"a","start":1}"#).text == "a")
    #expect(post(#"{"track":"a"}"#).text.contains("field start is missing"))
    #expect(post(#"{"track":1,"start":1}"#).text.contains("field track is of the wrong type"))
    #expect(post("nonsense").status == 400)
    #expect(post("").status == 400)
    #expect(post("{}", ["Content-Type": "text/plain"]).status == 415)
    #expect(post(#"{"track":"a","start":1}"#, ["Content-Type": "application/json"]).status == 200)
  }

  // MARK: Bodies

  @Test func `a body over the limit is a 413`() {
    let application = Application([
      Route(.post, "/api/x", summary: "x", body: .buffered(limit: 10)) {
        .text("\($0.body.count)")
      },
      Route(.delete, "/api/x", summary: "x") { .text("\($0.body.count)") },
    ])
    let fits = [UInt8](repeating: 1, count: 10)
    #expect(application.respond(to: .local(.post, "/api/x", body: fits)).text == "10")
    #expect(application.respond(to: .local(.post, "/api/x", body: fits + [1])).status == 413)
    #expect(application.respond(to: .local(.delete, "/api/x", body: fits)).text == "0")
  }

  @Test func `the length of a body is given once`() {
    let application = Application([Route(.post, "/api/x", summary: "x") { _ in .empty() }])
    let twice = Headers([("Content-Length", "1"), ("Content-Length", "2")])
    #expect(application.respond(to: .local(.post, "/api/x", twice)).status == 400)
    let both: Headers = ["Content-Length": "1", "Transfer-Encoding": "chunked"]
    #expect(application.respond(to: .local(.post, "/api/x", both)).status == 400)
  }

  @Test func `a sink gets the body, and is told when it ends early`() {
    for (limit, failsAfter, status, ending) in [
      (100, Int.max, 204, RecordingSink.Ending.finished), (100, 5, 507, .aborted),
    ] {
      let record = RecordingSink.Record(failsAfter: failsAfter)
      let application = Application([
        .streamed(.patch, "/api/uploads/{id}", summary: "x", limit: limit) { _ in
          RecordingSink(record)
        }
      ])
      let body = Array("the bytes".utf8)
      let response = application.respond(to: .local(.patch, "/api/uploads/1", body: body))
      #expect(response.status == status)
      #expect(record.bytes.withLock { $0 } == body)
      #expect(record.endings.withLock { $0 } == [ending])
    }
  }

  // MARK: Conditions and ranges

  @Test func `a known entity tag is a 304 without a body`() {
    let response = Response.bytes(
      [1, 2], contentType: "audio/flac", etag: "abc", cacheControl: CacheControl.immutable)
    for known in ["\"abc\"", "W/\"abc\"", "\"x\", \"abc\"", "*", " \"abc\" "] {
      let answered = answer(response, to: ["If-None-Match": known])
      #expect(answered.status == 304, "\(known)")
      #expect(answered.content.isEmpty)
      #expect(answered.headers["ETag"] == "\"abc\"")
      #expect(answered.headers["Cache-Control"] == CacheControl.immutable)
      #expect(answered.headers["Content-Type"] == nil)
    }
    for other in ["\"abcd\"", "abc", "", "\"ABC\""] {
      #expect(answer(response, to: ["If-None-Match": other]).status == 200, "\(other)")
    }
  }

  @Test func `a file is served whole, in part, or not at all`() throws {
    let folder = try TemporaryFolder()
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
    let path = try folder.write("audio.flac", bytes)
    let file = Response.file(path: path, contentType: "audio/flac", etag: "abc")
    let whole = answer(file)
    #expect(whole.status == 200)
    #expect(whole.content == bytes)
    #expect(whole.headers["Accept-Ranges"] == "bytes")
    #expect(whole.headers["ETag"] == "\"abc\"")
    let part = answer(file, to: ["Range": "bytes=10-19"])
    #expect(part.status == 206)
    #expect(part.content == Array(bytes[10..<20]))
    #expect(part.headers["Content-Range"] == "bytes 10-19/1000")
    #expect(part.headers["Content-Length"] == "10")
    let outside = answer(file, to: ["Range": "bytes=1000-"])
    #expect(outside.status == 416)
    #expect(outside.headers["Content-Range"] == "bytes */1000")
    #expect(answer(file, to: ["Range": "bytes=0-1,5-6"]).status == 200)
    // Ranges apply only to GET (RFC 9110, 14.2).
    let head = answer(file, to: ["Range": "bytes=10-19"], method: .head)
    #expect(head.status == 200 && head.headers["Content-Length"] == "1000")
    #expect(head.content.isEmpty)
  }

  @Test func `a file that is dated before 1970 is served`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("audio.flac", [1, 2])
    let times = [timespec(tv_sec: -86_400, tv_nsec: 0), timespec(tv_sec: -86_400, tv_nsec: 0)]
    try #require(utimensat(AT_FDCWD, path, times, 0) == 0)
    let whole = answer(.file(path: path, contentType: "audio/flac"))
    #expect(whole.content == [1, 2] && whole.headers["ETag"] != nil)
  }

  @Test func `a range is only cut from the version that the client has`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("audio.flac", [1, 2, 3, 4])
    let file = Response.file(path: path, contentType: "audio/flac", etag: "abc")
    for (condition, status) in [
      ("\"abc\"", 206), ("\"old\"", 200), ("W/\"abc\"", 200), ("abc", 200),
      ("Fri, 20 Nov 2026 15:18:13 GMT", 200),
    ] {
      let headers: Headers = ["Range": "bytes=1-2", "If-Range": condition]
      #expect(answer(file, to: headers).status == status, "\(condition)")
    }
    let weak = Response.file(path: path, contentType: "audio/flac", etag: "W/\"abc\"")
    #expect(answer(weak, to: ["Range": "bytes=1-2", "If-Range": "W/\"abc\""]).status == 200)
    #expect(
      answer(file, to: ["Range": "bytes=1-2", "If-None-Match": "\"abc\""]).status == 304)
  }

  @Test func `a file's own tag changes with the file`() throws {
    let folder = try TemporaryFolder()
    let first = Response.file(path: try folder.write("a", [1]), contentType: "audio/flac")
    let second = Response.file(path: try folder.write("b", [1, 2]), contentType: "audio/flac")
    let tag = try #require(answer(first).headers["ETag"])
    #expect(answer(first).headers["ETag"] == tag)
    #expect(answer(second).headers["ETag"] != tag)
    #expect(answer(first, to: ["If-None-Match": tag]).status == 304)
  }

  @Test func `a file that is missing is a 404, a folder a 500, an empty file empty`() throws {
    let folder = try TemporaryFolder()
    let missing = Response.file(path: folder.path + "/none", contentType: "audio/flac")
    #expect(answer(missing).status == 404)
    #expect(answer(.file(path: folder.path, contentType: "audio/flac")).status == 500)
    let empty = Response.file(path: try folder.write("empty", []), contentType: "audio/flac")
    #expect(answer(empty).status == 200)
    #expect(answer(empty, to: ["Range": "bytes=0-"]).status == 416)
  }

  @Test func `a download keeps its name in any script`() {
    let response = Response.file(
      path: "/", contentType: "audio/wav", downloadName: "白鳥 \"1\"\r\n.wav")
    #expect(
      response.headers["Content-Disposition"]
        == "attachment; filename=\"__ _1___.wav\"; "
        + "filename*=UTF-8''%E7%99%BD%E9%B3%A5%20%221%22%0D%0A.wav")
  }

  @Test func `what has no rule of its own is not kept by anyone`() {
    #expect(answer(.text("x")).headers["Cache-Control"] == "no-store")
    let tagged = Response.bytes([1], contentType: "a/b", etag: "t")
    #expect(answer(tagged).headers["Cache-Control"] == "no-cache")
  }
}
