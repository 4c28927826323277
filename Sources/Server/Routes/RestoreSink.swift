// The request body of a restore.

import HTTP

/// Writes the bytes of a request body to the incoming backup.
final class RestoreSink: BodySink {
  private let backup: IncomingBackup

  init(_ backup: IncomingBackup) { self.backup = backup }

  func write(_ bytes: UnsafeRawBufferPointer) throws { try backup.write(bytes) }

  func finish() throws -> Response {
    try .json(JobResponse(job: try backup.finish()), status: 202)
  }

  func abort() { backup.abort() }
}
