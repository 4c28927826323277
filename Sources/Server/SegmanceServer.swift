// The application: a library, its jobs, the routes and the HTTP server.

import Database
import Dispatch
import FoundationEssentials
import HTTP
import Logging
import Media
import Model
import Network
import Storage
import Synchronization

/// The running application.
public final class SegmanceServer: Sendable {
  /// The version of this build and of its package. CHANGELOG.md has a section for it.
  public static let version = "0.2.0"

  private let library: Library
  private let runner: JobRunner
  /// nil if devices are not notified.
  private let notifier: Notifier?
  /// What is sent to collectors: figures, traces or nothing.
  private let exporters: [OTLPExporter]
  private let server: HTTPServer
  /// The network access of other devices.
  public let network: LANServer
  private let router: Router
  private let host: String
  private let log: Logger
  private let upkeep = DispatchQueue(label: "segmance.upkeep", qos: .utility)
  /// Sends derived files that only the folder has.
  private let derivedWork = DispatchQueue(label: "segmance.derived", qos: .utility)
  private let isStopping = Atomic(false)
  /// How long after a sweep that failed the next one is tried.
  private static let sweepRetrySeconds = 600
  private let watch: ServingWatch

  /// Makes a server for `library`.
  ///
  /// - Parameters:
  ///   - configuration: the listener's address and limits.
  ///   - network: the options for access by other devices.
  ///   - hasMetrics: whether the owner may read metrics at `/metrics`.
  ///   - otlp: sends the same metrics to a collector.
  ///   - traces: sends traces of requests and jobs to a collector.
  ///   - push: turns notifications on.
  ///   - client: the folder of the built client; nil serves only the API.
  ///   - onReplaced: called when a restored library is ready to be opened in place of this one:
  ///     stop this server, and start another.
  ///   - onSuperseded: called when another server has opened the library, or may have: end this process.
  public init(
    library: Library, configuration: Configuration, network options: NetworkOptions = .init(),
    push: PushOptions? = nil, client: String?, hasMetrics: Bool = false,
    otlp: OTLPOptions? = nil, traces: TraceOptions? = nil,
    onReplaced: @escaping @Sendable () -> Void = {},
    onSuperseded: @escaping @Sendable () -> Void = {}
  ) throws {
    self.library = library
    log = library.log
    let timers = library.timers
    watch = ServingWatch(
      database: library.database, log: log, timers: timers, onEnd: onSuperseded)
    let tracer = traces.map { [log] in Tracer(options: $0, log: log, timers: timers) }
    runner = JobRunner(library: library, observer: tracer, onReplaced: onReplaced)
    notifier = try push.map { try Notifier(library: library, options: $0) }
    let files = try client.map { folder in
      try StaticFiles(
        directory: folder,
        // The line also makes browsers take the script for a new one, with its new policy.
        own: library.direct.map {
          StaticFiles.OwnScript(
            "/sw.js", firstLine: "self.fetchesDirectly = true; // \($0.origin)",
            connectingTo: [$0.origin])
        })
    }
    let metrics = hasMetrics || otlp != nil ? RequestMetrics() : nil
    /// Those of a listener whose clients use `scheme`.
    func observers(_ scheme: String) -> [any RequestObserver] {
      var observers: [any RequestObserver] = []
      if let metrics { observers.append(metrics) }
      if let tracer { observers.append(RequestTracer(tracer: tracer, scheme: scheme)) }
      return observers
    }
    network = LANServer(library: library, options: options, observers: observers("https"))
    router = SegmanceServer.router(
      library, runner, files, network, hasMetrics ? metrics : nil, tracer?.spans, watch)
    var exporters = [tracer?.exporter].compactMap(\.self)
    if let otlp, let metrics {
      let figures = OTLPMetrics { [library, runner] in
        try MetricsRoutes.page(library, runner, metrics, tracer?.spans).families
      }
      exporters.append(OTLPExporter(figures, options: otlp, log: log, timers: timers))
    }
    self.exporters = exporters
    let (own, listener) = SegmanceServer.listener(configuration, options)
    server = HTTPServer(
      configuration: own, router: router,
      authenticator: StudioAuthenticator(
        listener: listener, devices: library.devices, permissions: library.permissions,
        ownerKeyHash: Token.hash(network.ownerKey)),
      log: log, observers: observers(options.publicURL == nil ? "http" : "https"))
    host = configuration.host
    // Weak, because the server holds the metrics.
    metrics?.addListener { [weak server] in server?.connectionCount ?? 0 }
    metrics?.addListener { [weak network] in network?.connectionCount ?? 0 }
  }

