// Recorded names of moves: creation from uploads, deletion, and which ones are still used.

import Media
import Model
import Storage

/// The recordings of a library.
struct Recordings: Sendable {
  private let library: Library

  init(library: Library) { self.library = library }

  /// Makes a recording from a complete upload; see `MediaRecords.add`.
  func add(
    fromUpload id: String, title: String? = nil, space: String = Person.owner
  ) throws -> AddedMedia {
    try library.media.add(.recording, fromUpload: id, title: title, space: space)
  }

  /// Permanently deletes a recording that no move uses, with its bytes.
  ///
  /// - Throws: `LibraryError` `notFound`; `conflict` while it is used.
  func remove(_ id: String) throws {
    guard try library.records.record(.recording, id) != nil else {
      throw LibraryError(.notFound, "There is no such recording.")
    }
    try library.media.requireUnused(
      by: try library.records.records(.move, whose: "recording", is: id),
      orThrow: "Moves still use this recording. Take it off them first.")
    try library.media.remove(.recording, id)
  }

  /// Deletes the recordings that no move uses any more, so that their bytes go a day later, and
  /// takes back the deletion of those that a move uses again: an edit was undone, or came in late.
  ///
  /// A move that was deleted less than a day ago still uses its recording, and so does a move of
  /// which the part is not known yet. A recording that is younger than a day may still get its move.
  func update(now: Int) throws {
    let kept = now - Library.day
    var used: Set<String> = []
    for move in try library.records.records(.move, having: "recording").map(Move.init) {
      guard let recording = move.recording, try !isGone(move.record, since: kept, now: now) else {
        continue
      }
      used.insert(recording)
    }
    var edits: [Library.Edit] = []
    for recording in try library.records.records(.recording).map(NameRecording.init) {
      if used.contains(recording.id) {
        guard recording.deletedAt != nil, recording.keepsMedia(at: now), recording.ownsMedia else {
          continue
        }
        edits.append(Library.Edit(.recording, recording.id, ["deletedAt": nil]))
      } else if recording.deletedAt == nil, recording.state == .ready,
        newestStamp(of: recording.record) < kept
      {
        edits.append(Library.Edit(.recording, recording.id, ["deletedAt": .integer(now)]))
      }
    }
    if !edits.isEmpty { try library.commit(edits) }
  }

  /// Whether a record, or what holds it, was deleted before `time`.
  private func isGone(_ record: Record, since time: Int, now: Int) throws -> Bool {
    if let deletedAt = record.deletionTime(now: now) { return deletedAt < time }
    guard let (type, field) = record.type.parent, let id = record[field].text,
      let parent = try library.records.record(type, id)
    else { return false }
    return try isGone(parent, since: time, now: now)
  }

  private func newestStamp(of record: Record) -> Int {
    record.cells.values.map(\.stamp.milliseconds).max() ?? record.createdAt
  }
}
