// Reference videos: from bytes that came in to what every browser plays, and away again.

import Database
import FoundationEssentials
import Media
import Model

extension Library {
  /// Makes a video of a complete upload, as `addMedia` does.
  func addVideo(fromUpload id: String, title: String? = nil) throws -> AddedMedia {
    try addMedia(.video, fromUpload: id, title: title)
  }

  /// Returns the file of a ready video that is played: the original where every browser plays it,
  /// what was made of it otherwise. Its time 0 is the time 0 of the video.
  func playedFile(ofVideo video: Record) -> String? {
    guard let sha256 = video["sha256"].text, video["state"] == "ready" else { return nil }
    return video["plays"] == "conversion" ? folder.video(video.id) : folder.blob(sha256)
  }

  /// Deletes a video that no part uses, with its bytes, at once.
  ///
  /// - Throws: `MediaProblem.inUse`, `MediaProblem.unknown`.
  func removeVideo(_ id: String) throws {
    guard try records.record(.video, id) != nil else { throw MediaProblem.unknown }
    try requireUnused(by: try records.records(.part, whose: "video", is: id))
    try removeMedia(.video, id)
  }
}
