// The comparison of a routine's choreography then and now.

extension RoutineHistory {
  /// Returns what is different now from `since`, in milliseconds since 1970: at most `limit` changes.
  public func changes(
    since: Int, names: ChoreographyNames, limit: Int = 1_000
  ) -> ChoreographyChanges {
    var comparison = Comparison(history: self, since: since, names: names)
    comparison.compare()
    let changes = comparison.changes
    return ChoreographyChanges(
      changes: Array(changes.prefix(limit)), more: max(0, changes.count - limit),
      back: comparison.everythingBack())
  }
}

private struct Comparison {
  let then: Choreography
  let now: Choreography
  let names: ChoreographyNames
  /// The parts and moves as they are stored now, seen or not.
  let stored: [String: Record]
  let storedMoves: [Record]
  var changes: [ChoreographyChange] = []

  init(history: RoutineHistory, since: Int, names: ChoreographyNames) {
    then = history.choreography(at: since)
    now = history.choreography()
    self.names = names
    storedMoves = history.moves.map(\.record)
    stored = Dictionary(
      (history.parts + history.moves).map { ($0.record.id, $0.record) },
      uniquingKeysWith: { first, _ in first })
  }

  mutating func compare() {
    compareRoutine()
    let order = Self.merged(then.parts.map(\.id), into: now.parts.map(\.id))
    let moved = Self.moved(then.parts.map(\.record), now.parts.map(\.record))
    for id in order {
      switch (then.part(id), now.part(id)) {
      case (nil, let part?): addPart(part)
      case (let part?, nil): removePart(part)
      case (let before?, let part?):
        comparePart(before, part, isMoved: moved.contains(id))
        compareMoves(of: id)
      case (nil, nil): break
      }
    }
  }

  // MARK: The routine and its parts

  private mutating func compareRoutine() {
    // A routine that is newer has parts that were added, and no earlier title.
    guard then.routine.isComplete else { return }
    for (field, kind) in [("title", ChoreographyChange.Kind.renamed), ("subtitle", .subtitle)] {
      tellField(kind, field, then.routine, now.routine, part: nil)
    }
  }

  private mutating func addPart(_ part: Part) {
    tell(
      .added, part.record, part: part.id, now: ["moves": .integer(moves(now, part.id).count)],
      at: Self.began(part.record), back: [BringBack(removing: part.record)])
    // Moves that came from a part that is still there are told where they are now.
    compareMoves(of: part.id)
  }

  private mutating func removePart(_ part: Part) {
    guard let record = stored[part.id] else { return }
    var back = [edit(part.record, record)]
    for move in moves(then, part.id) where now.move(move.id) == nil {
      guard let record = stored[move.id] else { continue }
      back.append(edit(move.record, record))
    }
    back += newMoves(in: part.id).map { BringBack(removing: $0) }
    tell(
      .removed, part.record, part: part.id, was: ["moves": .integer(moves(then, part.id).count)],
      at: Self.written(record, ["deletedAt"]), back: back.filter(\.isNeeded))
  }

  private mutating func comparePart(_ before: Part, _ part: Part, isMoved: Bool) {
    let (was, record) = (before.record, part.record)
    tellField(.renamed, "title", was, record, part: part.id)
    if isMoved {
      let order = then.parts.map(\.id)
      let position = Self.position(of: was, then: order, now: now.parts.map(\.record))
      tell(
        .moved, record, part: part.id, was: ["place": Self.place(part.id, order)],
        now: ["place": Self.place(part.id, now.parts.map(\.id))],
        at: Self.written(record, ["position"]),
        back: [
          BringBack(type: .part, record: part.id, fields: ["position": .text(position)])
        ])
    }
    let borders = ["startFrame", "endFrame"]
    if !Self.isSame(was["track"], record["track"]) {
      tellFields(
        .song, ["track"] + borders, was, record,
        missing: names.holds(.track, was["track"]) ? nil : .track,
        named: ["track": (.track, "track")])
    } else if borders.contains(where: { !Self.isSame(was[$0], record[$0]) }) {
      tellFields(.cut, borders, was, record)
    }
    if !Self.isSame(was["video"], record["video"]) {
      tellFields(
        .video, ["video", "videoOffset"], was, record,
        missing: names.holds(.video, was["video"]) ? nil : .video,
        named: ["video": (.video, "video")])
    } else if record["video"] != .null {
      tellField(.videoOffset, "videoOffset", was, record, part: part.id)
    }
  }

