// A bucket in memory, which answers as S3 does and fails on request.

import HTTPClient
import Synchronization
import Text

@testable import Storage

/// The requests and objects of a bucket.
final class FakeBucket: Sendable {
  /// What a request gets in place of its answer.
  enum Fault {
    case timeout
    case status(Int, String)
    /// Only so many bytes of the body, then the connection breaks.
    case broken(after: Int)
    /// Only so many bytes of the body, as if they were all.
    case short(Int)
  }

  private struct State {
    var objects: [String: [UInt8]] = [:]
    /// What objects keep besides their bytes.
    var hashes: [String: String] = [:]
    var parts: [String: [Int: [UInt8]]] = [:]
    var requests: [String] = []
    var faults: [(method: String, fault: Fault)] = []
    var pauses: [Int] = []
    var before: (@Sendable (String) -> Void)?
    /// The second of 24 May 2013 at which the next object is stored, and when each was.
    var second = 0
    var stored: [String: Int] = [:]
    var late: (method: String, count: Int, fault: Fault)?
  }

  private let state = Mutex(State())
  private let pageSize: Int
  let address: BucketAddress

  init(
    _ address: String = "s3://songs/studio?endpoint=http://objects.test:9000", pageSize: Int = 1_000
  ) throws {
    guard let address = BucketAddress(address) else { throw StorageError(.empty, address) }
    self.address = address
    self.pageSize = pageSize
  }

  var client: BucketClient {
    BucketClient(
      address, BucketCredentials(key: "key", secret: "secret"),
      transport: { [self] in try answer($0, $1) },
      pause: { [self] pause in state.withLock { $0.pauses.append(pause) } },
      now: { Self.midnight })
  }

  /// 24 May 2013, in seconds since 1970.
  static let midnight = 1_369_353_600

  var objects: [String: [UInt8]] {
    get { state.withLock { $0.objects } }
    set { state.withLock { $0.objects = newValue } }
  }
  var hashes: [String: String] {
    get { state.withLock { $0.hashes } }
    set { state.withLock { $0.hashes = newValue } }
  }
  var unfinished: Int { state.withLock { $0.parts.count } }
  var pauses: [Int] { state.withLock { $0.pauses } }

  /// The requests since the last call: method and path.
  func takeRequests() -> [String] {
    state.withLock { state in
      defer { state.requests = [] }
      return state.requests
    }
  }

  /// Lets the next requests of a method fail.
  func fail(_ method: String, _ faults: Fault...) {
    state.withLock { $0.faults += faults.map { (method, $0) } }
  }

  /// Lets all requests of a method fail from now on.
  func failAlways(_ method: String) {
    for _ in 0..<100 { fail(method, .timeout) }
  }

  /// Objects are stored so many seconds after midnight from now on.
  func setTime(_ second: Int) { state.withLock { $0.second = second } }

  /// Lets a request fail after `count` of its method have passed.
  func fail(_ method: String, after count: Int, _ fault: Fault) {
    state.withLock { $0.late = (method, count, fault) }
  }

  func forgetParts() { state.withLock { $0.parts = [:] } }

  func heal() {
    state.withLock {
      $0.faults = []
      $0.late = nil
    }
  }

  /// Runs `body` before each request is answered, with its method and path.
  func before(_ body: @escaping @Sendable (String) -> Void) { state.withLock { $0.before = body } }

