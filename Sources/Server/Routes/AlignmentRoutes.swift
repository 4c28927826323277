// The alignment of a video with the music of a part over HTTP.

import Analysis
import HTTP
import Media
import Model

enum AlignmentRoutes {
  private static let path = "/api/videos/{id}/alignment"
  private static let responses: [ResponseDoc] = [
    .json(200, "The alignment", "Alignment"),
    .json(202, "The job that listens", "AlignmentResponse"),
  ]

  static func routes(_ library: Library) -> [Route] {
    [
      Route(
        .post, path, summary: "Find where a video lies on a stretch of a track, by ear",
        requestBody: .json("AlignmentRequest"), responses: responses,
        access: .person(.video), body: .buffered(limit: 4_096)
      ) { request in
        let stretch = try request.decode(AlignedStretch.self)
        let video = try video(request, stretch, library)
        return try answer(library.alignments.find(video: video, with: stretch))
      },
      Route(
        .get, path, summary: "How the alignment of a video with a stretch of a track stands",
        parameters: [
          ParameterDoc("track", schema: Schemas.id, description: "The track's id", required: true),
          ParameterDoc("start", schema: Schemas.start, description: "First frame", required: true),
          ParameterDoc(
            "end", schema: Schemas.end, description: "Frame after the last", required: true),
        ], responses: responses, access: .person(.video)
      ) { request in
        let query = request.query
        guard let track = query["track"] else {
          throw HTTPError.badRequest("The query value track is missing.")
        }
        let stretch = AlignedStretch(
          track: track, start: try query.requiredInteger("start"),
          end: try query.requiredInteger("end"))
        let video = try video(request, stretch, library)
        return try answer(library.alignments.state(ofVideo: video, with: stretch))
      },
    ]
  }

  /// The video's id, after checking that the video and the track exist and are ready.
  private static func video(
    _ request: Request, _ stretch: AlignedStretch, _ library: Library
  ) throws -> String {
    let id = request.parameters["id"]
    guard Identifier.isValid(id), let video = try library.records.video(id),
      video.deletedAt == nil
    else { throw HTTPError.notFound("There is no such video.") }
    try library.permissions.require(
      request.caller, to: .read, .record(.track, stretch.track))
    guard Identifier.isValid(stretch.track),
      let track = try library.records.track(stretch.track), track.deletedAt == nil
    else { throw HTTPError.unprocessable("There is no such track.") }
    guard video.state == .ready else {
      throw HTTPError.conflict(
        video.problem ?? "This video is still being converted. Wait until it is ready.")
    }
    guard track.state == .ready, let lengthFrames = track.lengthFrames else {
      throw HTTPError.conflict("This track is still being imported. Wait until it is ready.")
    }
    guard stretch.start >= 0, stretch.start < stretch.end, stretch.end <= lengthFrames else {
      throw HTTPError.unprocessable(
        "start and end must be frames with 0 ≤ start < end ≤ \(lengthFrames).")
    }
    guard video.hasSound else {
      throw HTTPError.conflict(VideoAligner.noSound.message)
    }
    return id
  }

  private static func answer(_ state: Alignments.State) throws -> Response {
    var response: Response
    switch state {
    case .ready(let alignment): response = try .json(alignment)
    case .underway(let job):
      response = try .json(JobResponse(job: job), status: 202)
    case .failed(let message): throw HTTPError.conflict(message)
    case .unknown: throw HTTPError.notFound("Nobody asked for this alignment yet.")
    }
    response.headers["Cache-Control"] = CacheControl.never
    return response
  }
}