  // MARK: Moves

  private mutating func compareMoves(of part: String) {
    let isNew = then.part(part) == nil
    let (before, after) = (moves(then, part), moves(now, part))
    let moved = Self.moved(
      before.filter { $0.startCount == nil }.map(\.record),
      after.filter { $0.startCount == nil }.map(\.record))
    let shifts = self.shifts(before, after)
    var shifted: Set<Double> = []
    for id in Self.merged(before.map(\.id), into: after.map(\.id)) {
      switch (then.move(id), now.move(id)) {
      case (nil, let move?):
        guard !isNew else { continue }
        tell(
          .added, move.record, part: part, at: Self.began(move.record),
          back: [BringBack(removing: move.record)])
      case (let was?, nil): removeMove(was)
      case (let was?, let move?):
        // One that went to another part is told there.
        guard move.part == part else { continue }
        if was.part != part {
          tellOtherPart(was, move)
        } else {
          if moved.contains(id) { tellPlace(was, move, before, after) }
          if let shift = Self.shift(was, move), let ids = shifts[shift] {
            if shifted.insert(shift).inserted { tellShift(shift, ids, of: part) }
          } else {
            tellField(.counts, "startCount", was.record, move.record, part: part)
          }
          tellField(.length, "countLength", was.record, move.record, part: part)
        }
        tellField(.renamed, "title", was.record, move.record, part: part)
        tellFields(
          .type, ["moveType"], was.record, move.record,
          missing: names.holds(.moveType, was.record["moveType"]) ? nil : .moveType,
          named: ["moveType": (.moveType, "type")])
        tellField(.notes, "notes", was.record, move.record, part: part)
      case (nil, nil): continue
      }
    }
  }

  private mutating func removeMove(_ was: Move) {
    guard let part = was.part, let record = stored[was.id] else { return }
    var back = edit(was.record, record)
    if back.fields["position"] != nil || back.fields["part"] != nil {
      let order = moves(then, part).map(\.id)
      let position = Self.position(of: was.record, then: order, now: moves(now, part).map(\.record))
      back.fields["position"] = .text(position)
    }
    tell(
      .removed, was.record, part: part, at: Self.written(record, ["deletedAt", "part"]),
      back: [back])
  }

  private mutating func tellOtherPart(_ was: Move, _ move: Move) {
    guard let from = was.part, let part = move.part else { return }
    let (_, fields) = Self.difference(
      was.record, move.record, ["part", "position", "startCount", "countLength"])
    var back = fields
    let order = moves(then, from).map(\.id)
    back["position"] = .text(
      Self.position(of: was.record, then: order, now: moves(now, from).map(\.record)))
    let isThere = now.part(from) != nil
    tell(
      .otherPart, move.record, part: part,
      was: ["part": then.part(from)?.record["title"] ?? .null],
      now: ["part": now.part(part)?.record["title"] ?? .null],
      at: Self.written(move.record, ["part"]),
      back: isThere ? [BringBack(type: .move, record: move.id, fields: back)] : [],
      missing: isThere ? nil : .part)
  }

  private mutating func tellPlace(_ was: Move, _ move: Move, _ before: [Move], _ after: [Move]) {
    let position = Self.position(
      of: was.record, then: before.map(\.id), now: after.map(\.record))
    tell(
      .moved, move.record, part: move.part, was: ["place": Self.place(move.id, before.map(\.id))],
      now: ["place": Self.place(move.id, after.map(\.id))],
      at: Self.written(move.record, ["position"]),
      back: [BringBack(type: .move, record: move.id, fields: ["position": .text(position)])])
  }

  private mutating func tellShift(_ shift: Double, _ ids: [String], of part: String) {
    guard let first = ids.first.flatMap(now.move) else { return }
    let pairs = ids.compactMap { id in
      then.move(id).flatMap { was in now.move(id).map { (was: was.record, now: $0.record) } }
    }
    tell(
      .shifted, first.record, part: part,
      now: ["moves": .integer(ids.count), "startCount": Self.counts(shift)],
      at: pairs.map { Self.written($0.now, ["startCount"]) }.max() ?? 0,
      back: pairs.map { pair in
        BringBack(
          type: .move, record: pair.was.id, fields: ["startCount": pair.was["startCount"]])
      })
  }

