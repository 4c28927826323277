// Requests to other servers, over libcurl: to where people sign in, to the push services of browsers, and to
// buckets.

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

  /// A body that is passed in pieces, one way or the other, because it is too long for the memory.
  public struct Transfer {
    /// The length of the request's body, and what fills a buffer with its next bytes and returns how
    /// many those are; nil sends the request's own body.
    public var sending: (length: Int, read: (UnsafeMutableRawBufferPointer) throws -> Int)?
    /// Takes the next bytes of a successful response; nil leaves them in the response. The body of any
    /// other response is in the response.
    public var receiving: ((UnsafeRawBufferPointer) throws -> Void)?
    /// After so many seconds without a byte the request ends with a timeout. It may take as long as it
    /// likes otherwise.
    public var stallSeconds: Int

    /// Makes a transfer.
    public init(
      sending: (length: Int, read: (UnsafeMutableRawBufferPointer) throws -> Int)? = nil,
      receiving: ((UnsafeRawBufferPointer) throws -> Void)? = nil, stallSeconds: Int = 30
    ) {
      self.sending = sending
      self.receiving = receiving
      self.stallSeconds = stallSeconds
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
    try exchange(request, Exchange(limit: limit, headLimit: Self.headLimit, transfer: nil))
  }

  /// Sends a request with its body, or takes that of the response, piece by piece.
  ///
  /// - Throws: `Failure`; what the closures of `transfer` throw.
  public func send(_ request: Request, _ transfer: Transfer) throws -> Response {
    let exchange = Exchange(limit: limit, headLimit: Self.headLimit, transfer: transfer)
    do throws(Failure) {
      return try self.exchange(request, exchange)
    } catch {
      throw exchange.stopped ?? error
    }
  }

  private func exchange(_ request: Request, _ exchange: Exchange) throws(Failure) -> Response {
    let lines = request.headers.map { "\($0.name): \($0.value)" }
    // Neither ends a line: a value from elsewhere can't add a field.
    guard
      (lines + [request.method, request.url]).allSatisfy({ !$0.utf8.contains(where: Self.endsLine) }
      )
    else { throw Failure(.failed, "The request holds a control character.") }
    let (end, status, problem) = perform(request, lines, exchange)
    if exchange.isTooLong { throw Failure(.tooLong, "The response is too long.") }
    switch end {
    case SEGMANCE_CURL_DONE:
      return Response(status: status, headers: exchange.headers, body: exchange.body)
    case SEGMANCE_CURL_ABSENT:
      throw Failure(.absent, "libcurl is not installed. Install Debian's package libcurl4.")
    case SEGMANCE_CURL_TIMEOUT: throw Failure(.timeout, problem)
    default: throw Failure(.failed, problem)
    }
  }

  private static func endsLine(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D || byte == 0 }

  private func perform(
    _ request: Request, _ lines: [String], _ exchange: Exchange
  ) -> (end: segmance_curl_end, status: Int, problem: String) {
    let texts = lines.map { strdup($0) }
    defer { texts.forEach { free($0) } }
    var problem = [CChar](repeating: 0, count: Int(SEGMANCE_CURL_PROBLEM_SIZE))
    var status = 0
    let body = request.body ?? []
    let sending = exchange.transfer?.sending
    // 0 means no limit to libcurl: only a transfer has none.
    let limit = exchange.transfer == nil ? max(1, min(request.timeout ?? timeout, timeout)) : 0
    let end = request.method.withCString { method in
      request.url.withCString { url in
        texts.map { UnsafePointer($0) }.withUnsafeBufferPointer { headers in
          body.withUnsafeBufferPointer { bytes in
            // An empty array may have no address, which would mean no body.
            withUnsafePointer(to: UInt8(0)) { none in
              var wanted = segmance_curl_request(
                method: method, url: url, headers: headers.baseAddress, headerCount: headers.count,
                body: request.body == nil ? nil : bytes.baseAddress ?? none,
                bodyLength: sending?.length ?? bytes.count,
                source: sending == nil
                  ? nil
                  : { context, bytes, room in
                    Unmanaged<Exchange>.fromOpaque(context!).takeUnretainedValue()
                      .fill(UnsafeMutableRawBufferPointer(start: bytes, count: room))
                  }, allowsHTTP: allowsHTTP, timeout: limit,
                connectTimeout: limit == 0 ? connectTimeout : min(limit, connectTimeout),
                stallSeconds: exchange.transfer?.stallSeconds ?? 0)
              return segmance_curl_send(
                &wanted,
                { context, isHead, bytes, count in
                  let exchange = Unmanaged<Exchange>.fromOpaque(context!).takeUnretainedValue()
                  return exchange.take(UnsafeBufferPointer(start: bytes, count: count), isHead)
                }, Unmanaged.passUnretained(exchange).toOpaque(), &status, &problem)
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

/// What was received of a response so far, and where bodies that come in pieces come from and go to.
private final class Exchange {
  private(set) var headers: [String: String] = [:]
  private(set) var body: [UInt8] = []
  private(set) var isTooLong = false
  /// What a closure of the transfer threw.
  private(set) var stopped: (any Error)?
  let transfer: HTTPClient.Transfer?
  private let limit: Int
  private var headRoom: Int
  private var isSuccess = false

  init(limit: Int, headLimit: Int, transfer: HTTPClient.Transfer?) {
    self.limit = limit
    self.transfer = transfer
    headRoom = headLimit
  }

  /// Takes a line of the head or bytes of the body; false if they are too many.
  func take(_ bytes: UnsafeBufferPointer<UInt8>, _ isHead: Bool) -> Bool {
    if !isHead, isSuccess, let receiving = transfer?.receiving {
      do {
        try receiving(UnsafeRawBufferPointer(bytes))
        return true
      } catch {
        stopped = error
        return false
      }
    }
    isTooLong = isHead ? bytes.count > headRoom : bytes.count > limit - body.count
    guard !isTooLong else { return false }
    guard isHead else {
      body.append(contentsOf: bytes)
      return true
    }
    headRoom -= bytes.count
    let line = String(decoding: bytes, as: UTF8.self)
    // An interim response (100) comes with a head of its own before the final one.
    if line.hasPrefix("HTTP/") {
      headers = [:]
      isSuccess = line.split(separator: " ").dropFirst().first?.hasPrefix("2") == true
    }
    if let colon = line.firstIndex(of: ":") {
      let value = line[line.index(after: colon)...]
      headers[line[..<colon].lowercased()] = String(value.trimmed)
    }
    return true
  }

  /// Fills a buffer with the next bytes of the request's body.
  func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    do {
      return try transfer?.sending?.read(buffer) ?? 0
    } catch {
      stopped = error
      // SEGMANCE_CURL_STOP, as the importer shows it.
      return -1
    }
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
