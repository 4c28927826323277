// The body of a restore on its way to the disk.

import HTTP
import Media
import Storage

/// Takes the bytes of a backup to the disk.
final class RestoreSink: BodySink {
  private let library: Library
  private let job: String
  private let name: String
  private let file: IncomingFile
  /// Whether the file is the job's now.
  private var isHandedOver = false

  init(library: Library, job: String, name: String) throws {
    self.library = library
    self.job = job
    self.name = name
    file = try library.folder.makeTemporary(name)
  }

  // A sink that is let go before it has finished leaves no file behind.
  deinit { abort() }

  func write(_ bytes: UnsafeRawBufferPointer) throws { try file.write(bytes) }

  func finish() throws -> Response {
    do {
      try file.finish()
      // A file that is no backup is refused at once.
      _ = try BackupReader(path: file.path).manifest()
      try library.restores.add(job)
      isHandedOver = true
      return try .json(JobResponse(job: job), status: 202)
    } catch {
      abort()
      throw error
    }
  }

  func abort() {
    if isHandedOver { return }
    do {
      try library.folder.removeTemporary(name)
    } catch {
      // It stays under tmp, which the next start empties.
    }
  }
}
