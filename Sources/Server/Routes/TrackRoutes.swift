// Tracks over HTTP: creation from uploads, and all reads.

import FoundationEssentials
import HTTP
import Model
import Storage

enum TrackRoutes {
  static func routes(_ library: Library) -> [Route] {
    [
      Route(
        .post, "/api/tracks", summary: "Make a track of a complete upload",
        requestBody: .json("TrackRequest"),
        responses: [
          .json(202, "The track, and the job that imports it", "TrackResponse"),
          .json(200, "The track that has the same bytes already", "TrackResponse"),
        ],
        access: .person(nil), body: .buffered(limit: 1 << 16)
      ) { request in
        try track(request).add(library) {
          try library.tracks.add(fromUpload: $0, title: $1, space: $2)
        }
      },
      Route(
        .delete, "/api/tracks/{id}", summary: "Delete at once a track that nothing uses",
        responses: [ResponseDoc(204, "It is gone, with its bytes")],
        access: .person(.track, to: .write)
      ) { request in
        try library.tracks.remove(try track(request).id())
        return .empty()
      },
      Route(
        .get, "/api/tracks/{id}/peaks", summary: "The waveform, as audiowaveform's .dat, version 2",
        parameters: PeaksRequest.parameters,
        responses: [
          ResponseDoc(200, "8 bit, one channel", contentType: "application/octet-stream")
        ], access: .visitor(.track)
      ) { request in try peaks(request, library) },
      Route(
        .get, "/api/tracks/{id}/chunks/{n}",
        summary: "Frames n·480000 … (n+1)·480000 of the practice rendition",
        parameters: [DirectMedia.parameter],
        responses: [
          ResponseDoc(200, "FLAC, stereo, 48 kHz", contentType: "audio/flac"), DirectMedia.response,
        ],
        // A chunk that a bucket holds is waited for.
        access: .visitor(.track), execution: library.derived == nil ? .inline : .worker
      ) { request in
        try chunk(request, library)
      },
      Route(
        .get, "/api/tracks/{id}/audio", summary: "One clip of the practice rendition",
        parameters: ClipRequest.parameters,
        responses: [ResponseDoc(200, "The clip, in the format asked for", contentType: "audio/*")],
        access: .person(.track)
      ) { request in try clip(request, library) },
      Route(
        .get, "/api/tracks/{id}/original", summary: "The file as it was uploaded",
        responses: [
          ResponseDoc(200, "The very bytes", contentType: "application/octet-stream")
        ], access: .person(.track)
      ) { request in
        let named = track(request)
        return try named.original(Track(named.record(library)), library)
      },
    ]
  }

  private static func track(_ request: Request) -> MediaRequest {
    MediaRequest(type: .track, request: request)
  }

  private static func chunk(_ request: Request, _ library: Library) throws -> Response {
    let number = try request.parameters.integer("n")
    let id = try track(request).id()
    let name = DataDirectory.chunkName(number)
    let isDirect = library.direct != nil && request.query["direct"] != nil
    if let derived = library.derived, isDirect || derived.atHand(id, name) == nil {
      // The bucket is not asked for what no track has.
      let lengthFrames = try library.records.track(id)?.lengthFrames ?? 0
      guard number < Timeline.chunkCount(lengthFrames: lengthFrames) else {
        throw HTTPError.notFound("The file is not there.")
      }
    }
    let redirect = try DirectMedia.redirect(request, library) {
      $0.derived(id, name, contentType: "audio/flac")
    }
    if let redirect { return redirect }
    return try library.response(
      ofDerived: id, name, contentType: "audio/flac", cacheControl: CacheControl.immutable,
      isKept: true)
  }

  private static func peaks(_ request: Request, _ library: Library) throws -> Response {
    let (track, lengthFrames) = try readyTrack(request, library)
    let peaks = try PeaksRequest(request, lengthFrames: lengthFrames)
    let (waveform, version) = try library.tracks.waveform(
      of: track.id, lengthFrames: lengthFrames, framesPerPixel: peaks.framesPerPixel,
      frames: peaks.frames)
    return .bytes(
      waveform.dat(), contentType: "application/octet-stream",
      etag: peaks.etag(track: track.id, version: version),
      cacheControl: try CacheControl.derived(
        version, current: library.folder.versions.peaks, request))
  }

  private static func clip(_ request: Request, _ library: Library) throws -> Response {
    let (track, lengthFrames) = try readyTrack(request, library)
    let clip = try ClipRequest(request, lengthFrames: lengthFrames)
    let path = try library.tracks.renderClip(of: track.id, lengthFrames: lengthFrames, clip)
    return .temporaryFile(
      path: path, contentType: clip.format.mediaType,
      downloadName: clip.fileName(title: track.title ?? "Track"))
  }

  /// The track that the request names, if it is playable, and its length in frames.
  private static func readyTrack(
    _ request: Request, _ library: Library
  ) throws -> (track: Track, lengthFrames: Int) {
    let track = Track(try track(request).record(library))
    guard track.state == .ready, let lengthFrames = track.lengthFrames else {
      throw HTTPError.conflict("This track is still being imported.")
    }
    return (track, lengthFrames)
  }
}
