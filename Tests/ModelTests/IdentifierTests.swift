import Testing

@testable import Model

@Suite struct IdentifierTests {
  @Test func `an identifier is a version 7 UUID that carries its time`() {
    let id = Identifier.make(milliseconds: 0x0193_A5B0_1234)
    #expect(Identifier.isValid(id))
    #expect(id.hasPrefix("0193a5b0-1234-7"))
    #expect("89ab".contains(id.dropFirst(19).first ?? " "))
  }

  @Test func `identifiers made at once differ`() {
    #expect(Set((0..<10_000).map { _ in Identifier.make(milliseconds: 5) }).count == 10_000)
  }

  @Test func `identifiers of one millisecond are in the order in which they were made`() {
    var counter = Identifier.Counter()
    for time: UInt64 in [7, 8] {
      let counts = (0..<2_048).map { _ in counter.next(at: time) }
      #expect(counts == counts.sorted() && Set(counts).count == 2_048)
      #expect((counts.last ?? .max) <= 0xFFF)
    }
    for _ in 0..<5_000 { #expect(counter.next(at: 9) <= 0xFFF) }
    // Also while another thread is a millisecond behind.
    let turns = (0..<1_000).map { _ in (counter.next(at: 11), counter.next(at: 10)) }
    #expect(turns.map(\.0) == turns.map(\.0).sorted())
    #expect(turns.map(\.1) == turns.map(\.1).sorted())
  }

  @Test(arguments: [
    "", "0193A5B0-0000-7000-8000-000000000001", "0193a5b0000070008000000000000001",
    "0193a5b0-0000-7000-8000-00000000000", "../../../../etc/passwd-0000-00000000",
  ])
  func `an invalid identifier is refused`(text: String) {
    #expect(!Identifier.isValid(text))
  }
}
