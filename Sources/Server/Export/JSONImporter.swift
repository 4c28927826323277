// Imports a JSON export with the same edits as a client, in one transaction.

import FoundationEssentials
import Model

/// Imports the routines of a JSON export into a library.
public struct JSONImporter {
  private let library: Library

  /// Makes an importer for `library`.
  public init(library: Library) { self.library = library }

  /// The number of created records.
  public struct Outcome: Encodable, Sendable, Equatable {
    public var routines: Int
    public var parts: Int
    public var moves: Int
    public var spots: Int
    /// The number of corrections of tracks' counts.
    public var gridCorrections: Int
    /// The number of new move types. Existing identical ones are reused.
    public var moveTypes: Int
    /// The number of parts that lost their track, because the library lacks its audio.
    public var partsWithoutAudio: Int
    /// The number of parts that lost their borders, because the range between them was empty. They
    /// cover the whole track.
    public var partsWithoutBorders: Int
  }

  /// Imports the file at `path`; every record gets a new id.
  ///
  /// The import is all or nothing.
  /// - Throws: `LibraryError` with a sentence that says what is wrong with the file.
  public func importDocument(_ path: String) throws -> Outcome {
    try importDocument(ExportDocument(contentsOf: path))
  }

  func importDocument(_ document: ExportDocument) throws -> Outcome {
    var pass = ImportPass()
    try pass.takeTracks(document.tracks, known: try owned(.track).map(Track.init))
    try pass.takeMoveTypes(document.moveTypes, known: try owned(.moveType))
    let ids = ImportPass.newIds(document.routines.count)
    for (index, routine) in document.routines.enumerated() {
      try pass.takeRoutine(routine, id: ids[index], place: "Routine \(index + 1)")
    }
    try pass.takeSpots(document.spots ?? [])
    try pass.takeCorrections(
      document.gridCorrections ?? [],
      known: try owned(.gridCorrection).filter { $0.deletedAt == nil }.map(GridCorrection.init))
    try library.commit(pass.edits)
    return pass.outcome
  }

  /// The owner's records of a type, deleted ones too. The file is imported for them.
  private func owned(_ type: RecordType) throws -> [Record] {
    try library.records.records(in: Person.owner, type)
  }
}

/// The import of one document: the edits so far, and the mapping of its ids to new ones.
private struct ImportPass {
  var edits: [Library.Edit] = []
  var outcome = JSONImporter.Outcome(
    routines: 0, parts: 0, moves: 0, spots: 0, gridCorrections: 0, moveTypes: 0,
    partsWithoutAudio: 0, partsWithoutBorders: 0)
  private var tracks: [String: Track?] = [:]
  private var moveTypes: [String: String] = [:]
  /// The new id of each part of the document.
  private var parts: [String: String] = [:]
  private let now = Library.now()

  /// New ids in ascending order, so that siblings at the same position keep their order.
  static func newIds(_ count: Int) -> [String] {
    let now = Library.now()
    return (0..<count).map { _ in Identifier.make(milliseconds: now) }.sorted()
  }

  /// Finds the track with the same bytes for each track of the document.
  mutating func takeTracks(_ items: [DocumentItem], known: [Track]) throws {
    var byHash: [String: Track] = [:]
    for track in known where track.deletedAt == nil && track.state != .failed {
      if let sha256 = track.sha256 { byHash[sha256] = track }
    }
    for (index, item) in items.enumerated() {
      guard let sha256 = item.fields["sha256"]?.text else {
        throw LibraryError(.unusable, "Track \(index + 1) of the file has no sha256.")
      }
      guard tracks.updateValue(byHash[sha256], forKey: item.id) == nil else {
        throw LibraryError(.unusable, "Two tracks of the file have the same id.")
      }
    }
  }

  /// Adds the document's move types, or reuses those that are equal in every field.
  mutating func takeMoveTypes(_ items: [DocumentItem], known: [Record]) throws {
    var free = known.filter(\.isComplete)
    let ids = ImportPass.newIds(items.count)
    for (index, item) in items.enumerated() {
      let place = "Move type \(index + 1)"
      guard moveTypes[item.id] == nil else {
        throw LibraryError(.unusable, "Two move types of the file have the same id.")
      }
      try check(.moveType, ids[index], item.fields, place)
      let alike = free.firstIndex { type in
        type.type.fields.allSatisfy { type[$0.name] == item.fields[$0.name] ?? .null }
      }
      if let alike {
        moveTypes[item.id] = free.remove(at: alike).id
      } else {
        moveTypes[item.id] = ids[index]
        edits.append(Library.Edit(.moveType, ids[index], item.fields))
        outcome.moveTypes += 1
      }
    }
  }

  mutating func takeRoutine(_ item: DocumentItem, id: String, place: String) throws {
    var fields = item.fields
    // A place in another library's order of comments.
    fields["commentsSeen"] = nil
    try add(.routine, id, fields, place)
    outcome.routines += 1
    let ids = ImportPass.newIds(item.children.count)
    for (index, part) in item.children.enumerated() {
      try takePart(part, id: ids[index], routine: id, place: "\(place), part \(index + 1)")
    }
  }

