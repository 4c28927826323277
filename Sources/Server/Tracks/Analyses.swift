// The analysis of a track: stored, in progress, or failed.

import Database
import FoundationEssentials
import Media
import Model
import Storage

/// The analyses of tracks.
struct Analyses: Sendable {
  private let library: Library

  init(library: Library) { self.library = library }

  /// The pause before a failed analysis is tried again, in milliseconds.
  private static let retryPause = 60_000

  /// The state of a track's analysis.
  enum State {
    /// It is stored, as JSON. An outdated version is being made again, unless that has just failed.
    case ready([UInt8], version: Int)
    /// The job with this id computes it or is queued.
    case underway(job: String)
    /// It failed recently, for this reason.
    case failed(String)
  }

  /// Returns the analysis of the ready track `id`. Adds a job if the current version is missing.
  func state(ofTrack id: String) throws -> State {
    if let stored = try stored(id), stored.version == library.folder.versions.analysis {
      return .ready(stored.bytes, version: stored.version)
    }
    let renewal = try job(ofTrack: id)
    // Read again, because the job may have ended meanwhile.
    guard let stored = try stored(id) else { return renewal }
    return .ready(stored.bytes, version: stored.version)
  }

  private func stored(_ id: String) throws -> (bytes: [UInt8], version: Int)? {
    try library.withAnalysis(of: id) { file in
      try file.map { (try $0.read(), $0.version) }
    }
  }

  /// Returns the job that analyses the ready track `id`, or why it failed. Adds the job if it is
  /// missing.
  private func job(ofTrack id: String) throws -> State {
    // The lock makes concurrent requests get the same job.
    try library.mediaLock.withLock {
      let latest = try library.jobs.latest(on: .track, id).flatMap {
        $0.kind == AnalysisJob.kind ? $0 : nil
      }
      if let latest, !latest.state.isFinal {
        library.jobQueue.add(latest)
        return .underway(job: latest.id)
      }
      // Job ids begin with their creation time, and sort by it.
      let now = Library.now()
      let start = Identifier.make(milliseconds: now - Analyses.retryPause)
      if let latest, latest.state == .failed, let message = latest.message,
        latest.id > start, latest.id <= Identifier.make(milliseconds: now + Library.day)
      {
        return .failed(message)
      }
      let job = try AnalysisJob.row(TrackParameters(track: id))
      try library.add(job)
      return .underway(job: job.id)
    }
  }
}
