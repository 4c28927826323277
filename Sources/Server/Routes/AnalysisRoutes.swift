// Onsets and suggested cuts over HTTP.

import HTTP
import Model

enum AnalysisRoutes {
  static func routes(_ library: Library) -> [Route] {
    [
      Route(
        .get, "/api/tracks/{id}/analysis",
        summary: "Where sounds begin in a track, and where it might be cut",
        parameters: [CacheControl.versionParameter],
        responses: [
          .json(200, "The analysis", "Analysis"),
          .json(202, "The job that makes it, queued if there was none", "AnalysisResponse"),
        ], access: .visitor(.track)
      ) { request in try analysis(request, library) }
    ]
  }

  private static func analysis(
    _ request: Request, _ library: Library
  ) throws -> Response {
    let id = request.parameters["id"]
    guard Identifier.isValid(id), let track = try library.records.track(id),
      track.deletedAt == nil
    else { throw HTTPError.notFound("There is no such track.") }
    guard track.state == .ready else {
      throw HTTPError.conflict("This track is still being imported.")
    }
    switch try library.analyses.state(ofTrack: id) {
    case .ready(let bytes, let version):
      return .bytes(
        bytes, contentType: "application/json", etag: "\(id)-analysis-\(version)",
        cacheControl: try CacheControl.derived(
          version, current: library.folder.versions.analysis, request))
    case .underway(let job):
      var response = try Response.json(JobResponse(job: job), status: 202)
      response.headers["Cache-Control"] = CacheControl.never
      return response
    case .failed(let message):
      throw HTTPError.conflict(message)
    }
  }
}
