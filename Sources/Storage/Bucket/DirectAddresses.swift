// Addresses at which a browser fetches media from the bucket itself, so that they need not pass the server.

/// Makes signed addresses of objects. Anybody who has one can read the object, and nothing else, for at most an hour.
public struct DirectAddresses: Sendable {
  /// How long an address is good for, in seconds.
  private static let duration = 3_600
  /// For this long the same address is given, so that a browser's cache knows it again.
  private static let step = 1_800

  private let client: BucketClient
  /// The origin at which browsers reach the bucket's server.
  public let origin: String

  /// Makes addresses of the objects of `blobs`.
  public init(_ blobs: BucketBlobStore, origin: String) {
    self.init(blobs.client, origin: origin)
  }

  init(_ client: BucketClient, origin: String) {
    self.client = client
    self.origin = origin
  }

  /// The address of an original.
  public func blob(_ sha256: String, contentType: String) -> String {
    address(of: BucketBlobStore.start + sha256, contentType)
  }

  /// The address of a derived file of a record.
  public func derived(_ id: String, _ name: String, contentType: String) -> String {
    address(of: DerivedBucket.object(id, name), contentType)
  }

  private func address(of name: String, _ contentType: String) -> String {
    let path =
      client.address.base.path
      + BucketSignature.escaped(client.address.prefix + name, isPath: true)
    let now = client.now()
    let query = client.signature.query(
      of: BucketSignature.Request(
        method: "GET", host: origin.split(separator: "/").last.map(String.init) ?? "", path: path,
        query: [
          ("response-cache-control", "private, max-age=\(Self.step)"),
          ("response-content-type", contentType),
        ]), from: now - now % Self.step, for: Self.duration)
    return "\(origin)\(path)?\(query)"
  }

  /// Asks the bucket whether it lets pages of the origin `page` read from it.
  ///
  /// - Throws: `StorageError` with a sentence for the operator as its cause, if it does not.
  public func requireReadable(from page: String) throws {
    let headers = try client.retry {
      try client.send("GET", BucketClaim.objectName, headers: [("origin", page)]).headers
    }
    let exposed = (headers["access-control-expose-headers"] ?? "").lowercased()
      .split { $0 == "," || $0 == " " }
    guard let allowed = headers["access-control-allow-origin"], allowed == "*" || allowed == page,
      exposed.contains("content-range") || exposed.contains("*")
    else {
      throw StorageError(
        .unreachable, "The storage lets no pages read from it.",
        cause:
          "The bucket does not let pages of \(page) read from it. --blob-links needs a CORS rule of the "
          + "bucket that allows this origin the method GET and the header Range, and exposes Content-Range."
      )
    }
  }
}