  /// The moves that begin the same number of counts later, by that number, in their order.
  private func shifts(_ before: [Move], _ after: [Move]) -> [Double: [String]] {
    let known = Dictionary(uniqueKeysWithValues: before.map { ($0.id, $0) })
    var shifts: [Double: [String]] = [:]
    for move in after {
      guard let was = known[move.id], let shift = Self.shift(was, move) else { continue }
      shifts[shift, default: []].append(move.id)
    }
    return shifts.filter { $0.value.count > 1 }
  }

  private static func shift(_ was: Move, _ move: Move) -> Double? {
    guard let start = was.startCount, let now = move.startCount, start != now else { return nil }
    return now - start
  }

  private static func counts(_ counts: Double) -> Value {
    Int(exactly: counts).map(Value.integer) ?? .number(counts)
  }

  // MARK: Bringing back

  func everythingBack() -> [BringBack] {
    var back: [BringBack] = []
    if then.routine.isComplete {
      back.append(edit(then.routine, now.routine))
    }
    for part in then.parts {
      guard let record = stored[part.id] else { continue }
      back.append(edit(part.record, record))
    }
    for part in now.parts where then.part(part.id) == nil {
      back.append(BringBack(removing: part.record))
    }
    for part in then.parts {
      for move in moves(then, part.id) {
        guard let record = stored[move.id] else { continue }
        back.append(edit(move.record, record))
      }
      back += newMoves(in: part.id).map { BringBack(removing: $0) }
    }
    return back.filter(\.isNeeded)
  }

  /// The moves that would be seen in `part` if it is there, and were not seen then.
  private func newMoves(in part: String) -> [Record] {
    storedMoves.filter { $0["part"].text == part && $0.isComplete && then.move($0.id) == nil }
  }

  /// Sets all fields of a record as they were, but for what refers to something that is gone.
  private func edit(_ was: Record, _ record: Record) -> BringBack {
    var (_, fields) = Self.difference(was, record, was.type.choreography)
    if let track = fields["track"], !names.holds(.track, track) {
      for field in ["track", "startFrame", "endFrame"] { fields[field] = nil }
    }
    if let video = fields["video"], !names.holds(.video, video) {
      for field in ["video", "videoOffset"] { fields[field] = nil }
    }
    if let moveType = fields["moveType"], !names.holds(.moveType, moveType) {
      fields["moveType"] = nil
    }
    return BringBack(type: was.type, record: was.id, fields: fields)
  }

  /// A position that puts a record behind what came before it: its own if that still does.
  private static func position(of was: Record, then: [String], now: [Record]) -> String {
    let others = now.filter { $0.id != was.id }
    // Moves on counts take the places of one another, so a place has its position by its number.
    let positions = others.compactMap { $0["position"].text }.sorted(by: Position.bytewise)
    let places = Dictionary(
      uniqueKeysWithValues: others.enumerated().map { ($0.element.id, $0.offset) })
    let place = then.prefix { $0 != was.id }.reversed().compactMap { places[$0] }.first
    let low = place.map { positions[$0] }
    let next = place.map { $0 + 1 } ?? 0
    let high = next < positions.count ? positions[next] : nil
    let own = was["position"].text ?? ""
    let isBehind = low.map { Position.bytewise($0, own) } ?? true
    let isBefore = high.map { Position.bytewise(own, $0) } ?? true
    return isBehind && isBefore && !own.isEmpty ? own : Position.between(low, high)
  }

  // MARK: Telling

  private mutating func tell(
    _ kind: ChoreographyChange.Kind, _ record: Record, part: String?,
    was: [String: Value] = [:], now: [String: Value] = [:], at: Int, back: [BringBack],
    missing: ChoreographyChange.Missing? = nil
  ) {
    let partTitle = part.flatMap { self.now.part($0) ?? then.part($0) }?.title
    changes.append(
      ChoreographyChange(
        kind: kind, type: record.type, record: record.id, title: record["title"].text ?? "",
        part: part, partTitle: partTitle, was: was, now: now, at: at, back: back,
        missing: missing))
  }

