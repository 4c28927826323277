// Requests to a bucket of S3-compatible storage: whole objects, ranges and lists.

import FoundationEssentials
import Glibc
import HTTPClient

/// Reads and writes the objects of a bucket. Names are relative to the address's prefix. Each call waits,
/// and tries again what may pass: no connection, a broken one, an answer of 500 or more.
///
/// All calls throw `StorageError`: `unreachable` with what happened as its cause, `notFound` for an object
/// that is not there.
public struct BucketClient: Sendable {
  /// Sends a request; a test puts its own here.
  typealias Transport =
    @Sendable (HTTPClient.Request, HTTPClient.Transfer) throws -> HTTPClient.Response

  /// An object of a list.
  struct Entry: Equatable {
    /// Its name after the prefix.
    var name: String
    var size: Int
    /// When it was stored, as the server writes it.
    var modified: String?

    /// When it was stored, in seconds since 1970; nil if the server does not say so in the form of S3.
    var modifiedAt: Int? {
      modified.flatMap { text in
        try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
      }.map { Int($0.timeIntervalSince1970) }
    }
  }

  /// The field in which an object keeps the SHA-256 of its bytes.
  static let hashField = "x-amz-meta-sha256"
  /// The attempts of a request.
  static let attempts = 4
  /// The longest list or report of an error.
  private static let answerLimit = 4 << 20
  private static let pages = 100_000

  let address: BucketAddress
  let signature: BucketSignature
  private let host: String
  private let transport: Transport
  private let pause: @Sendable (_ milliseconds: Int) -> Void
  let now: @Sendable () -> Int

  /// Makes a client.
  public init(_ address: BucketAddress, _ credentials: BucketCredentials) {
    let client = HTTPClient(allowsHTTP: address.isPlain, limit: Self.answerLimit)
    self.init(
      address, credentials, transport: { try client.send($0, $1) },
      pause: { usleep(UInt32($0) * 1_000) })
  }

  /// Makes a client with its own way to send, to wait between attempts, and to tell the time.
  init(
    _ address: BucketAddress, _ credentials: BucketCredentials, transport: @escaping Transport,
    pause: @escaping @Sendable (_ milliseconds: Int) -> Void,
    now: @escaping @Sendable () -> Int = { Int(Date().timeIntervalSince1970) }
  ) {
    self.address = address
    signature = BucketSignature(credentials: credentials, region: address.region)
    host = address.base.origin.split(separator: "/").last.map(String.init) ?? ""
    self.transport = transport
    self.pause = pause
    self.now = now
  }

  /// Stores a short object, replacing one of the same name.
  func put(_ name: String, _ bytes: [UInt8]) throws {
    var hasher = SHA256Hasher()
    bytes.withUnsafeBytes { hasher.update($0) }
    let hash = hasher.digest()
    try retry {
      _ = try send("PUT", name, payload: hash, body: bytes)
    }
  }

  /// Stores `range` of a file as an object, or as a part of one. `sha256` is the hash of these bytes: the
  /// server refuses others. Returns the object's ETag.
  ///
  /// - Parameter keepsHash: the object is stored with its hash, which `get` returns.
  @discardableResult
  func put(
    _ name: String, query: [(name: String, value: String)] = [], fileAt path: String,
    range: Range<Int>, sha256: String, keepsHash: Bool = false
  ) throws -> String {
    try retry {
      let file = try OpenFile(path, O_RDONLY)
      var next = range.lowerBound
      let response = try send(
        "PUT", name, query: query, headers: keepsHash ? [(Self.hashField, sha256)] : [],
        payload: sha256,
        transfer: HTTPClient.Transfer(
          sending: (
            length: range.count,
            read: { buffer in
              let count = min(buffer.count, range.upperBound - next)
              let bytes = try file.read(at: next, count: count)
              buffer.copyBytes(from: bytes)
              next += count
              return count
            }
          )))
      return response.headers["etag"] ?? ""
    }
  }