  /// The configuration of the listener on this machine, and whose requests it takes.
  static func listener(
    _ configuration: Configuration, _ options: NetworkOptions
  ) -> (Configuration, StudioAuthenticator.Listener) {
    guard let publicURL = options.publicURL else { return (configuration, .loopback) }
    var own = configuration
    own.allowedHosts.append(publicURL.origin)
    own.trustedProxies =
      options.trustedProxies + ["127.0.0.0/8", "::1"].compactMap(AddressRange.init)
    return (own, .proxied)
  }

  /// Starts to listen, resumes unfinished jobs, and returns the port.
  public func start() throws -> Int {
    try library.startSharing()
    // Before the first upload, because uploaded songs already have a job.
    if library.derived == nil {
      try library.renewals.addMissing()
    } else if library.quota.limits.libraryBytes != nil {
      // Otherwise more would be let in until all is known.
      try library.derived?.refresh()
    }
    // Done before the first request, so that it already gets these problems. The free space
    // requires a look at every file and comes later.
    library.backups.makeFolder()
    try library.backups.recallLast()
    library.jobQueue.connect(runner)
    library.commentRelay.connect(notifier)
    notifier?.start()
    if library.hasOtherServers { watch.start() }
    let port = try server.start()
    do {
      try network.start(router)
    } catch {
      network.stop()
      server.stop()
      throw error
    }
    do {
      try RuntimeFile(
        pid: ProcessInfo.processInfo.processIdentifier, port: port, host: host,
        key: network.ownerKey
      ).write(to: library.folder)
    } catch {
      // On a full disk the server still runs; only the command line cannot find it.
      log.error("servingNote.unwritten", error)
    }
    try runner.resume()
    startUpkeep()
    for exporter in exporters { exporter.start() }
    if library.previousLibrary != nil { log.info("library.restored") }
    log.info(
      "server.started", ["version": .text(SegmanceServer.version), "port": .integer(port)])
    return port
  }

  /// Ends without waiting for anything, as another server has the library. Nothing may be stored any more.
  public func abandon() { RuntimeFile.remove(from: library.folder) }

  /// Stops the server: running responses end, and unfinished jobs stay for the next start.
  public func stop() {
    isStopping.store(true, ordering: .relaxed)
    log.info("server.stopping")
    watch.stop()
    // First, so that no job does work that the next start would repeat.
    runner.halt()
    RuntimeFile.remove(from: library.folder)
    // Stops before the event streams end, so that their clients do not reconnect to a listener that
    // is about to close.
    server.stopAccepting()
    network.stopAccepting()
    library.hub.close()
    server.stop()
    network.stop()
    // Not earlier: until then other servers wait for this one to read what they edit.
    library.sharing?.stop()
    notifier?.stop()
    runner.stop()
    saveVisitors()
    // Last, so that the figures and spans of the end are sent.
    OTLPExporter.stop(exporters)
    log.info("server.stopped")
  }

