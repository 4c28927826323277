// A response as handlers make it. `EncodedResponse` adds ranges, conditions, compression and the security
// headers.

import FoundationEssentials

/// Describes one response.
public struct Response: Sendable {
  /// What is sent after the headers.
  public enum Body: Sendable {
    case none
    case bytes([UInt8])
    /// A file from the disk, with ranges and an ETag.
    case file(path: String)
    /// A temporary file of this response: it is unlinked as soon as it is open.
    case temporaryFile(path: String)
    /// Server-sent events, open until one side closes.
    case events(EventStream)
    /// Bytes that are produced while they are sent; `length` if it is known.
    case stream(ByteStream, length: Int?)
    /// Bytes that many responses share without copying.
    case shared(SharedBytes)
  }

  /// The status code.
  public var status: Int
  /// The header fields.
  public var headers: Headers
  /// The body.
  public var body: Body

  /// Makes a response from its parts.
  public init(status: Int = 200, headers: Headers = Headers(), body: Body = .none) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Encodes a value as JSON.
  public static func json(_ value: some Encodable, status: Int = 200) throws -> Response {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes]
    return json(encoded: [UInt8](try encoder.encode(value)), status: status)
  }

  /// Sends JSON that is already encoded.
  public static func json(encoded bytes: [UInt8], status: Int = 200) -> Response {
    Response(
      status: status, headers: ["Content-Type": "application/json"], body: .bytes(bytes))
  }

  /// Sends plain text.
  public static func text(_ text: String, status: Int = 200) -> Response {
    Response(
      status: status, headers: ["Content-Type": "text/plain; charset=utf-8"],
      body: .bytes(Array(text.utf8)))
  }

  /// Sends bytes of a type, with `downloadName` as an attachment of that name.
  public static func bytes(
    _ bytes: [UInt8], contentType: String, etag: String? = nil, cacheControl: String? = nil,
    downloadName: String? = nil
  ) -> Response {
    var headers: Headers = ["Content-Type": contentType]
    headers["ETag"] = etag.map(EntityTag.quoted)
    headers["Cache-Control"] = cacheControl
    headers["Content-Disposition"] = downloadName.map(ContentDisposition.attachment)
    return Response(headers: headers, body: .bytes(bytes))
  }

  /// Sends a file; without `etag` one is made from the file's size, time and number on the disk.
  ///
  /// With `downloadName` it is an attachment of that name.
  public static func file(
    path: String, contentType: String, etag: String? = nil, cacheControl: String? = nil,
    downloadName: String? = nil
  ) -> Response {
    var headers: Headers = ["Content-Type": contentType]
    headers["ETag"] = etag.map(EntityTag.quoted)
    headers["Cache-Control"] = cacheControl
    headers["Content-Disposition"] = downloadName.map(ContentDisposition.attachment)
    return Response(headers: headers, body: .file(path: path))
  }

  /// Sends a temporary file, and removes it.
  public static func temporaryFile(
    path: String, contentType: String, downloadName: String
  ) -> Response {
    Response(
      headers: [
        "Content-Type": contentType, "Cache-Control": CacheControl.never,
        "Content-Disposition": ContentDisposition.attachment(downloadName),
      ], body: .temporaryFile(path: path))
  }

  /// Sends bytes that are produced meanwhile, as an attachment.
  public static func stream(
    _ stream: ByteStream, length: Int?, contentType: String, downloadName: String
  ) -> Response {
    Response(
      headers: [
        "Content-Type": contentType, "Cache-Control": CacheControl.never,
        "Content-Disposition": ContentDisposition.attachment(downloadName),
      ], body: .stream(stream, length: length))
  }

  /// Sends server-sent events.
  public static func events(_ stream: EventStream) -> Response {
    Response(
      headers: [
        "Content-Type": "text/event-stream", "Cache-Control": CacheControl.never,
        "X-Accel-Buffering": "no",
      ], body: .events(stream))
  }

  /// Sends a status without a body, 204 by default.
  public static func empty(status: Int = 204, headers: Headers = Headers()) -> Response {
    Response(status: status, headers: headers, body: .none)
  }
}

/// Values of `Cache-Control`.
public enum CacheControl {
  /// For content that never changes at its address. Private: a shared cache would answer devices that
  /// are not paired.
  public static let immutable = "private, max-age=31536000, immutable"
  /// For content that is revalidated each time.
  public static let revalidate = "no-cache"
  /// For content that must not be stored.
  public static let never = "no-store"
}
