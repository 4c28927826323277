// Tracks: from bytes that came in to a practice rendition, and away again.

import Database
import FoundationEssentials
import Media
import Model
import Storage

extension Library {
  /// Makes a track of a complete upload, as `addMedia` does.
  func addTrack(fromUpload id: String, title: String? = nil) throws -> AddedMedia {
    try addMedia(.track, job: Library.importKind, fromUpload: id, title: title)
  }

  /// Makes a track of staged bytes, as `addMedia` does.
  func addTrack(
    fileName: String, title: String? = nil, staged: StagedBlob
  ) throws -> AddedMedia {
    do {
      return try addMedia(
        .track, job: Library.importKind, fileName: fileName, title: title, staged: { staged })
    } catch {
      try staged.discard()
      throw error
    }
  }

  static let importKind = "import"

  /// The job that turns a track's bytes into its practice rendition.
  var importJob: JobKind {
    JobKind(
      perform: { [self] job, context in
        guard let track = try records.record(.track, job.subject), let sha256 = track["sha256"].text
        else { throw JobProblem("The track is gone.") }
        let importer = TrackImporter(tools: tools, folder: folder)
        let imported = try importer.importTrack(
          blob: folder.blob(sha256), into: folder.derived(track.id),
          progress: { context.report($0) }, isCancelled: { context.isCancelled },
          publishing: { publish in try self.publish(track, publish) })
        return [
          Edit(
            .track, track.id,
            [
              "state": "ready", "lengthFrames": .integer(imported.lengthFrames),
              "loudness": imported.loudness.map { .number(($0 * 100).rounded() / 100) } ?? .null,
              "problem": nil,
            ])
        ]
      },
      abandon: { job, problem in
        [
          Edit(
            .track, job.subject,
            [
              "state": "failed", "problem": problem.map { .text(String($0.prefix(1000))) } ?? .null,
              "deletedAt": .integer(Library.now()),
            ])
        ]
      },
      afterwards: { [self] job, state in
        if state != .done { try discardMedia(.track, job.subject) }
      },
      next: { Library.newAnalysis(ofTrack: $0.subject) })
  }

  /// Deletes a track that nothing stands on, with its bytes, at once.
  ///
  /// - Returns: the job that imports it, which is to be cancelled.
  /// - Throws: `MediaProblem.inUse`, `MediaProblem.unknown`.
  func removeTrack(_ id: String) throws -> String? {
    guard try records.record(.track, id) != nil else { throw MediaProblem.unknown }
    try requireUnused(by: try records.users(ofTrack: id))
    return try removeMedia(.track, id)
  }

  /// Throws `MediaProblem.inUse` when one of `users` can still be seen or come into sight: neither
  /// it nor what holds it is deleted.
  func requireUnused(by users: [Record]) throws {
    if try users.contains(where: { try !records.isDeleted($0) }) { throw MediaProblem.inUse }
  }
}

/// Why a track or a video can't be deleted.
enum MediaProblem: Error {
  case unknown, inUse
}
