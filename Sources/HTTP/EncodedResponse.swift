// A response as it is sent: after ranges, conditions and compression.

/// The response to one request, without the security headers, which all replies share.
struct EncodedResponse {
  enum Payload {
    case bytes([UInt8])
    case shared(SharedBytes)
    case file(ServedFile, Range<Int>)
    case feed(any BodyStream, length: Int?)
  }

  var status: Int
  var headers: Headers
  var payload: Payload

  static let empty = Payload.bytes([])

  /// The headers that every reply carries; see docs/architecture/http.md for what each of them is for.
  /// A reply's own policy replaces the first one.
  static let commonHeaders: [(name: String, value: String)] = [
    (policyName, policy(connectingTo: [])),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Embedder-Policy", "require-corp"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Robots-Tag", "noindex, nofollow"),
  ]

  /// The usual policy, and what a script may connect to besides this server.
  static func policy(connectingTo origins: [String]) -> String {
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
      + "img-src 'self' data: blob:; media-src 'self' blob:; font-src 'self'; "
      + "connect-src \((["'self'"] + origins).joined(separator: " ")); worker-src 'self'; "
      + "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  }

  init(status: Int, headers: Headers, payload: Payload) {
    self.status = status
    self.headers = headers
    self.payload = payload
  }

  /// Makes the reply to a request from what its handler returned.
  init(_ response: Response, to request: Request) throws {
    status = response.status
    headers = response.headers
    let reads = request.method == .get || request.method == .head
    switch response.body {
    case .none: payload = EncodedResponse.empty
    case .bytes(let bytes): payload = .bytes(bytes)
    case .shared(let bytes): payload = .shared(bytes)
    case .events(let stream): payload = .feed(stream, length: nil)
    case .stream(let stream, let length): payload = .feed(stream, length: length)
    case .file(let path), .temporaryFile(let path):
      let file = try ServedFile(path: path)
      if case .temporaryFile = response.body { try file.removeName(path) }
      payload = .file(file, 0..<file.size)
      if headers["ETag"] == nil { headers["ETag"] = file.etag }
      headers["Accept-Ranges"] = "bytes"
    }
    let etag = headers["ETag"]
    if headers["Cache-Control"] == nil {
      headers["Cache-Control"] = etag == nil ? CacheControl.never : CacheControl.revalidate
    }
    compress(for: request)
    guard reads, status == 200, let etag else { return }
    if let known = request.headers["If-None-Match"], EntityTag.matches(known, etag) {
      becomeNotModified()
    } else if request.method == .get, case .file(let file, _) = payload,
      let field = request.headers["Range"]
    {
      cut(file, field, etag, ifRange: request.headers["If-Range"])
    }
  }

  private mutating func compress(for request: Request) {
    guard case .bytes(let bytes) = payload, bytes.count >= Gzip.threshold,
      headers["Content-Encoding"] == nil, let type = headers["Content-Type"],
      ContentType.isCompressible(type)
    else { return }
    headers.add("Vary", "Accept-Encoding")
    guard Gzip.isAccepted(request.headers["Accept-Encoding"]),
      let smaller = Gzip.compress(bytes, level: 5)
    else { return }
    payload = .bytes(smaller)
    headers["Content-Encoding"] = "gzip"
    headers["ETag"] = headers["ETag"].map(EntityTag.weak)
  }

  private mutating func becomeNotModified() {
    status = 304
    payload = EncodedResponse.empty
    for name in ["Content-Type", "Content-Encoding", "Content-Disposition", "Accept-Ranges"] {
      headers[name] = nil
    }
  }

  private mutating func cut(_ file: ServedFile, _ field: String, _ etag: String, ifRange: String?) {
    if let ifRange, !EntityTag.matchesStrongly(ifRange, etag) { return }
    switch ByteRange.parse(field, size: file.size) {
    case .whole: return
    case .part(let range):
      status = 206
      headers["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.size)"
      payload = .file(file, range)
    case .unsatisfiable:
      self = EncodedResponse.unsatisfiable(size: file.size)
    }
  }

  private static func unsatisfiable(size: Int) -> EncodedResponse {
    let error = HTTPError(
      416, detail: "The file has \(size) bytes; the range lies outside.",
      headers: ["Content-Range": "bytes */\(size)"])
    return EncodedResponse(problem: error)
  }

  /// Makes the reply for an error.
  init(problem: HTTPError) {
    let response = problem.response
    status = response.status
    headers = response.headers
    payload = EncodedResponse.empty
    if case .bytes(let bytes) = response.body { payload = .bytes(bytes) }
  }

  /// The first header that would break the message, if there is one.
  var unsafeHeader: String? {
    headers.pairs.first { field in
      field.name.isEmpty
        || field.name.hasByte { $0 <= 0x20 || $0 >= 0x7F || $0 == 0x3A }
        || field.value.hasByte { $0 < 0x20 || $0 == 0x7F }
    }?.name
  }

  /// How many of the common headers are left out because the handler set its own.
  var ownHeaders: Int { headers[EncodedResponse.policyName] == nil ? 0 : 1 }
  static let policyName = "Content-Security-Policy"
}

extension String {
  /// Tells whether one of the UTF-8 bytes is wanted. Over the stored bytes, which takes a fraction of what
  /// going through the view of them takes; every header of every answer is looked at.
  fileprivate func hasByte(where isWanted: (UInt8) -> Bool) -> Bool {
    utf8.withContiguousStorageIfAvailable { $0.contains(where: isWanted) }
      ?? utf8.contains(where: isWanted)
  }
}
