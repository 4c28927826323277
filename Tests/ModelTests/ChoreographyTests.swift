// What has changed in a routine since a moment, and what brings it back.

import TestSupport
import Testing

@testable import Model

/// A routine whose edits are all kept, each at a time of its own.
private struct Studio {
  private(set) var records: [String: Record] = [:]
  private(set) var earlier: [String: [EarlierValue]] = [:]
  private(set) var now = 1_000
  var names = ChoreographyNames(present: [
    .track: ["song": "Swan", "other": "Firebird"], .video: ["film": "Rehearsal"],
    .moveType: ["turn": "Turn", "lift": "Lift"],
  ])

  init() {
    set(.routine, "routine", ["title": "Tango"])
  }

  mutating func set(_ type: RecordType, _ id: String, _ fields: [String: Value]) {
    now += 1
    let at = Stamp(milliseconds: now, counter: 0, device: 1)
    var record = records[id] ?? Record(type: type, id: id, createdAt: now, cells: [:])
    for (field, value) in fields {
      if let cell = record.cells[field] {
        earlier[id, default: []].append(
          EarlierValue(field: field, value: cell.value, stamp: cell.stamp))
      }
      record.cells[field] = Record.Cell(value: value, stamp: at)
    }
    records[id] = record
  }

  mutating func part(_ id: String, _ position: String, _ fields: [String: Value] = [:]) {
    let first: [String: Value] = [
      "routine": "routine", "title": .text("Part \(id)"), "position": .text(position),
    ]
    set(.part, id, first.merging(fields) { $1 })
  }

  mutating func move(
    _ id: String, in part: String, _ position: String, _ fields: [String: Value] = [:]
  ) {
    let first: [String: Value] = [
      "part": .text(part), "title": .text("Move \(id)"), "position": .text(position),
    ]
    set(.move, id, first.merging(fields) { $1 })
  }

  mutating func apply(_ back: [BringBack]) {
    for edit in back {
      set(edit.type, edit.record, edit.removes ? ["deletedAt": .integer(now)] : edit.fields)
    }
  }

  var history: RoutineHistory {
    func all(_ type: RecordType) -> [RecordHistory] {
      records.values.filter { $0.type == type }.sorted { $0.id < $1.id }
        .map { RecordHistory(record: $0, earlier: earlier[$0.id] ?? []) }
    }
    return RoutineHistory(routine: all(.routine)[0], parts: all(.part), moves: all(.move))
  }

  func changes(since: Int) -> ChoreographyChanges { history.changes(since: since, names: names) }

  /// The kinds of the changes, each with the id of its record.
  func told(since: Int) -> [String] {
    changes(since: since).changes.map { "\($0.kind.rawValue) \($0.record)" }
  }

  /// What is seen, without stamps.
  func seen(at milliseconds: Int? = nil) -> [String] {
    let choreography = history.choreography(at: milliseconds)
    func line(_ record: Record) -> String {
      let values = record.type.choreography.map { field in
        record[field] == .text("") ? "null" : "\(record[field])"
      }
      return "\(record.id) \(values.joined(separator: " "))"
    }
    return [line(choreography.routine)]
      + choreography.parts.flatMap { part in
        [line(part.record)] + (choreography.moves[part.id] ?? []).map { line($0.record) }
      }
  }
}

@Suite struct ChoreographyTests {
  private var studio = Studio()
  private let start: Int

  init() {
    studio.part("a", "V", ["track": "song", "startFrame": 0, "endFrame": 480_000])
    studio.part("b", "W")
    studio.move("1", in: "a", "V", ["notes": "slow"])
    studio.move("2", in: "a", "W")
    studio.move("3", in: "a", "X")
    start = studio.now
  }

  private func change(_ studio: Studio) throws -> ChoreographyChange {
    let changes = studio.changes(since: start).changes
    try #require(changes.count == 1)
    return changes[0]
  }

  @Test func `nothing has changed without an edit`() {
    #expect(studio.told(since: start) == [])
    #expect(studio.changes(since: start).back == [])
  }

  @Test func `all is new since before it was made`() {
    #expect(studio.told(since: 0) == ["added a", "added b"])
    #expect(studio.changes(since: 0).changes[0].now == ["moves": 3])
  }

