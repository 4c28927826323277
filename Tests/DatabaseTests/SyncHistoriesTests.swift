// Random histories of devices with copies of one record store, over a network that loses,
// duplicates and reorders messages, with restarts of either side. SEGMANCE_HISTORIES sets their
// number.

import FoundationEssentials
import Model
import TestSupport
import Testing

@testable import Database

@Suite struct SyncHistoriesTests {
  private static let count =
    Int(ProcessInfo.processInfo.environment["SEGMANCE_HISTORIES"] ?? "") ?? 300

  @Test func `random histories end in the same records everywhere, and no edit is lost`() throws {
    let studio = try HistoryStudio(fault: nil)
    for seed in 0..<Self.count {
      var history = SyncHistory(studio: studio, seed: UInt64(seed))
      let problem = try history.broken()
      try #require(problem == nil, "seed \(seed)")
    }
  }

  @Test(arguments: HistoryStudio.Fault.allCases)
  func `a store that violates an invariant is detected`(fault: HistoryStudio.Fault) throws {
    let studio = try HistoryStudio(fault: fault)
    let isCaught = try (0..<100).contains { seed in
      var history = SyncHistory(studio: studio, seed: UInt64(seed))
      return try history.broken() != nil
    }
    #expect(isCaught)
  }
}

/// A record store that can be closed and reopened, optionally with a fault.
final class HistoryStudio {
  /// The faults of a store.
  enum Fault: CaseIterable, Sendable {
    /// The first of several edits of a field within a millisecond wins.
    case keepsTheFirst
    /// Of several changes to a record in one request, only one is merged.
    case takesOneOfARecord
    /// Acknowledged changes are merged only with the next request, and lost if the store is closed
    /// before.
    case answersTooEarly
    /// A changed record that was sent before keeps its sequence number.
    case tellsOnlyTheNew
  }

  private let fault: Fault?
  private let folder: TemporaryFolder
  private var opened: RecordStore?
  private var waiting: [Change] = []
  private var told: [String: String] = [:]

  init(fault: Fault?) throws {
    self.fault = fault
    folder = try TemporaryFolder()
  }

  /// The store, reopened if it is closed.
  func store() throws -> RecordStore {
    if let opened { return opened }
    let database = try LibraryDatabase(in: folder)
    let store = RecordStore(database: database)
    opened = store
    return store
  }

  func close() {
    waiting = []
    opened = nil
  }

  func take(_ changes: [Change]) throws {
    guard !changes.isEmpty else { return }
    var changes = changes
    switch fault {
    case .keepsTheFirst:
      changes = try changes.filter { change in
        let known = try store().record(change.type, change.record)?.cells ?? [:]
        return !change.fields.keys.contains {
          known[$0]?.stamp.milliseconds == change.at.milliseconds
        }
      }
    case .takesOneOfARecord:
      var seen: Set<String> = []
      changes = changes.filter { seen.insert($0.record).inserted }
    case .answersTooEarly:
      swap(&changes, &waiting)
    case .tellsOnlyTheNew, nil:
      break
    }
    _ = try store().apply(changes)
  }

  func page(since: Int, limit: Int) throws -> RecordStore.Page {
    var page = try store().page(since: since, limit: limit)
    guard fault == .tellsOnlyTheNew else { return page }
    page.records = page.records.map { record in
      let id = record.split(separator: ",").prefix(2).joined()
      if told[id] == nil { told[id] = record }
      return told[id] ?? record
    }
    return page
  }
}

/// One history.
private struct SyncHistory {
  /// A device: its records, and its undelivered changes.
  private struct Device {
    var clock: HybridClock
    /// The error of its clock, in milliseconds.
    var error: Int
    var since: Int
    var records: [String: [String: Value]] = [:]
    var outbox: [Change] = []
  }

  /// A message between a device and the store.
  private enum Message {
    case request(device: Int, since: Int, changes: [Change])
    case answer(device: Int, from: Int, changes: [Change], page: RecordStore.Page)
  }

  private let studio: HistoryStudio
  private var random: SeededGenerator
  private var devices: [Device] = []
  private var wire: [Message] = []
  /// The latest edit of each field, by record and name.
  private var latest: [String: [String: Record.Cell]] = [:]
  private var created: [String: Int] = [:]
  private var now = 1_700_000_000_000
  private let ids: [String]

  init(studio: HistoryStudio, seed: UInt64) {
    self.studio = studio
    random = SeededGenerator(seed: seed)
    ids = (0..<3).map { _ in Identifier.make(milliseconds: 1_700_000_000_000) }
  }

