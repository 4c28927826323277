// Requests to other servers, over libcurl: to where people sign in, and to the push services of browsers.

import CCurl
import Glibc

/// Sends requests to other servers. Each waits for its response; redirects are not followed.
public struct HTTPClient: Sendable {
  /// A request to another server.
  public struct Request: Sendable {
    public var method: String
    /// The address: https, or http where the client allows it.
    public var url: String
    /// The names and values of the header fields.
    public var headers: [(name: String, value: String)]
    /// nil sends none.
    public var body: [UInt8]?
    /// The most milliseconds that it takes, if that is less than the client's limit.
    public var timeout: Int?

    /// Makes a request.
    public init(
      _ method: String = "GET", _ url: String, headers: [(name: String, value: String)] = [],
      body: [UInt8]? = nil
    ) {
      self.method = method
      self.url = url
      self.headers = headers
      self.body = body
    }
  }

  /// The response of another server.
  public struct Response: Sendable {
    public var status: Int
    /// The header fields; names are in lower case. Of a repeated one, the last counts.
    public var headers: [String: String]
    public var body: [UInt8]

    /// Makes a response.
    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
      self.status = status
      self.headers = headers
      self.body = body
    }
  }

  /// Why there is no response.
  public struct Failure: Error, CustomStringConvertible, Equatable {
    /// What went wrong.
    public enum Kind: Sendable {
      /// libcurl is not installed on this machine.
      case absent
      case timeout
      /// The response is longer than the limit.
      case tooLong
      /// The address is none, no connection was made, or it broke.
      case failed
    }

    public let kind: Kind
    public let description: String

    /// Makes a failure.
    public init(_ kind: Kind, _ description: String) {
      self.kind = kind
      self.description = description
    }
  }

  /// The most bytes of a response's header fields.
  private static let headLimit = 16_384

  /// Whether http is allowed besides https.
  private let allowsHTTP: Bool
  /// The most milliseconds that a request takes, and that making its connection takes.
  private let timeout: Int
  private let connectTimeout: Int
  /// The most bytes of a response's body.
  private let limit: Int

  /// Makes a client. `timeout` and `connectTimeout` are in milliseconds, `limit` is the longest body of a
  /// response in bytes.
  public init(
    allowsHTTP: Bool = false, timeout: Int = 15_000, connectTimeout: Int = 5_000,
    limit: Int = 1 << 20
  ) {
    self.allowsHTTP = allowsHTTP
    self.timeout = timeout
    self.connectTimeout = connectTimeout
    self.limit = limit
  }

  /// Sends a request and waits for its response, whatever its status is.
  public func send(_ request: Request) throws(Failure) -> Response {
    let lines = request.headers.map { "\($0.name): \($0.value)" }
    // Neither ends a line: a value from elsewhere can't add a field.
    guard
      (lines + [request.method, request.url]).allSatisfy({ !$0.utf8.contains(where: Self.endsLine) }
      )
    else { throw Failure(.failed, "The request holds a control character.") }
    let received = Received(limit: limit, headLimit: Self.headLimit)
    let (end, status, problem) = perform(request, lines, received)
    if received.isTooLong { throw Failure(.tooLong, "The response is too long.") }
    switch end {
    case SEGMANCE_CURL_DONE:
      return Response(status: status, headers: received.headers, body: received.body)
    case SEGMANCE_CURL_ABSENT:
      throw Failure(.absent, "libcurl is not installed. Install Debian's package libcurl4.")
    case SEGMANCE_CURL_TIMEOUT: throw Failure(.timeout, problem)
    default: throw Failure(.failed, problem)
    }
  }

  private static func endsLine(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D || byte == 0 }

  private func perform(
    _ request: Request, _ lines: [String], _ received: Received
  ) -> (end: segmance_curl_end, status: Int, problem: String) {
    let texts = lines.map { strdup($0) }
    defer { texts.forEach { free($0) } }
    var problem = [CChar](repeating: 0, count: Int(SEGMANCE_CURL_PROBLEM_SIZE))
    var status = 0
    let body = request.body ?? []
    // 0 would mean no limit to libcurl.
    let limit = max(1, min(request.timeout ?? timeout, timeout))
    let end = request.method.withCString { method in
      request.url.withCString { url in
        texts.map { UnsafePointer($0) }.withUnsafeBufferPointer { headers in
          body.withUnsafeBufferPointer { bytes in
            // An empty array may have no address, which would mean no body.
            withUnsafePointer(to: UInt8(0)) { none in
              var wanted = segmance_curl_request(
                method: method, url: url, headers: headers.baseAddress, headerCount: headers.count,
                body: request.body == nil ? nil : bytes.baseAddress ?? none,
                bodyLength: bytes.count, allowsHTTP: allowsHTTP, timeout: limit,
                connectTimeout: min(limit, connectTimeout))
              return segmance_curl_send(
                &wanted,
                { context, isHead, bytes, count in
                  let received = Unmanaged<Received>.fromOpaque(context!).takeUnretainedValue()
                  return received.take(UnsafeBufferPointer(start: bytes, count: count), isHead)
                }, Unmanaged.passUnretained(received).toOpaque(), &status, &problem)
            }
          }
        }
      }
    }
    return (
      end, status, String(decoding: problem.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    )
  }
}

/// What was received of a response so far.
private final class Received {
  private(set) var headers: [String: String] = [:]
  private(set) var body: [UInt8] = []
  private(set) var isTooLong = false
  private let limit: Int
  private var headRoom: Int

  init(limit: Int, headLimit: Int) {
    self.limit = limit
    headRoom = headLimit
  }

  /// Takes a line of the head or bytes of the body; false if they are too many.
  func take(_ bytes: UnsafeBufferPointer<UInt8>, _ isHead: Bool) -> Bool {
    isTooLong = isHead ? bytes.count > headRoom : bytes.count > limit - body.count
    guard !isTooLong else { return false }
    guard isHead else {
      body.append(contentsOf: bytes)
      return true
    }
    headRoom -= bytes.count
    let line = String(decoding: bytes, as: UTF8.self)
    // An interim response (100) comes with a head of its own before the final one.
    if line.hasPrefix("HTTP/") { headers = [:] }
    if let colon = line.firstIndex(of: ":") {
      let value = line[line.index(after: colon)...]
      headers[line[..<colon].lowercased()] = String(value.trimmed)
    }
    return true
  }
}

extension Substring {
  /// Without white space at both ends.
  fileprivate var trimmed: Substring {
    let start = drop { $0.isWhitespace }
    return start[
      ..<(start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex)]
  }
}
