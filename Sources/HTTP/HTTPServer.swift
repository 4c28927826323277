// The server as others see it: start, stop, and what happens to a process on the way.

import Dispatch
import Glibc
import Logging
import Synchronization

/// Serves an application over HTTP/1.1.
public final class HTTPServer: Sendable {
  private let configuration: Configuration
  private let router: Router
  private let authenticator: any Authenticator
  private let log: Logger
  private let observers: [any RequestObserver]
  private let daemon = Mutex<Daemon?>(nil)

  /// Makes a server that does not listen yet; the observers are told of every answer.
  public init(
    configuration: Configuration, router: Router,
    authenticator: any Authenticator = LoopbackAuthenticator(), log: Logger = .silent,
    observers: [any RequestObserver] = []
  ) {
    self.configuration = configuration
    self.router = router
    self.authenticator = authenticator
    self.log = log
    self.observers = observers
  }

  /// The connections that are open.
  public var connectionCount: Int { daemon.withLock { $0?.connectionCount ?? 0 } }

  /// The requests that wait for a worker.
  var waitingRequestCount: Int { daemon.withLock { $0?.pool.waitingCount ?? 0 } }

  /// Starts to listen and returns the port; throws a `ServerError` that says what is in the way.
  ///
  /// From here on the process ignores SIGPIPE, and may open as many files as it is allowed to.
  public func start() throws -> Int {
    try daemon.withLock { daemon in
      precondition(daemon == nil, "The server runs already.")
      signal(SIGPIPE, SIG_IGN)
      let descriptors = raiseDescriptorLimit(to: configuration.connectionLimit * 2 + 512)
      let socket = try ListeningSocket(host: configuration.host, port: configuration.port)
      var adjusted = configuration
      adjusted.port = socket.port
      adjusted.connectionLimit = min(configuration.connectionLimit, max(32, descriptors / 2 - 64))
      let application = Application(
        configuration: adjusted, router: router, authenticator: authenticator, log: log,
        observers: observers)
      daemon = try Daemon(configuration: adjusted, application: application, socket: socket)
      return socket.port
    }
  }

  /// Takes no new connections and requests, before `stop` ends what is under way.
  public func stopAccepting() { daemon.withLock { $0?.stopAccepting() } }

  /// Stops to listen, lets running requests end, closes event streams, and returns when all is done.
  public func stop() {
    let running = daemon.withLock { daemon in
      defer { daemon = nil }
      return daemon
    }
    running?.stop()
  }

  deinit { stop() }
}

/// Says why a server could not start.
public struct ServerError: Error, Sendable, CustomStringConvertible {
  /// A sentence that says what to do.
  public let message: String
  /// The system's error number, or 0.
  public let code: Int32

  public var description: String { message }
}

/// Raises the limit of open files as far as needed and allowed; returns what it is then.
private func raiseDescriptorLimit(to wanted: Int) -> Int {
  var limit = rlimit()
  guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
  if limit.rlim_cur < rlim_t(wanted) {
    var raised = limit
    raised.rlim_cur = min(limit.rlim_max, rlim_t(wanted))
    if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 { limit = raised }
  }
  return Int(clamping: limit.rlim_cur)
}
