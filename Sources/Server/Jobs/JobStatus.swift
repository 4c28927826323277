// The status of a job in the API.

import Database

/// The status of a job.
struct JobStatus: Encodable, Sendable {
  var id: String
  var kind: String
  var state: JobRow.State
  /// 0–1.
  var progress: Double
  var message: String?
  /// The track that the job works on; nil for an export, which may cover several.
  var track: String?
  /// The video that the job works on.
  var video: String?
  /// The recording that the job works on.
  var recording: String?

  /// Makes the status of `row`; `progress` is nil if the job does not run.
  init(_ row: JobRow, progress: Double?) {
    id = row.id
    kind = row.kind
    state = row.state
    self.progress = row.state == .done ? 1 : progress ?? 0
    message = row.message
    let record = row.record
    track = record?.type == .track ? record?.id : nil
    video = record?.type == .video ? record?.id : nil
    recording = record?.type == .recording ? record?.id : nil
  }
}
