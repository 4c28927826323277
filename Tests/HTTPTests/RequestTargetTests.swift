// Paths and queries are parsed once, and targets that are not normalized are rejected.

import TestSupport
import Testing

@testable import HTTP

@Suite struct RequestTargetTests {
  @Test(arguments: [
    ("/", "/"),
    ("/api/health", "/api/health"),
    ("/api/tracks/caf%C3%A9", "/api/tracks/café"),
    ("/a%20b", "/a b"),
    ("/a%2525", "/a%25"),
    ("/a/", "/a/"),
    ("/.well-known/x", "/.well-known/x"),
    ("/a...b", "/a...b"),
    ("/...", "/..."),
    ("http://localhost:7700/api/health", "/api/health"),
    ("http://localhost:7700", "/"),
  ])
  func `a path is decoded once`(target: String, path: String) throws {
    #expect(try RequestTarget(target).path == path)
  }

  @Test(arguments: [
    "", "*", "api", "//", "//api/health", "/api//health", "/api/health//", "/api/./health", "/.",
    "/..",
    "/api/../health", "/api/..", "/api/%2e%2e/health", "/api/%2E./health", "/api%2Fhealth",
    "/api%2fhealth", "/api%5Chealth", "/api\\health", "/api/%00", "/api/a%0Ab", "/%7F", "/%", "/%2",
    "/%zz", "/%FF", "/%C0%AF", "/%ED%A0%80", "/a b", "/a#b", "/é", "/a\u{0}b", "/a\tb",
    "http:///%2e%2e/", "/a?b=%", "/a?b=%00", "/a?%FF=1",
  ])
  func `an ambiguous address is refused`(target: String) {
    #expect { try RequestTarget(target) } throws: { ($0 as? HTTPError)?.status == 400 }
  }

  @Test func `an address above the length limit is refused`() {
    #expect {
      try RequestTarget("/" + String(repeating: "a", count: RequestTarget.lengthLimit))
    } throws: { ($0 as? HTTPError)?.status == 414 }
  }

  @Test func `the authority of an absolute address is kept for the host check`() throws {
    #expect(try RequestTarget("http://evil.example/api").authority == "evil.example")
    #expect(try RequestTarget("/api").authority == nil)
  }

  @Test func `query values are decoded and the first value of a name is used`() throws {
    let query = try RequestTarget("/a?start=480000&title=Two+Swans%21&title=x&empty&=y&&z=").query
    #expect(query["start"] == "480000")
    #expect(query["title"] == "Two Swans!")
    #expect(query["empty"] == "")
    #expect(query["z"] == "")
    #expect(query["missing"] == nil)
  }

  @Test func `a query value that must be a number is a 400 otherwise`() throws {
    let query = try RequestTarget("/a?start=48x&end=96&big=99999999999999999999").query
    #expect(try query.integer("end") == 96)
    #expect(try query.integer("missing") == nil)
    for name in ["start", "big"] {
      #expect { try query.integer(name) } throws: { ($0 as? HTTPError)?.status == 400 }
    }
    #expect { try query.requiredInteger("missing") } throws: { ($0 as? HTTPError)?.status == 400 }
  }

  @Test func `random bytes never crash and accepted addresses are normalized`() {
    var random = SeededGenerator(seed: 1)
    let alphabet = Array("/.%2eEfF5cC0\\?&=+aé\u{0}#: ".utf8)
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...24, using: &random)).map { _ in
        Bool.random(using: &random)
          ? alphabet.randomElement(using: &random) ?? 0 : UInt8.random(in: 0...255, using: &random)
      }
      let target = "/" + String(decoding: bytes, as: UTF8.self)
      guard let parsed = try? RequestTarget(target) else { continue }
      let segments = parsed.path.split(separator: "/", omittingEmptySubsequences: false)
      #expect(parsed.path.hasPrefix("/"))
      #expect(!segments.contains("..") && !segments.contains("."))
      #expect(!segments.dropFirst().dropLast().contains(""))
      #expect(!parsed.path.utf8.contains { $0 < 0x20 || $0 == UInt8(ascii: "\\") })
    }
  }
}
