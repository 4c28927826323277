// The position of a video within the music of a part, computed from both soundtracks.

import Analysis
import Database
import FoundationEssentials
import Media
import Model
import Storage

/// The alignments of videos with stretches of tracks.
struct Alignments: Sendable {
  private let library: Library

  init(library: Library) { self.library = library }

  /// The state of the alignment of a video with a stretch of a track.
  enum State {
    case ready(SoundAlignment)
    /// The job with this id computes it or is queued.
    case underway(job: String)
    /// The job failed for this reason.
    case failed(String)
    /// It was never requested.
    case unknown
  }

  /// Returns the state of the alignment of `video` with `stretch`.
  func state(ofVideo video: String, with stretch: AlignedStretch) throws -> State {
    try library.withDerived(video, ifThere: DataDirectory.alignmentsName) {
      try stateHere(ofVideo: video, with: stretch)
    }
  }

  private func stateHere(ofVideo video: String, with stretch: AlignedStretch) throws -> State {
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
      // The job may have ended between the two reads.
      return try library.folder.storedAlignment(video: video, with: stretch).map { .ready($0) }
        ?? .unknown
    }
  }

  /// Returns the state of the alignment. Adds a job if it is missing.
  func find(video: String, with stretch: AlignedStretch) throws -> State {
    try library.withDerived(video, ifThere: DataDirectory.alignmentsName, asks: true) {
      // The lock makes concurrent requests get the same job.
      try library.mediaLock.withLock {
        let state = try stateHere(ofVideo: video, with: stretch)
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
}
