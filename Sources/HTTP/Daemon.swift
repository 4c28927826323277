// The bridge from libmicrohttpd to the application: callbacks, reaper, shutdown.
//
// Life of a request: libmicrohttpd calls `uri` when the request line is there (an exchange is
// made), `access` when the header is complete, for each piece of the body and at its end, and
// `completed` when all is sent or the client is gone (the exchange is released).

import CMicrohttpd
import Dispatch
import Glibc
import Synchronization

/// Runs libmicrohttpd's threads for one application.
final class Daemon: Sendable {
  let application: Application
  let configuration: Configuration
  let pool: WorkerPool
  private let table: ConnectionTable
  private let streams = Mutex<[ObjectIdentifier: any BodyStream]>([:])
  private let stopping = Atomic(false)
  private let running = Atomic(0)
  /// Signalled when the last request ends after `stop()` began.
  private let idle = DispatchSemaphore(value: 0)
  /// Signalled when the last connection ends after `stop()` began.
  private let emptied = DispatchSemaphore(value: 0)
  private let reaper = DispatchQueue(label: "segmance.http.reaper")
  /// Written once, in `init`, before anyone can call `stop()`, its only reader.
  nonisolated(unsafe) private var handle: OpaquePointer?

  /// Starts serving, and takes ownership of the socket.
  init(
    configuration: Configuration, application: Application, socket: ListeningSocket
  ) throws {
    self.configuration = configuration
    self.application = application
    pool = WorkerPool(
      threads: configuration.workerThreads, queueLimit: configuration.queuedRequestLimit)
    table = ConnectionTable(configuration)
    var settings = segmance_mhd_settings()
    settings.listen_socket = socket.descriptor
    settings.threads = UInt32(max(2, configuration.connectionThreads))
    settings.connection_limit = UInt32(configuration.connectionLimit)
    settings.timeout_seconds = UInt32(configuration.stalledResponseSeconds)
    settings.connection_memory = 32 * 1024
    // Unretained: `stop()` ends all callbacks, and HTTPServer keeps this object until then.
    settings.context = Unmanaged.passUnretained(self).toOpaque()
    settings.accept = acceptCallback
    settings.access = accessCallback
    settings.completed = completedCallback
    settings.connection = connectionCallback
    settings.uri = uriCallback
    guard let started = Daemon.start(&settings, configuration.certificate) else {
      let code = errno
      close(socket.descriptor)
      throw ServerError(
        message: "The server could not start its threads: \(String(cString: strerror(code))).",
        code: code)
    }
    handle = started
    scheduleReaper()
  }

  /// Starts libmicrohttpd's threads; it copies the certificate's texts.
  private static func start(
    _ settings: inout segmance_mhd_settings, _ certificate: CertificateFiles?
  ) -> OpaquePointer? {
    guard let certificate else { return segmance_mhd_start(&settings) }
    return certificate.chain.withCString { chain in
      certificate.key.withCString { key in
        settings.certificate = chain
        settings.certificate_key = key
        return segmance_mhd_start(&settings)
      }
    }
  }

  /// The connections that are open.
  var connectionCount: Int { table.count }

  /// Whether new requests are refused.
  var isStopping: Bool { stopping.load(ordering: .acquiring) }

  /// Refuses new connections from now on; requests under way continue.
  ///
  /// `accepts` does it. MHD_quiesce_daemon is no help: in 0.9.75 it and the threads may both take
  /// the socket out of their epoll sets, and the second one aborts.
  func stopAccepting() { stopping.store(true, ordering: .releasing) }

  /// Shuts down in order; called once.
  func stop() {
    guard let handle else { return }
    stopAccepting()
    for stream in streams.withLock({ Array($0.values) }) { stream.close() }
    if running.load(ordering: .sequentiallyConsistent) > 0 {
      let end = DispatchTime.now() + .seconds(configuration.drainSeconds)
      if !waitUntilIdle(end) {
        application.log.warning(
          "server.cutShort", ["requests": .integer(running.load(ordering: .relaxed))])
        table.shutDownAll()
        // Running handlers hold suspended connections, which must not be destroyed.
        _ = waitUntilIdle(.distantFuture)
      }
    }
    // No connection may be left: while it stops, libmicrohttpd 0.9.75 crashes when it has to send
    // an error response of its own.
    table.shutDownAll()
    while table.count > 0 {
      if emptied.wait(timeout: .now() + .seconds(5)) == .timedOut { break }
    }
    MHD_stop_daemon(handle)
  }

  private func waitUntilIdle(_ end: DispatchTime) -> Bool {
    while running.load(ordering: .sequentiallyConsistent) > 0 {
      if idle.wait(timeout: end) == .timedOut { return false }
    }
    return true
  }

