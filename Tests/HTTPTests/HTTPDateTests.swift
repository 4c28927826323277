// Times in header fields.

import Testing

@testable import HTTP

@Suite struct HTTPDateTests {
  @Test func `a time is formatted as in RFC 9110`() {
    #expect(HTTPDate.text(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(HTTPDate.text(0) == "Thu, 01 Jan 1970 00:00:00 GMT")
    #expect(HTTPDate.text(1_709_251_199) == "Thu, 29 Feb 2024 23:59:59 GMT")
  }
}
