// Routines as they were, from what the store keeps of random histories.

import Model
import TestSupport
import Testing

@testable import Database

@Suite struct ChoreographyHistoryTests {
  let folder: TemporaryFolder
  let store: RecordStore
  let routine = Identifier.make(milliseconds: 1)
  let parts = (0..<2).map { _ in Identifier.make(milliseconds: 1) }
  let moves = (0..<4).map { _ in Identifier.make(milliseconds: 1) }
  private let start = 1_700_000_000_000
  private let minute = 60_000

  init() throws {
    folder = try TemporaryFolder()
    store = RecordStore(database: try LibraryDatabase(in: folder))
  }

  private func change(
    _ type: RecordType, _ id: String, _ fields: [String: Value], at milliseconds: Int,
    by device: UInt32 = 1
  ) -> Change {
    Change(
      id: Identifier.make(milliseconds: 1), type: type, record: id, fields: fields,
      at: Stamp(milliseconds: milliseconds, counter: 0, device: device))
  }

  private var beginning: [Change] {
    [change(.routine, routine, ["title": "Tango"], at: start)]
      + parts.enumerated().map { index, id in
        change(
          .part, id,
          [
            "routine": .text(routine), "title": .text("Part \(index)"),
            "position": .text(["K", "V"][index]),
          ], at: start + 1 + index)
      }
      + moves.enumerated().map { index, id in
        change(
          .move, id,
          [
            "part": .text(parts[index % 2]), "title": .text("Move \(index)"),
            "position": .text(["B", "C", "K", "V"][index]),
          ], at: start + 5 + index)
      }
  }

  private func past() throws -> RoutinePast { try #require(try store.past(ofRoutine: routine)) }

  @Test func `every field of choreography is kept, and read as the kind that it is`() throws {
    _ = try store.apply(beginning)
    let values: [(String, Value, Value)] = [
      ("startCount", 8, 12), ("countLength", 2.5, 4), ("notes", "slow", nil),
      ("moveType", .text(routine), nil), ("part", .text(parts[1]), .text(parts[0])),
      ("deletedAt", nil, 5), ("position", "Z", "a"),
    ]
    for (index, (field, value, later)) in values.enumerated() {
      let at = start + (index + 1) * 100 * minute
      _ = try store.apply([change(.move, moves[0], [field: value], at: at)])
      _ = try store.apply([change(.move, moves[0], [field: later], at: at + 50 * minute)])
    }
    let history = try #require(try past().history.moves.first { $0.record.id == moves[0] })
    for (index, (field, value, later)) in values.enumerated() {
      let at = start + (index + 1) * 100 * minute
      #expect(history.record(at: at)[field] == value)
      #expect(
        history.record(at: at + 50 * minute)[field] == later)
    }
    #expect(try store.earlierVersions(.move, moves[0]).map(\.field) == ["notes"])
    #expect(try store.problems() == [])
  }

  @Test func `how a part is practised is not kept`() throws {
    _ = try store.apply(beginning)
    for rate in [0.5, 0.75, 1] {
      _ = try store.apply([
        change(
          .part, parts[0], ["rate": .number(rate)], at: start + Int(rate * 100) * minute,
          by: UInt32(rate * 4))
      ])
    }
    #expect(try past().history.parts.allSatisfy { $0.earlier.isEmpty })
  }

  @Test func `a move that is in another routine now is found`() throws {
    _ = try store.apply(beginning)
    let (other, part) = (Identifier.make(milliseconds: 1), Identifier.make(milliseconds: 1))
    _ = try store.apply([
      change(.routine, other, ["title": "Milonga"], at: start + minute),
      change(
        .part, part, ["routine": .text(other), "title": "Entrance", "position": "V"],
        at: start + minute),
      change(.move, moves[0], ["part": .text(part)], at: start + 2 * minute),
    ])
    let past = try past()
    let told = past.history.changes(since: start + minute, names: past.names).changes
    #expect(told.map(\.kind) == [.removed] && told.map(\.record) == [moves[0]])
  }

