import TestSupport
import Testing

@testable import Model

@Suite struct PositionTests {
  @Test func `a position between two others lies between them`() throws {
    var random = SeededGenerator(seed: 7)
    var order = [Position.between(nil, nil)]
    for _ in 0..<5_000 {
      let index = Int.random(in: 0...order.count, using: &random)
      let low = index > 0 ? order[index - 1] : nil
      let high = index < order.count ? order[index] : nil
      let made = Position.between(low, high)
      try #require(Position.isValid(made))
      if let low { try #require(Position.bytewise(low, made)) }
      if let high { try #require(Position.bytewise(made, high)) }
      order.insert(made, at: index)
    }
  }

  @Test func `always inserting at the front keeps positions short`() {
    var first = Position.between(nil, nil)
    for _ in 0..<1_000 { first = Position.between(nil, first) }
    #expect(first.utf8.count < 250)
  }

  @Test func `appending a thousand keeps positions short and in order`() {
    let positions = Position.between(nil, nil, count: 1_000)
    #expect(zip(positions, positions.dropFirst()).allSatisfy { Position.bytewise($0, $1) })
    #expect(positions.allSatisfy { $0.utf8.count < 40 })
  }

  @Test func `many between two are in order`() {
    let positions = ["V"] + Position.between("V", "W", count: 100) + ["W"]
    #expect(positions.count == 102)
    #expect(zip(positions, positions.dropFirst()).allSatisfy { Position.bytewise($0, $1) })
  }

  @Test func `the same or reversed neighbours give a position after the first`() {
    #expect(Position.bytewise("V", Position.between("V", "V")))
    #expect(Position.bytewise("W", Position.between("W", "V")))
    #expect(Position.bytewise("1", Position.between("1", "10")))
  }

  @Test(arguments: ["", "0", "V0", "a b", "é", String(repeating: "V", count: 1_001)])
  func `an invalid position is recognized`(text: String) {
    #expect(!Position.isValid(text))
  }
}
