// Recorded names of moves over HTTP: creation from uploads, and their sound.

import HTTP
import Model
import Storage

enum RecordingRoutes {
  static func routes(_ library: Library) -> [Route] {
    [
      Route(
        .post, "/api/recordings", summary: "Make a recording of a complete upload",
        requestBody: .json("RecordingRequest"),
        responses: [
          .json(202, "The recording, and the job that prepares it", "RecordingResponse"),
          .json(200, "The recording that has the same bytes already", "RecordingResponse"),
        ],
        access: .person(nil), body: .buffered(limit: 1 << 16)
      ) { request in
        try recording(request).add(library) {
          try library.recordings.add(fromUpload: $0, title: $1, space: $2)
        }
      },
      Route(
        .delete, "/api/recordings/{id}", summary: "Delete at once a recording that no move uses",
        responses: [ResponseDoc(204, "It is gone, with its bytes")],
        access: .person(.recording, to: .write)
      ) { request in
        try library.recordings.remove(try recording(request).id())
        return .empty()
      },
      Route(
        .get, "/api/recordings/{id}/voice", summary: "The recorded name, trimmed and levelled",
        responses: [
          ResponseDoc(200, "A voice file with one recording", contentType: "audio/wav")
        ], access: .visitor(.recording)
      ) { request in
        let recording = try readyRecording(request, library)
        // A later version may make it again, so caches must revalidate.
        return try library.response(
          ofDerived: recording.id, DataDirectory.voiceName, contentType: "audio/wav",
          cacheControl: CacheControl.revalidate)
      },
      Route(
        .get, "/api/recordings/{id}/original", summary: "The file as it was uploaded",
        responses: [
          ResponseDoc(200, "The very bytes", contentType: "application/octet-stream")
        ], access: .person(.recording)
      ) { request in
        try recording(request).original(readyRecording(request, library), library)
      },
    ]
  }

  private static func recording(_ request: Request) -> MediaRequest {
    MediaRequest(type: .recording, request: request)
  }

  /// The recording that the request names, if it is prepared.
  private static func readyRecording(
    _ request: Request, _ library: Library
  ) throws -> NameRecording {
    let recording = NameRecording(try recording(request).record(library))
    switch recording.state {
    case .ready: return recording
    case .failed: throw HTTPError.conflict(recording.problem ?? "This recording can't be used.")
    case .importing, nil: throw HTTPError.conflict("This recording is still being prepared.")
    }
  }
}
