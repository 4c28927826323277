// Handles a request from a socket or from a test: guards, routing, handler, reply.

import Logging

/// Answers requests from a route table, after guards that apply to every request.
public struct Application: Sendable {
  let router: Router
  private let hosts: HostPolicy
  private let authenticator: any Authenticator
  private let trustedProxies: [AddressRange]
  private let repeats = LogThrottle()
  private let observers: [any RequestObserver]
  let log: Logger

  /// Makes an application. The configuration has the allowed hosts, the authenticator authenticates
  /// callers, the observers are called for every answer, and `now` is a clock in milliseconds in place of the
  /// system's.
  public init(
    configuration: Configuration, router: Router,
    authenticator: any Authenticator = LoopbackAuthenticator(), log: Logger = .silent,
    observers: [any RequestObserver] = [],
    now: (@Sendable () -> Int)? = nil
  ) {
    self.router = router
    self.log = log
    self.observers = observers
    self.authenticator = authenticator
    trustedProxies = configuration.trustedProxies
    hosts = HostPolicy(configuration, now: now ?? { Monotonic.milliseconds })
  }

  /// What the guards and the router decide on a request's header.
  enum Admission {
    case reply(Request, EncodedResponse)
    case handle(Request, Route.Action)
  }

  /// Checks and routes a request whose body is not there yet; `method` is nil where no route can
  /// know it.
  func authorize(_ head: Request, method: Method?) -> Admission {
    var request = head
    request.hasKnownMethod = method != nil
    // One of them keeps a record at most.
    for observer in observers where request.record == nil {
      request.record = observer.begin(request.headers)
    }
    do throws(HTTPError) {
      try checkFraming(request.headers)
      if request.target == "*", method == .options {
        _ = try hosts.host(of: request, authority: nil)
        return .reply(request, allow(Method.allCases))
      }
      let target = try RequestTarget(request.target)
      let host = try hosts.host(of: request, authority: target.authority)
      request.path = target.path
      request.query = target.query
      // Not logged: probes ask again and again, and what closed the gate is told.
      if let refusal = router.gate?(request) {
        return .reply(request, EncodedResponse(problem: refusal))
      }
      request.client = request.sender(trusting: trustedProxies)
      request.caller = authenticator.caller(of: request)
      let action: Route.Action
      switch router.match(method, target.path) {
      case .route(let route, let parameters):
        request.route = route.pattern
        try route.access.authorize(request.caller)
        if route.access != .everyone, !request.method.isWrite { try hosts.checkSite(of: request) }
        request.parameters = parameters
        action = guarded(route, for: request)
      case .otherMethods(let methods):
        if Application.isInterface(target.path) { try Access.person(nil).authorize(request.caller) }
        guard method == .options else { throw .methodNotAllowed(allowed: methods) }
        return .reply(request, allow(methods))
      case .nothing:
        // Without access, an unknown path of the interface is 401 too, not 404.
        if Application.isInterface(target.path) { try Access.person(nil).authorize(request.caller) }
        action = try fallback(for: method, target.path)
        request.route = RouteName.client
      }
      if request.method.isWrite { try hosts.checkOrigin(of: request, host: host) }
      return .handle(request, action)
    } catch {
      return .reply(request, refusal(of: request, error))
    }
  }

  /// The route's action. If access to what it names is a question, it begins with that.
  private func guarded(_ route: Route, for request: Request) -> Route.Action {
    guard let (resource, action) = route.access.resource,
      authenticator.needsLookup(request.caller)
    else { return route.action }
    guard case .handle(let body, _, let handler) = route.action else {
      preconditionFailure("A body that is taken piece by piece names nothing: \(route.pattern)")
    }
    let authenticator = authenticator
    // On a worker, because the answer is in the database.
    return .handle(body, .worker) { request in
      try authenticator.authorize(
        request.caller, to: action, resource, id: resource.id(in: request))
      return try handler(request)
    }
  }

  /// Authenticates the sender again, as a body may take hours to arrive. Throws a 401 if the caller is
  /// another one than at the header.
  func reauthenticate(_ request: Request) throws(HTTPError) {
    guard authenticator.caller(of: request) == request.caller else { throw .unauthenticated }
  }

  /// Whether a response to this caller may continue.
  func isStillAuthorized(_ caller: Caller) -> Bool { authenticator.isStillAuthorized(caller) }

