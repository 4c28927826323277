// The body of a restore.

import HTTP

/// Passes the bytes of a request's body on to a backup that is being received.
final class RestoreSink: BodySink {
  private let backup: IncomingBackup

  init(_ backup: IncomingBackup) { self.backup = backup }

  func write(_ bytes: UnsafeRawBufferPointer) throws { try backup.write(bytes) }

  func finish() throws -> Response {
    try .json(JobResponse(job: try backup.finish()), status: 202)
  }

  func abort() { backup.abort() }
}
