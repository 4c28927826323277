// A server that waits until no other one has the library open: `segmance serve --standby`.

import Database
import Dispatch
import FoundationEssentials
import HTTP
import Logging
import Network
import Storage
import Synchronization
import Timing

/// Listens, answers that it is a standby, and waits for its library.
///
/// The folder is locked meanwhile, as of a server that runs.
public final class Standby: Sendable {
  /// How often the database server is asked whether the library is free, in milliseconds.
  private static let interval = 250
  /// The time between two attempts to reach a database server that is away, in milliseconds.
  private static let retryInterval = 1_000
  private static let refusal = HTTPError(
    503, detail: "This server is a standby: another one serves the library, or will in a moment.",
    code: "standby", headers: ["Retry-After": "1"])

  let lock: LibraryLock
  let claim: StandbyClaim
  private let server: HTTPServer
  private let exporter: OTLPExporter?
  private let log: Logger
  private let folder: DataDirectory
  private let host: String
  private let timers: any Timers
  private let queue = DispatchQueue(label: "segmance.standby")
  private let isAway = Atomic(false)

  /// Prepares to wait for the library of the folder `root`, or for the one at the address `server`.
  ///
  /// - Throws: `LibraryError` if the library is not one that two machines can have, or if the folder is in
  ///   use.
  public init(
    root: String, server address: String?, hasBucket: Bool, configuration: Configuration,
    network options: NetworkOptions, hasMetrics: Bool, otlp: OTLPOptions?, log: Logger,
    timers: any Timers = SystemTimers()
  ) throws {
    let folder = DataDirectory(root: root)
    self.log = log
    self.timers = timers
    self.folder = folder
    host = configuration.host
    let address = try Library.requireShareable(folder, server: address, hasBucket: hasBucket)
    lock = try Library.makeAndLock(folder)
    try Library.requireNothingRestored(in: folder)
    // What could not be removed is told when the library is opened.
    try folder.prepare()
    claim = StandbyClaim(address: address)
    let isForOwner = hasMetrics && options.publicURL == nil
    let (own, _) = SegmanceServer.listener(configuration, options)
    self.server = HTTPServer(
      configuration: own, router: Standby.router(hasMetrics: isForOwner), log: log)
    exporter = otlp.map {
      OTLPExporter(
        OTLPMetrics { Standby.figures.families }, options: $0, log: log, timers: timers)
    }
  }

  /// Begins to listen and to wait, and returns the port. `onDue` is called once, on another thread, when the
  /// library is to be opened by this process. Until then nobody else can.
  public func start(onDue: @escaping @Sendable () -> Void) throws -> Int {
    let port = try server.start()
    exporter?.start()
    do {
      // By it commands find this process, which says that it is a standby. Nobody knows the key.
      try RuntimeFile(
        pid: ProcessInfo.processInfo.processIdentifier, port: port, host: host, key: Token().text
      ).write(to: folder)
    } catch {
      log.error("servingNote.unwritten", error)
    }
    log.info(
      "standby.waiting", ["version": .text(SegmanceServer.version), "port": .integer(port)])
    queue.async { [weak self] in self?.ask(onDue) }
    return port
  }

  /// Stops to listen.
  public func stop() {
    RuntimeFile.remove(from: folder)
    server.stop()
    OTLPExporter.stop([exporter].compactMap(\.self))
  }

  private func ask(_ onDue: @escaping @Sendable () -> Void) {
    var interval = Standby.interval
    do {
      let isDue = try claim.take()
      if isAway.exchange(false, ordering: .relaxed) { log.info("standby.reachable") }
      if isDue {
        log.info("standby.takesOver")
        onDue()
        return
      }
    } catch {
      if !isAway.exchange(true, ordering: .relaxed) { log.error("standby.unreachable", error) }
      interval = Standby.retryInterval
    }
    timers.after(interval, on: queue) { [weak self] in self?.ask(onDue) }
  }

  /// Refuses all but the two questions that a standby answers.
  static func router(hasMetrics: Bool) -> Router {
    var routes = [
      Route(
        .get, "/api/health", summary: "That it waits", access: .everyone, execution: .inline
      ) { _ in .json(encoded: JSONValue.object(["status": "standby"]).serialized()) }
    ]
    if hasMetrics {
      routes.append(
        Route(.get, "/metrics", summary: "Figures in Prometheus' text format", access: .owner) {
          _ in MetricsRoutes.response(figures)
        })
    }
    return Router(
      routes: routes,
      gate: { request in
        switch request.path {
        case "/api/health" where request.query["standby"] != nil: nil
        case "/metrics" where hasMetrics: nil
        default: refusal
        }
      })
  }

  /// The figures of a server that waits.
  private static var figures: MetricsText {
    var page = MetricsRoutes.beginning(isServing: false)
    ProcessFigures()?.write(to: &page)
    return page
  }
}
