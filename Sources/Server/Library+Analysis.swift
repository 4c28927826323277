// Listening to a track once it is imported: a job of its own, so that no import waits for it.

import Database
import FoundationEssentials
import Media
import Model
import Storage

extension Library {
  static let analysisKind = "analyse"
  /// How long an analysis that failed is not tried again, in milliseconds.
  private static let analysisPause = 60_000

  /// How the analysis of a track stands.
  enum AnalysisState {
    /// It is there, as JSON. An earlier version than today's is made again by the job `renewal`, unless
    /// that has just failed.
    case ready([UInt8], version: Int, renewal: String?)
    /// The job with this id is at it, or will be.
    case underway(job: String)
    /// It failed a moment ago, for this reason.
    case failed(String)
  }

  /// A job that analyses the track `id`.
  static func newAnalysis(ofTrack id: String) -> JobRow {
    JobRow(id: Identifier.make(milliseconds: now()), kind: analysisKind, subject: id)
  }

  /// Returns the analysis of the ready track `id`, adding the job when there is none of today's version.
  func analysis(ofTrack id: String) throws -> AnalysisState {
    let stored = folder.analysis(track: id)
    if let stored, stored.version == folder.versions.analysis { return try read(stored, nil) }
    let renewal = try analysisJob(ofTrack: id)
    // Looked at once more: the job may have ended meanwhile.
    guard let stored = folder.analysis(track: id) else { return renewal }
    if case .underway(let job) = renewal { return try read(stored, job) }
    return try read(stored, nil)
  }

  private func read(_ file: DerivedFile, _ renewal: String?) throws -> AnalysisState {
    .ready(try file.read(), version: file.version, renewal: renewal)
  }

  /// Returns the job that analyses the ready track `id`, adding it if there is none, or why it failed.
  private func analysisJob(ofTrack id: String) throws -> AnalysisState {
    // Under the lock, so that two who ask at once get the same job.
    try mediaLock.withLock { _ in
      let latest = try jobs.latest(for: id).flatMap { $0.kind == Library.analysisKind ? $0 : nil }
      if let latest, !latest.state.isFinal { return .underway(job: latest.id) }
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

  /// The job that finds a track's attacks and suggested cuts, and renews its waveform.
  var analysisJob: JobKind {
    JobKind(
      perform: { [self] job, context in
        let lengthFrames = try lengthFrames(ofTrack: job.subject)
        // The waveform is made in the same pass where it is of an earlier version.
        let isDrawn = folder.peaks(track: job.subject)?.version == folder.versions.peaks
        let peaks = isDrawn ? nil : folder.temporaryPath("peaks")
        defer { if let peaks { try? folder.removeTemporary(at: peaks) } }
        do {
          let analysis = try TrackAnalyser(tools: tools).analyse(
            track: job.subject, lengthFrames: lengthFrames, in: folder,
            writingPeaksTo: peaks, progress: { context.report($0) },
            isCancelled: { context.isCancelled })
          try mediaLock.withLock { _ in
            _ = try self.lengthFrames(ofTrack: job.subject)
            if let peaks { try folder.storePeaks(fileAt: peaks, track: job.subject) }
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
