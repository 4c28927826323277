// The `traceparent` of a request, from senders of every kind.

import Testing

@testable import Server

@Suite struct TraceContextTests {
  private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
  private static let span = "00f067aa0ba902b7"
  private static let whole = "00-\(trace)-\(span)-01"

  @Test(arguments: [
    (whole, true), ("00-\(trace)-\(span)-00", false),
    // Only the last bit says whether it is sampled.
    ("00-\(trace)-\(span)-ff", true), ("00-\(trace)-\(span)-02", false),
    ("00-\(trace)-\(span)-03", true), ("00-\(trace)-\(span)-fe", false),
    // Later versions have at least the same fields.
    ("01-\(trace)-\(span)-01", true), ("fe-\(trace)-\(span)-00", false),
    ("cc-\(trace)-\(span)-01-what-ever", true), ("01-\(trace)-\(span)-01-", true),
    (" \t\(whole) \t", true),
  ])
  func `a traceparent is read as it is sent`(field: String, isSampled: Bool) throws {
    let context = try #require(TraceContext(traceparent: field))
    #expect(context.trace.hexadecimal == Self.trace)
    #expect(context.span == 0x00f0_67aa_0ba9_02b7)
    #expect(context.isSampled == isSampled)
  }

  @Test(arguments: [
    "", " ", "-", "00", "00-", "---", String(repeating: "-", count: 55), whole + whole,
    // Version ff, and none.
    "ff-\(trace)-\(span)-01", "0-\(trace)-\(span)-01", "000-\(trace)-\(span)-01",
    "0x-\(trace)-\(span)-01", "FE-\(trace)-\(span)-01", "-00\(trace)-\(span)-01",
    // Version 00 has four fields, a later one begins with them.
    whole + "-", whole + "-00", whole + "0", whole + ".", "01-\(trace)-\(span)-01.x",
    "01-\(trace)-\(span)-011", "01-\(trace)-\(span)-1", "01-\(trace)-\(span)",
    "01-\(trace)-\(span)-",
    // All zeros.
    "00-00000000000000000000000000000000-\(span)-01", "00-\(trace)-0000000000000000-01",
    // Other digits, other lengths.
    "00-\(trace.uppercased())-\(span)-01", "00-\(trace)-\(span.uppercased())-01",
    "00-\(trace)-\(span)-0A", "00-\(trace)-\(span)-0x", "00-\(trace)-\(span)-+1",
    "00-\(trace)-\(span)- 1", "00-\(trace.dropLast())g-\(span)-01",
    "00-\(trace.dropLast())-\(span)-01", "00-\(trace)0-\(span)-01",
    "00-\(trace.dropLast())-0\(span)-01", "00-\(trace)-\(span.dropLast())-01",
    "00_\(trace)_\(span)_01", "00-\(trace)_\(span)-01", "00-\(trace)-\(span)_01",
    "00-\(trace.dropLast(2))é-\(span)-01", "00-\(trace)-\(span)-0\u{FF11}",
    "00-\(trace.dropLast())\0-\(span)-01", "00-\(trace)-\(span)-\u{1F9A2}",
    // The field twice, and a quoted one.
    "\(whole), \(whole)", "\(whole),01-\(trace)-\(span)-01", "\"\(whole)\"", "\(whole);x",
    String(repeating: "0", count: 100_000),
  ])
  func `anything else is none`(field: String) {
    #expect(TraceContext(traceparent: field) == nil)
  }
}