  @Test func `a routine that is deleted, or never was, has no past`() throws {
    #expect(try store.past(ofRoutine: routine) == nil)
    _ = try store.apply(beginning)
    #expect(try store.past(ofRoutine: routine) != nil)
    _ = try store.apply([change(.routine, routine, ["deletedAt": 5], at: start + minute)])
    #expect(try store.past(ofRoutine: routine) == nil)
  }

  @Test func `damaged earlier values are found by the check`() throws {
    _ = try store.apply(beginning)
    _ = try store.apply([change(.move, moves[0], ["startCount": 4], at: start + minute)])
    #expect(try store.problems() == [])
    try store.database.write { connection throws(DatabaseError) in
      try connection.execute("UPDATE earlier SET value = 'four' WHERE field = 'startCount'")
    }
    #expect(try store.problems() == ["An earlier value of move \(moves[0]) can't be read."])
  }

  /// An act of writing is one version: within it, its beginning is what is known.
  @Test(arguments: 0..<60)
  func `a routine is known as it was at any time outside an act of writing`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var edits: [[Change]] = [[], [], []]
    var now = start + minute
    for _ in 0..<80 {
      now += [1, 50, 1_000, 60_000, 400_000].randomElement(using: &random)!
      let device = Int.random(in: 0..<3, using: &random)
      edits[device].append(randomChange(&random, at: now, by: UInt32(device + 1)))
    }
    let all = beginning + edits.joined().sorted { $0.at < $1.at }
    _ = try store.apply(beginning)
    try deliver(edits, &random)
    let past = try past()
    for _ in 0..<20 {
      let moment = Int.random(in: start + minute...now + minute, using: &random)
      for history in past.history.parts + past.history.moves + [past.history.routine] {
        let was = history.record(at: moment)
        var truth = Record(type: was.type, id: was.id, createdAt: was.createdAt, cells: [:])
        for change in all where change.record == was.id && change.at.milliseconds <= moment {
          truth.merge(change)
        }
        for field in was.type.choreography
        where !isWritten(was.id, field, at: moment, in: edits) {
          #expect(was[field] == truth[field], "\(field)")
        }
      }
    }
    #expect(try store.problems() == [])
  }

  private func randomChange(
    _ random: inout SeededGenerator, at: Int, by device: UInt32
  ) -> Change {
    let part = parts.randomElement(using: &random)!
    let move = moves.randomElement(using: &random)!
    let number = Int.random(in: 0..<4, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return change(.part, part, ["title": .text("Part \(number)")], at: at, by: device)
    case 1:
      let deletedAt: Value = number < 2 ? nil : 5
      return change(.move, move, ["deletedAt": deletedAt], at: at, by: device)
    case 2:
      let notes: Value = number == 0 ? nil : .text("Notes \(number)")
      return change(.move, move, ["notes": notes], at: at, by: device)
    case 3: return change(.move, move, ["part": .text(part)], at: at, by: device)
    case 4:
      let count: Value = number == 0 ? nil : .number(Double(number) + 0.5)
      return change(.move, move, ["startCount": count], at: at, by: device)
    default: return change(.routine, routine, ["subtitle": .text("\(number)")], at: at, by: device)
    }
  }

  /// Merges the edits of the devices in a random order, but those of one device in theirs, some twice.
  private func deliver(_ edits: [[Change]], _ random: inout SeededGenerator) throws {
    var sent = [0, 0, 0]
    while let device = (0..<3).filter({ sent[$0] < edits[$0].count }).randomElement(using: &random)
    {
      let count = Int.random(in: 1...5, using: &random)
      let batch = edits[device].dropFirst(sent[device]).prefix(count)
      sent[device] += batch.count
      for _ in 0...Int.random(in: 0...1, using: &random) { _ = try store.apply(Array(batch)) }
    }
  }

  /// Whether a device was writing a field: it wrote it before, and again within five minutes.
  private func isWritten(
    _ record: String, _ field: String, at moment: Int, in edits: [[Change]]
  ) -> Bool {
    edits.contains { device in
      let times = device.filter { $0.record == record && $0.fields[field] != nil }
        .map(\.at.milliseconds)
      return zip(times, times.dropFirst()).contains { before, after in
        before <= moment && moment < after && after - before <= RecordStore.writingSpan
      }
    }
  }
}
