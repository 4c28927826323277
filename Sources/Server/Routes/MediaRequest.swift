// Shared HTTP code of tracks, videos and recordings: creation from an upload, lookup by id, and the original
// file.

import HTTP
import Model
import Storage

/// The response to the creation of a track, video or recording.
private struct AddedResponse: Encodable {
  var id: String
  var job: String?
}

/// A request that creates or names a track, video or recording.
struct MediaRequest {
  /// The body of `POST /api/tracks` and its like.
  private struct Body: Decodable {
    var upload: String
    var title: String?
    /// The group in whose space it is made; absent or null for the caller's own.
    var space: String?
  }

  let type: RecordType
  let request: Request

  private var unknown: HTTPError { .notFound("There is no such \(type.rawValue).") }

  /// Makes a track, video or recording from the upload that the body names, with `make`, in the space
  /// that it names.
  func add(
    _ library: Library,
    by make: (_ upload: String, _ title: String?, _ space: String) throws -> AddedMedia
  ) throws -> Response {
    let body = try request.decode(Body.self)
    let space = body.space ?? request.caller.person ?? Person.owner
    try library.permissions.require(request.caller, to: .write, .space(space))
    if let title = body.title, let problem = type.field("title")?.problem(with: .text(title)) {
      throw HTTPError.unprocessable("title: \(problem)")
    }
    let added = try make(body.upload, body.title, space)
    return try .json(
      AddedResponse(id: added.id, job: added.job), status: added.wasKnown ? 200 : 202)
  }

  /// The original file of a track, video or recording, as it was uploaded.
  func original(_ medium: some MediaView, _ library: Library) throws -> Response {
    guard let sha256 = medium.sha256 else { throw unknown }
    return try library.response(
      ofBlob: sha256, contentType: "application/octet-stream", etag: sha256,
      cacheControl: CacheControl.revalidate, downloadName: medium.fileName ?? "original")
  }

  /// The track, video or recording that the request names, unless it is deleted.
  func record(_ library: Library) throws -> Record {
    guard let record = try library.records.record(type, try id()), record.deletedAt == nil
    else { throw unknown }
    return record
  }

  /// The id in the path. An invalid id matches no record, and never reaches the file system.
  func id() throws -> String {
    let id = request.parameters["id"]
    guard Identifier.isValid(id) else { throw unknown }
    return id
  }
}
