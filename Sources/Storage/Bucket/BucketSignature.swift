// Signatures of requests to S3: Signature Version 4, as Amazon describes it ("Authenticating Requests (AWS
// Signature Version 4)"). libcurl can sign too, but Debian 12's (7.88) neither sorts a query nor completes a
// parameter without a value, which lists and uploads in parts need.

import Text

/// Signs requests with one pair of keys.
struct BucketSignature: Sendable {
  /// The hash of an empty body.
  static let emptyHash = SHA256Hasher().digest()

  let credentials: BucketCredentials
  let region: String

  /// A request as it is signed.
  struct Request {
    var method: String
    /// The host, with the port if it is not the scheme's own.
    var host: String
    /// The path, escaped.
    var path: String
    /// The names and values of the query, not escaped.
    var query: [(name: String, value: String)] = []
    /// Header fields that are signed besides the host and those that signing adds.
    var headers: [(name: String, value: String)] = []
  }

  /// Returns the header fields that a request is sent with: its own, and the signature.
  ///
  /// - Parameters:
  ///   - payload: the SHA-256 of the body in hexadecimal. The server refuses a body with another one.
  ///   - seconds: the present, in seconds since 1970.
  func headers(
    of request: Request, payload: String, at seconds: Int
  ) -> [(name: String, value: String)] {
    let date = Self.date(seconds)
    var signed = request
    signed.headers += [("x-amz-content-sha256", payload), ("x-amz-date", date)]
    if let token = credentials.token { signed.headers.append(("x-amz-security-token", token)) }
    let (names, signature) = sign(signed, payload: payload, date: date)
    return signed.headers + [
      (
        "Authorization",
        "\(Self.algorithm) Credential=\(credentials.key)/\(scope(date)),SignedHeaders=\(names),"
          + "Signature=\(signature)"
      )
    ]
  }

  /// Returns the query with which anybody can send a request from `seconds` on, in seconds since 1970, for
  /// `duration` seconds: its own, and the signature.
  ///
  /// - Parameter request: has no headers besides the host, which are not known yet.
  func query(of request: Request, from seconds: Int, for duration: Int) -> String {
    let date = Self.date(seconds)
    var signed = request
    signed.query += [
      ("X-Amz-Algorithm", Self.algorithm),
      ("X-Amz-Credential", "\(credentials.key)/\(scope(date))"),
      ("X-Amz-Date", date), ("X-Amz-Expires", String(duration)), ("X-Amz-SignedHeaders", "host"),
    ]
    if let token = credentials.token { signed.query.append(("X-Amz-Security-Token", token)) }
    let signature = sign(signed, payload: "UNSIGNED-PAYLOAD", date: date).signature
    return Self.query(signed.query) + "&X-Amz-Signature=\(signature)"
  }

  private static let algorithm = "AWS4-HMAC-SHA256"

  private func scope(_ date: String) -> String {
    "\(date.prefix(8))/\(region)/s3/aws4_request"
  }

  /// Returns the names of the headers that are signed, and the signature.
  private func sign(
    _ request: Request, payload: String, date: String
  ) -> (names: String, signature: String) {
    let headers = (request.headers + [("host", request.host)])
      .map { (name: $0.name.lowercased(), value: $0.value) }.sorted { $0.name < $1.name }
    let names = headers.map(\.name).joined(separator: ";")
    let canonical = [
      request.method, request.path, Self.query(request.query),
      headers.map { "\($0.name):\($0.value)\n" }.joined(), names, payload,
    ].joined(separator: "\n")
    let text = "\(Self.algorithm)\n\(date)\n\(scope(date))\n\(Self.hash(canonical))"
    return (names, Self.authentication(key: signingKey(date), Array(text.utf8)).hexadecimal)
  }

  /// A query, escaped, in the order of its names, as it is signed and sent.
  static func query(_ query: [(name: String, value: String)]) -> String {
    query.map { (escaped($0.name), escaped($0.value)) }
      .sorted { $0 < $1 }.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
  }

  /// A text with every byte escaped but letters, digits and `-._~`; of a path, slashes stay.
  static func escaped(_ text: String, isPath: Bool = false) -> String {
    text.utf8.reduce(into: "") { result, byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: "/") where isPath: result += "/"
      default: result += "%" + Int(byte).padded(to: 2, radix: 16).uppercased()
      }
    }
  }

  private func signingKey(_ date: String) -> [UInt8] {
    [String(date.prefix(8)), region, "s3", "aws4_request"]
      .reduce(Array("AWS4\(credentials.secret)".utf8)) { key, part in
        Self.authentication(key: key, Array(part.utf8))
      }
  }

  /// The moment as `20130524T000000Z`.
  private static func date(_ seconds: Int) -> String {
    let time = UTCTime(seconds)
    return time.year.padded(to: 4) + time.month.padded(to: 2) + time.day.padded(to: 2) + "T"
      + time.hour.padded(to: 2) + time.minute.padded(to: 2) + time.second.padded(to: 2) + "Z"
  }

  private static func hash(_ text: String) -> String {
    var hasher = SHA256Hasher()
    Array(text.utf8).withUnsafeBytes { hasher.update($0) }
    return hasher.digest()
  }

  /// HMAC-SHA256 (RFC 2104).
  private static func authentication(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    func hash(_ pieces: [UInt8]...) -> [UInt8] {
      var hasher = SHA256Hasher()
      for piece in pieces { piece.withUnsafeBytes { hasher.update($0) } }
      return hasher.digestBytes()
    }
    let block = 64
    let short = key.count > block ? hash(key) : key
    let padded = short + [UInt8](repeating: 0, count: block - short.count)
    return hash(padded.map { $0 ^ 0x5C }, hash(padded.map { $0 ^ 0x36 }, message))
  }
}
