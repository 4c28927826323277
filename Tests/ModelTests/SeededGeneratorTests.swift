// The random numbers of all tests: each further seed gives new ones.

import TestSupport
import Testing

@Suite struct SeededGeneratorTests {
  @Test func `neighbouring seeds give different numbers`() {
    let numbers = (UInt64(0)..<100).flatMap { seed in
      var random = SeededGenerator(seed: seed)
      return (0..<100).map { _ in random.next() }
    }
    #expect(Set(numbers).count == 10_000)
  }

  @Test func `a seed gives the same numbers again`() {
    var one = SeededGenerator(seed: 5)
    var other = SeededGenerator(seed: 5)
    #expect((0..<10).map { _ in one.next() } == (0..<10).map { _ in other.next() })
  }
}
