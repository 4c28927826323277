// Merging: any order, any repetition, any split into batches ends in the same state.

import TestSupport
import Testing

@testable import Model

@Suite struct MergeTests {
  private let parts = ["a", "b", "c"]

  /// Edits by three devices with similar clocks, and occasionally equal stamps.
  private func history(_ random: inout SeededGenerator) -> [Change] {
    (0..<Int.random(in: 1...14, using: &random)).map { index in
      var fields: [String: Value] = [:]
      for name in ["title", "position", "markerA", "deletedAt"] where Bool.random(using: &random) {
        fields[name] =
          [.null, .integer(Int.random(in: 0...3, using: &random)), .text("\(index)")]
          .randomElement(using: &random) ?? .null
      }
      fields["rate"] = .number(Double(Int.random(in: 1...4, using: &random)) / 2)
      return Change(
        id: "\(index)", type: .part, record: parts.randomElement(using: &random) ?? "a",
        fields: fields,
        at: Stamp(
          milliseconds: 1_700_000_000_000 + Int.random(in: 0...3, using: &random),
          counter: UInt16.random(in: 0...1, using: &random),
          device: UInt32.random(in: 1...3, using: &random)))
    }
  }

  private func replay(_ changes: [Change]) -> [String: Record] {
    var records: [String: Record] = [:]
    for change in changes {
      records[change.record, default: Record(before: change)].merge(change)
    }
    return records
  }

  /// Splits one change in two, as when a batch is cut between its fields.
  private func split(_ change: Change, _ random: inout SeededGenerator) -> [Change] {
    var (first, second) = (change, change)
    first.fields = [:]
    // Sorted, so that every run uses the random numbers in the same order.
    for (name, value) in change.fields.sorted(by: { $0.key < $1.key })
    where Bool.random(using: &random) {
      first.fields[name] = value
      second.fields[name] = nil
    }
    return [first, second]
  }

  @Test func `ten thousand random histories end in the same state in any order of arrival`() {
    var random = SeededGenerator(seed: 2026)
    for _ in 0..<10_000 {
      let changes = history(&random)
      let expected = replay(changes)
      var arrival = changes.flatMap { split($0, &random) }
      arrival += changes.filter { _ in Bool.random(using: &random) }
      arrival.shuffle(using: &random)
      #expect(replay(arrival) == expected)
    }
  }

  @Test func `the later stamp wins in any order`() {
    let early = change(["title": "Intro"], at: "1700000000000-0000-00000001")
    let late = change(["title": "Chorus"], at: "1700000000001-0000-00000001")
    for order in [[early, late], [late, early]] {
      #expect(replay(order)["a"]?["title"] == "Chorus")
    }
  }

  @Test func `sending the same change again changes nothing`() {
    let only = change(["title": "Intro"], at: "1700000000000-0000-00000001")
    var record = Record(before: only)
    let changedAtFirst = record.merge(only)
    let changedAgain = record.merge(only)
    #expect(changedAtFirst)
    #expect(!changedAgain)
  }

  @Test func `two devices that set different fields keep both`() {
    let title = change(["title": "Intro"], at: "1700000000000-0000-00000001")
    let marker = change(["markerA": 4800], at: "1700000000000-0000-00000002")
    let record = replay([title, marker])["a"]
    #expect(record?["title"] == "Intro")
    #expect(record?["markerA"] == 4800)
  }

  @Test func `clearing deletedAt restores a record`() {
    let deleted = change(["deletedAt": 1_700_000_000_000], at: "1700000000000-0000-00000001")
    let undone = change(["deletedAt": nil], at: "1700000000005-0000-00000001")
    #expect(replay([deleted])["a"]?.deletedAt != nil)
    #expect(replay([undone, deleted])["a"]?.deletedAt == nil)
  }

  private func change(_ fields: [String: Value], at stamp: String) -> Change {
    Change(
      id: "1", type: .part, record: "a", fields: fields,
      at: Stamp(stamp) ?? Stamp(milliseconds: 0, counter: 0, device: 0))
  }
}