  @Test func `titles, the subtitle and notes are told with what they were`() throws {
    var studio = studio
    studio.set(.routine, "routine", ["title": "Milonga", "subtitle": "for two"])
    studio.set(.part, "a", ["title": "Entrance"])
    studio.set(.move, "1", ["title": "Ocho", "notes": nil])
    #expect(
      studio.told(since: start) == [
        "renamed routine", "subtitle routine", "renamed a", "renamed 1", "notes 1",
      ])
    let notes = try #require(studio.changes(since: start).changes.last)
    #expect(notes.was == ["notes": "slow"] && notes.now == ["notes": nil])
    #expect(notes.part == "a" && notes.partTitle == "Entrance" && notes.title == "Ocho")
    #expect(notes.at == studio.now)
    #expect(notes.back == [BringBack(type: .move, record: "1", fields: ["notes": "slow"])])
  }

  @Test func `what was changed and changed back is no change`() {
    var studio = studio
    studio.set(.move, "1", ["title": "Ocho", "notes": nil])
    studio.set(.move, "1", ["title": "Move 1", "notes": "slow"])
    studio.set(.routine, "routine", ["subtitle": ""])
    #expect(studio.told(since: start) == [])
  }

  @Test func `a move among others is told alone, with its places`() throws {
    var studio = studio
    studio.set(.move, "1", ["position": "Z"])
    let change = try change(studio)
    #expect(change.kind == .moved && change.record == "1")
    #expect(change.was == ["place": 1] && change.now == ["place": 3])
    studio.apply(change.back)
    #expect(studio.told(since: start) == [])
  }

  @Test func `another position in the same order is no change, and comes back with all`() {
    var studio = studio
    studio.set(.move, "1", ["position": "A"])
    #expect(studio.told(since: start) == [])
    let then = studio.seen(at: start)
    studio.apply(studio.changes(since: start).back)
    #expect(studio.seen() == then)
  }

  @Test func `a place is brought back where it was among those that have moved on`() throws {
    var studio = studio
    studio.set(.move, "3", ["position": "A"])
    studio.set(.move, "1", ["position": "k"])
    studio.set(.move, "2", ["position": "t"])
    let change = try #require(
      studio.changes(since: start).changes.first { $0.record == "3" && $0.kind == .moved })
    studio.apply(change.back)
    #expect(studio.history.choreography().moves["a"]?.map(\.id) == ["1", "2", "3"])
  }

  @Test func `counts that change alike are one change`() throws {
    var studio = studio
    for (id, count) in [("1", 0), ("2", 8), ("3", 16)] {
      studio.set(.move, id, ["startCount": .integer(count), "countLength": 8])
    }
    let start = studio.now
    for (id, count) in [("2", 12), ("3", 20)] {
      studio.set(.move, id, ["startCount": .integer(count)])
    }
    studio.set(.move, "1", ["countLength": 12])
    #expect(studio.told(since: start) == ["length 1", "shifted 2"])
    let shift = studio.changes(since: start).changes[1]
    #expect(shift.now == ["moves": 2, "startCount": 4] && shift.back.count == 2)
    studio.set(.move, "3", ["startCount": 21.5])
    #expect(studio.told(since: start) == ["length 1", "counts 2", "counts 3"])
    #expect(studio.told(since: self.start).contains("counts 1"))
  }

  @Test func `a move in another part is told there, and needs its part to come back`() throws {
    var studio = studio
    studio.set(.move, "2", ["part": "b", "position": "B"])
    let change = try change(studio)
    #expect(change.kind == .otherPart && change.part == "b")
    #expect(change.was == ["part": "Part a"] && change.now == ["part": "Part b"])
    studio.set(.part, "a", ["deletedAt": 5])
    let told = studio.changes(since: start).changes
    #expect(told.map(\.kind) == [.removed, .otherPart])
    #expect(told[1].missing == .part && told[1].back == [])
    studio.apply(told[0].back)
    studio.apply(try self.change(studio).back)
    #expect(studio.history.choreography().moves["a"]?.map(\.id) == ["1", "2", "3"])
    #expect(studio.told(since: start) == [])
  }

  @Test func `a part that is removed is one change, and comes back as it was`() throws {
    var studio = studio
    studio.set(.move, "1", ["title": "Ocho"])
    studio.move("4", in: "a", "Z")
    studio.set(.part, "a", ["deletedAt": 5, "title": "Entrance"])
    let change = try change(studio)
    #expect(change.kind == .removed && change.title == "Part a" && change.was == ["moves": 3])
    let then = studio.seen(at: start)
    studio.apply(change.back)
    #expect(studio.seen() == then)
  }

  @Test func `moves that come and go are told in their part`() throws {
    var studio = studio
    studio.move("4", in: "a", "VV")
    studio.set(.move, "2", ["deletedAt": 5])
    #expect(studio.told(since: start) == ["removed 2", "added 4"])
    studio.move("5", in: "a", "VW")
    studio.set(.move, "5", ["deletedAt": 5])
    #expect(studio.told(since: start).count == 2)
    #expect(studio.changes(since: start).changes[1].back == [.init(removing: studio.records["4"]!)])
  }

  @Test func `another song, cut, video and type say what is missing`() throws {
    var studio = studio
    studio.set(.part, "a", ["startFrame": 48_000])
    let cut = try change(studio)
    #expect(cut.kind == .cut && cut.was == ["startFrame": 0, "endFrame": 480_000])
    studio.set(.part, "a", ["track": "other"])
    let song = try change(studio)
    #expect(song.kind == .song && song.was["track"] == "Swan" && song.now["track"] == "Firebird")
    studio.names.present[.track]?["song"] = nil
    studio.names.deleted["song"] = "Swan"
    let gone = try change(studio)
    #expect(gone.missing == .track && gone.back == [] && gone.was["track"] == "Swan")
    #expect(studio.changes(since: start).back == [])
    studio.set(.part, "b", ["video": "film", "videoOffset": 5])
    studio.set(.move, "1", ["moveType": "turn"])
    let start = studio.now
    studio.set(.part, "b", ["videoOffset": 6])
    studio.set(.move, "1", ["moveType": "lift"])
    #expect(studio.told(since: start) == ["type 1", "videoOffset b"])
    #expect(studio.changes(since: start).changes[0].was == ["type": "Turn"])
    studio.set(.part, "b", ["video": nil, "videoOffset": nil])
    #expect(studio.told(since: start) == ["type 1", "video b"])
  }

  @Test func `a long list is cut, and says so; all comes back all the same`() {
    var studio = studio
    for id in ["1", "2", "3"] { studio.set(.move, id, ["title": "Ocho"]) }
    let changes = studio.history.changes(since: start, names: studio.names, limit: 2)
    #expect(changes.changes.count == 2 && changes.more == 1 && changes.back.count == 3)
  }

  @Test(arguments: 0..<300)
  func `bringing everything back gives the choreography of then`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var studio = Studio()
    var moments: [(at: Int, seen: [String])] = []
    for _ in 0..<60 {
      edit(&studio, &random)
      moments.append((studio.now, studio.seen()))
    }
    // What was is what was seen at that time.
    for moment in moments { #expect(studio.seen(at: moment.at) == moment.seen) }
    let moment = moments.randomElement(using: &random)!
    let changes = studio.changes(since: moment.at)
    #expect(changes.changes.isEmpty || !changes.back.isEmpty)
    #expect(changes.changes.allSatisfy { ($0.missing == nil) != $0.back.isEmpty })
    studio.apply(changes.back)
    #expect(studio.seen() == moment.seen)
    #expect(studio.told(since: moment.at) == [])
  }

  /// Edits brought back one by one end there as well, but for places, which follow the present order.
  @Test(arguments: 0..<200)
  func `changes that are brought back one by one come to an end`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var studio = Studio()
    for _ in 0..<30 { edit(&studio, &random) }
    let start = studio.now
    for _ in 0..<20 { edit(&studio, &random) }
    for _ in 0..<60 {
      guard
        let change = studio.changes(since: start).changes.filter({ $0.missing == nil })
          .randomElement(using: &random)
      else { break }
      studio.apply(change.back)
    }
    let left = studio.changes(since: start).changes.map(\.kind)
    #expect(left.allSatisfy { $0 == .moved || $0 == .counts || $0 == .shifted })
  }

  /// Makes one random edit: what the app does, and what two devices leave behind.
  private func edit(_ studio: inout Studio, _ random: inout SeededGenerator) {
    let part = ["a", "b", "c", "d"].randomElement(using: &random)!
    let move = ["1", "2", "3", "4", "5", "6"].randomElement(using: &random)!
    let position = Value.text(["B", "K", "V", "b", "k"].randomElement(using: &random)!)
    let count: Value = [nil, 0, 4, 8, 12.5].randomElement(using: &random)!
    let word: Value = [nil, "", "slow", "fast"].randomElement(using: &random)!
    let isThere = studio.records[part] != nil && studio.records[move] != nil
    switch Int.random(in: 0..<10, using: &random) {
    case _ where studio.records[part] == nil: studio.part(part, position.text ?? "V")
    case _ where studio.records[move] == nil: studio.move(move, in: part, position.text ?? "V")
    case 0: studio.set(.routine, "routine", ["subtitle": word])
    case 1: studio.set(.part, part, ["position": position])
    case 2: studio.set(.part, part, ["track": isThere ? "song" : "other", "startFrame": 0])
    case 3: studio.set(.part, part, ["deletedAt": Bool.random(using: &random) ? 5 : nil])
    case 4: studio.set(.move, move, ["deletedAt": Bool.random(using: &random) ? 5 : nil])
    case 5: studio.set(.move, move, ["part": .text(part), "position": position, "startCount": nil])
    case 6: studio.set(.move, move, ["position": position])
    case 7: studio.set(.move, move, ["startCount": count, "countLength": count])
    case 8: studio.set(.move, move, ["notes": word, "moveType": "turn"])
    default: studio.set(.part, part, ["video": "film", "videoOffset": count == 0 ? 0 : 5])
    }
  }
}
