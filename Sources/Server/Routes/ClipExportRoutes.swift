// Export of many clips over HTTP: ordered, made by a job, downloaded as a zip.

import Database
import HTTP
import Model

enum ClipExportRoutes {
  static func routes(_ library: Library) -> [Route] {
    [
      Route(
        .post, "/api/exports", summary: "Export clips as files in one zip",
        requestBody: .json("ExportOrder"),
        responses: [.json(202, "The job that makes the zip", "ExportResponse")],
        access: .person(nil), body: .buffered(limit: 1 << 20)
      ) { request in
        let order = try request.decode(ExportOrder.self)
        for track in Set(order.clips.map(\.track)) {
          try library.permissions.require(request.caller, to: .read, .record(.track, track))
        }
        let job = try library.exports.add(order)
        return try .json(JobResponse(job: job), status: 202)
      },
      Route(
        .get, "/api/exports/{job}", summary: "The zip, kept for a day",
        responses: [
          ResponseDoc(
            200, "The clips, and where they lie on their track", contentType: "application/zip")
        ], access: .person(.export)
      ) { request in try archive(request.parameters["job"], library) },
    ]
  }

  private static func archive(_ id: String, _ library: Library) throws -> Response {
    guard Identifier.isValid(id), let job = try library.jobs.job(id),
      job.kind == ExportJob.kind
    else { throw HTTPError.notFound("There is no such export.") }
    switch job.state {
    case .queued, .running:
      throw HTTPError.conflict("This export is not ready yet: it is \(job.state.rawValue).")
    case .failed:
      throw HTTPError.gone(job.message ?? "This export failed.")
    case .cancelled:
      throw HTTPError.gone("This export was cancelled.")
    case .done:
      guard let file = try library.exports.finished(ofJob: job) else {
        throw HTTPError.notFound("This export was kept for a day and is gone. Export again.")
      }
      return .file(
        path: file.path, contentType: "application/zip", cacheControl: CacheControl.never,
        downloadName: file.name)
    }
  }
}