  /// Every route of the API, from which the router and its description are made.
  static func router(
    _ library: Library, _ runner: JobRunner, _ files: StaticFiles?, _ network: LANServer? = nil,
    _ metrics: RequestMetrics? = nil, _ spans: SpanQueue? = nil, _ watch: ServingWatch? = nil
  ) -> Router {
    let network = network ?? LANServer(library: library)
    var routes =
      SyncRoutes.routes(library) + UploadRoutes.routes(library)
      + TrackRoutes.routes(library) + AnalysisRoutes.routes(library)
      + VideoRoutes.routes(library) + AlignmentRoutes.routes(library)
      + SpeechRoutes.routes(library) + RecordingRoutes.routes(library) + JobRoutes.routes(runner)
      + SampleRoutes.routes(library) + HistoryRoutes.routes(library)
      + ExportRoutes.routes(library) + ClipExportRoutes.routes(library)
      + SessionRoutes.routes(library) + PairingRoutes.routes(library, network)
      + DeviceRoutes.routes(library) + NetworkRoutes.routes(network)
      + PeopleRoutes.routes(library) + SignInRoutes.routes(library) + AccountRoutes.routes(library)
      + PushRoutes.routes(library) + GroupRoutes.routes(library)
      + LinkRoutes.routes(library, network)
      + RemoteRoutes.routes(library) + LeadRoutes.routes(library) + BackupRoutes.routes(library)
      + HealthRoutes.routes(library) + RobotsRoutes.routes
    if let metrics { routes += MetricsRoutes.routes(library, runner, metrics, spans) }
    // The description includes its own route, so that route is added before its text is made.
    let itself = routes.count
    routes.append(descriptionRoute(text: []))
    let document = OpenAPI.document(
      title: "Segmance", version: version, routes: routes, schemas: Schemas.all,
      pathSchemas: Schemas.inPaths)
    routes[itself] = descriptionRoute(text: document.serialized())
    var fallback: Route.Handler?
    if let files { fallback = { request in try files.respond(to: request) } }
    guard let watch else { return Router(routes: routes, fallback: fallback) }
    let sharing = library.sharing
    return Router(routes: routes, fallback: fallback) { request in
      guard watch.isServing else {
        return .unavailable(
          "Another server serves this library, or may do so. Try again in a moment.")
      }
      // Who was turned away at another server must not be let in here.
      guard request.path.hasPrefix("/api/"), request.path != "/api/health",
        sharing.map(\.isFresh) == false
      else { return nil }
      return .unavailable(
        "This server has not heard from the database for a moment. Try again.", retryAfterSeconds: 1
      )
    }
  }

  private static func descriptionRoute(text: [UInt8]) -> Route {
    Route(
      .get, "/api/openapi.json", summary: "This description",
      responses: [
        ResponseDoc(200, "OpenAPI 3.1", contentType: "application/json", schema: ["type": "object"])
      ], access: .person(nil), execution: .inline
    ) { _ in .json(encoded: text) }
  }

  /// Starts the periodic tasks that run until the server stops.
  private func startUpkeep() {
    if library.derived != nil { takeOverDerived() }
    // The sweep, at the start and every day.
    every(86_400) { server in if server.library.isKeeper { server.sweep() } }
    // Every ten minutes, data of devices and links that is only in memory is saved.
    every(600, startsAtOnce: false) { server in server.saveVisitors() }
    if library.backups.plan?.everyHours != nil {
      // Every minute, a check whether a backup is due. It counts the minutes, so a clock change has
      // no effect.
      every(60, from: Int.max / 2) { server, secondsSinceAttempt in
        if server.library.isKeeper,
          server.library.backups.addDue(secondsSinceAttempt: secondsSinceAttempt) != nil
        {
          secondsSinceAttempt = 0
        }
        secondsSinceAttempt += 60
      }
    }
    every(60, from: false) { server, wasFull in server.watchDisk(&wasFull) }
    // Releases database memory that no reader needs.
    every(60, startsAtOnce: false) { server in server.library.database.releaseMemory() }
    // Expires idle uploads and checks the free space.
    every(3600) { server in if server.library.isKeeper { server.expireUploads() } }
    if library.sharing != nil {
      // Looks what other servers have added, as the limit of the library's size counts it, too.
      every(3600, startsAtOnce: false) { server in server.lookAgain() }
    }
  }