  private mutating func tellField(
    _ kind: ChoreographyChange.Kind, _ field: String, _ was: Record, _ record: Record,
    part: String?
  ) {
    guard !Self.isSame(was[field], record[field]) else { return }
    tell(
      kind, record, part: part, was: [field: was[field]], now: [field: record[field]],
      at: Self.written(record, [field]),
      back: [BringBack(type: record.type, record: record.id, fields: [field: was[field]])])
  }

  /// Tells of fields together; those in `named` with the title of what they refer to.
  private mutating func tellFields(
    _ kind: ChoreographyChange.Kind, _ fields: [String], _ was: Record, _ record: Record,
    missing: ChoreographyChange.Missing? = nil, named: [String: (RecordType, String)] = [:]
  ) {
    let (changed, back) = Self.difference(was, record, fields)
    guard !changed.isEmpty else { return }
    var values: [[String: Value]] = []
    for each in [was, record] {
      values.append(
        Dictionary(
          uniqueKeysWithValues: fields.map { field in
            named[field].map { ($0.1, names.title($0.0, each[field])) } ?? (field, each[field])
          }))
    }
    let part = record.type == .move ? record["part"].text : record.id
    tell(
      kind, record, part: part, was: values[0], now: values[1],
      at: Self.written(record, changed),
      back: missing == nil
        ? [BringBack(type: record.type, record: record.id, fields: back)] : [],
      missing: missing)
  }

  private func moves(_ choreography: Choreography, _ part: String) -> [Move] {
    choreography.moves[part] ?? []
  }

  // MARK: Comparing

  /// An empty text says the same as none.
  private static func isSame(_ left: Value, _ right: Value) -> Bool {
    left == right || ([.null, .text("")].contains(left) && [.null, .text("")].contains(right))
  }

  /// The names of the fields that differ, and their earlier values.
  private static func difference(
    _ was: Record, _ record: Record, _ fields: [String]
  ) -> (changed: [String], back: [String: Value]) {
    let changed = fields.filter { !isSame(was[$0], record[$0]) }
    return (changed, Dictionary(uniqueKeysWithValues: changed.map { ($0, was[$0]) }))
  }

  /// When the latest of these fields was written.
  private static func written(_ record: Record, _ fields: [String]) -> Int {
    fields.compactMap { record.cells[$0]?.stamp.milliseconds }.max() ?? 0
  }

  /// When a record came to be there: when it was made, or its deletion was undone.
  private static func began(_ record: Record) -> Int {
    record.cells["deletedAt"]?.stamp.milliseconds ?? record.createdAt
  }

  private static func place(_ id: String, _ order: [String]) -> Value {
    order.firstIndex(of: id).map { .integer($0 + 1) } ?? .null
  }

  /// Puts what is only in `then` into `now`, each behind what came before it.
  private static func merged(_ then: [String], into now: [String]) -> [String] {
    let present = Set(now)
    var leading: [String] = []
    var following: [String: [String]] = [:]
    var last: String?
    for id in then {
      if present.contains(id) {
        last = id
      } else if let last {
        following[last, default: []].append(id)
      } else {
        leading.append(id)
      }
    }
    return leading + now.flatMap { [$0] + (following[$0] ?? []) }
  }

  /// The records with another position whose order among those that are in both has changed.
  private static func moved(_ then: [Record], _ now: [Record]) -> Set<String> {
    let was = Dictionary(uniqueKeysWithValues: then.enumerated().map { ($1.id, $0) })
    // The earlier places of those in both, in their present order, and who has another position.
    let common = now.compactMap { record in
      was[record.id].map { place in
        (
          id: record.id, place: place, isSet: then[place]["position"] != record["position"]
        )
      }
    }
    // A place has kept its order if all before it are lower and all behind it are higher.
    var highest = -1
    var isLow: [Bool] = []
    for item in common {
      isLow.append(item.place < highest)
      highest = max(highest, item.place)
    }
    var lowest = Int.max
    var moved: Set<String> = []
    for (index, item) in common.enumerated().reversed() {
      if item.isSet, isLow[index] || item.place > lowest { moved.insert(item.id) }
      lowest = min(lowest, item.place)
    }
    return moved
  }
}

extension BringBack {
  /// Whether it sets anything.
  fileprivate var isNeeded: Bool { removes || !fields.isEmpty }
}