  private mutating func takePart(
    _ item: DocumentItem, id: String, routine: String, place: String
  ) throws {
    var fields = item.fields
    fields["routine"] = .text(routine)
    var lengthFrames: Int?
    if let old = fields["track"], old != .null {
      guard let old = old.text, let track = tracks[old] else {
        throw LibraryError(.unusable, "\(place): its track is not among the file's tracks.")
      }
      fields["track"] = (track?.id).map(Value.text)
      if track == nil { outcome.partsWithoutAudio += 1 }
      lengthFrames = track?.lengthFrames
    } else if fields["startFrame"] != nil {
      outcome.partsWithoutAudio += 1
    }
    fitBorders(&fields, lengthFrames: lengthFrames)
    try add(.part, id, fields, place)
    parts[item.id] = id
    outcome.parts += 1
    let ids = ImportPass.newIds(item.children.count)
    for (index, move) in item.children.enumerated() {
      try takeMove(move, id: ids[index], part: id, place: "\(place), move \(index + 1)")
    }
  }

  /// Clamps a part to its track's end, and drops borders with nothing between them. A library can
  /// contain both: two devices can move both borders, and audio can be replaced by a shorter song.
  private mutating func fitBorders(_ fields: inout [String: Value], lengthFrames: Int?) {
    if let end = fields["endFrame"]?.integer, let lengthFrames {
      fields["endFrame"] = .integer(min(end, lengthFrames))
    }
    guard let end = fields["endFrame"]?.integer ?? lengthFrames,
      fields["startFrame"]?.integer ?? 0 >= end
    else { return }
    fields["startFrame"] = nil
    fields["endFrame"] = nil
    outcome.partsWithoutBorders += 1
  }

  private mutating func takeMove(
    _ item: DocumentItem, id: String, part: String, place: String
  ) throws {
    var fields = item.fields
    fields["part"] = .text(part)
    if let old = fields["moveType"], old != .null {
      guard let new = old.text.flatMap({ moveTypes[$0] }) else {
        throw LibraryError(.unusable, "\(place): its type is not among the file's move types.")
      }
      fields["moveType"] = .text(new)
    }
    guard item.children.isEmpty else {
      throw LibraryError(.unusable, "\(place) holds other records; a move holds none.")
    }
    try add(.move, id, fields, place)
    outcome.moves += 1
  }

  /// Adds the spots to their parts.
  mutating func takeSpots(_ items: [DocumentItem]) throws {
    for (index, item) in items.enumerated() {
      let place = "Spot \(index + 1)"
      guard let part = item.fields["part"]?.text.flatMap({ parts[$0] }) else {
        throw LibraryError(.unusable, "\(place): its part is not among the file's parts.")
      }
      var fields = item.fields
      fields["part"] = .text(part)
      try add(.spot, Identifier.make(milliseconds: now), fields, place)
      outcome.spots += 1
    }
  }

  /// Adds the corrections of tracks' counts. Those of a track that has some here are left out, as they
  /// would come on top; so are those of a track that the library lacks.
  mutating func takeCorrections(_ items: [DocumentItem], known: [GridCorrection]) throws {
    let corrected = Set(known.compactMap(\.track))
    let ids = ImportPass.newIds(items.count)
    // The ids decide between corrections of the same order.
    for (index, item) in items.sorted(by: { $0.id < $1.id }).enumerated() {
      let place = "Correction \(index + 1)"
      guard let track = item.fields["track"]?.text.flatMap({ tracks[$0] }) else {
        throw LibraryError(.unusable, "\(place): its track is not among the file's tracks.")
      }
      var fields = item.fields
      fields["track"] = track.map { .text($0.id) } ?? fields["track"]
      try check(.gridCorrection, ids[index], fields, place)
      guard let track, !corrected.contains(track.id) else { continue }
      edits.append(Library.Edit(.gridCorrection, ids[index], fields))
      outcome.gridCorrections += 1
    }
  }

  private mutating func add(
    _ type: RecordType, _ id: String, _ fields: [String: Value], _ place: String
  ) throws {
    try check(type, id, fields, place)
    edits.append(Library.Edit(type, id, fields))
  }

  /// Throws unless `fields` make a valid record.
  private func check(
    _ type: RecordType, _ id: String, _ fields: [String: Value], _ place: String
  ) throws {
    for field in type.fields where field.isRequired && (fields[field.name] ?? .null) == .null {
      throw LibraryError(.unusable, "\(place) has no \(field.name).")
    }
    guard fields["deletedAt"] == nil else {
      throw LibraryError(.unusable, "\(place) is deleted; a file holds only what is there.")
    }
    do throws(Rejection) {
      try Change(
        id: id, type: type, record: id, fields: fields,
        at: Stamp(milliseconds: now, counter: 0, device: 0)
      ).validate(by: .person, stampedUntil: now)
    } catch {
      throw LibraryError(.unusable, "\(place): \(error.reason)")
    }
  }
}
