// Tracks: from bytes that came in to a practice rendition, and away again.

import Database
import FoundationEssentials
import Media
import Model

extension Library {
  /// Makes a track of a complete upload, as `addMedia` does.
  func addTrack(fromUpload id: String, title: String? = nil) throws -> AddedMedia {
    try addMedia(.track, fromUpload: id, title: title)
  }

  /// Makes a track of staged bytes, as `addMedia` does.
  func addTrack(
    fileName: String, title: String? = nil, staged: StagedBlob
  ) throws -> AddedMedia {
    do {
      return try addMedia(
        .track, fileName: fileName, title: title, staged: { staged })
    } catch {
      try staged.discard()
      throw error
    }
  }

  /// Deletes a track that nothing stands on, with its bytes, at once.
  ///
  /// - Throws: `MediaProblem.inUse`, `MediaProblem.unknown`.
  func removeTrack(_ id: String) throws {
    guard try records.record(.track, id) != nil else { throw MediaProblem.unknown }
    try requireUnused(by: try records.users(ofTrack: id))
    try removeMedia(.track, id)
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
