// Header fields are case-insensitive and keep their order.

import Testing

@testable import HTTP

@Suite struct HeadersTests {
  @Test func `a name is found in any case and repeated fields are joined`() {
    let headers = Headers([("Accept", "a"), ("HOST", "h"), ("accept", "b")])
    #expect(headers["host"] == "h")
    #expect(headers["ACCEPT"] == "a, b")
    #expect(headers.values(of: "Accept") == ["a", "b"])
    #expect(headers["Acce"] == nil)
    #expect(headers["K"] == nil && Headers([("\u{212A}", "Kelvin")])["k"] == nil)
  }

  @Test func `setting a field replaces all fields of the name in place`() {
    var headers = Headers([("A", "1"), ("B", "2"), ("a", "3")])
    headers["a"] = "4"
    #expect(headers.pairs.map(\.value) == ["4", "2"])
    headers["A"] = nil
    headers["C"] = nil
    headers["D"] = "5"
    #expect(headers.pairs.map(\.name) == ["B", "D"])
    headers.add("D", "6")
    #expect(headers["D"] == "5, 6")
  }
}
