// Tracks over HTTP: making them of uploads, and everything that is read of them.

import FoundationEssentials
import HTTP
import Media
import Model

/// The body of `POST /api/tracks`.
private struct TrackRequest: Decodable {
  var upload: String
  var title: String?
}

/// The answer to it.
private struct TrackResponse: Encodable {
  var id: String
  var job: String?
}

enum TrackRoutes {
  static func routes(_ library: Library, _ runner: JobRunner) -> [Route] {
    [
      Route(
        .post, "/api/tracks", summary: "Make a track of a complete upload",
        requestBody: .json("TrackRequest"),
        responses: [
          .json(202, "The track, and the job that imports it", "TrackResponse"),
          .json(200, "The track that has the same bytes already", "TrackResponse"),
        ],
        body: .buffered(limit: 1 << 16)
      ) { request in try add(request, library, runner) },
      Route(
        .delete, "/api/tracks/{id}", summary: "Delete at once a track that nothing uses",
        responses: [ResponseDoc(204, "It is gone, with its bytes")]
      ) { request in
        try remove(try id(request), library)
        return .empty()
      },
      Route(
        .get, "/api/tracks/{id}/peaks", summary: "The waveform, as audiowaveform's .dat, version 2",
        parameters: PeaksRequest.parameters,
        responses: [
          ResponseDoc(200, "8 bit, one channel", contentType: "application/octet-stream")
        ]
      ) { request in try peaks(request, library) },
      Route(
        .get, "/api/tracks/{id}/chunks/{n}",
        summary: "Frames n·480000 … (n+1)·480000 of the practice rendition",
        responses: [ResponseDoc(200, "FLAC, stereo, 48 kHz", contentType: "audio/flac")],
        execution: .inline
      ) { request in
        .file(
          path: library.folder.chunk(
            track: try id(request), try request.parameters.integer("n")),
          contentType: "audio/flac", cacheControl: CacheControl.immutable)
      },
      Route(
        .get, "/api/tracks/{id}/audio", summary: "One clip of the practice rendition",
        parameters: ClipRequest.parameters,
        responses: [ResponseDoc(200, "The clip, in the format asked for", contentType: "audio/*")]
      ) { request in try clip(request, library) },
      Route(
        .get, "/api/tracks/{id}/original", summary: "The file as it was uploaded",
        responses: [
          ResponseDoc(200, "The very bytes", contentType: "application/octet-stream")
        ]
      ) { request in try original(request, library) },
    ]
  }

  private static func add(
    _ request: Request, _ library: Library, _ runner: JobRunner
  ) throws -> Response {
    let body = try request.decode(TrackRequest.self)
    if let title = body.title,
      let problem = RecordType.track.field("title")?.problem(
        with: .text(title))
    {
      throw HTTPError.unprocessable("title: \(problem)")
    }
    let added = try library.addTrack(fromUpload: body.upload, title: body.title)
    if let job = added.job { try runner.enqueue(id: job) }
    return try .json(
      TrackResponse(id: added.id, job: added.job), status: added.wasKnown ? 200 : 202)
  }

  private static func remove(_ id: String, _ library: Library) throws {
    do {
      try library.removeTrack(id)
    } catch MediaProblem.unknown {
      throw HTTPError.notFound("There is no such track.")
    } catch MediaProblem.inUse {
      throw HTTPError.conflict("Parts or clips still use this track. Delete those first.")
    }
  }

  private static func peaks(_ request: Request, _ library: Library) throws -> Response {
    let (track, lengthFrames) = try readyTrack(request, library)
    let peaks = try PeaksRequest(request, lengthFrames: lengthFrames)
    let waveform = try library.waveform(
      ofTrack: track.id, lengthFrames: lengthFrames, framesPerPixel: peaks.framesPerPixel,
      frames: peaks.frames)
    return .bytes(
      waveform.dat(), contentType: "application/octet-stream", etag: peaks.etag(track: track.id),
      cacheControl: CacheControl.immutable)
  }

  private static func clip(_ request: Request, _ library: Library) throws -> Response {
    let (track, lengthFrames) = try readyTrack(request, library)
    let clip = try ClipRequest(request, lengthFrames: lengthFrames)
    let path = try library.renderClip(ofTrack: track.id, lengthFrames: lengthFrames, clip)
    return .temporaryFile(
      path: path, contentType: clip.format.mediaType,
      downloadName: clip.fileName(title: track["title"].text ?? "Track"))
  }

  private static func original(_ request: Request, _ library: Library) throws -> Response {
    guard let track = try library.records.record(.track, try id(request)), track.deletedAt == nil,
      let sha256 = track["sha256"].text
    else { throw HTTPError.notFound("There is no such track.") }
    return .file(
      path: library.folder.blob(sha256), contentType: "application/octet-stream", etag: sha256,
      cacheControl: CacheControl.revalidate,
      downloadName: track["fileName"].text ?? "original")
  }

  /// The track that the request names, if it can be heard, and its length in frames.
  private static func readyTrack(
    _ request: Request, _ library: Library
  ) throws -> (track: Record, lengthFrames: Int) {
    guard let track = try library.records.record(.track, try id(request)), track.deletedAt == nil
    else { throw HTTPError.notFound("There is no such track.") }
    guard track["state"] == "ready", let lengthFrames = track["lengthFrames"].integer else {
      throw HTTPError.conflict("This track is still being imported.")
    }
    return (track, lengthFrames)
  }

  /// The id in the path; what is no id names nothing, and never reaches the disk.
  private static func id(_ request: Request) throws -> String {
    let id = request.parameters["id"]
    guard Identifier.isValid(id) else { throw HTTPError.notFound("There is no such track.") }
    return id
  }
}
