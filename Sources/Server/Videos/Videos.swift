// Reference videos: creation from uploads, the playable file, and deletion.

import Media
import Model
import Storage

/// The videos of a library.
struct Videos: Sendable {
  private let library: Library

  init(library: Library) { self.library = library }

  /// Makes a video from a complete upload; see `MediaRecords.add`.
  func add(
    fromUpload id: String, title: String? = nil, space: String = Person.owner
  ) throws -> AddedMedia {
    try library.media.add(.video, fromUpload: id, title: title, space: space)
  }

  /// Where the bytes of a playable file are.
  enum Source: Equatable {
    case blob(_ sha256: String)
    /// The conversion of the video with this id.
    case converted(_ id: String)
  }

  /// Returns the playable file of a ready video: the original if every browser plays it, otherwise
  /// the conversion. Its time 0 is the time 0 of the video.
  func playedFile(of video: Video) -> Source? {
    guard let sha256 = video.sha256, video.state == .ready else { return nil }
    return video.plays == .conversion ? .converted(video.id) : .blob(sha256)
  }

  /// Runs `body` with the path of a playable file.
  func withLocal<Result>(_ source: Source, _ body: (String) throws -> Result) throws -> Result {
    switch source {
    case .blob(let sha256): try library.blobs.withLocal(sha256, body)
    case .converted(let id):
      try library.withDerived(id, DataDirectory.videoName) { try body(library.folder.video(id)) }
    }
  }

  /// Permanently deletes a video that no part uses, with its bytes.
  ///
  /// - Throws: `LibraryError` `notFound`; `conflict` while it is used.
  func remove(_ id: String) throws {
    guard try library.records.record(.video, id) != nil else {
      throw LibraryError(.notFound, "There is no such video.")
    }
    try library.media.requireUnused(
      by: try library.records.records(.part, whose: "video", is: id),
      orThrow: "Parts still use this video. Unlink it there first.")
    try library.media.remove(.video, id)
  }
}
