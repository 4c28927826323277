// The analysis of a track: stored, under way, or failed.

import Database
import FoundationEssentials
import Media
import Model
import Storage

/// The analyses of tracks.
struct Analyses: Sendable {
  private let library: Library

  init(library: Library) { self.library = library }

  /// How long an analysis that failed is not tried again, in milliseconds.
  private static let retryPause = 60_000

  /// How the analysis of a track stands.
  enum State {
    /// It is stored, as JSON. An earlier version than today's is being made again, unless that has just
    /// failed.
    case ready([UInt8], version: Int)
    /// The job with this id is at it, or will be.
    case underway(job: String)
    /// It failed a moment ago, for this reason.
    case failed(String)
  }

  /// Returns the analysis of the ready track `id`, adding the job when there is none of today's version.
  func state(ofTrack id: String) throws -> State {
    let stored = library.folder.analysis(track: id)
    if let stored, stored.version == library.folder.versions.analysis { return try read(stored) }
    let renewal = try job(ofTrack: id)
    // Looked at once more: the job may have ended meanwhile.
    guard let stored = library.folder.analysis(track: id) else { return renewal }
    return try read(stored)
  }

  private func read(_ file: DerivedFile) throws -> State {
    .ready(try file.read(), version: file.version)
  }

  /// Returns the job that analyses the ready track `id`, adding it if there is none, or why it failed.
  private func job(ofTrack id: String) throws -> State {
    // Under the lock, so that two who ask at once get the same job.
    try library.mediaLock.withLock { _ in
      let latest = try library.jobs.latest(on: .track, id).flatMap {
        $0.kind == AnalysisJob.kind ? $0 : nil
      }
      if let latest, !latest.state.isFinal {
        library.jobQueue.add(latest)
        return .underway(job: latest.id)
      }
      // Ids of jobs begin with their time, and compare like it.
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
