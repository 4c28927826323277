// Where a video lies on the music of a part, found out by listening to both.

import Analysis
import Database
import FoundationEssentials
import Media
import Model

/// The alignments of videos with stretches of tracks.
struct Alignments: Sendable {
  private let library: Library

  init(library: Library) { self.library = library }

  /// How the alignment of a video with a stretch of a track stands.
  enum State {
    /// It is known.
    case ready(SoundAlignment)
    /// The job with this id is at it, or will be.
    case underway(job: String)
    /// It failed, for this reason.
    case failed(String)
    /// Nobody asked yet.
    case unknown
  }

  /// Returns how the alignment of `video` with `stretch` stands.
  func state(ofVideo video: String, with stretch: AlignedStretch) throws -> State {
    if let known = try library.folder.storedAlignment(video: video, with: stretch) {
      return .ready(known)
    }
    guard let job = try library.jobs.latest(with: AlignmentParameters(video: video, stretch)) else {
      return .unknown
    }
    switch job.state {
    case .queued, .running:
      library.jobQueue.add(job)
      return .underway(job: job.id)
    case .failed: return .failed(job.message ?? "This went wrong. Try again.")
    case .cancelled: return .unknown
    case .done:
      // It may have ended between the two looks.
      return try library.folder.storedAlignment(video: video, with: stretch).map { .ready($0) }
        ?? .unknown
    }
  }

  /// Returns how the alignment stands, adding the job where there is none at it.
  func find(video: String, with stretch: AlignedStretch) throws -> State {
    // Under the lock, so that two who ask at once get the same job.
    try library.mediaLock.withLock { _ in
      let state = try state(ofVideo: video, with: stretch)
      switch state {
      case .ready, .underway: return state
      case .failed, .unknown: break
      }
      let job = try AlignmentJob.row(AlignmentParameters(video: video, stretch))
      try library.add(job)
      return .underway(job: job.id)
    }
  }
}
