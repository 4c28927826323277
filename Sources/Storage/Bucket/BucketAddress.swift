// Where a bucket is: s3://bucket/prefix?endpoint=https://objects.example&region=eu-central-1

/// The address of a bucket of S3-compatible storage, and the part of it that a library uses.
public struct BucketAddress: Sendable, Equatable {
  /// The name of the bucket.
  public let bucket: String
  /// What all names of objects begin with: empty, or ending with a slash.
  public let prefix: String
  /// The server's origin, such as `http://127.0.0.1:9000`; nil means Amazon's of the region.
  public let endpoint: String?
  /// The region that requests are signed for.
  public let region: String

  /// Parses an address; nil if it is none. It never holds a key: those come from the environment.
  public init?(_ text: String) {
    guard text.hasPrefix("s3://") else { return nil }
    let parts = text.dropFirst(5).split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let names = parts[0].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let bucket = names[0]
    guard (3...63).contains(bucket.utf8.count), bucket.utf8.allSatisfy(Self.isOfBucket),
      bucket.first != "-", bucket.first != "."
    else { return nil }
    var folders = names.dropFirst()
    if folders.last == "" { folders.removeLast() }
    guard folders.allSatisfy(Self.isFolder), parts[0].utf8.count <= 500 else { return nil }
    var endpoint: String?
    var region: String?
    for pair in parts.count > 1 ? parts[1].split(separator: "&") : [] {
      let sides = pair.split(separator: "=", maxSplits: 1).map(String.init)
      guard sides.count == 2, let value = Self.decoded(sides[1]) else { return nil }
      switch sides[0] {
      case "endpoint" where endpoint == nil:
        guard let origin = Self.origin(value) else { return nil }
        endpoint = origin
      case "region" where region == nil:
        guard !value.isEmpty, value.utf8.allSatisfy({ Self.isOfBucket($0) && $0 != 0x2E }) else {
          return nil
        }
        region = value
      default: return nil
      }
    }
    self.bucket = bucket
    prefix = folders.map { $0 + "/" }.joined()
    self.endpoint = endpoint
    self.region = region ?? "us-east-1"
  }

  /// The address as it is stored and shown.
  public var text: String {
    "s3://\(bucket)/\(prefix)?" + (endpoint.map { "endpoint=\($0)&" } ?? "") + "region=\(region)"
  }

  /// Whether the requests are not encrypted.
  var isPlain: Bool { endpoint?.hasPrefix("http://") == true }

  /// The origin of the requests, and what the path of an object begins with.
  ///
  /// Amazon expects the bucket's name in the host. Other servers need names and certificates for
  /// that, so theirs is in the path; also one with a dot, which no certificate covers.
  var base: (origin: String, path: String) {
    if let endpoint { return (endpoint, "/\(bucket)/") }
    return bucket.contains(".")
      ? ("https://s3.\(region).amazonaws.com", "/\(bucket)/")
      : ("https://\(bucket).s3.\(region).amazonaws.com", "/")
  }

  private static func isOfBucket(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  private static func isFolder(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".")
      && name.utf8.allSatisfy {
        isOfBucket($0) || $0 == UInt8(ascii: "_")
          || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
      }
  }

  /// The origin of a server without a port that its scheme implies; nil if it is none.
  public static func origin(_ text: String) -> String? {
    let text = text.hasSuffix("/") ? String(text.dropLast()) : text
    for (scheme, port) in [("https://", ":443"), ("http://", ":80")] where text.hasPrefix(scheme) {
      let host = text.dropFirst(scheme.utf8.count)
      let isPlain = host.utf8.allSatisfy {
        isOfBucket($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "[")
          || $0 == UInt8(ascii: "]")
      }
      guard !host.isEmpty, isPlain else { return nil }
      return host.hasSuffix(port) ? String(text.dropLast(port.utf8.count)) : text
    }
    return nil
  }

  /// A value of the query without its escapes.
  private static func decoded(_ text: String) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
