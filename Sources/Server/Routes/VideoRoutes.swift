// Reference videos over HTTP: creation from uploads, and playback.

import HTTP
import Model
import Storage

enum VideoRoutes {
  static func routes(_ library: Library) -> [Route] {
    [
      Route(
        .post, "/api/videos", summary: "Make a reference video of a complete upload",
        requestBody: .json("VideoRequest"),
        responses: [
          .json(202, "The video, and the job that converts it", "VideoResponse"),
          .json(200, "The video that has the same bytes already", "VideoResponse"),
        ],
        access: .person(nil), body: .buffered(limit: 1 << 16)
      ) { request in
        try video(request).add(library) {
          try library.videos.add(fromUpload: $0, title: $1, space: $2)
        }
      },
      Route(
        .delete, "/api/videos/{id}", summary: "Delete at once a video that no part uses",
        responses: [ResponseDoc(204, "It is gone, with its bytes")],
        access: .person(.video, to: .write)
      ) { request in
        try library.videos.remove(try video(request).id())
        return .empty()
      },
      Route(
        .get, "/api/videos/{id}/file", summary: "What is played, in every browser",
        parameters: [DirectMedia.parameter],
        responses: [
          ResponseDoc(200, "H.264 and AAC in MP4", contentType: "video/mp4"), DirectMedia.response,
        ],
        access: .visitor(.video)
      ) { request in
        let video = try readyVideo(request, library)
        guard let played = library.videos.playedFile(of: video) else {
          throw HTTPError.notFound("There is no such video.")
        }
        let redirect = try DirectMedia.redirect(request, library) { direct in
          switch played {
          case .blob(let sha256): direct.blob(sha256, contentType: "video/mp4")
          case .converted(let id):
            direct.derived(id, DataDirectory.videoName, contentType: "video/mp4")
          }
        }
        if let redirect { return redirect }
        switch played {
        case .blob(let sha256):
          // A later version may convert it, so caches must revalidate.
          return try library.response(
            ofBlob: sha256, contentType: "video/mp4", cacheControl: CacheControl.revalidate)
        case .converted(let id):
          return try file(DataDirectory.videoName, of: id, contentType: "video/mp4", library)
        }
      },
      Route(
        .get, "/api/videos/{id}/poster", summary: "The picture that stands for it until it plays",
        responses: [
          ResponseDoc(200, "At most 640 pixels wide and high", contentType: "image/jpeg")
        ],
        access: .visitor(.video)
      ) { request in
        let video = try readyVideo(request, library)
        return try file(
          DataDirectory.posterName, of: video.id, contentType: "image/jpeg", library)
      },
      Route(
        .get, "/api/videos/{id}/original", summary: "The file as it was uploaded",
        responses: [
          ResponseDoc(200, "The very bytes", contentType: "application/octet-stream")
        ], access: .person(.video)
      ) { request in try video(request).original(readyVideo(request, library), library) },
    ]
  }

  private static func video(_ request: Request) -> MediaRequest {
    MediaRequest(type: .video, request: request)
  }

  private static func file(
    _ name: String, of id: String, contentType: String, _ library: Library
  ) throws -> Response {
    // A later version may convert it again, so caches must revalidate.
    try library.response(
      ofDerived: id, name, contentType: contentType, cacheControl: CacheControl.revalidate)
  }

  /// The video that the request names, if it is playable.
  private static func readyVideo(_ request: Request, _ library: Library) throws -> Video {
    let video = Video(try video(request).record(library))
    switch video.state {
    case .ready: return video
    case .failed: throw HTTPError.conflict(video.problem ?? "This video can't be played.")
    case .importing, nil: throw HTTPError.conflict("This video is still being converted.")
    }
  }
}
