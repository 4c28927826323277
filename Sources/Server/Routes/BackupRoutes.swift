// Backup and restore over HTTP.

import HTTP
import Model

enum BackupRoutes {
  private static let archiveTypes = ["application/x-tar", "application/octet-stream"]

  static func routes(_ library: Library) -> [Route] {
    [
      Route(
        .get, "/api/backup", summary: "Everything in one file, as it is now",
        responses: [
          ResponseDoc(200, "A tar archive; docs/FORMATS.md", contentType: "application/x-tar")
        ]
      ) { _ in response(try library.backups.download()) },
      Route(
        .get, "/api/backups", summary: "How large a backup is, and how scheduled ones stand",
        responses: [.json(200, "The standing", "BackupStatus")]
      ) { _ in try .json(try library.backups.status()) },
      Route(
        .post, "/api/backups", summary: "Write a backup to the folder of scheduled ones now",
        responses: [.json(202, "The job that writes it", "JobResponse")]
      ) { _ in
        let job = try library.backups.add()
        return try .json(JobResponse(job: job), status: 202)
      },
      .streamed(
        .post, "/api/restore",
        summary: "Put the library of a backup in the place of this one, which is kept aside",
        requestBody: BodyDoc("application/x-tar", schema: ["type": "string", "format": "binary"]),
        responses: [
          .json(202, "The job; when it is done the server starts anew with it", "JobResponse")
        ], access: .owner
      ) { request in
        guard archiveTypes.contains(request.headers["Content-Type"] ?? "") else {
          throw HTTPError.unsupportedMediaType("Send the backup as application/x-tar.")
        }
        let length = request.headers["Content-Length"].flatMap { Int($0) }
        return RestoreSink(try library.restores.begin(length: length))
      },
    ]
  }

  /// A response that streams the backup while it is written.
  private static func response(_ download: BackupDownload) -> Response {
    let stream = ByteStream { stream in
      try download.write { try stream.write($0) }
    } end: { failure in
      download.end(failure is ByteStream.ReaderIsGone ? .aborted : failure.map { .failed($0) })
    }
    return .stream(
      stream, length: download.length, contentType: "application/x-tar",
      downloadName: download.name)
  }
}
