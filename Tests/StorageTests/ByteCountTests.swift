// Parsing of byte counts that people type.

import Testing

@testable import Storage

@Suite struct ByteCountTests {
  @Test func `an amount is formatted with its largest unit, rounded down`() {
    for (bytes, text) in [
      (0, "0 bytes"), (999, "999 bytes"), (1_000, "1 kB"), (1_999, "1.9 kB"),
      (4_000_000_000, "4 GB"), (1_550_000_000_000, "1.5 TB"), (999_999_999, "999.9 MB"),
    ] {
      #expect(ByteCount.text(bytes) == text)
    }
  }

  @Test func `an amount is parsed with or without a unit`() {
    for (text, bytes) in [
      ("4GB", 4_000_000_000), ("500 MB", 500_000_000), ("1.5tb", 1_500_000_000_000),
      ("123456", 123_456), ("1kB", 1_000), ("12 B", 12),
    ] {
      #expect(ByteCount.parse(text) == bytes, "\(text)")
    }
    for text in ["", "GB", "-1GB", "1.GB", ".5GB", "1..5", "4XB", "0", "1e9", "9999999TB", "4 G B"]
    {
      #expect(ByteCount.parse(text) == nil, "\(text)")
    }
  }
}