  private func answer(
    _ request: HTTPClient.Request, _ transfer: HTTPClient.Transfer
  ) throws -> HTTPClient.Response {
    let parts = request.url.split(separator: "?", maxSplits: 1).map(String.init)
    let key = String(parts[0].dropFirst("http://objects.test:9000/songs".utf8.count + 1))
    let line = "\(request.method) \(key)"
    let before = state.withLock { state in
      state.requests.append(line)
      return state.before
    }
    before?(line)
    var body = request.body ?? []
    if let sending = transfer.sending {
      body = try [UInt8](unsafeUninitializedCapacity: sending.length) { buffer, count in
        while count < sending.length {
          let rest = UnsafeMutableRawBufferPointer(
            rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
          count += try sending.read(rest)
        }
      }
    }
    let fault = state.withLock { state -> Fault? in
      if let late = state.late, late.method == request.method {
        guard late.count == 0 else {
          state.late?.count -= 1
          return nil
        }
        return late.fault
      }
      return state.faults.firstIndex { $0.method == request.method }.map {
        state.faults.remove(at: $0).fault
      }
    }
    switch fault {
    case .timeout: throw HTTPClient.Failure(.timeout, "it took too long")
    case .status(let status, let code):
      return HTTPClient.Response(
        status: status, body: Array("<Error><Code>\(code)</Code></Error>".utf8))
    case .broken, .short, nil: break
    }
    let sha256 = request.headers.first { $0.name == "x-amz-content-sha256" }?.value
    var hasher = SHA256Hasher()
    body.withUnsafeBytes { hasher.update($0) }
    guard sha256 == hasher.digest() else {
      return HTTPClient.Response(
        status: 400, body: Array("<Error><Code>XAmzContentSHA256Mismatch</Code></Error>".utf8))
    }
    var response = state.withLock {
      reply(request, key, parts.count > 1 ? parts[1] : "", body, &$0)
    }
    if request.method == "GET", response.status < 300, let receiving = transfer.receiving {
      var bytes = response.body
      if case .broken(let count) = fault { bytes = Array(bytes.prefix(count)) }
      if case .short(let count) = fault { bytes = Array(bytes.prefix(count)) }
      try bytes.withUnsafeBytes { try receiving($0) }
      response.body = []
      if case .broken = fault { throw HTTPClient.Failure(.failed, "transfer closed") }
    }
    return response
  }

  private func reply(
    _ request: HTTPClient.Request, _ key: String, _ query: String, _ body: [UInt8],
    _ state: inout State
  ) -> HTTPClient.Response {
    let query = Dictionary(
      query.split(separator: "&").map { pair in
        let sides = pair.split(separator: "=", omittingEmptySubsequences: false)
        return (String(sides[0]), String(sides[1]))
      }, uniquingKeysWith: { $1 })
    let missing = HTTPClient.Response(
      status: 404, body: Array("<Error><Code>NoSuchKey</Code></Error>".utf8))
    let hash = request.headers.first { $0.name == "x-amz-meta-sha256" }?.value
    let fields = state.hashes[key].map { ["x-amz-meta-sha256": $0] } ?? [:]
    func xml(_ text: String) -> HTTPClient.Response {
      HTTPClient.Response(status: 200, body: Array("<?xml version=\"1.0\"?>\n\(text)".utf8))
    }
    switch (request.method, query["uploadId"]) {
    case ("POST", nil):
      let id = "upload-\(state.parts.count)"
      state.parts[id] = [:]
      state.hashes[key] = hash
      return xml(
        "<InitiateMultipartUploadResult><UploadId>\(id)</UploadId></InitiateMultipartUploadResult>")
    case ("POST", let id?):
      guard let parts = state.parts.removeValue(forKey: id) else { return missing }
      state.objects[key] = parts.sorted { $0.key < $1.key }.flatMap(\.value)
      return xml("<CompleteMultipartUploadResult/>")
    case ("PUT", let id?):
      state.parts[id]?[Int(query["partNumber"] ?? "") ?? 0] = body
      return HTTPClient.Response(status: 200, headers: ["etag": "\"tag<1>\""])
    case ("PUT", nil):
      if let source = request.headers.first(where: { $0.name == "x-amz-copy-source" })?.value {
        let original = String(source.dropFirst("/songs/".utf8.count))
        guard let object = state.objects[original] else { return missing }
        state.objects[key] = object
        state.hashes[key] = state.hashes[original]
        return xml("<CopyObjectResult/>")
      }
      state.objects[key] = body
      state.stored[key] = state.second
      state.hashes[key] = hash
      return HTTPClient.Response(status: 200)
    case ("DELETE", let id?):
      return HTTPClient.Response(status: state.parts.removeValue(forKey: id) == nil ? 404 : 204)
    case ("DELETE", nil):
      state.objects[key] = nil
      state.hashes[key] = nil
      return HTTPClient.Response(status: 204)
    case ("HEAD", _):
      guard let object = state.objects[key] else { return HTTPClient.Response(status: 404) }
      return HTTPClient.Response(
        status: 200, headers: fields.merging(["content-length": "\(object.count)"]) { $1 })
    case ("GET", _) where key.isEmpty && query["uploads"] != nil:
      let uploads = state.parts.keys.map {
        "<Upload><Key>studio/blobs/x</Key><UploadId>\($0)</UploadId></Upload>"
      }
      return xml("<ListMultipartUploadsResult>\(uploads.joined())</ListMultipartUploadsResult>")
    case ("GET", _) where key.isEmpty:
      let prefix = query["prefix"]?.split(separator: "%2F", omittingEmptySubsequences: false)
        .joined(separator: "/")
      let names = state.objects.keys.filter { $0.hasPrefix(prefix ?? "") }.sorted()
      let first = query["continuation-token"].flatMap(Int.init) ?? 0
      let page = names[first...].prefix(pageSize)
      let entries = page.map { name in
        let second = state.stored[name] ?? 0
        let time = [second / 3_600, second / 60 % 60, second % 60]
          .map { $0.padded(to: 2) }.joined(separator: ":")
        return "<Contents><Key>\(name)</Key><Size>\(state.objects[name]?.count ?? 0)</Size>"
          + "<LastModified>2013-05-24T\(time).000Z</LastModified></Contents>"
      }
      let isLast = first + pageSize >= names.count
      let rest =
        isLast ? "" : "<NextContinuationToken>\(first + pageSize)</NextContinuationToken>"
      return xml(
        "<ListBucketResult><IsTruncated>\(!isLast)</IsTruncated>\(rest)\(entries.joined())"
          + "</ListBucketResult>")
    default:
      guard let object = state.objects[key] else { return missing }
      guard let range = request.headers.first(where: { $0.name == "range" })?.value else {
        return HTTPClient.Response(status: 200, headers: fields, body: object)
      }
      let start = Int(range.dropFirst("bytes=".count).prefix { $0 != "-" }) ?? 0
      return HTTPClient.Response(
        status: 206,
        headers: fields.merging(
          ["content-range": "bytes \(start)-\(object.count - 1)/\(object.count)"]) { $1 },
        body: Array(object[start...]))
    }
  }
}
