// One request on a connection, from its header to the response, as a state machine that
// libmicrohttpd's calls drive, or a test's.
//
// A connection that waits for a worker is suspended: libmicrohttpd leaves it alone until it is
// resumed, and then calls again at the same point.

/// Serves one request.
///
/// Unchecked Sendable: it is used by one thread at a time. The connection's thread hands it to a
/// worker by suspending the connection, and gets it back by its resumption; both take locks.
final class HTTPExchange<Connection: HTTPConnection>: @unchecked Sendable {
  private enum Stage {
    /// The header is complete, nothing is decided.
    case header
    /// A worker has it; the connection is suspended.
    case working
    /// Refused while the body is not read yet.
    case refused(EncodedResponse)
    /// The sink is there; the body comes next.
    case opened(any BodySink, limit: Int)
    case collecting(limit: Int, Route.Execution, Route.Handler)
    case streaming(any BodySink, limit: Int)
    /// The body has no use any more; some of it is read, so that the reply gets through.
    case discarding(EncodedResponse, left: Int)
    case ready(EncodedResponse)
    case sent
  }

  /// What becomes of the bytes of a call.
  enum Step {
    case close
    case taken
    /// They are offered again once the connection is resumed. What libmicrohttpd has in its buffer
    /// it would go on handing over, in spite of the suspension, as long as all of it is taken.
    case later
  }

  /// Bodies up to this size are read to their end before a refusal is sent, which keeps the
  /// connection; larger ones cost the client the connection instead.
  private static var politeBytes: Int { 64 * 1024 }
  /// As much of a body is read for a sender who was let in and then refused before it began: clients
  /// that send without a pause would lose the refusal with the connection.
  private static var patientBytes: Int { 16 * 1024 * 1024 }
  /// A sink gets its bytes in pieces of about this size.
  private static var pieceBytes: Int { 256 * 1024 }

  private let connection: Connection
  let progress: ConnectionProgress
  private var request: Request
  private var stage = Stage.header
  private var body: [UInt8] = []
  private var received = 0
  private var declaredLength = 0
  private var hasUnknownLength = false
  /// When the header was complete, in nanoseconds of `Monotonic`.
  private var begun = 0

  init(connection: Connection, progress: ConnectionProgress, target: String) {
    self.connection = connection
    self.progress = progress
    request = Request(.get, target)
  }

  /// Does the next step.
  func advance(method: UnsafePointer<CChar>, _ bytes: UnsafeRawBufferPointer) -> Step {
    let goesOn: Bool
    switch stage {
    case .header:
      progress.pause()
      goesOn = begin(String(cString: method))
    case .refused(let reply):
      goesOn = refuse(reply, upTo: HTTPExchange.patientBytes)
    case .opened(let sink, let limit):
      goesOn = expectBody(.streaming(sink, limit: limit))
    case .collecting, .streaming, .discarding:
      if !bytes.isEmpty { return receive(bytes) }
      goesOn = finishBody()
    case .ready(let reply):
      goesOn = send(reply)
    case .working, .sent:
      goesOn = true
    }
    return goesOn ? .taken : .close
  }

  /// Ends the exchange: all is sent, or the client is gone.
  func end() {
    switch stage {
    case .opened(let sink, _), .streaming(let sink, _):
      let piece = body
      let connection = self.connection
      let request = self.request
      // Handed over to the worker: this exchange drops its reference with the stage.
      nonisolated(unsafe) let abandoned = sink
      stage = .sent
      _ = connection.submit(urgent: true) {
        do {
          if !piece.isEmpty {
            try connection.application.reauthenticate(request)
            try piece.withUnsafeBytes { try abandoned.write($0) }
          }
        } catch {
          _ = connection.application.problem(for: error, request)
        }
        abandoned.abort()
        connection.requestEnded()
      }
    case .ready(let reply):
      // Nobody is there any more to read it.
      if case .feed(let feed, _) = reply.payload { feed.abandon() }
      connection.requestEnded()
    default:
      connection.requestEnded()
    }
  }

  // MARK: The header

  private func begin(_ methodName: String) -> Bool {
    begun = Monotonic.nanoseconds
    request.headers = connection.readHeaders()
    request.peer = progress.address
    let method = Method(rawValue: methodName)
    if let method { request.method = method }
    let length = request.headers["Content-Length"]
    declaredLength = length.flatMap { Int($0) } ?? 0
    // Also if it is given twice: the start of the next request is unknown then.
    hasUnknownLength =
      request.headers["Transfer-Encoding"] != nil || length.map { Int($0) == nil } ?? false
    if connection.isStopping {
      // The server is stopping, which is logged elsewhere.
      return refuse(EncodedResponse(problem: .unavailable("The server is stopping.")))
    }
    switch connection.application.authorize(request, method: method) {
    case .reply(let refused, let reply):
      request = refused
      return refuse(reply)
    case .handle(let admitted, let action):
      request = admitted
      return start(action)
    }
  }

  private func start(_ action: Route.Action) -> Bool {
    switch action {
    case .handle(let body, let execution, let handler):
      var limit = HTTPExchange.politeBytes
      if case .buffered(let bound) = body { limit = bound }
      if declaredLength > limit { return send(refusal(HTTPError.tooLarge(limit: limit))) }
      self.body.reserveCapacity(min(declaredLength, 1 << 20))
      guard case .buffered = body else {
        return expectBody(
          .collecting(limit: limit, execution) { bodied in
            var request = bodied
            request.body = []
            return try handler(request)
          })
      }
      return expectBody(.collecting(limit: limit, execution, handler))
    case .stream(let limit, let makeSink):
      if declaredLength > limit { return send(refusal(HTTPError.tooLarge(limit: limit))) }
      return work {
        do {
          let sink = try makeSink(self.request)
          return .opened(sink, limit: limit)
        } catch {
          return .refused(self.refusal(error))
        }
      }
    }
  }