  /// Runs the history. Returns what is wrong at the end.
  mutating func broken() throws -> String? {
    let start = try studio.store().latestSeq()
    for number in 0..<Int.random(in: 2...4, using: &random) {
      devices.append(
        Device(
          clock: HybridClock(device: UInt32(number + 1)),
          error: Int.random(in: -3...3, using: &random), since: start))
    }
    for _ in 0..<Int.random(in: 10...60, using: &random) { try step() }
    try settle()
    return difference()
  }

  private mutating func step() throws {
    now += Int.random(in: 0...2, using: &random)
    let device = Int.random(in: 0..<devices.count, using: &random)
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<7: edit(device)
    case 7..<11: send(device)
    case 11..<19:
      guard let index = wire.indices.randomElement(using: &random) else { return }
      let message = wire[index]
      // One in five messages is delivered twice, one in five is lost.
      let fate = Int.random(in: 0..<5, using: &random)
      if fate != 0 { wire.remove(at: index) }
      if fate != 1 { try deliver(message) }
    default:
      if Bool.random(using: &random) { studio.close() } else { restart(device) }
    }
  }

  private mutating func edit(_ index: Int) {
    var fields: [String: Value] = [:]
    for name in ["title", "subtitle", "lastPractisedAt", "deletedAt"]
    where Int.random(in: 0...2, using: &random) == 0 {
      let number = Int.random(in: 0...999, using: &random)
      fields[name] = name.hasSuffix("At") ? .integer(number) : .text("\(index) wrote \(number)")
      if name != "title", number % 5 == 0 { fields[name] = .null }
    }
    guard !fields.isEmpty, let record = ids.randomElement(using: &random) else { return }
    let at = devices[index].clock.next(now: now + devices[index].error)
    devices[index].outbox.append(
      Change(
        id: Identifier.make(milliseconds: now), type: .routine, record: record, fields: fields,
        at: at))
    created[record] = min(created[record] ?? .max, at.milliseconds)
    for (name, value) in fields where latest[record]?[name].map({ $0.stamp < at }) ?? true {
      latest[record, default: [:]][name] = Record.Cell(value: value, stamp: at)
    }
  }

  private mutating func send(_ index: Int) {
    let device = devices[index]
    wire.append(.request(device: index, since: device.since, changes: device.outbox))
  }

  private mutating func deliver(_ message: Message) throws {
    switch message {
    case .request(let device, let since, let changes):
      try studio.take(changes)
      let page = try studio.page(since: since, limit: Int.random(in: 1...3, using: &random))
      wire.append(.answer(device: device, from: since, changes: changes, page: page))
    case .answer(let index, let from, let changes, let page):
      for text in page.records { try Self.note(text, &devices[index]) }
      // Only a page that begins at the end of the copy, or before, extends it.
      if from <= devices[index].since {
        devices[index].since = max(devices[index].since, page.seq)
      }
      let arrived = Set(changes.map(\.id))
      devices[index].outbox.removeAll { arrived.contains($0.id) }
    }
  }

  private static func note(_ text: String, _ device: inout Device) throws {
    let record = try JSONDecoder().decode([String: Value].self, from: Data(text.utf8))
    let id = record["id"]?.text ?? ""
    let known = device.records[id]?["seq"]?.integer ?? -1
    if known < record["seq"]?.integer ?? 0 { device.records[id] = record }
  }

  /// Messages in transit are lost; records, outbox and position are stored.
  private mutating func restart(_ index: Int) {
    wire.removeAll { message in
      if case .answer(index, _, _, _) = message { true } else { false }
    }
    var clock = HybridClock(device: UInt32.random(in: 10 ... .max, using: &random))
    clock.observe(devices[index].clock.time(now: 0))
    devices[index].clock = clock
  }

  /// Delivers all messages, and lets all devices fetch until nothing is new.
  private mutating func settle() throws {
    for _ in 0..<2 {
      for index in devices.indices {
        for _ in 0..<6 { try exchange(index) }
      }
    }
  }

  private mutating func exchange(_ index: Int) throws {
    send(index)
    while let message = wire.popLast() { try deliver(message) }
  }

  private func difference() -> String? {
    for (number, device) in devices.enumerated() {
      guard device.outbox.isEmpty else { return "Device \(number) has edits that never arrived." }
      for id in ids {
        var expected = (latest[id] ?? [:]).mapValues(\.value).filter { $0.value != .null }
        if let created = created[id] {
          expected.merge(
            ["type": "routine", "id": .text(id), "createdAt": .integer(created)]
          ) { $1 }
        }
        let found = device.records[id, default: [:]].filter { name, value in
          name != "seq" && value != .null
        }
        if found != expected { return "Device \(number) has \(found), not \(expected)." }
      }
    }
    return nil
  }
}