  // By the system's clock, not by `Timers`: libmicrohttpd counts its own time-outs by it, and what ends here are
  // real sockets of real clients.
  private func scheduleReaper() {
    reaper.asyncAfter(deadline: .now() + .milliseconds(500)) { [weak self] in
      // During the shutdown too: a connection that its client closed would delay it.
      guard let self else { return }
      self.table.reap(admits: self.application.isStillAuthorized)
      self.scheduleReaper()
    }
  }

  // MARK: What callbacks and exchanges report

  fileprivate func requestBegan(_ progress: ConnectionProgress) {
    running.wrappingAdd(1, ordering: .relaxed)
    progress.expectRestOfHeader(
      by: Monotonic.milliseconds + configuration.headerTimeoutSeconds * 1000)
  }

  fileprivate func expectNextRequest(_ progress: ConnectionProgress) {
    progress.expectHeader(by: Monotonic.milliseconds + configuration.idleTimeoutSeconds * 1000)
  }

  func requestEnded() {
    let (_, left) = running.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    if left == 0, isStopping { idle.signal() }
  }

  func add(_ stream: any BodyStream) {
    streams.withLock { $0[ObjectIdentifier(stream)] = stream }
    if isStopping { stream.close() }
  }

  func remove(_ stream: any BodyStream) {
    _ = streams.withLock { $0.removeValue(forKey: ObjectIdentifier(stream)) }
  }

  fileprivate func accepts(_ address: IPAddress?) -> Bool {
    guard !isStopping else { return false }
    let isProxy =
      address.map { address in
        configuration.trustedProxies.contains { $0.contains(address) }
      } ?? false
    guard table.accepts(address, isProxy: isProxy) else {
      application.noteTooManyConnections(from: address)
      return false
    }
    return true
  }

  fileprivate func connectionBegan(_ connection: OpaquePointer) -> ConnectionProgress {
    table.add(
      descriptor: segmance_mhd_socket(connection),
      address: IPAddress(segmance_mhd_client_address(connection)))
  }

  fileprivate func connectionEnded(_ progress: ConnectionProgress) {
    if table.remove(progress) == 0, isStopping { emptied.signal() }
  }
}

// MARK: The callbacks, which are plain functions on libmicrohttpd's threads

private typealias Exchange = HTTPExchange<MicrohttpdConnection>

private func daemon(_ context: UnsafeMutableRawPointer?) -> Daemon? {
  context.map { Unmanaged<Daemon>.fromOpaque($0).takeUnretainedValue() }
}

private func acceptCallback(
  _ context: UnsafeMutableRawPointer?, _ address: UnsafePointer<sockaddr>?, _ length: socklen_t
) -> MHD_Result {
  daemon(context)?.accepts(IPAddress(address)) == true ? .YES : .NO
}

private func connectionCallback(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ socketContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _ code: MHD_ConnectionNotificationCode
) {
  guard let daemon = daemon(context), let connection, let socketContext else { return }
  if code == .CONNECTION_NOTIFY_STARTED {
    // Retained here, released where the connection ends: libmicrohttpd calls both exactly once.
    socketContext.pointee =
      Unmanaged.passRetained(daemon.connectionBegan(connection)).toOpaque()
  } else if let stored = socketContext.pointee {
    socketContext.pointee = nil
    daemon.connectionEnded(Unmanaged<ConnectionProgress>.fromOpaque(stored).takeRetainedValue())
  }
}

private func uriCallback(
  _ context: UnsafeMutableRawPointer?, _ uri: UnsafePointer<CChar>?, _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  guard let daemon = daemon(context), let uri, let connection,
    let stored = segmance_mhd_socket_context(connection)
  else { return nil }
  let progress = Unmanaged<ConnectionProgress>.fromOpaque(stored).takeUnretainedValue()
  let exchange = Exchange(
    connection: MicrohttpdConnection(daemon: daemon, handle: connection), progress: progress,
    target: String(cString: uri))
  daemon.requestBegan(progress)
  // Retained here, released in `completedCallback`.
  return Unmanaged.passRetained(exchange).toOpaque()
}

private func accessCallback(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ url: UnsafePointer<CChar>?,
  _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?,
  _ data: UnsafePointer<CChar>?, _ size: UnsafeMutablePointer<Int>?,
  _ requestContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let stored = requestContext?.pointee, let method, let size else { return .NO }
  let exchange = Unmanaged<Exchange>.fromOpaque(stored).takeUnretainedValue()
  let bytes = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : size.pointee)
  let step = exchange.advance(method: method, bytes)
  if step != .later { size.pointee = 0 }
  return step == .close ? .NO : .YES
}

private func completedCallback(
  _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ requestContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _ code: MHD_RequestTerminationCode
) {
  guard let stored = requestContext?.pointee else { return }
  requestContext?.pointee = nil
  let exchange = Unmanaged<Exchange>.fromOpaque(stored).takeRetainedValue()
  daemon(context)?.expectNextRequest(exchange.progress)
  exchange.end()
}
