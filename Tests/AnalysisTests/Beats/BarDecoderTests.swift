// Bars from the chances of downbeats, and phrases from bars.

import Testing

@testable import Analysis

struct BarDecoderTests {
  private func decoded(_ downbeats: [Float]) -> [MetricBeat] {
    BarDecoder().places(downbeats: downbeats)
  }

  @Test(arguments: [2, 3, 4, 5, 6, 7])
  func `the metre is the distance of downbeats`(metre: Int) {
    let beats = decoded((0..<60).map { $0 % metre == 0 ? 0.95 : 0.03 })
    #expect(beats == (0..<60).map { MetricBeat(place: $0 % metre + 1, metre: metre) })
  }

  @Test func `bars of two that are not quite clear are counted as four`() {
    let beats = decoded((0..<40).map { $0 % 2 == 0 ? 0.7 : 0.1 })
    #expect(beats.allSatisfy { $0.metre == 4 })
  }

  @Test func `a pick-up counts up to the bar`() {
    let beats = decoded((0..<42).map { $0 % 4 == 2 ? 0.8 : 0.1 })
    #expect(beats.prefix(4).map(\.place) == [3, 4, 1, 2])
  }

  @Test func `downbeats that nobody plays are bridged`() {
    let beats = decoded((0..<80).map { $0 % 4 == 0 && !(20..<44).contains($0) ? 0.8 : 0.1 })
    #expect(beats.map(\.place) == (0..<80).map { $0 % 4 + 1 })
  }

  @Test func `a bar that is cut short is one`() {
    let beats = decoded((0..<82).map { ($0 < 38 ? $0 % 4 : ($0 + 2) % 4) == 0 ? 0.85 : 0.05 })
    #expect(beats.map(\.place) == (0..<82).map { ($0 < 38 ? $0 % 4 : ($0 + 2) % 4) + 1 })
  }

  @Test func `three becomes four where the music does`() {
    let beats = decoded((0..<88).map { ($0 < 48 ? $0 % 3 : $0 % 4) == 0 ? 0.85 : 0.05 })
    #expect(beats.map(\.metre) == (0..<88).map { $0 < 48 ? 3 : 4 })
  }

  @Test func `no beats have no bars`() { #expect(decoded([]).isEmpty) }
}

struct PhraseFinderTests {
  private func phrases(
    _ count: Int, metre: Int = 4, first: Int = 0, changes: [Int] = []
  ) -> [Int] {
    let beats = (0..<count).map {
      MetricBeat(place: ($0 - first + 70 * metre) % metre + 1, metre: metre)
    }
    return PhraseFinder().phrases(
      frames: (0..<count).map { $0 * 24_000 }, beats: beats,
      changes: changes.map { SuggestedCut(frame: $0 * 24_000, strength: 0.5) })
  }

  @Test func `without changes, eights begin at the first bar`() {
    #expect(phrases(34) == [0, 8, 16, 24, 32])
    #expect(phrases(34, first: 3) == [3, 11, 19, 27])
  }

  @Test func `a waltz is counted in sixes, and bars of two in eights`() {
    #expect(phrases(20, metre: 3) == [0, 6, 12, 18])
    #expect(phrases(20, metre: 2) == [0, 8, 16])
    #expect(phrases(16, metre: 5) == [0, 5, 10, 15])
  }

  @Test func `changes of the music decide where eights begin`() {
    #expect(phrases(40, changes: [12, 28]) == [4, 12, 20, 28, 36])
  }

  @Test func `where the music says so, a phrase is cut short`() {
    #expect(phrases(56, changes: [8, 16, 24, 36, 44, 52]) == [0, 8, 16, 24, 32, 36, 44, 52])
  }

  @Test func `a change between two bars says nothing`() {
    #expect(phrases(26, changes: [10]) == [0, 8, 16, 24])
  }
}
