// The job that makes the voice file of a recording again.

import Database
import Model

/// Prepares a recording again that was ready before. The recording stays whether the job succeeds or
/// fails, like a track with `RenewJob`.
struct RerecordJob: JobDefinition {
  static let kind = "rerecord"

  let library: Library

  func run(_ job: Job<RecordingParameters>, _ context: JobContext) throws -> [Library.Edit] {
    try RecordingJob(library: library).prepare(job, context)
  }

  func onFailure(_ job: Job<RecordingParameters>, problem: String?) -> [Library.Edit] {
    [Renewals.failure(.recording, job.parameters.recording, problem)]
  }

  func onEnd(_ row: JobRow) { library.renewals.updateHealth() }
}
