// Changes to inputs, the same for the same seed: what the short form tries where no coverage
// guides.

import TestSupport

/// Makes inputs out of a harness's seeds and words.
public struct Mutator {
  private let seeds: [[UInt8]]
  private let words: [[UInt8]]
  private var chance: SeededGenerator

  /// Makes a mutator; equal seeds give equal inputs.
  public init(_ harness: Harness, seed: UInt64) {
    seeds = harness.seeds
    words = harness.words.map { Array($0.utf8) }
    chance = SeededGenerator(seed: seed)
  }

  /// Makes the next input.
  public mutating func next() -> [UInt8] {
    var input = seeds.randomElement(using: &chance) ?? []
    for _ in 0..<Int.random(in: 1...4, using: &chance) { change(&input) }
    return input
  }

  private mutating func change(_ input: inout [UInt8]) {
    let place = Int.random(in: 0...input.count, using: &chance)
    switch Int.random(in: 0..<8, using: &chance) {
    case 0 where place < input.count:
      input[place] ^= 1 << UInt8.random(in: 0..<8, using: &chance)
    case 1 where place < input.count:
      input[place] =
        [0, 1, 9, 10, 0x20, 0x30, 0x39, 0x7F, 0x80, 0xFF]
        .randomElement(using: &chance) ?? 0
    case 2 where place < input.count:
      input.removeSubrange(place..<min(input.count, place + length()))
    case 3 where place < input.count:
      input.insert(contentsOf: input[place..<min(input.count, place + length())], at: place)
    case 4:
      input.insert(UInt8.random(in: 0...255, using: &chance), at: place)
    case 5:
      // The end of another seed takes the place of the end of this one.
      let other = seeds.randomElement(using: &chance) ?? []
      input.replaceSubrange(place..., with: other.dropFirst(min(place, other.count)))
    default:
      guard let word = words.randomElement(using: &chance) else { return }
      if Bool.random(using: &chance) {
        input.insert(contentsOf: word, at: place)
      } else {
        input.replaceSubrange(place..<min(input.count, place + word.count), with: word)
      }
    }
  }

  private mutating func length() -> Int {
    Int.random(in: 1...(Bool.random(using: &chance) ? 4 : 64), using: &chance)
  }
}

extension Harness {
  /// Tries the seeds and `shortRounds` inputs made of them, the same each time; calls `broken` with
  /// what did not hold, and the input.
  public func runShortForm(broken: (any Error, [UInt8]) -> Void) throws {
    let trial = try prepare()
    var mutator = Mutator(self, seed: 1)
    for round in 0..<seeds.count + shortRounds {
      let input = round < seeds.count ? seeds[round] : mutator.next()
      do {
        try trial(input)
      } catch {
        broken(error, input)
      }
    }
  }
}
