// The memory model and its mathematics.

import Foundation
import TestSupport
import Testing

@testable import Practice

@Suite struct MemoryTests {
  @Test func `logarithm and powers agree with those of the C library`() {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<20_000 {
      let value = exp(Double.random(in: -300...300, using: &generator))
      #expect(abs(logarithm(value) - log(value)) <= 1e-13 * max(abs(log(value)), 1))
      let exponent = Double.random(in: -600...600, using: &generator)
      #expect(abs(exponential(exponent) / exp(exponent) - 1) < 1e-12)
    }
    #expect(exponential(0) == 1)
    #expect(exponential(1e9) == exponential(700))
    #expect(abs(power(2, 10) - 1_024) < 1e-9)
  }

  @Test func `after as many days as its stability it is remembered at 90 percent`() {
    var memory = Memory()
    #expect(memory.retrievability(on: 100) == 0)
    memory.review(on: 100, .good)
    #expect(memory.stability == 3.173)
    #expect(memory.retrievability(on: 100) == 1)
    memory.review(on: 103, .good)
    let days = Int(memory.stability.rounded())
    #expect(abs(memory.retrievability(on: 103 + days) - 0.9) < 0.01)
  }

  // The published formulas, worked out by hand with the C library's functions.
  @Test func `reviews follow FSRS-5`() {
    var memory = Memory()
    memory.review(on: 0, .good)
    let difficulty = 7.1949 - exp(0.5345 * 2) + 1
    #expect(abs(memory.difficulty - difficulty) < 1e-9)
    let recalled = pow(1 + 19.0 / 81 * 3 / 3.173, -0.5)
    #expect(abs(memory.retrievability(on: 3) - recalled) < 1e-12)
    var good = memory
    good.review(on: 3, .good)
    let growth =
      exp(1.54575) * (11 - difficulty) * pow(3.173, -0.1192) * (exp(1.01925 * (1 - recalled)) - 1)
    #expect(abs(good.stability - 3.173 * (1 + growth)) < 1e-9)
    let easy = 7.1949 - exp(0.5345 * 3) + 1
    #expect(abs(good.difficulty - (0.0046 * easy + 0.9954 * difficulty)) < 1e-9)
    var slow = memory
    slow.review(on: 3, .slow)
    #expect(abs(slow.stability - 3.173 * (1 + 0.2315 * growth)) < 1e-9)
    var missed = memory
    missed.review(on: 3, .missed)
    let forgotten =
      1.9395 * pow(difficulty, -0.11) * (pow(4.173, 0.29605) - 1) * exp(2.2698 * (1 - recalled))
    #expect(abs(missed.stability - min(forgotten, 3.173)) < 1e-9)
    #expect(missed.difficulty > memory.difficulty)
  }

  @Test func `spaced practice is remembered longer than the same on days in a row`() {
    var spaced = Memory()
    var massed = Memory()
    for review in 0..<5 {
      spaced.review(on: 4 * review, .good)
      massed.review(on: 12 + review, .good)
    }
    #expect(spaced.retrievability(on: 40) > massed.retrievability(on: 40) + 0.02)
  }

  @Test func `any days and grades keep the memory in its bounds`() {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<500 {
      var memory = Memory()
      var day = 0
      for _ in 0..<60 {
        day += Int.random(in: 0...40, using: &generator)
        memory.review(on: day, [.missed, .slow, .good].randomElement(using: &generator) ?? .good)
        #expect(memory.stability >= 0.01 && memory.stability <= 3_650)
        #expect(memory.difficulty >= 1 && memory.difficulty <= 10)
      }
    }
  }
}
