// The client application's files: types, caching, and the paths of its pages.

import HTTPTesting
import TestSupport
import Testing

@testable import HTTP

@Suite struct StaticFilesTests {
  private let folder: TemporaryFolder
  private let application: Application

  init() throws {
    folder = try TemporaryFolder()
    let page = "<!doctype html>" + String(repeating: "<p>swan</p>", count: 200)
    _ = try folder.write("index.html", Array(page.utf8))
    _ = try folder.write("assets/main-K3QZ7A2B.js", Array("let a".utf8))
    _ = try folder.write("engine.wasm", [0, 0x61, 0x73, 0x6D])
    _ = try folder.write("app.webmanifest", Array("{}".utf8))
    _ = try folder.write(".secret", Array("swan".utf8))
    let files = try StaticFiles(directory: folder.path)
    application = Application(
      [Route(.get, "/api/x", summary: "x") { _ in .text("x") }], fallback: files.respond)
  }

  @Test(arguments: [
    ("/", "text/html; charset=utf-8"), ("/index.html", "text/html; charset=utf-8"),
    ("/assets/main-K3QZ7A2B.js", "text/javascript; charset=utf-8"),
    ("/engine.wasm", "application/wasm"), ("/app.webmanifest", "application/manifest+json"),
  ])
  func `each file has its type`(path: String, type: String) {
    let response = application.respond(to: .local(.get, path))
    #expect(response.status == 200)
    #expect(response.headers["Content-Type"] == type)
  }

  @Test func `the application's own addresses are its page`() {
    let page = application.respond(to: .local(.get, "/")).content
    for path in ["/routines/0190", "/clipper", "/settings/", "/routines/a%20b"] {
      #expect(application.respond(to: .local(.get, path)).content == page)
    }
  }

  @Test(arguments: [
    "/missing.js", "/assets/../index.html", "/.secret", "/assets/.js", "/api/y", "/api",
    "/index.html%00", "/..%2findex.html", "/a/b.c",
  ])
  func `nothing else is there`(path: String) {
    let status = application.respond(to: .local(.get, path)).status
    #expect(status == 404 || status == 400)
  }

  @Test func `names with a hash are kept for good, others are asked for again`() throws {
    let script = application.respond(to: .local(.get, "/assets/main-K3QZ7A2B.js"))
    #expect(script.headers["Cache-Control"] == CacheControl.immutable)
    let page = application.respond(to: .local(.get, "/"))
    #expect(page.headers["Cache-Control"] == "no-cache")
    let tag = try #require(page.headers["ETag"])
    #expect(application.respond(to: .local(.get, "/", ["If-None-Match": tag])).status == 304)
    let compressed = application.respond(to: .local(.get, "/", ["Accept-Encoding": "gzip"]))
    let second = try #require(compressed.headers["ETag"])
    #expect(application.respond(to: .local(.get, "/", ["If-None-Match": second])).status == 304)
  }

  @Test(arguments: [
    ("main-K3QZ7A2B.js", true), ("chunk.0f3a9c71.css", true), ("a/b-ABCDEFGH.wasm", true),
    ("index.html", false), ("apple-touch-icon.png", false), ("practice-timeline.js", false),
    ("K3QZ7A2B.js", false), ("main.js", false), ("a-K3QZ7A2B", false),
  ])
  func `a hash in a name is told from a word`(name: String, hasHash: Bool) {
    #expect(StaticFiles.hasContentHash(name) == hasHash)
  }

  @Test func `text comes compressed for those who take it`() throws {
    let plain = application.respond(to: .local(.get, "/"))
    let compressed = application.respond(to: .local(.get, "/", ["Accept-Encoding": "br, gzip"]))
    #expect(plain.headers["Content-Encoding"] == nil)
    #expect(compressed.headers["Content-Encoding"] == "gzip")
    #expect(compressed.headers["Vary"] == "Accept-Encoding")
    #expect(plain.headers["ETag"] != compressed.headers["ETag"])
    #expect(try gunzip(compressed.content) == plain.content)
  }

  @Test func `a script of its own has another first line and may connect elsewhere`() throws {
    let folder = try TemporaryFolder()
    for name in ["sw.js", "sw.js.br", "app.js"] { _ = try folder.write(name, Array("let a".utf8)) }
    let files = try StaticFiles(
      directory: folder.path,
      own: StaticFiles.OwnScript(
        "/sw.js", firstLine: "let b", connectingTo: ["https://objects.example"]))
    let application = Application([], fallback: files.respond)
    let script = application.respond(to: .local(.get, "/sw.js", ["Accept-Encoding": "br"]))
    #expect(script.content == Array("let b\nlet a".utf8))
    #expect(script.headers["Content-Encoding"] == nil)
    let policy = try #require(script.headers["Content-Security-Policy"])
    let other = application.respond(to: .local(.get, "/app.js"))
    #expect(
      policy.replacing(" https://objects.example", with: "")
        == other.headers["Content-Security-Policy"])
    #expect(policy.contains("connect-src 'self' https://objects.example;"))
    #expect(script.headers["ETag"] != other.headers["ETag"])
  }

  @Test func `what was compressed by Brotli at the build is sent to those who take it`() throws {
    let folder = try TemporaryFolder()
    let script = String(repeating: "practise(part)\n", count: 200)
    for (name, text) in [("app.js", script), ("app.js.br", "smaller"), ("lone.js.br", "x")] {
      _ = try folder.write(name, Array(text.utf8))
    }
    let files = try StaticFiles(directory: folder.path)
    let application = Application([], fallback: files.respond)
    let answer = application.respond(to: .local(.get, "/app.js", ["Accept-Encoding": "gzip, br"]))
    #expect(answer.headers["Content-Encoding"] == "br")
    #expect(answer.content == Array("smaller".utf8))
    let older = application.respond(to: .local(.get, "/app.js", ["Accept-Encoding": "gzip"]))
    #expect(older.headers["Content-Encoding"] == "gzip")
    #expect(application.respond(to: .local(.get, "/app.js")).content == Array(script.utf8))
    for path in ["/app.js.br", "/lone.js", "/lone.js.br"] {
      #expect(application.respond(to: .local(.get, path)).status == 404)
    }
  }

  @Test func `a folder that is not there is said at the start`() {
    #expect(throws: (any Error).self) { try StaticFiles(directory: "/nowhere/at/all") }
  }
}