  /// Runs a handler and makes the reply. An error becomes a reply too.
  func reply(to request: Request, _ handler: () throws -> Response) -> EncodedResponse {
    do {
      let response = try request.record?.during(handler) ?? handler()
      let reply = try EncodedResponse(response, to: request)
      if let name = reply.unsafeHeader {
        throw HTTPError.internalError(cause: UnsafeHeader(name: name))
      }
      return reply
    } catch {
      return refusal(of: request, error)
    }
  }

  /// Makes the reply for an error, and logs it if its status calls for that.
  func refusal(of request: Request, _ error: any Error) -> EncodedResponse {
    EncodedResponse(problem: problem(for: error, request))
  }

  /// Reports an answer to the observers; `begun` is in nanoseconds of `Monotonic`.
  func observe(_ request: Request, status: Int, begun: Int) {
    guard !observers.isEmpty else { return }
    let outcome = RequestOutcome(
      method: request.hasKnownMethod ? request.method.rawValue : "OTHER", route: request.route,
      status: status, seconds: Double(Monotonic.nanoseconds - begun) / 1e9)
    for observer in observers {
      observer.observe(outcome, headers: request.headers, record: request.record)
    }
  }

  /// Makes the problem details for the client, and logs the cause.
  func problem(for error: any Error, _ request: Request) -> HTTPError {
    let problem =
      error as? HTTPError ?? (error as? any HTTPErrorConvertible)?.httpError
      ?? .internalError(cause: error)
    note(problem, request)
    return problem
  }

  /// Statuses that may need action by the operator.
  private static let notable: Set<Int> = [401, 403, 413, 421, 429, 503, 507]

  private func note(_ problem: HTTPError, _ request: Request) {
    let isFault = problem.status >= 500 && !Application.notable.contains(problem.status)
    guard isFault || Application.notable.contains(problem.status) else { return }
    var leftOut = 0
    if !isFault {
      let kind = LogThrottle.Kind(
        status: problem.status, method: request.method, route: request.route)
      guard let count = repeats.pass(kind) else { return }
      leftOut = count
    }
    let event = LogRecord(
      isFault ? .error : .warning, isFault ? "request.failed" : "request.refused",
      [
        "status": .integer(problem.status),
        "method": .text(request.hasKnownMethod ? request.method.rawValue : "OTHER"),
        "route": .text(request.route), "caller": .text(request.caller.logName),
        "address": (request.client ?? request.peer).map { .text($0.description) },
        "leftOut": leftOut > 0 ? .integer(leftOut) : nil,
        "error": problem.cause.map { .text(LogRecord.describe($0)) },
      ])
    log.write(event)
  }

  /// Logs that a connection was refused because of a limit.
  func noteTooManyConnections(from address: IPAddress?) {
    let kind = LogThrottle.Kind(status: 0, method: .get, route: RouteName.none)
    guard let leftOut = repeats.pass(kind) else { return }
    log.warning(
      "connection.refused",
      [
        "address": address.map { .text($0.description) },
        "leftOut": leftOut > 0 ? .integer(leftOut) : nil,
      ])
  }

  private func checkFraming(_ headers: Headers) throws(HTTPError) {
    let lengths = headers.values(of: "Content-Length")
    guard lengths.count <= 1, lengths.isEmpty || headers["Transfer-Encoding"] == nil else {
      throw .badRequest("The length of the body is given twice.")
    }
  }

  private func allow(_ methods: [Method]) -> EncodedResponse {
    let list = methods.map(\.rawValue).joined(separator: ", ")
    return EncodedResponse(status: 204, headers: ["Allow": list], payload: EncodedResponse.empty)
  }

  private static func isInterface(_ path: String) -> Bool {
    Router.segments(of: path).first == "api"
  }

  private func fallback(for method: Method?, _ path: String) throws(HTTPError) -> Route.Action {
    guard let handler = router.fallback, !Application.isInterface(path) else {
      throw .notFound()
    }
    guard method == .get || method == .head else {
      throw .methodNotAllowed(allowed: [.get, .head])
    }
    return .handle(.none, .inline, handler)
  }
}

extension HTTPError {
  /// 413 with the limit.
  static func tooLarge(limit: Int) -> HTTPError {
    .contentTooLarge("This address takes at most \(limit) bytes at once.")
  }
}

/// A handler's header that would have broken the message.
private struct UnsafeHeader: Error, CustomStringConvertible {
  let name: String
  var description: String { "the header \(name.debugDescription) holds a control character" }
}