  /// Returns a short object.
  func get(_ name: String) throws -> [UInt8] { try retry { try send("GET", name).body } }

  /// Passes an object of `size` bytes to `receive`, piece by piece, in order. After a broken connection it
  /// goes on where it was.
  ///
  /// - Returns: the hash that the object was stored with, if it was.
  /// - Throws: `corrupt` if the object has another size; what `receive` throws.
  @discardableResult
  func get(
    _ name: String, size: Int, receive: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> String? {
    try withoutActuallyEscaping(receive) { receive in
      var done = 0
      var hash: String?
      try retry(hasMoved: { done }) {
        guard done < size || size == 0 else { return }
        let start = done
        let response = try send(
          "GET", name, headers: start > 0 ? [("range", "bytes=\(start)-\(size - 1)")] : [],
          transfer: HTTPClient.Transfer(receiving: { bytes in
            guard bytes.count <= size - done else { throw Self.otherSize(name) }
            try receive(bytes)
            done += bytes.count
          }), expects: start > 0 ? 206 : 200)
        guard
          start == 0 || response.headers["content-range"] == "bytes \(start)-\(size - 1)/\(size)"
        else { throw Self.otherSize(name) }
        guard done == size else {
          // The server ended early, as if that were all.
          throw BucketFailure(what: "GET", reason: "\(done) of \(size) bytes", isPassing: true)
        }
        hash = response.headers[Self.hashField]
      }
      return hash
    }
  }

  /// Makes a copy of an object within the bucket, with the hash that it was stored with.
  func copy(_ name: String, to target: String) throws {
    let source =
      "/" + address.bucket + "/"
      + BucketSignature.escaped(
        address.prefix + name, isPath: true)
    _ = try retry {
      try document(
        "PUT", target, headers: [("x-amz-copy-source", source)], root: "CopyObjectResult")
    }
  }

  /// Returns the size of an object.
  func size(of name: String) throws -> Int {
    try retry {
      let response = try send("HEAD", name)
      guard let size = response.headers["content-length"].flatMap(Int.init), size >= 0 else {
        throw BucketFailure(what: "HEAD", reason: "no length", isPassing: false)
      }
      return size
    }
  }

  /// Returns the hash that an object was stored with, if it was.
  func hash(of name: String) throws -> String? {
    try retry { try send("HEAD", name).headers[Self.hashField] }
  }

  /// Deletes an object; does nothing if there is none.
  func delete(
    _ name: String, query: [(name: String, value: String)] = [], attempts: Int = attempts
  ) throws {
    do {
      try retry(attempts) { _ = try send("DELETE", name, query: query) }
    } catch let error as StorageError where error.code == .notFound {
      // An earlier attempt deleted it, or somebody else.
    }
  }

  /// Returns all objects whose names begin with `start`.
  func list(_ start: String) throws -> [Entry] {
    var found: [Entry] = []
    var token: String?
    for _ in 0..<Self.pages {
      var query = [("list-type", "2"), ("prefix", address.prefix + start)]
      if let token { query.append(("continuation-token", token)) }
      let page = try retry { try document("GET", "", query: query, root: "ListBucketResult") }
      for child in page.children where child.name == "Contents" {
        guard let key = child["Key"], key.hasPrefix(address.prefix + start),
          let size = child["Size"].flatMap(Int.init), size >= 0
        else { throw Self.unclear("a list").storageError(address) }
        found.append(
          Entry(
            name: String(key.dropFirst(address.prefix.count)), size: size,
            modified: child["LastModified"]))
      }
      guard page["IsTruncated"] == "true" else { return found }
      guard let next = page["NextContinuationToken"], next != token else { break }
      token = next
    }
    throw Self.unclear("a list without an end").storageError(address)
  }

  /// Sends a request once and parses the XML of its response. An empty name means the bucket.
  func document(
    _ method: String, _ name: String, query: [(name: String, value: String)] = [],
    headers: [(name: String, value: String)] = [], body: [UInt8]? = nil, root: String
  ) throws -> BucketXML {
    let body = body ?? (method == "POST" ? [] : nil)
    var hasher = SHA256Hasher()
    (body ?? []).withUnsafeBytes { hasher.update($0) }
    let response = try send(
      method, name, query: query, headers: headers, payload: hasher.digest(), body: body,
      isOfBucket: name.isEmpty)
    guard let xml = BucketXML(response.body) else { throw Self.unclear("no XML") }
    // The end of an upload in parts can fail after the server has said 200.
    if xml.name == "Error" {
      throw BucketFailure(status: 500, code: xml["Code"], what: method)
    }
    guard xml.name == root else { throw Self.unclear("another document") }
    return xml
  }

  /// Runs `body` until it succeeds, fails for good, or has failed too often in a row. `hasMoved` tells how
  /// far it got: an attempt that got further does not count.
  func retry<Result>(
    _ attempts: Int = attempts, hasMoved: () -> Int = { 0 }, _ body: () throws -> Result
  ) throws -> Result {
    var failures = 0
    var reached = hasMoved()
    while true {
      do {
        return try body()
      } catch let failure as BucketFailure {
        if hasMoved() > reached { failures = 0 }
        reached = hasMoved()
        failures += 1
        guard failure.isPassing, failures < attempts else {
          throw failure.storageError(address)
        }
        // 0.2 s, doubled each time, and up to half as much again, so that not all come at once.
        let delay = 200 << (failures - 1)
        pause(delay + Int.random(in: 0...delay / 2))
      }
    }
  }

  /// Runs requests, and reports how the bucket answers: an error, or nil.
  func asking<Result>(
    _ report: (StorageError?) -> Void, _ body: () throws -> Result
  ) throws -> Result {
    do {
      let result = try body()
      report(nil)
      return result
    } catch let error as StorageError {
      report(error.code == .unreachable ? error : nil)
      throw error
    }
  }

  func send(
    _ method: String, _ name: String, query: [(name: String, value: String)] = [],
    headers: [(name: String, value: String)] = [], payload: String = BucketSignature.emptyHash,
    body: [UInt8]? = nil, transfer: HTTPClient.Transfer = HTTPClient.Transfer(),
    expects: Int? = nil,
    isOfBucket: Bool = false
  ) throws -> HTTPClient.Response {
    let (origin, root) = address.base
    let key = isOfBucket ? "" : address.prefix + name
    // Without an object, a bucket's path has no slash at its end.
    let path =
      isOfBucket && root.utf8.count > 1
      ? String(root.dropLast()) : root + BucketSignature.escaped(key, isPath: true)
    let signed = signature.headers(
      of: BucketSignature.Request(
        method: method, host: host, path: path, query: query, headers: headers),
      payload: payload, at: now())
    let request = HTTPClient.Request(
      method, origin + path + (query.isEmpty ? "" : "?" + BucketSignature.query(query)),
      // Otherwise libcurl would say that a body is a form.
      headers: signed + (body == nil ? [] : [("Content-Type", "application/octet-stream")]),
      body: body)
    let response: HTTPClient.Response
    do {
      response = try transport(request, transfer)
    } catch let failure as HTTPClient.Failure {
      throw BucketFailure(
        what: method, reason: failure.description,
        isPassing: failure.kind == .timeout || failure.kind == .failed)
    }
    guard (200..<300).contains(response.status) else {
      throw BucketFailure(
        status: response.status, code: BucketXML(response.body)?["Code"], what: method)
    }
    if let expects, response.status != expects {
      throw BucketFailure(status: response.status, code: nil, what: method)
    }
    return response
  }

  private static func unclear(_ what: String) -> BucketFailure {
    BucketFailure(what: "the answer", reason: what, isPassing: false)
  }

  private static func otherSize(_ name: String) -> StorageError {
    StorageError(
      .corrupt, "A stored file has changed in the bucket. Add the same file again to mend it.",
      cause: "\(name) has another size")
  }
}