  /// Sends a refusal: now, where much of a body would come first, or after its end.
  private func refuse(_ reply: EncodedResponse, upTo bytes: Int = HTTPExchange.politeBytes) -> Bool
  {
    let isPolite =
      !hasUnknownLength && declaredLength <= bytes && request.headers["Expect"] == nil
    return isPolite ? expectBody(.discarding(reply, left: bytes)) : send(reply)
  }

  private func expectBody(_ next: Stage) -> Bool {
    stage = next
    if declaredLength > 0 || hasUnknownLength { progress.expectBody() }
    return true
  }

  // MARK: The body

  private func receive(_ bytes: UnsafeRawBufferPointer) -> Step {
    if case .streaming(let sink, let limit) = stage {
      // Suspended in here: what has come waits.
      if received + bytes.count > limit {
        return abandon(sink, HTTPError.tooLarge(limit: limit)) ? .later : .close
      }
      if body.count >= HTTPExchange.pieceBytes {
        return work { self.flush(sink, limit) ?? .streaming(sink, limit: limit) } ? .later : .close
      }
    }
    progress.receive(bytes.count)
    received += bytes.count
    switch stage {
    case .collecting(let limit, _, _):
      if received > limit {
        body = []
        stage = .discarding(
          refusal(HTTPError.tooLarge(limit: limit)), left: HTTPExchange.politeBytes)
      } else {
        body.append(contentsOf: bytes)
      }
      return .taken
    case .streaming:
      body.append(contentsOf: bytes)
      return .taken
    case .discarding(let reply, let left):
      stage = .discarding(reply, left: left - bytes.count)
      return left >= bytes.count ? .taken : .close
    default:
      return .close
    }
  }

  private func finishBody() -> Bool {
    progress.pause()
    switch stage {
    case .collecting(_, .inline, let handler):
      // Without a body, the header was looked at a moment ago, on this thread.
      return send(reply(handler, readmits: declaredLength > 0 || hasUnknownLength))
    case .collecting(_, .worker, let handler):
      return work { .ready(self.reply(handler)) }
    case .streaming(let sink, let limit):
      return work {
        if case .discarding(let reply, _) = self.flush(sink, limit) { return .ready(reply) }
        return .ready(self.connection.application.reply(to: self.request) { try sink.finish() })
      }
    case .discarding(let reply, _):
      return send(reply)
    default:
      return false
    }
  }

  private func reply(_ handler: Route.Handler, readmits: Bool = true) -> EncodedResponse {
    request.body = body
    body = []
    return connection.application.reply(to: request) {
      if readmits { try connection.application.reauthenticate(request) }
      return try handler(request)
    }
  }

  /// Gives the sink what has come; returns what follows if it does not take it, or the sender may no
  /// longer come in.
  private func flush(_ sink: any BodySink, _ limit: Int) -> Stage? {
    defer { body.removeAll(keepingCapacity: true) }
    do {
      try connection.application.reauthenticate(request)
      if !body.isEmpty { try body.withUnsafeBytes { try sink.write($0) } }
      return nil
    } catch {
      sink.abort()
      // The refusal can only be sent after the body's end. Who may send it is heard out: it costs no
      // more than a body that is kept.
      let isAdmitted = connection.application.isStillAuthorized(request.caller)
      return .discarding(
        refusal(error), left: isAdmitted ? limit - received : HTTPExchange.patientBytes)
    }
  }

  private func refusal(_ error: any Error) -> EncodedResponse {
    connection.application.refusal(of: request, error)
  }

  private func abandon(_ sink: any BodySink, _ error: HTTPError) -> Bool {
    work {
      self.body = []
      sink.abort()
      return .discarding(self.refusal(error), left: HTTPExchange.politeBytes)
    }
  }

  // MARK: Workers

  /// Suspends the connection, does a step on a worker, and goes on from there.
  private func work(_ step: @escaping () -> Stage) -> Bool {
    let previous = stage
    progress.pause()
    stage = .working
    connection.suspend()
    // Handed over with the connection, which is suspended; see the note at the class.
    nonisolated(unsafe) let step = step
    // No refusal can be sent in the middle of a body; a connection has one job at a time.
    let isUnderWay = if case .streaming = previous { true } else { false }
    let accepted = connection.submit(urgent: isUnderWay) {
      self.stage = step()
      if self.isBodyExpected { self.progress.expectBody() }
      self.connection.resume()
    }
    if !accepted {
      let busy = refusal(HTTPError.unavailable("The server is busy. Try again in a moment."))
      if case .header = previous { stage = .refused(busy) } else { stage = .ready(busy) }
      connection.resume()
    }
    return true
  }

  private var isBodyExpected: Bool {
    switch stage {
    case .streaming, .discarding: true
    default: false
    }
  }

  // MARK: The response

  private func send(_ reply: EncodedResponse) -> Bool {
    progress.pause()
    // What answers a writing is short, and a device that turns itself away must get it.
    if !request.method.isWrite { progress.send(to: request.caller) }
    stage = .sent
    connection.application.observe(request, status: reply.status, begun: begun)
    return connection.send(reply)
  }
}
