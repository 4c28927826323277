// Range headers: served, ignored and rejected ones.

import TestSupport
import Testing

@testable import HTTP

@Suite struct ByteRangeTests {
  @Test(arguments: [
    ("bytes=0-0", 0..<1), ("bytes=0-99", 0..<100), ("bytes=10-19", 10..<20),
    ("bytes=90-", 90..<100), ("bytes=90-4000", 90..<100), ("bytes=-10", 90..<100),
    ("bytes=-4000", 0..<100), ("Bytes=0-1", 0..<2), ("bytes= 5-6 ", 5..<7),
    ("bytes=0-99999999999999999999999999", 0..<100),
  ])
  func `one range is served`(field: String, range: Range<Int>) {
    #expect(ByteRange.parse(field, size: 100) == .part(range))
  }

  @Test(arguments: [
    "", "bytes", "bytes=", "bytes=-", "bytes=a-b", "bytes=5-4", "bytes=1-2-3", "bytes=0-1,5-6",
    "bytes=0-1,", "items=0-1", "bytes 0-1", "bytes=0x1-2", "bytes=+1-2", "bytes=--1", "bytes=٣-٤",
  ])
  func `a header that is not a single range is answered with the whole file`(field: String) {
    #expect(ByteRange.parse(field, size: 100) == .whole)
  }

  @Test(arguments: ["bytes=100-", "bytes=100-200", "bytes=-0", "bytes=99999999999999999999-"])
  func `a range outside the file is refused`(field: String) {
    #expect(ByteRange.parse(field, size: 100) == .unsatisfiable)
  }

  @Test func `an empty file has no range`() {
    for field in ["bytes=0-", "bytes=0-0", "bytes=-1"] {
      #expect(ByteRange.parse(field, size: 0) == .unsatisfiable)
    }
  }

  @Test func `random ranges never crash and never leave the file`() {
    var random = SeededGenerator(seed: 3)
    var count = 0
    let alphabet = Array("0123456789--=, bytes\u{0}é".unicodeScalars)
    for _ in 0..<50_000 {
      var field = Bool.random(using: &random) ? "bytes=" : ""
      for _ in 0..<Int.random(in: 0...24, using: &random) {
        field.unicodeScalars.append(alphabet.randomElement(using: &random) ?? "x")
      }
      let size = Int.random(in: 0...1_000_000, using: &random)
      guard case .part(let range) = ByteRange.parse(field, size: size) else { continue }
      #expect(!range.isEmpty && range.lowerBound >= 0 && range.upperBound <= size)
      count += 1
    }
    #expect(count > 50)
  }
}
