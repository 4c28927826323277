// The application, assembled: a library, its jobs, the routes and the HTTP server.

import Dispatch
import FoundationEssentials
import HTTP
import Media
import Model
import Synchronization

/// A running Segmance. Threads: any.
public final class SegmanceServer: Sendable {
  /// The version of this build.
  public static let version = "0.1.0"

  private let library: Library
  private let runner: JobRunner
  private let server: HTTPServer
  private let log: @Sendable (String) -> Void
  private let upkeep = DispatchQueue(label: "segmance.upkeep", qos: .utility)
  private let isStopping = Atomic(false)

  /// Assembles a server for `library`.
  ///
  /// - Parameters:
  ///   - configuration: where to listen.
  ///   - client: the folder of the built client; nil serves the interface only.
  ///   - log: gets a line for each thing that went wrong.
  public init(
    library: Library, configuration: Configuration, client: String?,
    log: @escaping @Sendable (String) -> Void
  ) throws {
    self.library = library
    self.log = log
    runner = JobRunner(library: library, log: log)
    let files = try client.map { try StaticFiles(directory: $0) }
    server = HTTPServer(
      configuration: configuration, router: SegmanceServer.router(library, runner, files),
      log: log)
  }

  /// Starts to listen, takes up unfinished jobs, and returns the port.
  public func start() throws -> Int {
    let port = try server.start()
    try runner.resume()
    sweep()
    return port
  }

  /// Stops: lets running answers end, and leaves unfinished jobs for the next start.
  public func stop() {
    isStopping.store(true, ordering: .relaxed)
    library.hub.close()
    server.stop()
    runner.stop()
  }

  /// Waits until no job is waiting or running.
  public func waitForJobs() { runner.waitUntilIdle() }

  /// Every route of the interface, from which the router and its description are made.
  static func router(_ library: Library, _ runner: JobRunner, _ files: StaticFiles?) -> Router {
    var routes =
      SyncRoutes.routes(library) + UploadRoutes.routes(library)
      + TrackRoutes.routes(library, runner) + AnalysisRoutes.routes(library, runner)
      + VideoRoutes.routes(library, runner) + AlignmentRoutes.routes(library, runner)
      + JobRoutes.routes(runner)
      + SampleRoutes.routes(library, runner) + HistoryRoutes.routes(library)
      + ExportRoutes.routes(library) + ClipExportRoutes.routes(library, runner)
    routes.append(healthRoute)
    // The description describes itself too, so its route stands in the table before its text does.
    let itself = routes.count
    routes.append(descriptionRoute(text: []))
    let document = OpenAPI.document(
      title: "Segmance", version: version, routes: routes, schemas: Schemas.all)
    routes[itself] = descriptionRoute(text: document.serialized())
    var fallback: Route.Handler?
    if let files { fallback = { request in try files.respond(to: request) } }
    return Router(routes: routes, fallback: fallback)
  }

  private static var healthRoute: Route {
    let health = JSONValue.object(["status": "ok", "version": .string(version)]).serialized()
    return Route(
      .get, "/api/health", summary: "Whether the server is well",
      responses: [.json(200, "It is", "Health")], execution: .inline
    ) { _ in .json(encoded: health) }
  }

  private static func descriptionRoute(text: [UInt8]) -> Route {
    Route(
      .get, "/api/openapi.json", summary: "This description",
      responses: [
        ResponseDoc(200, "OpenAPI 3.1", contentType: "application/json", schema: ["type": "object"])
      ], execution: .inline
    ) { _ in .json(encoded: text) }
  }

  private func sweep() {
    upkeep.async { [weak self] in
      guard let self, !isStopping.load(ordering: .relaxed) else { return }
      do {
        try library.sweep()
      } catch {
        log("The sweep failed: \(error)")
      }
      upkeep.asyncAfter(deadline: .now() + .seconds(86_400)) { [weak self] in self?.sweep() }
    }
  }
}
