// Reference videos over HTTP: making them of uploads, playing them.

import HTTP
import Media
import Model

/// The body of `POST /api/videos`.
private struct VideoRequest: Decodable {
  var upload: String
  var title: String?
}

/// The answer to it.
private struct VideoResponse: Encodable {
  var id: String
  var job: String?
}

enum VideoRoutes {
  static func routes(_ library: Library, _ runner: JobRunner) -> [Route] {
    [
      Route(
        .post, "/api/videos", summary: "Make a reference video of a complete upload",
        requestBody: .json("VideoRequest"),
        responses: [
          .json(202, "The video, and the job that converts it", "VideoResponse"),
          .json(200, "The video that has the same bytes already", "VideoResponse"),
        ],
        body: .buffered(limit: 1 << 16)
      ) { request in try add(request, library, runner) },
      Route(
        .delete, "/api/videos/{id}", summary: "Delete at once a video that no part uses",
        responses: [ResponseDoc(204, "It is gone, with its bytes")]
      ) { request in
        try remove(try id(request), library, runner)
        return .empty()
      },
      Route(
        .get, "/api/videos/{id}/file", summary: "What is played, in every browser",
        responses: [ResponseDoc(200, "H.264 and AAC in MP4", contentType: "video/mp4")]
      ) { request in
        let video = try readyVideo(request, library)
        return try file(library.playedFile(ofVideo: video), contentType: "video/mp4")
      },
      Route(
        .get, "/api/videos/{id}/poster", summary: "The picture that stands for it until it plays",
        responses: [ResponseDoc(200, "At most 640 pixels wide and high", contentType: "image/jpeg")]
      ) { request in
        let video = try readyVideo(request, library)
        return try file(library.folder.poster(video: video.id), contentType: "image/jpeg")
      },
      Route(
        .get, "/api/videos/{id}/original", summary: "The file as it was uploaded",
        responses: [
          ResponseDoc(200, "The very bytes", contentType: "application/octet-stream")
        ]
      ) { request in try original(request, library) },
    ]
  }

  private static func add(
    _ request: Request, _ library: Library, _ runner: JobRunner
  ) throws -> Response {
    let body = try request.decode(VideoRequest.self)
    if let title = body.title,
      let problem = RecordType.video.field("title")?.problem(with: .text(title))
    {
      throw HTTPError.unprocessable("title: \(problem)")
    }
    let added = try library.addVideo(fromUpload: body.upload, title: body.title)
    if let job = added.job { try runner.enqueue(id: job) }
    return try .json(
      VideoResponse(id: added.id, job: added.job), status: added.wasKnown ? 200 : 202)
  }

  private static func remove(_ id: String, _ library: Library, _ runner: JobRunner) throws {
    do {
      if let job = try library.removeVideo(id) { try runner.cancel(job) }
    } catch MediaProblem.unknown {
      throw HTTPError.notFound("There is no such video.")
    } catch MediaProblem.inUse {
      throw HTTPError.conflict("Parts still use this video. Unlink it there first.")
    }
  }

  private static func file(_ path: String?, contentType: String) throws -> Response {
    guard let path else { throw HTTPError.notFound("There is no such video.") }
    // A later version may convert it anew: what is kept is asked for again.
    return .file(path: path, contentType: contentType, cacheControl: CacheControl.revalidate)
  }

  private static func original(_ request: Request, _ library: Library) throws -> Response {
    let video = try readyVideo(request, library)
    guard let sha256 = video["sha256"].text else {
      throw HTTPError.notFound("There is no such video.")
    }
    return .file(
      path: library.folder.blob(sha256), contentType: "application/octet-stream", etag: sha256,
      cacheControl: CacheControl.revalidate, downloadName: video["fileName"].text ?? "original")
  }

  /// The video that the request names, if it can be played.
  private static func readyVideo(_ request: Request, _ library: Library) throws -> Record {
    guard let video = try library.records.record(.video, try id(request)), video.deletedAt == nil
    else { throw HTTPError.notFound("There is no such video.") }
    switch video["state"] {
    case "ready": return video
    case "failed": throw HTTPError.conflict(video["problem"].text ?? "This video can't be played.")
    default: throw HTTPError.conflict("This video is still being converted.")
    }
  }

  /// The id in the path; what is no id names nothing, and never reaches the disk.
  private static func id(_ request: Request) throws -> String {
    let id = request.parameters["id"]
    guard Identifier.isValid(id) else { throw HTTPError.notFound("There is no such video.") }
    return id
  }
}
