// The short form of every fuzzer: its seeds, and some thousand changes to them, the same each time.
// `make fuzz` does it with coverage to guide it, and for as long as one likes.

import Testing

@testable import Fuzzing

@Suite struct HarnessTests {
  @Test(arguments: Harness.all.map(\.name))
  func `the invariants hold for a fixed set of inputs`(name: String) throws {
    let harness = try #require(Harness.all.first { $0.name == name })
    try harness.runShortForm { error, input in
      Issue.record("\(error), for \(input.map { String($0, radix: 16) })")
    }
  }

  @Test func `the mutations find a planted fault`() throws {
    let faulty = Harness("faulty", "there is no “baba”", texts: ["abxx", "xxab"], words: ["ba"]) {
      { bytes in
        try holds(
          !bytes.indices.contains { bytes[$0...].starts(with: Array("baba".utf8)) }, "there is")
      }
    }
    var found = 0
    try faulty.runShortForm { _, _ in found += 1 }
    #expect(found > 0)
  }

  @Test func `each harness has a unique name and seeds`() {
    #expect(Set(Harness.all.map(\.name)).count == Harness.all.count)
    #expect(Harness.all.allSatisfy { !$0.seeds.isEmpty && !$0.promise.isEmpty })
  }
}
