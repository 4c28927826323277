// A job as the interface shows it.

import Database

/// How a job stands.
struct JobStatus: Encodable, Sendable {
  var id: String
  var kind: String
  var state: JobRow.State
  /// 0–1.
  var progress: Double
  var message: String?
  /// The track it works on; nil for an export, which may be of several.
  var track: String?
  /// The video it works on.
  var video: String?

  /// Makes the status of `row`; `progress`: nil when it is not running.
  init(_ row: JobRow, progress: Double?) {
    id = row.id
    kind = row.kind
    state = row.state
    self.progress = row.state == .done ? 1 : progress ?? 0
    message = row.message
    let record = row.record
    track = record?.type == .track ? record?.id : nil
    video = record?.type == .video ? record?.id : nil
  }
}