  /// Runs `work` on the upkeep queue, and again `seconds` after each end, until the server stops.
  private func every(
    _ seconds: Int, startsAtOnce: Bool = true, _ work: @escaping @Sendable (SegmanceServer) -> Void
  ) {
    every(seconds, after: startsAtOnce ? 0 : seconds, from: ()) { server, _ in work(server) }
  }

  /// Does the same with a state that each run passes to the next one.
  private func every<State: Sendable>(
    _ seconds: Int, after delay: Int = 0, from state: State,
    _ work: @escaping @Sendable (SegmanceServer, inout State) -> Void
  ) {
    library.timers.after(delay * 1_000, on: upkeep) { [weak self] in
      guard let self, !isStopping.load(ordering: .relaxed) else { return }
      var next = state
      work(self, &next)
      every(seconds, after: seconds, from: next, work)
    }
  }

  /// Looks what the bucket has of derived files, sends what only the folder has, and prepares what is nowhere. It
  /// may take hours, and is tried again until it is done.
  private func takeOverDerived() {
    derivedWork.async { [weak self] in
      guard let self, !isStopping.load(ordering: .relaxed) else { return }
      do {
        try library.derived?.refresh()
        let (sent, isAll) = try library.renewals.takeOverFolder {
          isStopping.load(ordering: .relaxed)
        }
        if sent > 0 { log.info("derived.moved", ["count": .integer(sent)]) }
        if !isAll { takeOverDerivedLater() }
        if library.isKeeper { try library.renewals.addMissing() }
        library.quota.updateHealth()
      } catch {
        log.error("derived.unmoved", error)
        takeOverDerivedLater()
      }
    }
  }

  private func takeOverDerivedLater() {
    library.timers.after(60_000, on: derivedWork) { [weak self] in self?.takeOverDerived() }
  }

  private func saveVisitors() {
    do {
      for id in library.devices.ended() { try library.revoke(id) }
      try library.devices.save()
    } catch {
      log.error("devices.unsaved", error)
    }
    do {
      try library.links.save()
    } catch {
      log.error("links.unsaved", error)
    }
  }

  /// Sweeps, and again in ten minutes if that failed.
  private func sweep() {
    do {
      try library.cleaning.sweep()
      library.health.set(.sweep, nil)
    } catch {
      // That the bucket or the database does not answer is told of itself, until it does.
      if (error as? StorageError)?.code != .unreachable,
        (error as? DatabaseError)?.code != .unreachable
      {
        library.health.set(.sweep, "What is no longer needed could not be removed.")
      }
      log.error("sweep.failed", error)
      library.timers.after(SegmanceServer.sweepRetrySeconds * 1_000, on: upkeep) { [weak self] in
        guard let self, !isStopping.load(ordering: .relaxed) else { return }
        sweep()
      }
    }
  }

  private func lookAgain() {
    do {
      try library.blobs.refresh()
      try library.derived?.refresh()
      library.quota.updateHealth()
    } catch {
      log.error("library.unmeasured", error)
    }
  }

  private func expireUploads() {
    do {
      try library.cleaning.expireUploads()
    } catch {
      log.error("uploads.unexpired", error)
    }
    library.quota.updateHealth()
  }

  /// Logs when free space falls to the reserve or recovers, and updates health if something could
  /// not be prepared again.
  private func watchDisk(_ wasFull: inout Bool) {
    let isFull = (try? library.folder.isFull()) ?? wasFull
    if isFull != wasFull {
      log.write(LogRecord(isFull ? .error : .info, isFull ? "disk.full" : "disk.hasRoom"))
      if !isFull { saveVisitors() }
    }
    if library.health.has(.renewal) { library.renewals.updateHealth() }
    wasFull = isFull
  }
}
