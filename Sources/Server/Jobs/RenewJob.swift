// The job that makes a track's practice rendition again.

import Database
import Model

/// Prepares a track again that was ready before. The track stays whether the job succeeds or fails,
/// because its bytes were valid once. After a failure, health reports it and the next start tries
/// again.
struct RenewJob: JobDefinition {
  static let kind = "renew"

  let library: Library

  func run(_ job: Job<TrackParameters>, _ context: JobContext) throws -> [Library.Edit] {
    try ImportJob(library: library).prepare(job, context)
  }

  func onFailure(_ job: Job<TrackParameters>, problem: String?) -> [Library.Edit] {
    [Renewals.failure(.track, job.parameters.track, problem)]
  }

  func onEnd(_ row: JobRow) { library.renewals.updateHealth() }

  func followUp(_ job: Job<TrackParameters>) throws -> JobRow? {
    try AnalysisJob.row(job.parameters)
  }
}
