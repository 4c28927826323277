// Requests without a socket, in the steps of a request over one.

@testable import HTTP

/// A request that a test sends to an application piece by piece, without a socket.
///
/// It drives an exchange as libmicrohttpd does. A worker's jobs run at once, on the thread of the
/// test.
public final class InProcessRequest {
  /// The size of the pieces of a body, below that of libmicrohttpd's buffer.
  private static let pieceBytes = 16 * 1024

  private let request: Request
  private let connection: InProcessConnection
  private let exchange: HTTPExchange<InProcessConnection>
  /// The announced bytes that were not sent yet; nil where the header announces no number.
  private var bytesLeft: Int?
  private var isClosed = false

  /// Sends the header of a request. Its body comes with `send`.
  public init(_ request: Request, to application: Application) {
    self.request = request
    connection = InProcessConnection(application: application, headers: request.headers)
    exchange = HTTPExchange(
      connection: connection,
      progress: ConnectionProgress(descriptor: -1, address: request.peer, deadline: .max),
      target: request.target)
    if let length = request.headers["Content-Length"] {
      bytesLeft = Int(length).map { max(0, $0) }
    }
    advance(UnsafeRawBufferPointer(start: nil, count: 0))
  }

  /// Sends a part of the body, at most up to the announced length.
  public func send(_ bytes: some Sequence<UInt8>) {
    let piece = Array(bytes.prefix(bytesLeft ?? .max))
    bytesLeft = bytesLeft.map { $0 - piece.count }
    piece.withUnsafeBytes { bytes in
      for start in stride(from: 0, to: bytes.count, by: InProcessRequest.pieceBytes) {
        let end = min(start + InProcessRequest.pieceBytes, bytes.count)
        advance(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
      }
    }
  }

  /// Ends the body and returns the response. Nil if the server closed the connection without one, or
  /// if announced bytes were not sent: then the client is gone.
  public func finish() -> Response? {
    if bytesLeft ?? 0 == 0 { advance(UnsafeRawBufferPointer(start: nil, count: 0)) }
    exchange.end()
    return connection.reply.map { $0.response(to: request.method) }
  }

  /// Does one step of the exchange, and repeats it after a resumption.
  private func advance(_ bytes: UnsafeRawBufferPointer) {
    var isRepeated = true
    while isRepeated, !isClosed, connection.reply == nil {
      connection.wasSuspended = false
      let step = request.method.rawValue.withCString { exchange.advance(method: $0, bytes) }
      isClosed = step == .close
      // Bytes that were taken are not offered again.
      isRepeated = step == .later || (bytes.isEmpty && connection.wasSuspended)
    }
  }
}

extension Application {
  /// Answers a request without a socket. The body is announced unless the header does it.
  ///
  /// Files come back as their bytes, `HEAD` without any, and the length as `Content-Length`.
  public func respond(to request: Request) -> Response {
    var announced = request
    let isAnnounced =
      request.headers["Content-Length"] != nil || request.headers["Transfer-Encoding"] != nil
    if !isAnnounced, !request.body.isEmpty {
      announced.headers["Content-Length"] = String(request.body.count)
    }
    let sent = InProcessRequest(announced, to: self)
    sent.send(request.body)
    guard let response = sent.finish() else {
      preconditionFailure("The connection was closed without a response to \(request.target).")
    }
    return response
  }
}

/// The connection of one request without a socket.
///
/// Unchecked Sendable: all is done on the thread of the test.
private final class InProcessConnection: HTTPConnection, @unchecked Sendable {
  let application: Application
  private let headers: Headers
  private var isSuspended = false
  /// Whether the connection was suspended in the current step.
  var wasSuspended = false
  private(set) var reply: EncodedResponse?

  init(application: Application, headers: Headers) {
    self.application = application
    self.headers = headers
  }

  var isStopping: Bool { false }

  func readHeaders() -> Headers { headers }

  func suspend() {
    precondition(!isSuspended, "The connection is suspended already.")
    (isSuspended, wasSuspended) = (true, true)
  }

  func resume() {
    precondition(isSuspended, "The connection is not suspended.")
    isSuspended = false
  }

  func submit(urgent: Bool, _ job: @escaping @Sendable () -> Void) -> Bool {
    job()
    return true
  }

  func send(_ reply: EncodedResponse) -> Bool {
    precondition(!isSuspended && self.reply == nil, "This is no time for a reply.")
    self.reply = reply
    return true
  }

  func requestEnded() {}
}
