// The job that converts a video again.

import Database
import Model

/// Converts a video again that was ready before. The video stays whether the job succeeds or fails,
/// like a track with `RenewJob`.
struct ReconvertJob: JobDefinition {
  static let kind = "reconvert"

  let library: Library

  /// One conversion keeps all processors busy.
  var limit: Int { 1 }

  func run(_ job: Job<VideoParameters>, _ context: JobContext) throws -> [Library.Edit] {
    try ConversionJob(library: library).prepare(job, context)
  }

  func onFailure(_ job: Job<VideoParameters>, problem: String?) -> [Library.Edit] {
    [Renewals.failure(.video, job.parameters.video, problem)]
  }

  func onEnd(_ row: JobRow) { library.renewals.updateHealth() }
}
