// Listening to a track once it is imported: a job of its own, so that no import waits for it.

import Database
import FoundationEssentials
import Media
import Model

extension Library {
  static let analysisKind = "analyse"
  /// How long an analysis that failed is not tried again, in milliseconds.
  private static let analysisPause = 60_000

  /// How the analysis of a track stands.
  enum AnalysisState {
    /// It is there, as JSON.
    case ready([UInt8])
    /// The job with this id is at it, or will be.
    case underway(job: String)
    /// It failed a moment ago, for this reason.
    case failed(String)
  }

  /// A job that analyses the track `id`.
  static func newAnalysis(ofTrack id: String) -> JobRow {
    JobRow(id: Identifier.make(milliseconds: now()), kind: analysisKind, subject: id)
  }

  /// Returns the analysis of the ready track `id`, adding the job when there is none yet.
  func analysis(ofTrack id: String) throws -> AnalysisState {
    if let bytes = try folder.storedAnalysis(track: id) { return .ready(bytes) }
    // Under the lock, so that two who ask at once get the same job.
    return try mediaLock.withLock { _ in
      let latest = try jobs.latest(for: id).flatMap { $0.kind == Library.analysisKind ? $0 : nil }
      if let latest, !latest.state.isFinal { return .underway(job: latest.id) }
      if let bytes = try folder.storedAnalysis(track: id) { return .ready(bytes) }
      // Ids of jobs begin with their time, and compare like it.
      let now = Library.now()
      let start = Identifier.make(milliseconds: now - Library.analysisPause)
      if let latest, latest.state == .failed, let message = latest.message,
        latest.id > start, latest.id <= Identifier.make(milliseconds: now + Library.day)
      {
        return .failed(message)
      }
      let job = Library.newAnalysis(ofTrack: id)
      try jobs.write { writer throws(DatabaseError) in try writer.add(job, now: Library.now()) }
      return .underway(job: job.id)
    }
  }

  /// The job that finds a track's attacks and suggested cuts.
  var analysisJob: JobKind {
    JobKind(
      perform: { [self] job, context in
        let lengthFrames = try lengthFrames(ofTrack: job.subject)
        do {
          let analysis = try TrackAnalyser(tools: tools).analyse(
            track: job.subject, lengthFrames: lengthFrames, in: folder,
            progress: { context.report($0) }, isCancelled: { context.isCancelled })
          try mediaLock.withLock { _ in
            _ = try self.lengthFrames(ofTrack: job.subject)
            try folder.store(analysis, track: job.subject)
          }
        } catch {
          // Deleted meanwhile, it lost its files: then that is the reason.
          _ = try self.lengthFrames(ofTrack: job.subject)
          throw error
        }
        return []
      },
      abandon: { _, _ in [] },
      afterwards: { _, _ in },
      isBackground: true)
  }

  /// Returns the length of a ready track; throws a `JobProblem` when it is gone.
  func lengthFrames(ofTrack id: String) throws -> Int {
    guard let track = try records.record(.track, id), track.deletedAt == nil,
      track["state"] == "ready", let lengthFrames = track["lengthFrames"].integer
    else { throw JobProblem("The track is gone.") }
    return lengthFrames
  }
}
